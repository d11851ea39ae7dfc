"""Pairs of a Dask data frame. Read the security note of `mapjudge.table` first."""

from __future__ import annotations

from typing import Any

from .table import score_table

__all__ = ["score_frame"]


def _partition(frame: Any, job: dict[str, Any]) -> Any:
    import pandas
    import pyarrow

    rows = score_table(pyarrow.Table.from_pandas(frame, preserve_index=False), job)
    # Text as Arrow has it, as Dask keeps it: null stays null in columns of nothing else.
    kinds = {pyarrow.string(): pandas.ArrowDtype(pyarrow.string())}
    return rows.to_pandas(types_mapper=kinds.get)


def score_frame(frame: Any, job: dict[str, Any]) -> Any:
    """A data frame with a row per pair; `job` as for `mapjudge.table.score_table`."""
    return frame.map_partitions(_partition, job, meta=_partition(frame.head(0, npartitions=1), job))
