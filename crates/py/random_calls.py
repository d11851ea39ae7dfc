"""Random calls of `score`: each gives a result or a `MapjudgeError`; nothing panics, hangs, or is kept.

    python random_calls.py                       10,000 calls, seed 11
    python random_calls.py --calls 300 --seed 5

Shape, type, strides, mask, values and keywords of each call are drawn. Memory after all calls is held against that after the
first hundred. Ends with 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import os
import pathlib
import sys
import time
from typing import Any

import numpy as np

import mapjudge as mj

TYPES = ["uint8", "int8", "bool", "float32", "float64", "int16", "int64", "uint16", "complex128", "object", ">f8"]
MAX_GROWTH_MB = 5.0
# A call of a few cells that takes longer hangs.
MAX_SECONDS = 60
METRICS = ["cells", "distance", "overall_error", "picture_distance", "plausibility", "no_such_metric"]


def resident_mb() -> float:
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def array_of(rng: np.random.Generator) -> Any:
    """An array of any shape, type, layout and content."""
    # Nine of ten arrays could be maps; the others have odd shapes, types or numbers.
    is_odd = rng.random() < 0.1
    shape = tuple(rng.integers(0 if is_odd else 1, 14, rng.choice([0, 1, 2, 3]) if is_odd else 2))
    kind = str(rng.choice(TYPES if is_odd else TYPES[:5]))
    low, high = {"uint8": (0, 256), "int8": (-1, 101), "bool": (0, 2)}.get(kind, (0, 101))
    if rng.random() < 0.1:
        low, high = -200, 400
    numbers = rng.integers(low, high, shape).astype(np.float64)
    if "f" in kind:
        odd = [np.nan, np.nan, np.nan, 0.5, -0.0, np.inf][rng.integers(6)]
        numbers = np.where(rng.random(shape) < 0.1, odd, numbers / 100)
    with np.errstate(all="ignore"):
        array = np.asarray(numbers).astype(kind, casting="unsafe")
    if array.ndim == 2:
        layout = rng.integers(5)
        if layout == 1:
            array = array[:: rng.choice([-2, -1, 1, 2]), :: rng.choice([-2, -1, 1, 2])]
        elif layout == 2:
            array = np.asfortranarray(array)
        elif layout == 3:
            array = array.T
        elif layout == 4 and array.size:
            array = np.broadcast_to(array[:1], array.shape)
        if rng.random() < 0.15:
            array = np.ma.masked_array(array, rng.random(array.shape) < 0.3)
    if rng.random() < 0.05:
        array.flags.writeable = False
    return array


def map_of(rng: np.random.Generator) -> Any:
    """An array as it is, or as a `Map` with keywords."""
    array = array_of(rng)
    if rng.random() < 0.5:
        return array
    origin = [None, (0, 0), (1.5, -2.0, 0.3), (float("nan"), 0, 0), (1,), "here"][rng.choice(6, p=[0.3, 0.3, 0.28, 0.04, 0.04, 0.04])]
    keywords: dict[str, Any] = {
        "resolution": [0.05, 1, -1.0, float("inf"), None, "wide"][rng.choice(6, p=[0.7, 0.1, 0.05, 0.05, 0.05, 0.05])],
        "origin": origin if rng.random() < 0.5 else (0, 0),
        "values": [None, "picture", "occupancy", "occupied", "probability", "classes", "odd"][rng.choice(7, p=[0.7] + 6 * [0.05])],
        "rows": [None, "top", "bottom", "left"][rng.choice(4, p=[0.5, 0.22, 0.22, 0.06])],
        "negate": bool(rng.random() < 0.2),
        "occupied_thresh": [None, 0.7, 2.0][rng.choice(3, p=[0.8, 0.15, 0.05])],
    }
    return mj.Map(array, **keywords)


def one_call(rng: np.random.Generator) -> str:
    """What came of a call: the verdict, or the code of the error."""
    keywords: dict[str, Any] = {
        "resolution": [0.05, 0.1, -1.0, None][rng.choice(4, p=[0.6, 0.3, 0.05, 0.05])],
        "window": [None, "truth", "union", "intersection", "odd"][rng.choice(5, p=[0.3, 0.2, 0.2, 0.25, 0.05])],
        "resample": [None, "nearest", "mean"][rng.integers(3)],
        "align": [None, "none", "georeference", "odd"][rng.choice(4, p=[0.5, 0.3, 0.15, 0.05])],
        "metrics": [str(rng.choice(METRICS, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05]))],
        "threads": 1,
    }
    if rng.random() < 0.1:
        keywords["set"] = [{"overall_error.unknown_as": "exclude"}, {"overall_error": 3}, {"nothing.x": 1}][rng.integers(3)]
    if rng.random() < 0.03:
        keywords["no_such_keyword"] = 1
    try:
        subject = map_of(rng)
        truth = subject if rng.random() < 0.4 else map_of(rng)
        return mj.score(subject, truth, **keywords).verdict
    except mj.InternalError:
        raise
    except mj.MapjudgeError as error:
        return error.code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    found: collections.Counter[str] = collections.Counter()
    begun, slowest, held_mb = time.monotonic(), 0.0, 0.0
    for index in range(options.calls):
        faulthandler.dump_traceback_later(MAX_SECONDS, exit=True)
        call_begun = time.monotonic()
        found[one_call(rng)] += 1
        slowest = max(slowest, time.monotonic() - call_begun)
        if index == min(100, options.calls) - 1:
            held_mb = resident_mb()
    faulthandler.cancel_dump_traceback_later()
    growth_mb = resident_mb() - held_mb
    print(f"{options.calls} calls in {time.monotonic() - begun:.1f} s, the slowest {1e3 * slowest:.0f} ms")
    print(", ".join(f"{name} {count}" for name, count in found.most_common()))
    print(f"memory grew by {growth_mb:.2f} MB after the first hundred calls, at most {MAX_GROWTH_MB} MB")
    results = found["fine"] + found["undefined"] + found["missed"]
    # Calls that are all refused would try nothing.
    return 0 if growth_mb <= MAX_GROWTH_MB and results >= options.calls / 4 else 1


if __name__ == "__main__":
    sys.exit(main())
