"""The functions that people type; each is a command, and computes nothing itself."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from . import _core
from ._errors import ArgumentError, MapjudgeError
from ._inputs import Map, MapLike, Trajectory, TrajectoryLike, _is_path, map_of, path_of
from ._results import (
    Alignment,
    Comparison,
    Consensus,
    Contest,
    Exploration,
    Fiducials,
    Finding,
    Graph,
    Info,
    MapRun,
    Other,
    Points,
    Portals,
    Record,
    Report,
    Result,
    Rooms,
    Simulation,
)
from ._words import Holding, commands, flags, unknown_keyword

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._names import MetricName, Resample, Window

    PathLike = str | os.PathLike[str]

R = TypeVar("R", bound=Result)

_TABLES = {
    "read": ("resolution_m", "occupied_thresh", "free_thresh", "negate", "treat_205_as_unknown", "ignore_alpha", "topic"),
    "aligning": ("scale_min", "scale_max", "tol_m", "accept_ambiguous"),
    "matching": ("associate", "max_dt_s", "max_gap_s", "time_offset_s", "estimate_offset_s", "min_coverage"),
}
_FILES = ("layout", "limits", "baseline", "transform")
_LISTS = ("annotations", "truth_annotations")


def _call(
    kind: type[R], command: tuple[str, ...], words: list[str], keywords: dict[str, Any], holding: Holding, threads: int = 0
) -> R | Report:
    all_words = ["mapjudge", *command, *flags(command, keywords, holding)]
    if "format" in commands()[command]:
        all_words += ["--format", "json"]
    # What stands before `--` cannot be taken for a file, and files not for flags.
    text, notes, verdict, page = _core.run([*all_words, "--", *words] if words else all_words, threads)
    if issubclass(kind, Report) or text.startswith('{\n  "schema": "mapjudge.report/1"'):
        return Report(text, notes, verdict, page)
    return kind(text, notes, verdict, page)


def _maps(maps: Any, holding: Holding, label: str = "map") -> list[str]:
    several = maps if isinstance(maps, (list, tuple)) and not _is_cells(maps) else [maps]
    return [holding.map(one, label) for one in several]


def _is_cells(value: Any) -> bool:
    return bool(value) and isinstance(value[0], (list, tuple)) and not isinstance(value[0], str)


def _set(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Parameters by metric; `{"ssim.window": 7}` and `{"ssim": {"window": 7}}` are the same."""
    nested: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            nested.setdefault(name, {}).update(value)
            continue
        metric, dot, parameter = name.partition(".")
        if not dot:
            raise ArgumentError(f"set: '{name}': expected METRIC.PARAMETER", "ARGUMENT")
        nested.setdefault(metric, {})[parameter] = value
    return nested


def _job(keywords: dict[str, Any]) -> dict[str, Any]:
    """Keywords as the keys of a job file; some keys of its tables are taken without the table's name."""
    job: dict[str, Any] = {}
    known = _core.job_keys()
    for name, value in keywords.items():
        if value is None:
            continue
        table = next((table for table, keys in _TABLES.items() if name in keys), None)
        if table is not None:
            job.setdefault(table, {})[name] = value
        elif name not in known:
            raise unknown_keyword(name, [*known, *(key for keys in _TABLES.values() for key in keys)], "score")
        elif name == "set":
            job["set"] = _set(value)
        elif name in _FILES:
            job[name] = path_of(value, name)
        elif name in _LISTS:
            job[name] = [path_of(value, name)] if _is_path(value) else [path_of(one, name) for one in value]
        elif isinstance(value, dict):
            job.setdefault(name, {}).update(value)
        else:
            job[name] = [value] if name == "metrics" and isinstance(value, str) else value
    return job


