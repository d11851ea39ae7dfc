"""Checks of a metric of one's own against the conformance vectors of mapjudge."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from . import _core
from ._errors import ArgumentError

__all__ = ["check_metric", "vectors"]

_CELLS = {"#": 2, ".": 0, "?": 1}


def vectors() -> dict[str, dict[str, str]]:
    """The conformance vectors that the module holds: name, then file, then text.

    >>> import mapjudge as mj
    >>> len(mj.testing.vectors()) > 20
    True
    """
    found: dict[str, dict[str, str]] = {}
    for path, text in _core.vector_files().items():
        name, _, file = path.rpartition("/")
        found.setdefault(name, {})[file] = text
    return found


def _cells(text: str) -> Any:
    """Classes of a text grid: 0 free, 1 unknown, 2 occupied; none for grids of numbers or navigation classes."""
    import numpy

    rows = [line for line in text.splitlines() if line.strip()]
    if not rows or not all(set(row) <= set(_CELLS) for row in rows):
        return None
    return numpy.array([[_CELLS[cell] for cell in row] for row in rows], numpy.uint8)


def check_metric(
    function: Callable[[Any, Any], float | None], id: str, *, tolerance: float = 1e-9
) -> int:
    """Runs a metric `function(map, truth)` of one's own on the conformance vectors of the metric `id`.

    Both arguments are uint8 arrays, top row first: 0 free, 1 unknown, 2 occupied. Cells are 1 m. An undefined value is
    None. Raises AssertionError with every vector that disagrees; returns how many were compared. Vectors with parameters
    other than the defaults, and maps of probabilities, are left out.

    >>> import mapjudge as mj
    >>> def mine(subject, truth):
    ...     return float(((subject == 2) != (truth == 2)).sum())
    >>> mj.testing.check_metric(mine, "overall_error") > 3
    True
    """
    from ._cards import card

    defaults = {param["name"]: param["default"] for param in card(id)["params"]}
    wrong: list[str] = []
    compared = 0
    for name, files in sorted(vectors().items()):
        if not {"map.txt", "truth.txt", "expected.json"} <= set(files):
            continue
        subject, truth = _cells(files["map.txt"]), _cells(files["truth.txt"])
        if subject is None or truth is None or subject.shape != truth.shape:
            continue
        expected = [row for row in json.loads(files["expected.json"]) if row["metric"] == id]
        for row in expected:
            if any(defaults.get(key) != value for key, value in row.get("params", {}).items()):
                continue
            compared += 1
            found = function(subject, truth)
            if not _agrees(found, row["value"], tolerance):
                wrong.append(f"{name}: expected {row['value']}, found {found}")
    if wrong:
        raise AssertionError(f"{id}: {len(wrong)} of {compared} vectors disagree\n  " + "\n  ".join(wrong))
    if compared == 0:
        raise ArgumentError(f"no vector of '{id}' can be given as two arrays", "ARGUMENT")
    return compared


def _agrees(found: float | None, expected: float | None, tolerance: float) -> bool:
    if expected is None or found is None:
        return found is None and expected is None
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)
