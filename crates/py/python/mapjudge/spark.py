"""Pairs of a Spark data frame: `frame.mapInArrow(score_batches(job), schema)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .table import score_table


def score_batches(job: dict[str, Any] | None = None) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for `mapInArrow`: batches of pairs in, batches of rows out."""

    def batches(pairs: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in pairs:
            yield from score_table(pyarrow.Table.from_batches([batch]), job).to_batches()

    return batches
