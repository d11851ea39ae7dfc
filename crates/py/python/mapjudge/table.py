"""Tables of pairs: the one function that engines spread over their workers.

Security: Ray and Dask listen beyond this machine even when told 127.0.0.1, and whoever reaches their ports runs code. Use a
private network or a namespace, and keep their tokens on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._score import score_many
from ._tables import missing

if TYPE_CHECKING:
    import pyarrow

_OWN = ("map", "truth", "id", "align")


def score_table(table: pyarrow.Table, job: dict[str, Any] | None = None) -> pyarrow.Table:
    """A row per pair of the columns `map` and `truth`; other columns than these, `id` and `align` pass through.

    Values are columns named after their metric. A pair that fails is a row with `status` "error". `job` has keywords of
    `score`.
    """
    try:
        import pyarrow
    except ImportError:
        raise missing("pyarrow", "arrow") from None
    pairs = table.to_pylist()
    wanted = [{key: pair[key] for key in _OWN if pair.get(key) is not None} for pair in pairs]
    rows = []
    for pair, row in zip(pairs, score_many(wanted, threads=1, **(job or {})), strict=True):
        tags = {key: value for key, value in pair.items() if key not in _OWN}
        rows.append({**tags, **_flat(row)})
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pyarrow.table({name: _column(pyarrow, name, values) for name, values in columns.items()})


_TEXTS = ("id", "status", "code", "message", "hint", "method", "verdict")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    alignment = row.get("alignment") or {}
    flat = {name: row.get(name) for name in ("id", "status", "coverage", "code", "message", "hint")}
    flat["method"], flat["verdict"] = alignment.get("method"), alignment.get("verdict")
    return {**flat, **row.get("values", {})}


def _column(pyarrow: Any, name: str, values: list[Any]) -> Any:
    # A column of nothing but nulls has a type all the same: batches fit together.
    if name in _TEXTS:
        return pyarrow.array([None if value is None else str(value) for value in values], pyarrow.string())
    if all(value is None for value in values):
        return pyarrow.array(values, pyarrow.float64())
    return pyarrow.array(values)
