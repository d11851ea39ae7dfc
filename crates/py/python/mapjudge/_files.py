"""Files: what they hold, what is odd about them, and into other formats."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._calls import call
from ._errors import MapjudgeError
from ._layers import Layer
from ._logs import Log
from ._maps import Map
from ._paths import path_of
from ._records import Finding, Record
from ._results import Info, MapRun, Other
from ._trajectories import Trajectory
from ._words import Holding

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._names import MapperName
    from ._typed import ConvertKeywords, InfoKeywords, LintKeywords, MapLogKeywords

__all__ = ["convert", "info", "lint", "map_log", "read", "write"]

PathLike = Union[str, "os.PathLike[str]"]


def info(*files: PathLike, **keywords: Unpack[InfoKeywords]) -> Info:
    """What files hold: `mapjudge info`.

    >>> import mapjudge as mj
    >>> isinstance(mj.info("demo/truth.yaml"), mj.Info)
    True
    """
    words = [path_of(file, "file") for file in files]
    result: Any = call(Info, ("info",), words, keywords, Holding())
    return result  # type: ignore[no-any-return]


def lint(*files: PathLike, fix: bool = False, **keywords: Unpack[LintKeywords]) -> list[Finding]:
    """What is odd about files; `fix=True` repairs what can be: `mapjudge lint`.

    >>> import mapjudge as mj
    >>> mj.lint("demo/truth.yaml")
    []
    """
    words = [path_of(file, "file") for file in files]
    result: Any = call(Info, ("lint",), words, {"fix": fix, **keywords}, Holding())
    found: list[Finding] = []
    for record in _walk(result._fields):
        found += [Finding({"path": record.get("path"), **finding}) for finding in record["findings"]]
    return found


def _walk(value: Any) -> Iterator[Record]:
    """Every record with findings."""
    if isinstance(value, Record):
        if "findings" in value:
            yield value
        for item in value.values():
            yield from _walk(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from _walk(item)


def read(path: PathLike, *, resolution: float | None = None, origin: tuple[float, float, float] | None = None) -> Any:
    """Reads a map as `Map`, poses as `Trajectory`, scans and odometry as `Log`, vectors as `Layer`; of anything else what
    `info` tells.

    >>> import mapjudge as mj, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "map.pgm")
    >>> _ = mj.write(mj.Map(np.eye(4, dtype=bool), resolution=0.05), path)
    >>> mj.read(path, resolution=0.05).shape
    (4, 4)
    """
    name = path_of(path, "path")
    if resolution is not None or origin is not None:
        return Map._of(_core.Grid.read(name, resolution, origin))
    try:
        return Map._of(_core.Grid.read(name))
    except MapjudgeError as error:
        try:
            kind = _core.content_kind(name)
        except MapjudgeError:
            raise error from None
    if kind == "log":
        return Log(name)
    if kind == "vector":
        return Layer._read(name)
    return Trajectory._of(_core.Poses.read(name)) if kind in ("trajectory", "graph") else info(name)


def write(value: Map | Trajectory | Log | Layer, path: PathLike, overwrite: bool = False) -> tuple[str, ...]:
    """Writes a map, trajectory, log or layer in the format that the ending names; the files written.

    >>> import mapjudge as mj, numpy as np, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "map.yaml")
    >>> files = mj.write(mj.Map(np.eye(4, dtype=bool), resolution=0.05, origin=(0, 0)), path)
    >>> [os.path.basename(file) for file in files]
    ['map.yaml', 'map.pgm']
    """
    return value.write(path, overwrite)


def convert(source: PathLike, target: PathLike, **keywords: Unpack[ConvertKeywords]) -> str:
    """Converts a file into another format: `mapjudge convert`; the path of the target.

    >>> import mapjudge as mj, os, tempfile
    >>> os.path.getsize(mj.convert("demo/noise.yaml", tempfile.mkdtemp() + "/noise.tif", lossy=True)) > 0
    True
    """
    words = [path_of(source, "source"), path_of(target, "target")]
    call(Other, ("convert",), words, keywords, Holding())
    return words[1]


def map_log(
    log: PathLike, out: PathLike, *, mapper: MapperName = "graph", **keywords: Unpack[MapLogKeywords]
) -> tuple[Map, Trajectory, MapRun]:
    """Maps a log into a folder: `mapjudge map`; the map, the trajectory, and what the mapper did.

    >>> import mapjudge as mj, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = mj.arena.random(folder + "/arena", seed=3, width=6, height=4.8)
    >>> _ = mj.simulate(folder + "/arena", folder + "/run", drive="explore", max_time=3)
    >>> found, poses, run = mj.map_log(folder + "/run/log.clf", folder + "/out", mapper="odometry")
    >>> len(poses) == run.scans
    True
    """
    folder = path_of(out, "out")
    given = {"mapper": mapper, "out": folder, **keywords}
    result: Any = call(MapRun, ("map",), [path_of(log, "log")], given, Holding())
    read_map = Map._of(_core.Grid.read(os.path.join(folder, "map.yaml")))
    poses = Trajectory._of(_core.Poses.read(os.path.join(folder, "trajectory.tum")))
    return read_map, poses, result
