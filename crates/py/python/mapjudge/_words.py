"""Keywords to the words of a command: names and values are those of its flags."""

from __future__ import annotations

import json
from typing import Any

from . import _core
from ._errors import ArgumentError
from ._maps import Map, is_message, map_of
from ._paths import is_path, path_of
from ._trajectories import Trajectory, is_evo, trajectory_of

_COMMANDS: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
# Reserved words of Python, and names that hide a flag of the program that has no meaning here.
_HIDDEN = {"help", "version", "quiet", "threads", "format", "max-memory", "max-seconds", "by-hand", "listen", "open"}
# Names that users of evo try.
_OF_EVO = {
    "align_origin": 'align="origin"',
    "all_pairs": 'pairs="all"',
    "correct_scale": 'align="sim3"',
    "delta_unit": 'a part of delta: delta="1 m", "1 f" or "1 rad"',
    "max_diff": "max_dt",
    "n_to_align": "align_first",
    "pose_relation": "the choice among metrics: ate_translation, ate_rotation, ate_full",
    "project_to_plane": "project",
    "rel_delta_tol": 'set={"rpe_translation.tolerance": 0.1}',
    "t_max_diff": "max_dt",
    "t_offset": "time_offset",
    "traj_est": "the first argument",
    "traj_ref": "the second argument",
}
# Modules, classes and functions of evo that people look for here.
_OF_EVO_API = {
    "APE": "mapjudge.ape(estimate, truth)",
    "RPE": 'mapjudge.rpe(estimate, truth, delta="1 m")',
    "main_ape": "mapjudge.ape(estimate, truth)",
    "main_rpe": 'mapjudge.rpe(estimate, truth, delta="1 m")',
    "PoseTrajectory3D": "mapjudge.Trajectory(rows)",
    "associate_trajectories": "a keyword of mapjudge.ape and rpe: max_dt",
    "file_interface": "mapjudge.read(path)",
    "sync": "a keyword of mapjudge.ape and rpe: max_dt",
}
_UNITS = ("_m", "_s", "_rad", "_deg", "_cells")


def commands() -> dict[tuple[str, ...], dict[str, dict[str, Any]]]:
    """Every command with its arguments by name."""
    if not _COMMANDS:
        for command in json.loads(_core.commands()):
            arguments = {argument["name"]: argument for argument in command["arguments"]}
            _COMMANDS[tuple(command["path"])] = arguments
    return _COMMANDS


def keyword_of(flag: str) -> str:
    """The keyword of a flag."""
    return {"from": "from_", "final": "final"}.get(flag, flag.replace("-", "_"))


def flag_of(command: tuple[str, ...], keyword: str) -> dict[str, Any]:
    """The flag of a keyword: its own name, or that of a key of a job file with a unit behind it."""
    arguments = commands()[command]
    by_keyword = {
        keyword_of(name): argument
        for name, argument in arguments.items()
        if name not in _HIDDEN and not argument["positional"]
    }
    shorter = [keyword.removesuffix(unit) for unit in _UNITS]
    for name in (keyword, *shorter):
        if name in by_keyword:
            return by_keyword[name]
    raise unknown_keyword(keyword, list(by_keyword), " ".join(command))


def unknown_keyword(keyword: str, known: list[str], what: str) -> ArgumentError:
    """The error of a keyword that does not exist, with the nearest name."""
    import difflib

    if keyword in _OF_EVO:
        return ArgumentError(f"{what} has no keyword '{keyword}'", "ARGUMENT", f"what evo calls {keyword} is {_OF_EVO[keyword]}")
    near = difflib.get_close_matches(keyword, known, 1, 0.5)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(known))}"
    return ArgumentError(f"{what} has no keyword '{keyword}'", "ARGUMENT", hint)


def no_name(name: str, known: list[str]) -> AttributeError:
    """The error of a name that the module does not have."""
    import difflib

    if name.startswith("read_") and name.endswith(("_file", "_trajectory")):
        place = "mapjudge.read(path)"
    else:
        place = _OF_EVO_API.get(name, "")
    near = difflib.get_close_matches(name, known, 1, 0.6)
    hint = f"; what evo has there is {place}" if place else f"; did you mean '{near[0]}'?" if near else ""
    return AttributeError(f"mapjudge has no '{name}'{hint}")


class Holding:
    """Values in memory that stand for paths while a call runs."""

    def __init__(self, resolution: float | None = None) -> None:
        self._held: list[_core.Held] = []
        self._resolution = resolution
        self.has_files = False

    def map(self, value: Any, label: str) -> str:
        """The path of a map, or what stands for it."""
        found = map_of(value, self._resolution, label)
        if isinstance(found, str):
            self.has_files = True
            return found
        return self.hold(found._grid.hold(found.name or label))

    def trajectory(self, value: Any, label: str) -> str:
        """The path of a trajectory, or what stands for it."""
        found = trajectory_of(value, label)
        if isinstance(found, str):
            return found
        return self.hold(found._poses.hold(found.name or label))

    def hold(self, held: _core.Held) -> str:
        """Keeps a value; what stands for its path."""
        self._held.append(held)
        return str(held.path)

    def file(self, value: Any, label: str) -> str:
        """The path of anything that has one, or of a map or trajectory in memory."""
        if is_path(value):
            return path_of(value, label)
        if isinstance(value, Trajectory) or is_evo(value):
            return self.trajectory(value, label)
        if isinstance(value, Map) or is_message(value) or hasattr(value, "__array__"):
            return self.map(value, label)
        return path_of(value, label)


def text_of(value: Any, holding: Holding, name: str) -> str:
    """A value as a flag takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(item, holding, name) for item in value)
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return text_of(value.item(), holding, name)
    return holding.file(value, name)


def flags(command: tuple[str, ...], keywords: dict[str, Any], holding: Holding) -> list[str]:
    """The flags of keywords; those that are None or False are left out."""
    words: list[str] = []
    for keyword, value in keywords.items():
        argument = flag_of(command, keyword)
        # False for a flag that takes a word is no word of it, and must not mean its default.
        if value is None or (value is False and argument["switch"]):
            continue
        flag = f"--{argument['name']}"
        if argument["switch"]:
            if value is not True:
                raise ArgumentError(f"{keyword}={value!r}: expected True or False", "ARGUMENT")
            words.append(flag)
        elif isinstance(value, bool) and argument["words"]:
            evo = {True: "se3", False: "none"}[value]
            hint = f'what evo calls align={value} is align="{evo}"' if keyword == "align" else None
            expected = ", ".join(argument["words"])
            raise ArgumentError(f"{keyword}={value}: expected one of {expected}", "ARGUMENT", hint)
        elif isinstance(value, dict):
            words += [f"{flag}={name}={_set_text(item)}" for name, item in _flat(value)]
        elif isinstance(value, (list, tuple)) and _is_list(argument, value):
            words += [f"{flag}={text_of(item, holding, keyword)}" for item in value]
        else:
            words.append(f"{flag}={text_of(value, holding, keyword)}")
    return words


def _is_list(argument: dict[str, Any], value: Any) -> bool:
    # A place is a tuple of numbers; several places are a list of tuples.
    is_numbers = all(isinstance(item, (int, float)) for item in value)
    return bool(argument["many"]) and not (is_numbers and isinstance(value, tuple))


def _set_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _flat(values: dict[str, Any]) -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for name, value in values.items():
        flat += [(f"{name}.{inner}", item) for inner, item in value.items()] if isinstance(value, dict) else [(name, value)]
    return flat
