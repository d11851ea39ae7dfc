"""Trajectories as values: what a caller has in memory, or reads from a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._errors import InputError
from ._maps import shown_array
from ._paths import is_path, path_of, refuse_streams
from ._records import Finding, findings_of

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt

__all__ = ["Trajectory"]


class Trajectory:
    """Poses over time: N x 4 rows of `t x y theta`, or N x 8 rows of `t x y z qx qy qz qw` as TUM files have them.

    >>> import mapjudge as mj, numpy as np
    >>> line = np.array([[0, 0, 0, 0], [1, 1, 0, 0], [2, 2, 0, 0]], float)
    >>> len(mj.Trajectory(line))
    3
    """

    __slots__ = ("_poses", "_name")
    _poses: _core.Poses
    _name: str | None

    def __init__(self, rows: npt.ArrayLike, *, name: str | None = None) -> None:
        object.__setattr__(self, "_poses", _poses_of(rows))
        object.__setattr__(self, "_name", name)

    @classmethod
    def _of(cls, poses: _core.Poses, name: str | None = None) -> Trajectory:
        made = cls.__new__(cls)
        object.__setattr__(made, "_poses", poses)
        object.__setattr__(made, "_name", name)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("trajectories cannot be changed")

    @property
    def name(self) -> str | None:
        """Its name in reports."""
        return self._name

    @property
    def planar(self) -> bool:
        """Whether the poses have three degrees of freedom."""
        return self._poses.planar

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed about its stamps."""
        return findings_of(self._poses.findings)

    def rows(self) -> npt.NDArray[numpy.float64]:
        """A fresh array: `t x y theta` for planar poses, else `t x y z qx qy qz qw`."""
        return self._poses.rows()

    def to_tum(self) -> str:
        """The text of a TUM file."""
        return self._poses.tum()

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> tuple[str, ...]:
        """Writes the poses in the format that the ending names; the files written."""
        return tuple(str(p) for p in self._poses.write(path_of(path, "path"), overwrite))

    def __len__(self) -> int:
        return len(self._poses)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        rows = self.rows()
        return rows if dtype is None else rows.astype(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trajectory) and self.planar == other.planar and self.to_tum() == other.to_tum()

    def __hash__(self) -> int:
        return hash(self.to_tum())

    def __reduce__(self) -> tuple[object, ...]:
        return (_trajectory_of_rows, (self.rows(), self._poses.time_base, self._name))

    def __repr__(self) -> str:
        return f"<Trajectory of {len(self)} {'planar' if self.planar else 'spatial'} poses>"


def _trajectory_of_rows(rows: Any, time_base: str, name: str | None) -> Trajectory:
    return Trajectory._of(_core.Poses.of_rows(rows, time_base), name)


def _poses_of(rows: Any, what: str = "trajectory") -> _core.Poses:
    import numpy

    try:
        array = numpy.asarray(rows)
        if array.dtype.kind not in "fiu":
            raise ValueError(f"type {array.dtype}")
        array = numpy.ascontiguousarray(array, dtype=numpy.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: no table of numbers: {error}", "TRAJECTORY_TYPE") from None
    if array.ndim != 2 or array.shape[1] not in (4, 8):
        raise InputError(
            f"{what}: {shown_array(array)}: expected N x 4 or N x 8",
            "TRAJECTORY_SHAPE",
            "rows are t x y theta, or t x y z qx qy qz qw",
        )
    if array.shape[0] == 0:
        raise InputError(f"{what}: no pose", "TRAJECTORY_EMPTY")
    return _core.Poses.of_rows(array)


def is_evo(value: object) -> bool:
    """Whether a value has the fields of a trajectory of evo."""
    return hasattr(value, "timestamps") and hasattr(value, "positions_xyz")


def _poses_of_evo(value: Any, what: str) -> _core.Poses:
    """Poses of an object as evo has them; its quaternions are w first."""
    import numpy

    fields = ("timestamps", "positions_xyz", "orientations_quat_wxyz")
    try:
        times, places, quaternions = (numpy.asarray(getattr(value, field), float) for field in fields)
    except (AttributeError, TypeError, ValueError) as error:
        raise InputError(f"{what}: no trajectory as evo has them: {error}", "TRAJECTORY_TYPE") from None
    times = times.reshape(-1)
    if places.shape != (len(times), 3) or quaternions.shape != (len(times), 4):
        raise InputError(
            f"{what}: {len(times)} timestamps, positions of shape {places.shape}, orientations of shape "
            f"{quaternions.shape}: expected equal lengths",
            "TRAJECTORY_SHAPE",
        )
    return _poses_of(numpy.column_stack([times, places, quaternions[:, 1:], quaternions[:, :1]]), what)


def trajectory_of(value: Any, what: str) -> Trajectory | str:
    """A path, or the trajectory that a value is."""
    refuse_streams(value, what)
    if is_path(value):
        return path_of(value, what)
    if isinstance(value, Trajectory):
        return value
    if is_evo(value):
        return Trajectory._of(_poses_of_evo(value, what))
    if not hasattr(value, "__array__") and not isinstance(value, (list, tuple)):
        raise TypeError(f"{what}: give a path, an array or a Trajectory, not {type(value).__name__}")
    return Trajectory._of(_poses_of(value, what))


TrajectoryLike = Union[str, "os.PathLike[str]", Trajectory, "npt.ArrayLike", Any]
