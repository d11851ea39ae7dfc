"""Pairs of a Ray dataset.

Security: Ray listens beyond this machine even when told 127.0.0.1, and whoever reaches its ports runs code. Use a private
network or a namespace, keep its tokens on, and take the right to read `~/.ray/auth_token` from all others.
"""

from __future__ import annotations

from typing import Any

from .table import score_table

__all__ = ["score_dataset"]


def score_dataset(dataset: Any, job: dict[str, Any], batch_size: int = 64) -> Any:
    """A dataset with a row per pair; batches are tasks, which Ray computes again if a worker dies.

    `job` as for `mapjudge.table.score_table`.

    >>> import ray.data
    >>> from mapjudge.ray import score_dataset
    >>> pairs = ray.data.from_items([{"map": "demo/noise.yaml", "truth": "demo/truth.yaml"}])
    >>> [row["status"] for row in score_dataset(pairs, {"metrics": ["overall_error"]}).take_all()]
    ['ok']
    """
    return dataset.map_batches(
        score_table, batch_format="pyarrow", batch_size=batch_size, fn_kwargs={"job": job}, zero_copy_batch=True
    )
