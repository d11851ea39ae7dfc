"""Results: frozen values over the JSON that the command line prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["Finding", "Record", "Result"]


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return Record(value) if isinstance(value, dict) else value


class Record(Mapping[str, Any]):
    """An object of a result: its fields as attributes and as items; nothing in it can be changed.

    >>> import mapjudge as mj
    >>> card = mj.card("overall_error")
    >>> card.unit == card["unit"] == "cells"
    True
    """

    __slots__ = ("_items",)
    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_items", {key: _frozen(value) for key, value in items.items()})

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._items[name]
        except KeyError:
            raise AttributeError(f"no field '{name}'; there are {', '.join(self._items)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("results cannot be changed")

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"Record({self._items!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Record, (self._items,))


def plain(value: Any) -> Any:
    """The same with dicts and lists, as `json.loads` gives them."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


class Result:
    """What a command gave: the fields of its JSON as attributes.

    `to_json()` is the text that the command prints with `--format json`; two results are equal if that is.

    >>> import mapjudge as mj
    >>> mj.Result('{"coverage": 0.5}').coverage
    0.5
    """

    __slots__ = ("_text", "_notes", "_verdict", "_page", "_parsed")
    _text: str
    _notes: tuple[str, ...]
    _verdict: str
    _page: str | None

    def __init__(
        self,
        text: str,
        notes: tuple[str, ...] | list[str] = (),
        verdict: str = "fine",
        page: str | None = None,
    ) -> None:
        for name, value in (
            ("_text", text),
            ("_notes", tuple(notes)),
            ("_verdict", verdict),
            ("_page", page),
        ):
            object.__setattr__(self, name, value)

    @property
    def _fields(self) -> Any:
        try:
            return self._parsed
        except AttributeError:
            parsed = _frozen(json.loads(self._text, object_hook=Record))
            object.__setattr__(self, "_parsed", parsed)
            return parsed

    def to_json(self) -> str:
        """The text that the command prints with `--format json`."""
        return self._text

    def to_dict(self) -> Any:
        """The fields as plain dicts and lists, which may be changed."""
        return json.loads(self._text)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the command would have said beside its result, such as warnings."""
        return self._notes

    @property
    def verdict(self) -> str:
        """`fine`, `missed` (a limit), `undefined` (a metric asked for by name) or `not_judged` (a case)."""
        return self._verdict

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        fields = self._fields
        if isinstance(fields, Mapping) and name in fields:
            return fields[name]
        own = [*(fields if isinstance(fields, Mapping) else ()), *(known for known in object.__dir__(self) if known[:1] != "_")]
        known = ", ".join(dict.fromkeys(own))
        raise AttributeError(f"{type(self).__name__} has no field '{name}'; there are {known}")

    def __dir__(self) -> list[str]:
        fields = self._fields
        return [*super().__dir__(), *(fields if isinstance(fields, Mapping) else ())]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("results cannot be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and type(self) is type(other) and self._text == other._text

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._text))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self._text, self._notes, self._verdict, self._page))

    def __repr__(self) -> str:
        fields = self._fields
        shown = ", ".join(fields) if isinstance(fields, Mapping) else f"{len(fields)} entries"
        return f"<{type(self).__name__}: {shown}>"


class Finding(Record):
    """What was noticed about a file or an array: level, code, message and hint.

    >>> import mapjudge as mj
    >>> mj.Finding({"level": "warning", "code": "NO_OVERLAP", "message": "nothing", "hint": None}).code
    'NO_OVERLAP'
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Finding {self['level']} {self['code']}: {self['message']}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Finding, (self._items,))


def findings_of(found: list[tuple[str, str, str, str | None]]) -> tuple[Finding, ...]:
    """Findings out of code, level, message and hint."""
    return tuple(Finding({"level": lv, "code": c, "message": m, "hint": h}) for c, lv, m, h in found)
