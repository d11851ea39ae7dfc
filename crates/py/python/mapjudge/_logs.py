"""Logs of scans and odometry as values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._paths import path_of
from ._records import Finding, findings_of
from ._trajectories import Trajectory

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt

__all__ = ["Log", "Scan"]


class Scan(NamedTuple):
    """One scan of a log: `Mapper.add_scan(*scan[:5])` takes it. Ranges at `max_range` or beyond are no returns.

    >>> import mapjudge as mj
    >>> scan = mj.read("log.clf").scans()[0]
    >>> scan.time_s, len(scan.ranges), round(scan.first_rad, 2)
    (0.0, 90, -1.57)
    """

    time_s: float
    ranges: npt.NDArray[numpy.float32]
    first_rad: float
    step_rad: float
    max_range: float
    sensor: str

    def _content(self) -> tuple[object, ...]:
        import numpy

        return (self.time_s, numpy.asarray(self.ranges, numpy.float32).tobytes(), *self[2:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scan) and self._content() == other._content()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._content())


class Log:
    """Scans and odometry in the order of a file: `mj.read("log.clf")`, or `Log("run.bag", topic="/scan")`.

    >>> import mapjudge as mj
    >>> log = mj.Log("log.clf")
    >>> len(log), log.odometry().shape, len(log.scans())
    (6, (3, 4), 3)
    """

    __slots__ = ("_log",)
    _log: _core.Log

    def __init__(self, path: str | os.PathLike[str], *, topic: str | None = None) -> None:
        object.__setattr__(self, "_log", _core.Log.read(path_of(path, "path"), topic))

    @classmethod
    def _of(cls, log: _core.Log) -> Log:
        made = cls.__new__(cls)
        object.__setattr__(made, "_log", log)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("logs cannot be changed")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed while reading."""
        return findings_of(self._log.findings)

    def scans(self) -> list[Scan]:
        """All scans, each with a fresh array of its ranges in metres."""
        return [Scan(*scan) for scan in self._log.scans()]

    def odometry(self) -> npt.NDArray[numpy.float64]:
        """A fresh array of `t x y theta`, one row per reading."""
        return self._log.odometry()

    def true_poses(self) -> npt.NDArray[numpy.float64]:
        """A fresh array of `t x y theta` of the poses that a simulator told; without rows for a real robot."""
        return self._log.true_poses()

    def trajectory(self) -> Trajectory:
        """The odometry as a trajectory, to be judged or compared."""
        return Trajectory(self.odometry())

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> tuple[str, ...]:
        """Writes the log in the format that the ending names; the files written."""
        return tuple(str(p) for p in self._log.write(path_of(path, "path"), overwrite))

    def __len__(self) -> int:
        return len(self._log)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and self._log.equals(other._log)

    def __hash__(self) -> int:
        return hash((len(self), self.odometry().tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return (_log_of_state, self._log.state())

    def __repr__(self) -> str:
        return f"<Log of {len(self)} records, {len(self.scans())} scans>"


def _log_of_state(records: Any, skipped: Any) -> Log:
    return Log._of(_core.Log.of_state(records, skipped))
