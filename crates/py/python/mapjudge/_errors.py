"""Exceptions: one root, and below it the built-in class that a caller would expect."""

from __future__ import annotations

import re

__all__ = [
    "ArgumentError",
    "InputError",
    "InternalError",
    "LimitMissed",
    "MapjudgeError",
    "MissingFile",
    "UndefinedError",
]

_NUMBER = re.compile(r"memory:\d+/")
_FLAG = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)(?: <[^>]+>)?")
_HELP = re.compile(r"`mapjudge ([a-z -]+) --help` describes the arguments")


class MapjudgeError(Exception):
    """Why mapjudge could not compute.

    `code` is a stable name for programs, `hint` says what to do, `path` and `place` say where.

    >>> import mapjudge as mj
    >>> try:
    ...     mj.score("nowhere.pgm", "truth.pgm")
    ... except mj.MissingFile as error:
    ...     print(error.code, error.path)
    FILE_NOT_READABLE truth.pgm
    """

    code: str
    hint: str | None
    path: str | None
    place: str | None

    def __init__(
        self,
        message: str,
        code: str = "ERROR",
        hint: str | None = None,
        path: str | None = None,
        place: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.path = path
        self.place = place

    def __str__(self) -> str:
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{self.message}{hint}"

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.message, self.code, self.hint, self.path, self.place))


class InputError(MapjudgeError, ValueError):
    """A file, an array or a message does not hold what is expected.

    >>> import mapjudge as mj, numpy as np
    >>> try:
    ...     mj.Map(np.zeros(3), resolution=0.05)
    ... except mj.InputError as error:
    ...     print(error.code)
    ARRAY_SHAPE
    """


class MissingFile(InputError, FileNotFoundError):
    """A file is not there.

    >>> import mapjudge as mj
    >>> issubclass(mj.MissingFile, FileNotFoundError)
    True
    """

    def __str__(self) -> str:
        return MapjudgeError.__str__(self)


class ArgumentError(MapjudgeError, ValueError):
    """A keyword, a name or a value does not exist.

    >>> import mapjudge as mj
    >>> try:
    ...     mj.score("a.yaml", "b.yaml", windw="union")
    ... except mj.ArgumentError as error:
    ...     print(error.code)
    ARGUMENT
    """


class UndefinedError(MapjudgeError, ArithmeticError):
    """A metric has no value here; the reasons say why.

    >>> import mapjudge as mj
    >>> issubclass(mj.UndefinedError, ArithmeticError)
    True
    """


class LimitMissed(MapjudgeError, AssertionError):
    """A value misses a limit.

    >>> import mapjudge as mj
    >>> issubclass(mj.LimitMissed, AssertionError)
    True
    """


class InternalError(MapjudgeError, RuntimeError):
    """A fault of mapjudge: please report it.

    >>> import mapjudge as mj
    >>> issubclass(mj.InternalError, mj.MapjudgeError)
    True
    """


_ARGUMENTS = {
    "ARGUMENT",
    "USAGE",
    "UNKNOWN_METRIC",
    "METRIC_PARAMETER_INVALID",
    "MAPPER_PARAMETER_INVALID",
    "OUT_OF_RANGE",
    "ROBOT_INVALID",
    "INPUT_MISSING",
    "JOB_FILE_INVALID",
    "ANNOTATIONS_OF_SEVERAL_MAPS",
    "OPTION_OUT_OF_RANGE",
}


def _is_missing(code: str, path: str | None, message: str) -> bool:
    if "os error 2" in message or "No such file" in message:
        return True
    if code not in ("FILE_NOT_READABLE", "FILE_MISSING", "OPEN", "FILE_NOT_FOUND", "IMAGE_MISSING"):
        return False
    import os

    return path is not None and not os.path.exists(path)


def _keywords(text: str) -> str:
    """The words of the command line as those of a call: flags are keywords here."""
    text = _HELP.sub(lambda found: f"help(mapjudge.{found[1].replace(' ', '.')}) lists the keywords", text)
    return _FLAG.sub(lambda found: found[1].replace("-", "_"), text)


def of(
    code: str, message: str, hint: str | None, path: str | None, place: str | None
) -> MapjudgeError:
    """The exception of a failure of the library."""
    message = _keywords(_NUMBER.sub("", message))
    hint = None if hint is None else _keywords(hint)
    path = None if path is None else _NUMBER.sub("", path)
    kind: type[MapjudgeError] = InputError
    if code == "INTERNAL":
        kind = InternalError
    elif code in _ARGUMENTS:
        kind = ArgumentError
    elif _is_missing(code, path, message):
        kind = MissingFile
    return kind(message, code, hint, path, place)
