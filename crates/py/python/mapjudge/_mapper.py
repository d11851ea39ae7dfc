"""A mapper that is fed scan by scan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _core
from ._logs import Log
from ._maps import Map
from ._trajectories import Trajectory

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from ._names import MapperName

__all__ = ["Mapper", "Step"]


class Step(NamedTuple):
    """What one scan gave: time, pose (x, y, theta), whether it was matched, covariance xx, xy, xt, yy, yt, tt.

    >>> import mapjudge as mj
    >>> mj.Step(0.5, (1.0, 2.0, 0.0), True, None).pose
    (1.0, 2.0, 0.0)
    """

    time_s: float
    pose: tuple[float, float, float]
    matched: bool
    covariance: tuple[float, ...] | None


class Mapper:
    """Takes odometry and scans as they come; each scan waits until the odometry after it is there.

    It keeps what it was fed, 4 bytes per beam, and is pickled as that: where it is unpickled the mapping is done again.

    >>> import mapjudge as mj
    >>> m = mj.Mapper("graph", cell_size_m=0.05)
    >>> m.add_odometry(0.0, 0.0, 0.0, 0.0)
    []
    >>> m.add_scan(0.0, [1.0] * 90, -0.8, 0.02)[0].pose
    (0.0, 0.0, 0.0)
    """

    def __init__(self, mapper: MapperName = "graph", *, seed: int = 1, **settings: Any) -> None:
        texts = [(name, value if isinstance(value, str) else json.dumps(value)) for name, value in settings.items()]
        self._core = _core.Mapper(mapper, texts, seed)

    @classmethod
    def _of(cls, core: _core.Mapper) -> Mapper:
        made = cls.__new__(cls)
        made._core = core
        return made

    def add_odometry(self, t: float, x: float, y: float, theta: float) -> list[Step]:
        """Takes a pose of the odometry; the steps that became ready."""
        return _steps(self._core.add_odometry(t, x, y, theta))

    def add_scan(
        self, t: float, ranges: Iterable[float], first_rad: float, step_rad: float, max_range: float = float("inf")
    ) -> list[Step]:
        """Takes ranges in metres from `first_rad` on; the steps that became ready."""
        return _steps(self._core.add_scan(t, [float(r) for r in ranges], first_rad, step_rad, max_range))

    def add_log(self, log: Log | str | os.PathLike[str]) -> list[Step]:
        """Takes all records of a log, or of a log file, in their order."""
        return _steps(self._core.add_log((log if isinstance(log, Log) else Log(log))._log))

    def finish(self) -> list[Step]:
        """The steps of the scans that are left; loops are closed for the last time."""
        return _steps(self._core.finish())

    @property
    def pose(self) -> tuple[float, float, float]:
        """Where the robot is: metres, metres, radians."""
        return self._core.pose

    def map(self) -> Map | None:
        """The map so far; none before the first return."""
        grid = self._core.map()
        return None if grid is None else Map._of(grid)

    def trajectory(self, which: Literal["online", "final"] = "final") -> Trajectory:
        """A pose per scan: as it was known when the scan came, or as it is known now."""
        return Trajectory._of(self._core.trajectory(which))

    def __reduce__(self) -> tuple[object, ...]:
        return (_mapper_of_state, self._core.state())


def _mapper_of_state(made: Any, records: Any, finished: Any) -> Mapper:
    return Mapper._of(_core.Mapper.of_state(made, records, finished))


def _steps(steps: list[Any]) -> list[Step]:
    return [Step(time, pose, matched, None if c is None else tuple(c)) for time, pose, matched, c in steps]