def score(
    maps: MapLike | list[MapLike],
    truth: MapLike | None = None,
    *,
    metrics: MetricName | Sequence[MetricName] | None = None,
    align: str | Alignment | None = None,
    set: dict[str, Any] | None = None,
    resolution: float | None = None,
    window: Window | None = None,
    resample: Resample | None = None,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    figures: bool = False,
    threads: int = 0,
    **keywords: Any,
) -> Report:
    """Scores maps against their ground truth.

    A map is a path, a `Map`, an array, or an object with `.info` and `.data` as ROS has it. Keywords are the keys of the
    job file; `figures=True` draws what a notebook shows, `out` also writes the folder that the command writes.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.full((20, 30), 254, np.uint8)
    >>> truth[5, :] = 0
    >>> mine = truth.copy()
    >>> mine[5, 7] = 254
    >>> report = mj.score(mine, truth, resolution=0.05, metrics=["overall_error", "cells"])
    >>> report["overall_error"].value
    1.0
    """
    holding = Holding(resolution)
    job = _job({"metrics": metrics, "set": set, "window": window, "resample": resample, **keywords})
    several = maps if isinstance(maps, (list, tuple)) and not _is_cells(maps) else [maps]
    values = [map_of(one, resolution, "map") for one in several]
    true_map = None if truth is None else map_of(truth, resolution, "truth")
    values, true_map = _on_one_grid(values, true_map)
    job["maps"] = [holding.map(value, "map") for value in values]
    if true_map is not None:
        job["truth"] = holding.map(true_map, "truth")
    if resolution is not None and holding.has_files:
        job.setdefault("read", {})["resolution_m"] = resolution
    folder = None if out is None else path_of(out, "out")
    with _aligned(align, job):
        text, notes, verdict, page = _core.judge(json.dumps(job), folder, overwrite, figures, threads)
    return Report(text, notes, verdict, page)


def _on_one_grid(maps: list[Map | str], truth: Map | str | None) -> tuple[list[Map | str], Map | str | None]:
    """Arrays of the truth's shape, where neither has an origin, lie where it lies."""
    if not isinstance(truth, Map) or truth.origin is not None:
        return maps, truth
    is_same = [
        isinstance(one, Map) and one.origin is None and one.shape == truth.shape and one.resolution == truth.resolution
        for one in maps
    ]
    if not all(is_same):
        return maps, truth
    same = [Map._of(one._grid.on_one_grid(), one.name) for one in maps if isinstance(one, Map)]
    return list(same), Map._of(truth._grid.on_one_grid(), truth.name)


class _aligned:
    """Puts `align` into a job; a transform in memory becomes a file for as long as the call runs."""

    def __init__(self, align: str | Alignment | None, job: dict[str, Any]) -> None:
        self._align, self._job = align, job
        self._path: str | None = None

    def __enter__(self) -> None:
        if self._align is None:
            return
        if isinstance(self._align, Alignment):
            import tempfile

            handle, self._path = tempfile.mkstemp(suffix=".json")
            with os.fdopen(handle, "w") as file:
                file.write(self._align.to_json())
            self._job["transform"] = self._path
        elif os.path.splitext(str(self._align))[1]:
            self._job["transform"] = path_of(self._align, "align")
        else:
            self._job["align"] = self._align

    def __exit__(self, *_: object) -> None:
        if self._path is not None:
            os.unlink(self._path)


def score_many(
    pairs: Iterable[tuple[MapLike, MapLike] | dict[str, Any]], *, threads: int = 0, **keywords: Any
) -> Iterator[dict[str, Any]]:
    """Scores pairs one after the other; nothing is kept. A pair that fails is a row with an error.

    Each pair is `(map, truth)` or a dict with `map`, `truth` and keywords of its own; `id` and `tags` pass through.

    >>> import mapjudge as mj, numpy as np
    >>> a = np.eye(10, dtype=bool)
    >>> rows = mj.score_many([(a, a), (a, "nowhere.pgm")], resolution=0.1, metrics=["overall_error"])
    >>> [row["status"] for row in rows]
    ['ok', 'error']
    """
    for index, pair in enumerate(pairs):
        own = dict(pair) if isinstance(pair, dict) else {"map": pair[0], "truth": pair[1]}
        row: dict[str, Any] = {"row": index, "id": own.pop("id", str(index)), "tags": own.pop("tags", {})}
        subject, truth = own.pop("map", None), own.pop("truth", None)
        try:
            report = score(subject, truth, threads=threads, **{**keywords, **own})
        except (MapjudgeError, TypeError) as error:
            code, hint = getattr(error, "code", "TYPE"), getattr(error, "hint", None)
            message = getattr(error, "message", str(error))
            yield {**row, "status": "error", "code": code, "message": message, "hint": hint}
            continue
        yield {**row, "status": "ok", **_row_of(report)}


