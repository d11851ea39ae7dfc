"""A map regression test for pytest: the map of the night is held against limits.

    pytest examples/python/regression_test.py
"""

from __future__ import annotations

import numpy as np

import mapjudge as mj


def true_floor() -> np.ndarray:
    """A floor of two rooms with a door."""
    floor = np.full((120, 200), 254, np.uint8)
    floor[[0, 119], :] = 0
    floor[:, [0, 100, 199]] = 0
    floor[50:62, 100] = 254
    return floor


def test_the_map_of_the_night_is_good_enough() -> None:
    truth = true_floor()
    mapped = truth.copy()
    mapped[0, 20:40] = 205
    report = mj.score(mapped, truth, resolution=0.05, metrics=["cells", "distance"])
    mj.assert_limits(report, "overall_error <= 50")
