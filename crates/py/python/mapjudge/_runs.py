"""Trajectories against a true one or against relations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ._calls import call, is_cells
from ._cards import metrics
from ._paths import path_of
from ._report import Report
from ._trajectories import TrajectoryLike
from ._words import Holding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._typed import ApeKeywords, RpeKeywords, TrajKeywords

__all__ = ["ape", "rpe", "traj"]


def traj(
    estimates: TrajectoryLike | list[TrajectoryLike],
    truth: TrajectoryLike | None = None,
    *,
    relations: str | os.PathLike[str] | None = None,
    **keywords: Unpack[TrajKeywords],
) -> Report:
    """Judges trajectories against a true one, or against relations. Keywords are the flags of `mapjudge traj`.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, np.sin(t / 9), 0 * t])
    >>> round(mj.traj(truth, truth)["ate_translation"].value, 9)
    0.0
    """
    return _judged(estimates, truth, {"relations": relations, **keywords})


def _judged(estimates: Any, truth: Any, given: dict[str, Any]) -> Report:
    holding = Holding()
    several = estimates if isinstance(estimates, (list, tuple)) and not is_cells(estimates) else [estimates]
    words = [holding.trajectory(one, "trajectory") for one in several]
    if truth is not None:
        given["truth"] = holding.trajectory(truth, "truth")
    if given.get("relations") is not None:
        given["relations"] = path_of(given["relations"], "relations")
    report = call(Report, ("traj",), words, given, holding)
    assert isinstance(report, Report)
    return report


def ape(estimate: TrajectoryLike, truth: TrajectoryLike, **keywords: Unpack[ApeKeywords]) -> Report:
    """Errors of positions and headings after alignment: the metrics `ate_translation` and `ate_rotation`.

    The estimate comes first, as everywhere in mapjudge; in evo the reference does.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, np.sin(t / 9), 0 * t])
    >>> shifted = truth + [0, 3, 4, 0]
    >>> mj.ape(shifted, truth, align="none")["ate_translation"].value
    5.0
    """
    return _judged(estimate, truth, {"metrics": _family("ate_"), **keywords})


def rpe(
    estimate: TrajectoryLike, truth: TrajectoryLike, delta: str | float | None = None, **keywords: Unpack[RpeKeywords]
) -> Report:
    """Errors of displacements over `delta`, such as "1 m", "1 s" or 1 (poses): `rpe_translation` and `rpe_rotation`.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, 0 * t, 0 * t])
    >>> mj.rpe(truth, truth, delta="1 m")["rpe_translation"].value
    0.0
    """
    pairs = None if delta is None else str(delta).replace(" ", "")
    return _judged(estimate, truth, {"metrics": _family("rpe_"), "delta": pairs, **keywords})


def _family(prefix: str) -> list[str]:
    return [card["id"] for card in metrics() if card["id"].startswith(prefix)]
