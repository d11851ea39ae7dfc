"""Arenas with their ground truth: `mapjudge arena`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._calls import call
from ._paths import path_of
from ._results import Other
from ._words import Holding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._typed import ArenaBuildKeywords, ArenaRandomKeywords

__all__ = ["build", "random"]


def _made(command: str, words: list[str], out: str | os.PathLike[str], keywords: Mapping[str, Any]) -> dict[str, str]:
    folder = path_of(out, "out")
    call(Other, ("arena", command), words, {"out": folder, **keywords}, Holding())
    return {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}


def random(out: str | os.PathLike[str], **keywords: Unpack[ArenaRandomKeywords]) -> dict[str, str]:
    """Draws a random arena into a folder; its files by name.

    >>> import mapjudge as mj, tempfile
    >>> "truth.yaml" in " ".join(mj.arena.random(tempfile.mkdtemp() + "/a", seed=3))
    True
    """
    return _made("random", [], out, keywords)


def build(
    plan: str | os.PathLike[str], out: str | os.PathLike[str], **keywords: Unpack[ArenaBuildKeywords]
) -> dict[str, str]:
    """Builds the arena of a plan into a folder; its files by name.

    >>> import mapjudge as mj, tempfile
    >>> drawn = mj.arena.random(tempfile.mkdtemp() + "/a", seed=3)
    >>> sorted(mj.arena.build(drawn["plan.toml"], tempfile.mkdtemp() + "/b")) == sorted(drawn)
    True
    """
    return _made("build", [path_of(plan, "plan")], out, keywords)
