"""The program: `mapjudge`, or `python -m mapjudge`."""

from __future__ import annotations

import sys

from . import _core

# Starts the module without the folder in which the program runs on the search path.
_AGAIN = "import sys; sys.path[:1] = []; from mapjudge._program import main; main()"


def start_again_by() -> list[str]:
    """The words that start this program in a process of its own."""
    return [sys.executable, "-c", _AGAIN]


def main() -> None:
    """Runs the command line in this process, and ends it with its exit code."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _core.start_again_by(start_again_by())
    sys.exit(_core.main(["mapjudge", *sys.argv[1:]]))
