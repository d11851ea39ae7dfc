"""Metrics by name: their cards."""

from __future__ import annotations

import json

from . import _core
from ._records import Record

__all__ = ["card", "metrics"]

_CARDS: list[Record] = []


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


def card(id: str) -> Record:
    """The card of one metric.

    >>> import mapjudge as mj
    >>> mj.card("overall_error")["unit"]
    'cells'
    """
    text = _core.run(["mapjudge", "metrics", "--format", "json", "--", id], 1)[0]
    found: Record = json.loads(text, object_hook=Record)[0]
    return found
