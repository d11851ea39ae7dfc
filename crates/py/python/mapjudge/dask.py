"""Pairs of a Dask data frame.

Security: Dask listens beyond this machine even when told 127.0.0.1, and whoever reaches its ports runs code. Use a private
network or a namespace.
"""

from __future__ import annotations

from typing import Any

from ._tables import missing
from .table import score_table

__all__ = ["score_frame"]


def _partition(frame: Any, job: dict[str, Any]) -> Any:
    import pandas

    try:
        import pyarrow
    except ImportError:
        raise missing("pyarrow", "dask") from None
    rows = score_table(pyarrow.Table.from_pandas(frame, preserve_index=False), job)
    # Text as Arrow has it, as Dask keeps it: null stays null in columns of nothing else.
    kinds = {pyarrow.string(): pandas.ArrowDtype(pyarrow.string())}
    return rows.to_pandas(types_mapper=kinds.get)


def score_frame(frame: Any, job: dict[str, Any]) -> Any:
    """A data frame with a row per pair; `job` as for `mapjudge.table.score_table`.

    >>> import dask.dataframe, pandas
    >>> from mapjudge.dask import score_frame
    >>> pairs = pandas.DataFrame({"map": ["demo/noise.yaml", "nowhere.pgm"], "truth": ["demo/truth.yaml"] * 2})
    >>> frame = dask.dataframe.from_pandas(pairs, npartitions=2)
    >>> list(score_frame(frame, {"metrics": ["overall_error"]}).compute(scheduler="sync")["status"])
    ['ok', 'error']
    """
    return frame.map_partitions(_partition, job, meta=_partition(frame.head(0, npartitions=1), job))
