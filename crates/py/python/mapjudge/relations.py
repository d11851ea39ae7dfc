"""Ground-truth relations: `mapjudge relations`."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from ._calls import call
from ._paths import path_of
from ._results import Other, Relations
from ._trajectories import TrajectoryLike, trajectory_of
from ._words import Holding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._typed import RelationsCheckKeywords, RelationsFilterKeywords, RelationsMakeKeywords

__all__ = ["check", "filter", "make"]


def make(
    trajectory: TrajectoryLike, out: str | os.PathLike[str], **keywords: Unpack[RelationsMakeKeywords]
) -> str:
    """Makes relations from a trajectory that is taken as true; the path written.

    >>> import mapjudge as mj, os, tempfile
    >>> os.path.getsize(mj.relations.make("truth.tum", tempfile.mkdtemp() + "/true.relations")) > 0
    True
    """
    target = path_of(out, "out")
    given = trajectory_of(trajectory, "trajectory")
    if isinstance(given, str):
        call(Other, ("relations", "make"), [given, target], keywords, Holding())
        return target
    # The command reads files alone.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trajectory.tum")
        given.write(path)
        call(Other, ("relations", "make"), [path, target], keywords, Holding())
    return target


def check(file: str | os.PathLike[str], **keywords: Unpack[RelationsCheckKeywords]) -> Relations:
    """What is wrong with relations: loops, contradictions, repetitions, gaps.

    >>> import mapjudge as mj, tempfile
    >>> mj.relations.check(mj.relations.make("truth.tum", tempfile.mkdtemp() + "/true.relations")).verdict
    'fine'
    """
    result: Any = call(Relations, ("relations", "check"), [path_of(file, "file")], keywords, Holding())
    return result  # type: ignore[no-any-return]


def filter(
    file: str | os.PathLike[str], out: str | os.PathLike[str], **keywords: Unpack[RelationsFilterKeywords]
) -> str:
    """Writes a part of the relations; the path written.

    >>> import mapjudge as mj, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> all_of_them = mj.relations.make("truth.tum", folder + "/all.relations")
    >>> os.path.getsize(mj.relations.filter(all_of_them, folder + "/near.relations", max_gap=2.0)) > 0
    True
    """
    words = [path_of(file, "file"), path_of(out, "out")]
    call(Other, ("relations", "filter"), words, keywords, Holding())
    return words[1]
