"""A command as a call: keywords to words, values in memory to names, text to a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from . import _core
from ._records import Result
from ._report import Report
from ._words import Holding, commands, flags

R = TypeVar("R", bound=Result)


def call(
    kind: type[R], command: tuple[str, ...], words: list[str], keywords: Mapping[str, Any], holding: Holding, threads: int = 0
) -> R | Report:
    given = dict(keywords)
    threads = given.pop("threads", None) or threads
    all_words = ["mapjudge", *command, *flags(command, given, holding)]
    if "format" in commands()[command]:
        all_words += ["--format", "json"]
    # What stands before `--` cannot be taken for a file, and files not for flags.
    text, notes, verdict, page = _core.run([*all_words, "--", *words] if words else all_words, threads)
    if issubclass(kind, Report) or text.startswith('{\n  "schema": "mapjudge.report/1"'):
        return Report(text, notes, verdict, page)
    return kind(text, notes, verdict, page)


def maps_of(maps: Any, holding: Holding, label: str = "map") -> list[str]:
    several = maps if isinstance(maps, (list, tuple)) and not is_cells(maps) else [maps]
    return [holding.map(one, label) for one in several]


def is_cells(value: Any) -> bool:
    return bool(value) and isinstance(value[0], (list, tuple)) and not isinstance(value[0], str)


def call_of_maps(
    kind: type[R], command: str, maps: Any, keywords: Mapping[str, Any], truth: Any = None, resolution: float | None = None
) -> Any:
    holding = Holding(resolution)
    words = maps_of(maps, holding)
    given = dict(keywords)
    if truth is not None:
        given["truth"] = holding.map(truth, "truth")
    if resolution is not None and holding.has_files:
        given["resolution"] = resolution
    return call(kind, (command,), words, given, holding)
