"""Results of the commands other than `score` and `traj`: the fields of their JSON as attributes."""

from __future__ import annotations

from typing import Any

from ._errors import UndefinedError
from ._records import Record, Result

__all__ = [
    "Alignment",
    "Comparison",
    "Consensus",
    "Contest",
    "Exploration",
    "Fiducials",
    "Graph",
    "Info",
    "MapRun",
    "Points",
    "Portals",
    "Relations",
    "Rooms",
    "Simulation",
]


class Alignment(Result):
    """How a map lies on the truth: `verdict` of the certificate, `truth_from_map`, `matrix`, `certificate`.

    `mj.score(.., align=alignment)` takes it.

    >>> import mapjudge as mj
    >>> found = mj.align("demo/noise.yaml", "demo/truth.yaml")
    >>> found.verdict, found.matrix.shape
    ('certain', (3, 3))
    """

    __slots__ = ()

    @property
    def truth_from_map(self) -> Record | None:
        """x_m, y_m, theta_rad and scale; none if the search failed."""
        found: Record | None = self._fields["alignment"]["truth_from_map"]
        return found

    @property
    def certificate(self) -> Record | None:
        """What supports the transform."""
        found: Record | None = self._fields["alignment"]["certificate"]
        return found

    @property
    def verdict(self) -> str:
        """`certain`, `ambiguous`, `failed` or `mirrored`."""
        certificate = self.certificate
        return "unknown" if certificate is None else str(certificate["verdict"])

    @property
    def matrix(self) -> Any:
        """The transform as a 3 x 3 array for points (x, y, 1)."""
        import math

        import numpy

        found = self.truth_from_map
        if found is None:
            raise UndefinedError("the search found no transform", "UNDEFINED")
        c = found["scale"] * math.cos(found["theta_rad"])
        s = found["scale"] * math.sin(found["theta_rad"])
        return numpy.array([[c, -s, found["x_m"]], [s, c, found["y_m"]], [0.0, 0.0, 1.0]])


class Rooms(Result):
    """The rooms of a map, as `mapjudge rooms` lists them.

    >>> import mapjudge as mj
    >>> type(mj.rooms("demo/truth.yaml")) is mj.Rooms
    True
    """

    __slots__ = ()


class Graph(Result):
    """The graph of a map: nodes and edges with clearances.

    >>> import mapjudge as mj
    >>> type(mj.graph("demo/truth.yaml")) is mj.Graph
    True
    """

    __slots__ = ()


class Portals(Result):
    """Doors and passages, and whether paths go through them.

    >>> import mapjudge as mj
    >>> type(mj.portals("demo/truth.yaml")) is mj.Portals
    True
    """

    __slots__ = ()


class Fiducials(Result):
    """Fiducials found in a map, against their layout.

    >>> import mapjudge as mj
    >>> mj.Fiducials('{"found": []}').found
    ()
    """

    __slots__ = ()


class Points(Result):
    """Labelled points against the truth, by the rules of a league.

    >>> import mapjudge as mj
    >>> type(mj.points("points.csv", "points.csv")) is mj.Points
    True
    """

    __slots__ = ()


class Comparison(Result):
    """Two maps side by side.

    >>> import mapjudge as mj
    >>> type(mj.compare("demo/noise.yaml", "demo/bend.yaml", "demo/truth.yaml")) is mj.Comparison
    True
    """

    __slots__ = ()


class Consensus(Result):
    """Several maps of one place against each other.

    >>> import mapjudge as mj
    >>> mj.Consensus('{"cases": [{"name": "noise"}]}').cases[0].name
    'noise'
    """

    __slots__ = ()


class Contest(Result):
    """The ranking of a contest.

    >>> import mapjudge as mj
    >>> mj.Contest('{"ranking": [{"team": "a", "rank": 1}]}').ranking[0].team
    'a'
    """

    __slots__ = ()


class Info(Result):
    """What files hold.

    >>> import mapjudge as mj
    >>> type(mj.info("demo/truth.yaml")) is mj.Info
    True
    """

    __slots__ = ()


class Relations(Result):
    """What is wrong with relations, if anything.

    >>> import mapjudge as mj, tempfile
    >>> path = mj.relations.make("truth.tum", tempfile.mkdtemp() + "/true.relations")
    >>> type(mj.relations.check(path)) is mj.Relations
    True
    """

    __slots__ = ()


class MapRun(Result):
    """What a mapper did.

    >>> import mapjudge as mj
    >>> mj.MapRun('{"scans": 12}').scans
    12
    """

    __slots__ = ()


class Exploration(Result):
    """An explored place.

    >>> import mapjudge as mj
    >>> mj.Exploration('{"coverage": 0.98}').coverage
    0.98
    """

    __slots__ = ()


class Simulation(Result):
    """A simulated run.

    >>> import mapjudge as mj
    >>> mj.Simulation('{"scans": 12}').to_dict()
    {'scans': 12}
    """

    __slots__ = ()


class Other(Result):
    """The result of any other command."""

    __slots__ = ()
