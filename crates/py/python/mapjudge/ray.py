"""Pairs of a Ray dataset. Read the security note of `mapjudge.table` first."""

from __future__ import annotations

from typing import Any

from .table import score_table

__all__ = ["score_dataset"]


def score_dataset(dataset: Any, job: dict[str, Any], batch_size: int = 64) -> Any:
    """A dataset with a row per pair; batches are tasks, which Ray computes again if a worker dies.

    `job` as for `mapjudge.table.score_table`.
    """
    return dataset.map_batches(
        score_table, batch_format="pyarrow", batch_size=batch_size, fn_kwargs={"job": job}, zero_copy_batch=True
    )
