"""Judges maps and trajectories made by mobile robots.

>>> import mapjudge as mj, numpy as np
>>> truth = np.full((20, 30), 254, np.uint8)
>>> truth[5, :] = 0
>>> report = mj.score(truth, truth, resolution=0.05, metrics=["cells"])
>>> report["overall_error"].value
0.0
"""

from __future__ import annotations

from . import _core, arena, relations, testing
from ._api import (
    align,
    ape,
    card,
    compare,
    consensus,
    contest,
    convert,
    explore,
    fiducials,
    graph,
    info,
    lint,
    map_log,
    metrics,
    paths,
    points,
    portals,
    read,
    rooms,
    rpe,
    score,
    score_many,
    scorer,
    simulate,
    traj,
    write,
)
from ._errors import (
    ArgumentError,
    InputError,
    InternalError,
    LimitMissed,
    MapjudgeError,
    MissingFile,
    UndefinedError,
)
from ._inputs import Map, Trajectory
from ._mapper import Mapper, Step
from ._program import start_again_by as _start_again_by
from ._results import (
    Alignment,
    Case,
    Comparison,
    Consensus,
    Contest,
    Exploration,
    Fiducials,
    Finding,
    Graph,
    Info,
    MapRun,
    Metric,
    Points,
    Portals,
    Record,
    Relations,
    Report,
    Result,
    Rooms,
    Simulation,
    assert_limits,
)

__version__: str = _core.__version__
_core.start_again_by(_start_again_by())

__all__ = [
    "Alignment",
    "ArgumentError",
    "Case",
    "Comparison",
    "Consensus",
    "Contest",
    "Exploration",
    "Fiducials",
    "Finding",
    "Graph",
    "Info",
    "InputError",
    "InternalError",
    "LimitMissed",
    "Map",
    "MapRun",
    "MapjudgeError",
    "Mapper",
    "Metric",
    "MissingFile",
    "Points",
    "Portals",
    "Record",
    "Relations",
    "Report",
    "Result",
    "Rooms",
    "Simulation",
    "Step",
    "Trajectory",
    "UndefinedError",
    "align",
    "ape",
    "arena",
    "assert_limits",
    "card",
    "compare",
    "consensus",
    "contest",
    "convert",
    "explore",
    "fiducials",
    "graph",
    "info",
    "lint",
    "map_log",
    "metrics",
    "paths",
    "points",
    "portals",
    "read",
    "relations",
    "rooms",
    "rpe",
    "score",
    "score_many",
    "scorer",
    "simulate",
    "testing",
    "traj",
    "write",
]