def _row_of(report: Report) -> dict[str, Any]:
    case = report.to_dict()["cases"][0]
    alignment, grid = case["alignment"] or {}, case["grid"] or {}
    certificate = alignment.get("certificate") or {}
    return {
        "coverage": grid.get("coverage"),
        "alignment": {
            "method": alignment.get("method"),
            "verdict": certificate.get("verdict"),
            "truth_from_map": alignment.get("truth_from_map"),
        },
        "values": {metric["id"]: metric["value"] for metric in case["metrics"]},
        "reasons": {metric["id"]: metric["reasons"] for metric in case["metrics"] if metric["reasons"]},
    }


def traj(
    estimates: TrajectoryLike | list[TrajectoryLike],
    truth: TrajectoryLike | None = None,
    *,
    relations: PathLike | None = None,
    threads: int = 0,
    **keywords: Any,
) -> Report:
    """Judges trajectories against a true one, or against relations. Keywords are the flags of `mapjudge traj`.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, np.sin(t / 9), 0 * t])
    >>> round(mj.traj(truth, truth)["ate_translation"].value, 9)
    0.0
    """
    holding = Holding()
    several = estimates if isinstance(estimates, (list, tuple)) and not _is_cells(estimates) else [estimates]
    words = [holding.trajectory(one, "trajectory") for one in several]
    if truth is not None:
        keywords["truth"] = holding.trajectory(truth, "truth")
    if relations is not None:
        keywords["relations"] = path_of(relations, "relations")
    report = _call(Report, ("traj",), words, keywords, holding, threads)
    assert isinstance(report, Report)
    return report


def ape(estimate: TrajectoryLike, truth: TrajectoryLike, **keywords: Any) -> Report:
    """Errors of positions and headings after alignment: the metrics `ate_translation` and `ate_rotation`.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, np.sin(t / 9), 0 * t])
    >>> shifted = truth + [0, 3, 4, 0]
    >>> mj.ape(shifted, truth, align="none")["ate_translation"].value
    5.0
    """
    return traj(estimate, truth, **{"metrics": _family("ate_"), **keywords})


def rpe(estimate: TrajectoryLike, truth: TrajectoryLike, delta: str | float | None = None, **keywords: Any) -> Report:
    """Errors of displacements over `delta`, such as "1 m", "1 s" or 1 (poses): `rpe_translation` and `rpe_rotation`.

    >>> import mapjudge as mj, numpy as np
    >>> t = np.arange(50.0)
    >>> truth = np.column_stack([t, t, 0 * t, 0 * t])
    >>> mj.rpe(truth, truth, delta="1 m")["rpe_translation"].value
    0.0
    """
    if delta is not None:
        keywords["delta"] = str(delta).replace(" ", "")
    return traj(estimate, truth, **{"metrics": _family("rpe_"), **keywords})


def _family(prefix: str) -> list[str]:
    return [card["id"] for card in metrics() if card["id"].startswith(prefix)]


def align(subject: MapLike, truth: MapLike, *, resolution: float | None = None, **keywords: Any) -> Alignment:
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
    keywords = {"truth": holding.map(truth, "truth"), **keywords}
    if resolution is not None and holding.has_files:
        keywords["resolution"] = resolution
    result = _call(Alignment, ("align",), words, keywords, holding)
    assert isinstance(result, Alignment)
    return result


