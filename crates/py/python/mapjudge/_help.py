"""Lists of keywords for the documentation of functions that pass them on."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from ._keywords import KEYWORDS


def tell_keywords(functions: Mapping[str, Any], prefix: str = "") -> None:
    """Adds to each function what its keywords are, as `help()` and notebooks show it."""
    for name, text in KEYWORDS.items():
        module, _, own = name.rpartition(".")
        if module != prefix or own not in functions or functions[own].__doc__ is None:
            continue
        # From 3.13 on the compiler takes the indentation away; earlier `help` does. `inspect` takes long to import.
        first, _, others = functions[own].__doc__.partition("\n")
        doc = f"{first}\n{textwrap.dedent(others)}"
        summary, example, rest = doc.partition("\n\n>>> ")
        functions[own].__doc__ = f"{summary}\n\n{textwrap.dedent(text)}{example}{rest}"
