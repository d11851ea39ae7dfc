"""Pairs of a Spark data frame: `frame.mapInArrow(score_batches(job), schema_of(frame, job))`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ._tables import missing
from .table import score_table

__all__ = ["schema_of", "score_batches"]


def score_batches(job: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """A function for `mapInArrow`: batches of pairs in, batches of rows out; `job` as for `mapjudge.table.score_table`.

    >>> import pyarrow
    >>> from mapjudge.spark import score_batches
    >>> pairs = pyarrow.record_batch({"map": ["demo/noise.yaml"], "truth": ["demo/truth.yaml"]})
    >>> next(score_batches({"metrics": ["overall_error"]})(iter([pairs])))["status"].to_pylist()
    ['ok']
    """

    def batches(pairs: Iterator[Any]) -> Iterator[Any]:
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "spark") from None
        for batch in pairs:
            yield from score_table(pyarrow.Table.from_batches([batch]), job).to_batches()

    return batches


def schema_of(frame: Any, job: dict[str, Any]) -> Any:
    """The schema of the rows of a Spark data frame of pairs, as `mapInArrow` asks for it.

    >>> from pyspark.sql import SparkSession
    >>> from mapjudge.spark import schema_of, score_batches
    >>> session = SparkSession.builder.master("local[1]").getOrCreate()
    >>> frame = session.createDataFrame([("demo/noise.yaml", "demo/truth.yaml")], ["map", "truth"])
    >>> job = {"metrics": ["overall_error"]}
    >>> [row["status"] for row in frame.mapInArrow(score_batches(job), schema_of(frame, job)).collect()]
    ['ok']
    """
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    return from_arrow_schema(score_table(to_arrow_schema(frame.schema).empty_table(), job).schema)