def _of_maps(
    kind: type[R], command: str, maps: Any, keywords: dict[str, Any], truth: Any = None, resolution: float | None = None
) -> Any:
    holding = Holding(resolution)
    words = _maps(maps, holding)
    if truth is not None:
        keywords["truth"] = holding.map(truth, "truth")
    if resolution is not None and holding.has_files:
        keywords["resolution"] = resolution
    return _call(kind, (command,), words, keywords, holding)


def rooms(subject: MapLike, *, resolution: float | None = None, **keywords: Any) -> Rooms:
    """The rooms of a map.

    >>> import mapjudge as mj, numpy as np
    >>> plan = np.full((60, 90), 254, np.uint8)
    >>> plan[:, [0, 44, 89]] = plan[[0, 59], :] = 0
    >>> plan[25:35, 44] = 254
    >>> len(mj.rooms(plan, resolution=0.1).rooms)
    2
    """
    result: Rooms = _of_maps(Rooms, "rooms", subject, keywords, None, resolution)
    return result


def graph(subject: MapLike, *, resolution: float | None = None, **keywords: Any) -> Graph:
    """The graph of the free space of a map: `mapjudge graph`."""
    result: Graph = _of_maps(Graph, "graph", subject, keywords, None, resolution)
    return result


def portals(truth: MapLike, *, resolution: float | None = None, **keywords: Any) -> Portals:
    """Doors and passages of a true map: `mapjudge portals`."""
    result: Portals = _of_maps(Portals, "portals", truth, keywords, None, resolution)
    return result


def paths(maps: MapLike | list[MapLike], truth: MapLike, *, resolution: float | None = None, **keywords: Any) -> Report:
    """Whether a robot can plan by a map: `mapjudge paths`."""
    result: Report = _of_maps(Report, "paths", maps, keywords, truth, resolution)
    return result


def fiducials(maps: MapLike | list[MapLike], *, resolution: float | None = None, **keywords: Any) -> Fiducials | Report:
    """Fiducials of maps, found or against a layout: `mapjudge fiducials`."""
    result: Fiducials | Report = _of_maps(Fiducials, "fiducials", maps, keywords, None, resolution)
    return result


def points(submission: PathLike, truth: PathLike, **keywords: Any) -> Points:
    """Labelled points against the true ones: `mapjudge points`."""
    holding = Holding()
    keywords = {"truth": path_of(truth, "truth"), **keywords}
    result: Any = _call(Points, ("points",), [path_of(submission, "submission")], keywords, holding)
    return result  # type: ignore[no-any-return]


def compare(a: MapLike, b: MapLike, truth: MapLike, *, resolution: float | None = None, **keywords: Any) -> Comparison:
    """Two maps side by side: `mapjudge compare`."""
    result: Comparison = _of_maps(Comparison, "compare", [a, b], keywords, truth, resolution)
    return result


def consensus(maps: list[MapLike], *, resolution: float | None = None, **keywords: Any) -> Consensus | Report:
    """Several maps of one place against each other, without a truth: `mapjudge consensus`."""
    result: Consensus | Report = _of_maps(Consensus, "consensus", maps, keywords, None, resolution)
    return result


def contest(file: PathLike, **keywords: Any) -> Contest:
    """Judges a contest: `mapjudge contest`. Submissions are judged in processes of their own."""
    result: Any = _call(Contest, ("contest",), [path_of(file, "file")], keywords, Holding())
    return result  # type: ignore[no-any-return]


def info(*files: PathLike, **keywords: Any) -> Info:
    """What files hold: `mapjudge info`."""
    words = [path_of(file, "file") for file in files]
    result: Any = _call(Info, ("info",), words, keywords, Holding())
    return result  # type: ignore[no-any-return]


