"""Tables of pairs: the one function that engines spread over their workers.

Security: Ray and Dask listen beyond this machine even when told 127.0.0.1, and whoever reaches their ports runs code. Use a
private network or a namespace, and keep their tokens on.
"""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

from ._cards import metrics
from ._errors import ArgumentError
from ._score import score_many
from ._tables import missing

if TYPE_CHECKING:
    import pyarrow

__all__ = ["score_table"]

_OWN = ("map", "truth", "id", "align")
_TEXTS = ("id", "status", "code", "message", "hint")
_ALIGNMENT = ("align_method", "align_verdict")
_TRANSFORM = ("x_m", "y_m", "theta_rad", "scale")


def score_table(table: pyarrow.Table, job: dict[str, Any]) -> pyarrow.Table:
    """A row per pair of the columns `map` and `truth`; other columns than these, `id` and `align` pass through.

    `job` has keywords of `score`; `metrics` must be among them, because the columns and their types are those of the job, so
    that the tables of all batches fit together. A pair that fails is a row with `status` "error".

    >>> import pyarrow
    >>> from mapjudge.table import score_table
    >>> pairs = pyarrow.table({"map": ["nowhere.pgm"], "truth": ["nowhere.pgm"], "seed": [7]})
    >>> rows = score_table(pairs, {"metrics": ["overall_error"]})
    >>> rows["status"].to_pylist(), rows["seed"].to_pylist(), str(rows["overall_error"].type)
    (['error'], [7], 'double')
    """
    try:
        import pyarrow
    except ImportError:
        raise missing("pyarrow", "arrow") from None
    ids = metric_ids(job)
    lacking = [name for name in ("map", "truth") if name not in table.column_names]
    if lacking:
        raise ArgumentError(f"the table has no column '{lacking[0]}'", "ARGUMENT", "each row needs a map and a truth")
    own = table.select([name for name in _OWN if name in table.column_names]).to_pylist()
    pairs = [{"id": pair["map"], **{key: value for key, value in pair.items() if value is not None}} for pair in own]
    rows = [_flat(row) for row in score_many(pairs, **{**job, "threads": 1})]
    texts = [*_TEXTS, *_ALIGNMENT]
    numbers = ["coverage", *(f"truth_from_map_{name}" for name in _TRANSFORM), *ids]
    columns = {name: _column(rows, name, pyarrow.string()) for name in texts}
    columns |= {name: _column(rows, name, pyarrow.float64()) for name in numbers}
    columns["reasons"] = _column(rows, "reasons", pyarrow.string())
    for name in table.column_names:
        if name not in _OWN:
            columns[name] = table[name]
    return pyarrow.table(columns)


def metric_ids(job: dict[str, Any]) -> list[str]:
    """The metrics of a job by their ids, in the order of the list of metrics."""
    asked = job.get("metrics")
    if not asked:
        raise ArgumentError("the job names no metrics", "ARGUMENT", 'write {"metrics": ["cells"]}')
    names = {asked} if isinstance(asked, str) else set(asked)
    cards = metrics()
    known = sorted({card[key] for card in cards for key in ("id", "family")})
    unknown = sorted(names - set(known))
    if unknown:
        near = difflib.get_close_matches(unknown[0], known, 1, 0.5)
        hint = f"did you mean '{near[0]}'?" if near else None
        raise ArgumentError(f"no metric or family '{unknown[0]}'", "UNKNOWN_METRIC", hint)
    return [card["id"] for card in cards if card["id"] in names or card["family"] in names]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    alignment = row.get("alignment") or {}
    flat = {name: row.get(name) for name in (*_TEXTS, "coverage")}
    flat["align_method"], flat["align_verdict"] = alignment.get("method"), alignment.get("verdict")
    transform = alignment.get("truth_from_map") or {}
    flat |= {f"truth_from_map_{name}": transform.get(name) for name in _TRANSFORM}
    flat["reasons"] = json.dumps(row["reasons"], sort_keys=True) if row.get("reasons") else None
    return {**flat, **row.get("values", {})}


def _column(rows: list[dict[str, Any]], name: str, kind: Any) -> Any:
    import pyarrow

    values = [row.get(name) for row in rows]
    if kind == pyarrow.string():
        values = [None if value is None else str(value) for value in values]
    return pyarrow.array(values, kind)
