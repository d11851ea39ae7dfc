"""Maps against their ground truth."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import _core
from ._calls import is_cells
from ._cards import card
from ._errors import ArgumentError, MapjudgeError
from ._maps import Map, MapLike, map_of
from ._paths import is_path, path_of
from ._report import Report
from ._results import Alignment
from ._words import Holding, unknown_keyword

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from ._names import AlignBy, MetricName, Resample, Window
    from ._typed import ScoreKeywords

__all__ = ["score", "score_many", "scorer"]

_TABLES = {
    "read": ("resolution_m", "occupied_thresh", "free_thresh", "negate", "treat_205_as_unknown", "ignore_alpha", "topic"),
    "aligning": ("scale_min", "scale_max", "tol_m", "accept_ambiguous"),
    "matching": ("associate", "max_dt_s", "max_gap_s", "time_offset_s", "estimate_offset_s", "min_coverage"),
}
_FILES = ("layout", "limits", "baseline", "transform")
_LISTS = ("annotations", "truth_annotations")
_NO_KEYS_OF_A_JOB = ("align", "figures", "out", "overwrite", "resolution", "threads")


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


@functools.cache
def _job_keys() -> tuple[str, ...]:
    # They come out of the schema of the job file, which takes a third of a millisecond to make.
    return tuple(_core.job_keys())


def _job(keywords: dict[str, Any]) -> dict[str, Any]:
    """Keywords as the keys of a job file; some keys of its tables are taken without the table's name."""
    job: dict[str, Any] = {}
    known = _job_keys()
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
            job[name] = [path_of(value, name)] if is_path(value) else [path_of(one, name) for one in value]
        elif isinstance(value, dict):
            job.setdefault(name, {}).update(value)
        else:
            job[name] = [value] if name == "metrics" and isinstance(value, str) else value
    return job


def _plain(value: Any) -> Any:
    """What JSON has no form for: paths, and numbers of numpy."""
    if is_path(value):
        return path_of(value, "path")
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    raise ArgumentError(f"{value!r} is no value of a keyword", "ARGUMENT")


def score(
    maps: MapLike | list[MapLike],
    truth: MapLike | None = None,
    *,
    metrics: MetricName | Sequence[MetricName] | None = None,
    align: AlignBy | str | os.PathLike[str] | Alignment | None = None,
    set: dict[str, Any] | None = None,
    resolution: float | None = None,
    window: Window | None = None,
    resample: Resample | None = None,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    figures: bool = False,
    threads: int = 0,
    **keywords: Unpack[ScoreKeywords],
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
    several = maps if isinstance(maps, (list, tuple)) and not is_cells(maps) else [maps]
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
        text, notes, verdict, page = _core.judge(json.dumps(job, default=_plain), folder, overwrite, figures, threads)
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

    def __init__(self, align: str | os.PathLike[str] | Alignment | None, job: dict[str, Any]) -> None:
        self._align, self._job = align, job
        self._path: str | None = None

    def __enter__(self) -> None:
        if self._align is None:
            return
        if isinstance(self._align, bool):
            words = {True: "auto", False: "none"}[self._align]
            hint = f'write align="{words}"; there are auto, none, georeference, correlative and others: help(mapjudge.score)'
            raise ArgumentError(f"align={self._align}: expected a word, a transform or its file", "ARGUMENT", hint)
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
    # What is wrong for every pair is wrong before the first.
    _job({name: value for name, value in keywords.items() if name not in _NO_KEYS_OF_A_JOB})
    return _rows_of(pairs, threads, keywords)


def _rows_of(
    pairs: Iterable[tuple[MapLike, MapLike] | dict[str, Any]], threads: int, keywords: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    for index, pair in enumerate(pairs):
        own = dict(pair) if isinstance(pair, dict) else {"map": pair[0], "truth": pair[1]}
        row: dict[str, Any] = {"row": index, "id": own.pop("id", str(index)), "tags": own.pop("tags", {})}
        subject, truth = own.pop("map", None), own.pop("truth", None)
        try:
            given: dict[str, Any] = {"threads": threads, **keywords, **own}
            report = score(subject, truth, **given)
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


def scorer(id: str, **keywords: Any) -> Callable[[MapLike, MapLike], float]:
    """A function of map and truth where larger is better, for parameter searches; undefined is minus infinity.

    Values that should be small count negative, and of a ratio that should be 1 its distance from 1 does.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.eye(10, dtype=bool)
    >>> mj.scorer("overall_error", resolution=0.1)(truth, truth)
    -0.0
    """
    described = card(id)
    better, best = described["better"], described["best"]
    if better == "neither":
        hint = "choose a metric whose card says which values are better"
        raise ArgumentError(f"'{id}' describes a map: no value of it is better than another", "ARGUMENT", hint)

    given: dict[str, Any] = {"metrics": [id], **keywords}

    def scored(subject: MapLike, truth: MapLike) -> float:
        value = score(subject, truth, **given)[id]["value"]
        if value is None:
            return float("-inf")
        if better == "closer":
            return -abs(float(value) - float(best))
        return -float(value) if better == "lower" else float(value)

    scored.__doc__ = f"{id}, larger is better."
    return scored
