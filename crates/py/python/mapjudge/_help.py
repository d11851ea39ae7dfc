"""Lists of keywords for the documentation of functions that pass them on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._keywords import KEYWORDS


def tell_keywords(functions: Mapping[str, Any], prefix: str = "") -> None:
    """Adds to each function what its keywords are, as `help()` and notebooks show it."""
    for name, text in KEYWORDS.items():
        module, _, own = name.rpartition(".")
        if module != prefix or own not in functions or functions[own].__doc__ is None:
            continue
        summary, example, rest = functions[own].__doc__.partition("\n\n    >>> ")
        functions[own].__doc__ = f"{summary}\n\n{text}{example}{rest}"
