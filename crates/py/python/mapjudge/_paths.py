"""Paths as callers give them."""

from __future__ import annotations

import os
from typing import Any


def is_path(value: object) -> bool:
    """Whether a value names a file."""
    return isinstance(value, (str, os.PathLike))


def refuse_streams(value: object, what: str) -> None:
    """Open files, bytes and addresses are neither paths nor arrays."""
    if isinstance(value, (bytes, bytearray, memoryview)) or hasattr(value, "read"):
        raise TypeError(f"{what}: give a path or an array, not {type(value).__name__}")
    if isinstance(value, str) and "://" in value:
        raise TypeError(f"{what}: give a path or an array, not an address: {value}")


def path_of(value: Any, what: str) -> str:
    """A path as text."""
    refuse_streams(value, what)
    path = os.fspath(value)
    return path.decode() if isinstance(path, bytes) else str(path)
