"""Pairs of a Spark data frame: `frame.mapInArrow(score_batches(job), schema_of(frame, job))`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .table import score_table

__all__ = ["schema_of", "score_batches"]


def score_batches(job: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for `mapInArrow`: batches of pairs in, batches of rows out; `job` as for `mapjudge.table.score_table`."""

    def batches(pairs: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in pairs:
            yield from score_table(pyarrow.Table.from_batches([batch]), job).to_batches()

    return batches


def schema_of(frame: Any, job: dict[str, Any]) -> Any:
    """The schema of the rows of a Spark data frame of pairs, as `mapInArrow` asks for it."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    return from_arrow_schema(score_table(to_arrow_schema(frame.schema).empty_table(), job).schema)
