"""Some of the random calls; `random_calls.py` makes as many as one likes."""

from __future__ import annotations

import pathlib
import subprocess
import sys


def test_random_calls_give_a_result_or_a_known_error():
    script = pathlib.Path(__file__).parents[1] / "random_calls.py"
    ended = subprocess.run([sys.executable, str(script), "--calls", "300"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