def lint(*files: PathLike, fix: bool = False, **keywords: Any) -> list[Finding]:
    """What is odd about files; `fix=True` repairs what can be: `mapjudge lint`."""
    words = [path_of(file, "file") for file in files]
    result: Any = _call(Info, ("lint",), words, {"fix": fix, **keywords}, Holding())
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
    """Reads a map as `Map`, poses as `Trajectory`, and of anything else what `info` tells.

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
    if "trajector" in kind or "log" in kind or "graph" in kind:
        return Trajectory._of(_core.Poses.read(name))
    return info(name)


def write(value: Map | Trajectory, path: PathLike, overwrite: bool = False) -> tuple[str, ...]:
    """Writes a map or trajectory in the format that the ending names; the files written."""
    return value.write(path, overwrite)


def convert(source: PathLike, target: PathLike, **keywords: Any) -> str:
    """Converts a file into another format: `mapjudge convert`; the path of the target."""
    words = [path_of(source, "source"), path_of(target, "target")]
    _call(Other, ("convert",), words, keywords, Holding())
    return words[1]


def map_log(log: PathLike, out: PathLike, *, mapper: str = "graph", **keywords: Any) -> tuple[Map, Trajectory, MapRun]:
    """Maps a log into a folder: `mapjudge map`; the map, the trajectory, and what the mapper did."""
    folder = path_of(out, "out")
    result: Any = _call(MapRun, ("map",), [path_of(log, "log")], {"mapper": mapper, "out": folder, **keywords}, Holding())
    read_map = Map._of(_core.Grid.read(os.path.join(folder, "map.yaml")))
    poses = Trajectory._of(_core.Poses.read(os.path.join(folder, "trajectory.tum")))
    return read_map, poses, result


def simulate(arena: PathLike, out: PathLike, **keywords: Any) -> Simulation:
    """Drives a robot through an arena: `mapjudge simulate`; files in `out`."""
    keywords = {"out": path_of(out, "out"), **keywords}
    result: Any = _call(Simulation, ("simulate",), [path_of(arena, "arena")], keywords, Holding())
    return result  # type: ignore[no-any-return]


def explore(arena: PathLike, **keywords: Any) -> Exploration:
    """Explores an arena or a map: `mapjudge explore`."""
    holding = Holding()
    result: Any = _call(Exploration, ("explore",), [holding.file(arena, "arena")], keywords, holding)
    return result  # type: ignore[no-any-return]


def metrics() -> tuple[Record, ...]:
    """The cards of all metrics: id, title, family, unit, better, best, worst, meaning, card, params.

    >>> import mapjudge as mj
    >>> "overall_error" in [card["id"] for card in mj.metrics()]
    True
    """
    if not _CARDS:
        text = _core.run(["mapjudge", "metrics", "--format", "json"], 1)[0]
        _CARDS.extend(json.loads(text, object_hook=Record))
    return tuple(_CARDS)


_CARDS: list[Record] = []


def card(id: str) -> Record:
    """The card of one metric.

    >>> import mapjudge as mj
    >>> mj.card("overall_error")["unit"]
    'cells'
    """
    text = _core.run(["mapjudge", "metrics", "--format", "json", "--", id], 1)[0]
    found: Record = json.loads(text, object_hook=Record)[0]
    return found


def scorer(id: str, **keywords: Any) -> Callable[[MapLike, MapLike], float]:
    """A function of map and truth where larger is better, for parameter searches; undefined is minus infinity.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.eye(10, dtype=bool)
    >>> mj.scorer("overall_error", resolution=0.1)(truth, truth)
    -0.0
    """
    sign = -1.0 if card(id)["better"] == "lower" else 1.0

    def scored(subject: MapLike, truth: MapLike) -> float:
        value = score(subject, truth, **{"metrics": [id], **keywords})[id]["value"]
        return float("-inf") if value is None else sign * float(value)

    scored.__doc__ = f"{id}, larger is better."
    return scored


