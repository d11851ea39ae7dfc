"""The function that engines spread, without an engine: those listen on the network."""

from __future__ import annotations

import pytest

pyarrow = pytest.importorskip("pyarrow")


def test_a_table_gives_a_row_per_pair(here):
    from mapjudge.table import score_table

    table = pyarrow.table({
        "map": ["demo/noise.yaml", "nowhere.pgm", "demo/bend.yaml"],
        "truth": ["demo/truth.yaml"] * 3,
        "id": ["a", "b", "c"],
        "seed": [1, 2, 3],
    })
    rows = score_table(table, {"metrics": ["cells"]})
    assert rows["status"].to_pylist() == ["ok", "error", "ok"]
    assert rows["seed"].to_pylist() == [1, 2, 3] and rows["id"].to_pylist() == ["a", "b", "c"]
    parts = [score_table(table.slice(index, 1), {"metrics": ["cells"]}) for index in range(3)]
    joined = [value for part in parts for value in part["status"].to_pylist()]
    assert joined == rows["status"].to_pylist()
    assert parts[0]["overall_error"].to_pylist() == rows["overall_error"].to_pylist()[:1]


def test_batches_of_spark_are_batches_of_arrow(here):
    from mapjudge.spark import score_batches

    batch = pyarrow.record_batch({"map": ["demo/noise.yaml"], "truth": ["demo/truth.yaml"]})
    (rows,) = score_batches({"metrics": "overall_error"})(iter([batch]))
    assert rows.num_rows == 1
