"""Maps as values: what a caller has in memory, or reads from a file."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _core
from ._errors import ArgumentError, InputError
from ._paths import is_path, path_of, refuse_streams
from ._records import Finding, findings_of

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt

__all__ = ["Map"]

Values = Literal["picture", "occupancy", "occupied", "probability", "classes"]
Rows = Literal["top", "bottom"]
MAX_CELLS = 1 << 30

# By the character that numpy has for a type: its name is put together anew each time.
_BY_TYPE: dict[str, tuple[tuple[Values, ...], Rows]] = {
    "B": (("picture", "occupancy", "classes"), "top"),
    "b": (("occupancy",), "bottom"),
    "?": (("occupied",), "top"),
    "f": (("probability",), "top"),
    "d": (("probability",), "top"),
}


class Map:
    """A map in memory: `Map(array, resolution=0.05, origin=(x, y, yaw), values="occupancy", rows="bottom")`.

    Without `values` and `rows` the type of the array decides: uint8 is a picture (dark is occupied, thresholds 0.65 and
    0.196), int8 an OccupancyGrid (-1 unknown, 0 to 100 percent, bottom row first), bool occupied or free, floats are
    probabilities with NaN for unknown; masked cells are unknown. Without `origin` the place of the map is not known.

    >>> import mapjudge as mj, numpy as np
    >>> m = mj.Map(np.array([[0, 254, 205]], np.uint8), resolution=0.05)
    >>> m.classes().tolist()
    [[2, 0, 1]]
    """

    __slots__ = ("_grid", "_name")
    _grid: _core.Grid
    _name: str | None

    def __init__(
        self,
        array: npt.ArrayLike,
        *,
        resolution: float | None = None,
        origin: tuple[float, float, float] | tuple[float, float] | None = None,
        values: Values | None = None,
        rows: Rows | None = None,
        occupied_thresh: float | None = None,
        free_thresh: float | None = None,
        negate: bool = False,
        name: str | None = None,
    ) -> None:
        grid = _grid_of(array, resolution, origin, values, rows, (occupied_thresh, free_thresh), negate)
        object.__setattr__(self, "_grid", grid)
        object.__setattr__(self, "_name", name)

    @classmethod
    def _of(cls, grid: _core.Grid, name: str | None = None) -> Map:
        made = cls.__new__(cls)
        object.__setattr__(made, "_grid", grid)
        object.__setattr__(made, "_name", name)
        return made

    @classmethod
    def of_message(cls, message: Any, name: str | None = None) -> Map:
        """A map out of an OccupancyGrid of ROS 1 or 2, or anything with the same fields; ROS is not needed."""
        return cls._of(_grid_of_message(message), name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("maps cannot be changed")

    @property
    def name(self) -> str | None:
        """Its name in reports."""
        return self._name

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self._grid.height, self._grid.width)

    @property
    def resolution(self) -> float:
        """Edge of a cell in metres."""
        return self._grid.resolution

    @property
    def origin(self) -> tuple[float, float, float] | None:
        """Pose of the lower left corner: metres, metres, radians; none if it is not known."""
        return self._grid.origin if self._grid.anchored else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed while reading."""
        return findings_of(self._grid.findings)

    def counts(self) -> dict[str, int]:
        """Cells of each class."""
        free, unknown, occupied = self._grid.counts()
        return {"free": free, "unknown": unknown, "occupied": occupied}

    def classes(self) -> npt.NDArray[numpy.uint8]:
        """A fresh array, top row first: 0 free, 1 unknown, 2 occupied."""
        return self._grid.classes()

    def probabilities(self) -> npt.NDArray[numpy.float64] | None:
        """A fresh array of probabilities, top row first; none for a map that has classes alone."""
        return self._grid.probabilities()

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> tuple[str, ...]:
        """Writes the map in the format that the ending names; the files written."""
        return tuple(str(p) for p in self._grid.write(path_of(path, "path"), overwrite))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        classes = self.classes()
        return classes if dtype is None else classes.astype(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self._grid.state() == other._grid.state()

    def __hash__(self) -> int:
        # Of what `==` looks at, whether it came from a file or an array.
        return hash((self.resolution, self._grid.origin, self._grid.anchored, self.shape, self.classes().tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return (_map_of_state, (*self._grid.state(), self._name, self._grid.reading))

    def __repr__(self) -> str:
        rows, columns = self.shape
        place = "place unknown" if self.origin is None else "at ({:g}, {:g}, {:g})".format(*self.origin)
        return f"<Map of {columns} x {rows} cells of {self.resolution:g} m, {place}>"


def _map_of_state(
    place: Any, classes: bytes, probabilities: Any, navigation: Any, name: str | None, reading: str | None
) -> Map:
    return Map._of(_core.Grid.of_state(place, classes, probabilities, navigation, reading), name)


def shown_array(array: Any) -> str:
    """Shape and type, for messages."""
    return f"an array of shape {tuple(array.shape)} and type {array.dtype}"


def _checked_array(array: Any, what: str) -> Any:
    """An array that the core can read where it lies, or the reason why it is no map."""
    import numpy

    if not isinstance(array, numpy.ndarray):
        try:
            array = numpy.asarray(array)
        except (TypeError, ValueError) as error:
            hint = "give rows of equal length, as a numpy array"
            raise InputError(f"{what}: no array: {error}", "ARRAY_SHAPE", hint) from None
    if array.ndim != 2:
        hint = "give rows x columns; of colours take one channel"
        raise InputError(f"{what}: {shown_array(array)}: expected two dimensions", "ARRAY_SHAPE", hint)
    if array.size == 0:
        raise InputError(f"{what}: {shown_array(array)}: expected at least one cell", "ARRAY_EMPTY")
    if array.size > MAX_CELLS:
        raise InputError(f"{what}: {shown_array(array)}: expected at most {MAX_CELLS} cells", "ARRAY_TOO_LARGE")
    if array.dtype.char not in _BY_TYPE or not array.dtype.isnative:
        hint = "write array.astype(numpy.int8) for percentages with -1, numpy.uint8 for greys, or probabilities as floats"
        raise InputError(
            f"{what}: {shown_array(array)}: expected uint8, int8, bool, float32 or float64", "ARRAY_TYPE", hint
        )
    is_readable = array.flags.aligned and all(step % array.itemsize == 0 for step in array.strides)
    return array if is_readable else numpy.ascontiguousarray(array)


def _grid_of(
    array: Any,
    resolution: float | None,
    origin: Any,
    values: str | None,
    rows: str | None,
    thresholds: tuple[float | None, float | None] = (None, None),
    negate: bool = False,
    what: str = "map",
    source: str = "array",
) -> _core.Grid:
    import numpy

    mask: Any = None
    if isinstance(array, numpy.ma.MaskedArray):
        mask = numpy.broadcast_to(array.mask, array.shape)
        array = array.data
    array = _checked_array(array, what)
    meanings, first_row = _BY_TYPE[array.dtype.char]
    if values is not None and values not in meanings:
        hint = f"arrays of {array.dtype} can be {' or '.join(meanings)}"
        raise ArgumentError(f"values='{values}' for an array of {array.dtype}", "ARGUMENT", hint)
    if rows not in (None, "top", "bottom"):
        raise ArgumentError(f"rows='{rows}': expected 'top' or 'bottom'", "ARGUMENT")
    if values is None and array.dtype == numpy.uint8 and _core.Grid.is_ambiguous(array):
        raise InputError(
            f"{what}: {shown_array(array)} holds 0 to 100 and 255: percentages with 255 for unknown, or a picture?",
            "ARRAY_AMBIGUOUS",
            'write Map(array, values="occupancy") or values="picture"',
        )
    if resolution is None:
        hint = "write resolution=0.05 for cells of 5 cm"
        raise InputError(f"{what}: {shown_array(array)} states no resolution", "RESOLUTION_MISSING", hint)
    stated = {"values": values, "rows": rows, "origin": origin}
    values = values or meanings[0]
    if values == "picture":
        stated.update(occupied_thresh=thresholds[0], free_thresh=thresholds[1])
    if rows is None:
        rows = "bottom" if values == "occupancy" else first_row
    assumed = [name for name, value in stated.items() if value is None]
    place = None if origin is None else _origin(origin)
    cell_size_m = _number(resolution, "resolution")
    return _core.Grid.of_array(array, values, rows, cell_size_m, place, mask, thresholds, negate, source, assumed)


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what}={value!r}: expected a number", "ARGUMENT") from None


def _origin(origin: Any) -> tuple[float, float, float]:
    try:
        numbers = [float(number) for number in origin]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (2, 3) or not all(math.isfinite(number) for number in numbers):
        raise InputError(f"origin={origin!r}: expected (x, y) or (x, y, yaw)", "GRID_ORIGIN")
    x, y, yaw = [*numbers, 0.0][:3]
    return (x, y, yaw)


def _message_error(field: str, why: str) -> InputError:
    return InputError(f"message: {field}: {why}", "MESSAGE_INVALID", None, None, field)


def _message_field(message: Any, field: str, kind: type[float] | type[int] = float) -> Any:
    """A number of a message by its path, such as `info.origin.position.x`."""
    value = message
    try:
        for name in field.split("."):
            value = getattr(value, name)
        number = kind(value)
    except AttributeError:
        raise _message_error(field, "the message has no such field") from None
    except (TypeError, ValueError, OverflowError):
        raise _message_error(field, f"{value!r}: expected a number") from None
    if number != value or not math.isfinite(number):
        raise _message_error(field, f"{value!r}: expected a {'whole' if kind is int else 'finite'} number")
    return number


def _message_yaw(message: Any) -> float:
    field = "info.origin.orientation"
    x, y, z, w = (_message_field(message, f"{field}.{name}") for name in "xyzw")
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if not math.isfinite(length) or length < 1e-9:
        raise _message_error(field, "expected a quaternion that is not 0")
    if abs(x) > 1e-6 * length or abs(y) > 1e-6 * length:
        raise _message_error(field, "expected no roll and no pitch")
    return math.atan2(2.0 * w * z / length**2, 1.0 - 2.0 * z * z / length**2)


def _message_cells(data: Any) -> Any:
    """Percentages of a message as signed bytes."""
    import numpy

    if isinstance(data, (bytes, bytearray)):
        data = numpy.frombuffer(data, numpy.int8)
    try:
        cells = numpy.asarray(data)
    except (TypeError, ValueError) as error:
        raise _message_error("data", str(error)) from None
    if cells.dtype == numpy.int8 or cells.size == 0:
        return cells
    is_whole = cells.dtype.kind in "iu" or (cells.dtype.kind == "f" and bool((cells == numpy.floor(cells)).all()))
    if not is_whole or cells.min() < -1 or cells.max() > 100:
        raise _message_error("data", "expected -1, or whole numbers from 0 to 100")
    return cells.astype(numpy.int8)


def _grid_of_message(message: Any) -> _core.Grid:
    import numpy

    width, height = (_message_field(message, f"info.{name}", int) for name in ("width", "height"))
    # Messages state 32 bits; the decimal that was meant is the shortest one.
    resolution: float = _message_field(message, "info.resolution")
    if float(numpy.float32(resolution)) == resolution:
        resolution = float(str(numpy.float32(resolution)))
    if not resolution > 0.0:
        raise _message_error("info.resolution", f"{resolution}: expected a number of metres above 0")
    cells = _message_cells(message.data)
    if width < 1 or height < 1 or cells.size != width * height:
        raise _message_error("data", f"{cells.size} cells: expected {width} x {height} as info says")
    x, y = (_message_field(message, f"info.origin.position.{name}") for name in "xy")
    origin = (x, y, _message_yaw(message))
    return _grid_of(cells.reshape(height, width), resolution, origin, "occupancy", "bottom", what="message", source="message")


def is_message(value: object) -> bool:
    """Whether a value has the fields of an OccupancyGrid."""
    return hasattr(value, "info") and hasattr(value, "data")


def map_of(value: Any, resolution: float | None, what: str) -> Map | str:
    """A path, or the map that a value is."""
    refuse_streams(value, what)
    if is_path(value):
        return path_of(value, what)
    if isinstance(value, Map):
        return value
    if is_message(value) and not hasattr(value, "__array_interface__"):
        return Map.of_message(value)
    if not hasattr(value, "__array__") and not isinstance(value, (list, tuple)):
        raise TypeError(f"{what}: give a path, an array or a Map, not {type(value).__name__}")
    return Map._of(_grid_of(value, resolution, None, None, None, what=what))


MapLike = Union[str, "os.PathLike[str]", Map, "npt.ArrayLike", Any]
