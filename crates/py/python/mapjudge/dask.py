"""Pairs of a Dask data frame. Read the security note of `mapjudge.table` first."""

from __future__ import annotations

from typing import Any

from .table import score_table


def _partition(frame: Any, job: dict[str, Any] | None) -> Any:
    import pyarrow

    return score_table(pyarrow.Table.from_pandas(frame, preserve_index=False), job).to_pandas()


def score_frame(frame: Any, job: dict[str, Any] | None = None) -> Any:
    """A data frame with a row per pair."""
    meta = _partition(frame.head(1, npartitions=-1), job).head(0)
    return frame.map_partitions(_partition, job, meta=meta)
