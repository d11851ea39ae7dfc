"""Ground-truth relations: `mapjudge relations`."""

from __future__ import annotations

import os
from typing import Any

from ._api import _call
from ._inputs import TrajectoryLike, path_of
from ._results import Other, Relations
from ._words import Holding


def make(trajectory: TrajectoryLike, out: str | os.PathLike[str], **keywords: Any) -> str:
    """Makes relations from a trajectory that is taken as true; the path written."""
    holding = Holding()
    words = [holding.trajectory(trajectory, "trajectory"), path_of(out, "out")]
    _call(Other, ("relations", "make"), words, keywords, holding)
    return words[1]


def check(file: str | os.PathLike[str], **keywords: Any) -> Relations:
    """What is wrong with relations: loops, contradictions, repetitions, gaps."""
    result: Any = _call(Relations, ("relations", "check"), [path_of(file, "file")], keywords, Holding())
    return result  # type: ignore[no-any-return]


def filter(file: str | os.PathLike[str], out: str | os.PathLike[str], **keywords: Any) -> str:
    """Writes a part of the relations; the path written."""
    words = [path_of(file, "file"), path_of(out, "out")]
    _call(Other, ("relations", "filter"), words, keywords, Holding())
    return words[1]
