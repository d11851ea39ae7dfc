"""The other commands that judge or list something; each computes nothing itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from ._calls import call, call_of_maps
from ._maps import MapLike
from ._paths import path_of
from ._report import Report
from ._results import (
    Alignment,
    Comparison,
    Consensus,
    Contest,
    Exploration,
    Fiducials,
    Graph,
    Points,
    Portals,
    Rooms,
    Simulation,
)
from ._words import Holding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._typed import (
        AlignKeywords,
        CompareKeywords,
        ConsensusKeywords,
        ContestKeywords,
        ExploreKeywords,
        FiducialsKeywords,
        GraphKeywords,
        PathsKeywords,
        PointsKeywords,
        PortalsKeywords,
        RoomsKeywords,
        SimulateKeywords,
    )

__all__ = [
    "align",
    "compare",
    "consensus",
    "contest",
    "explore",
    "fiducials",
    "graph",
    "paths",
    "points",
    "portals",
    "rooms",
    "simulate",
]

PathLike = Union[str, "os.PathLike[str]"]


def align(subject: MapLike, truth: MapLike, *, resolution: float | None = None, **keywords: Unpack[AlignKeywords]) -> Alignment:
    """Finds how a map lies on the truth, and how sure that is. Keywords are the flags of `mapjudge align`.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.full((80, 120), 254, np.uint8)
    >>> truth[10, 10:90] = truth[10:60, 10] = truth[60, 10:70] = truth[30, 40:90] = 0
    >>> found = mj.align(mj.Map(truth, resolution=0.1, origin=(1, 2)), mj.Map(truth, resolution=0.1, origin=(0, 0)))
    >>> [round(found.truth_from_map[key], 1) for key in ("x_m", "y_m")]
    [-1.0, -2.0]
    """
    holding = Holding(resolution)
    words = [holding.map(subject, "map")]
    given: dict[str, Any] = {"truth": holding.map(truth, "truth"), **keywords}
    if resolution is not None and holding.has_files:
        given["resolution"] = resolution
    result = call(Alignment, ("align",), words, given, holding)
    assert isinstance(result, Alignment)
    return result


def rooms(subject: MapLike, *, resolution: float | None = None, **keywords: Unpack[RoomsKeywords]) -> Rooms:
    """The rooms of a map.

    >>> import mapjudge as mj, numpy as np
    >>> plan = np.full((60, 90), 254, np.uint8)
    >>> plan[:, [0, 44, 89]] = plan[[0, 59], :] = 0
    >>> plan[25:35, 44] = 254
    >>> len(mj.rooms(plan, resolution=0.1).rooms)
    2
    """
    result: Rooms = call_of_maps(Rooms, "rooms", subject, keywords, None, resolution)
    return result


def graph(subject: MapLike, *, resolution: float | None = None, **keywords: Unpack[GraphKeywords]) -> Graph:
    """The graph of the free space of a map: `mapjudge graph`.

    >>> import mapjudge as mj
    >>> len(mj.graph("demo/truth.yaml").nodes) > 3
    True
    """
    result: Graph = call_of_maps(Graph, "graph", subject, keywords, None, resolution)
    return result


def portals(truth: MapLike, *, resolution: float | None = None, **keywords: Unpack[PortalsKeywords]) -> Portals:
    """Doors and passages of a true map: `mapjudge portals`.

    >>> import mapjudge as mj
    >>> len(mj.portals("demo/truth.yaml").portals) > 0
    True
    """
    result: Portals = call_of_maps(Portals, "portals", truth, keywords, None, resolution)
    return result


def paths(maps: MapLike | list[MapLike], truth: MapLike, *, resolution: float | None = None, **keywords: Unpack[PathsKeywords]) -> Report:
    """Whether a robot can plan by a map: `mapjudge paths`.

    >>> import mapjudge as mj
    >>> mj.paths("demo/noise.yaml", "demo/truth.yaml").verdict
    'fine'
    """
    result: Report = call_of_maps(Report, "paths", maps, keywords, truth, resolution)
    return result


def fiducials(maps: MapLike | list[MapLike], *, resolution: float | None = None, **keywords: Unpack[FiducialsKeywords]) -> Fiducials | Report:
    """Fiducials of maps, found or against a layout: `mapjudge fiducials`.

    >>> import mapjudge as mj, tempfile
    >>> files = mj.arena.random(tempfile.mkdtemp() + "/a", seed=3)
    >>> "fiducial_coverage" in mj.fiducials(files["truth.yaml"], layout=files["fiducials.toml"]).values()
    True
    """
    result: Fiducials | Report = call_of_maps(Fiducials, "fiducials", maps, keywords, None, resolution)
    return result


def points(submission: PathLike, truth: PathLike, **keywords: Unpack[PointsKeywords]) -> Points:
    """Labelled points against the true ones: `mapjudge points`.

    >>> import mapjudge as mj
    >>> mj.points("points.csv", "points.csv").verdict
    'fine'
    """
    holding = Holding()
    given = {"truth": path_of(truth, "truth"), **keywords}
    result: Any = call(Points, ("points",), [path_of(submission, "submission")], given, holding)
    return result  # type: ignore[no-any-return]


def compare(a: MapLike, b: MapLike, truth: MapLike, *, resolution: float | None = None, **keywords: Unpack[CompareKeywords]) -> Comparison:
    """Two maps side by side: `mapjudge compare`.

    >>> import mapjudge as mj
    >>> len(mj.compare("demo/noise.yaml", "demo/bend.yaml", "demo/truth.yaml").metrics) > 10
    True
    """
    result: Comparison = call_of_maps(Comparison, "compare", [a, b], keywords, truth, resolution)
    return result


def consensus(maps: list[MapLike], *, resolution: float | None = None, **keywords: Unpack[ConsensusKeywords]) -> Consensus | Report:
    """Several maps of one place against each other, without a truth: `mapjudge consensus`.

    >>> import mapjudge as mj
    >>> mj.consensus(["demo/noise.yaml", "demo/bend.yaml", "demo/thick_walls.yaml"]).verdict
    'fine'
    """
    result: Consensus | Report = call_of_maps(Consensus, "consensus", maps, keywords, None, resolution)
    return result


def contest(file: PathLike, **keywords: Unpack[ContestKeywords]) -> Contest:
    """Judges a contest: `mapjudge contest`. Submissions are judged in processes of their own.

    >>> import mapjudge as mj
    >>> [team["team"] for team in mj.contest("demo/contest/contest.toml").ranking][:2]
    ['Aurora', 'Borealis']
    """
    result: Any = call(Contest, ("contest",), [path_of(file, "file")], keywords, Holding())
    return result  # type: ignore[no-any-return]


def simulate(arena: PathLike, out: PathLike, **keywords: Unpack[SimulateKeywords]) -> Simulation:
    """Drives a robot through an arena: `mapjudge simulate`; files in `out`.

    >>> import mapjudge as mj, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = mj.arena.random(folder + "/arena", seed=3, width=6, height=4.8)
    >>> mj.simulate(folder + "/arena", folder + "/run", drive="explore", max_time=3).scans > 10
    True
    """
    given = {"out": path_of(out, "out"), **keywords}
    result: Any = call(Simulation, ("simulate",), [path_of(arena, "arena")], given, Holding())
    return result  # type: ignore[no-any-return]


def explore(arena: PathLike, **keywords: Unpack[ExploreKeywords]) -> Exploration:
    """Explores an arena or a map: `mapjudge explore`.

    >>> import mapjudge as mj, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = mj.arena.random(folder + "/arena", seed=3, width=6, height=4.8)
    >>> mj.explore(folder + "/arena").coverage > 0.5
    True
    """
    holding = Holding()
    result: Any = call(Exploration, ("explore",), [holding.file(arena, "arena")], keywords, holding)
    return result  # type: ignore[no-any-return]
