"""Measures what the documentation says about speed and memory; one line of JSON per measurement.

    python measure.py
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np

import mapjudge as mj
from mapjudge import _core


def tell(name: str, **numbers: Any) -> None:
    print(json.dumps({"name": name, **numbers}), flush=True)


def median(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def floor(rows: int, columns: int) -> Any:
    rng = np.random.default_rng(3)
    cells = np.full((rows, columns), 254, np.uint8)
    cells[:: max(rows // 8, 2), :] = 0
    cells[:, :: max(columns // 8, 2)] = 0
    cells[rng.random((rows, columns)) < 0.02] = 205
    return cells


def overhead() -> None:
    """Time of a call less the time inside of the compiled part."""
    array = floor(50, 50)
    inside: list[float] = []
    judge = _core.judge

    def timed(*arguments: Any) -> Any:
        begun = time.perf_counter()
        result = judge(*arguments)
        inside.append(time.perf_counter() - begun)
        return result

    _core.judge = timed  # type: ignore[assignment]
    outer = []
    for _ in range(500):
        begun = time.perf_counter()
        mj.score(array, array, resolution=0.05, metrics=["overall_error"])
        outer.append(time.perf_counter() - begun)
    _core.judge = judge
    differences = [whole - part for whole, part in zip(outer, inside, strict=True)]
    tell("overhead_50x50", median_ms=1e3 * median(differences), whole_ms=1e3 * median(outer))


def three_metrics() -> None:
    array, truth = floor(800, 800), floor(800, 800)
    array[100, 100:200] = 205
    times = []
    for _ in range(50):
        begun = time.perf_counter()
        mj.score(array, truth, resolution=0.05, metrics=["overall_error", "map_score_collins", "known_coverage"], threads=1)
        times.append(time.perf_counter() - begun)
    tell("score_800x800_3_metrics", median_ms=1e3 * median(times), best_ms=1e3 * min(times))


def high_water_mb() -> float:
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def zero_copy(view: str) -> None:
    """Runs in a process of its own: the high-water mark never falls."""
    array = np.full((20000 if view == "strided" else 10000, 10000), 254, np.uint8)
    array[::50] = 0
    shown = {"plain": array, "reversed": array[::-1, ::-1], "strided": array[::2]}[view]
    before = high_water_mb()
    one = mj.Map(shown, resolution=0.05)
    tell(f"zero_copy_{view}", bytes_per_cell=(high_water_mb() - before) * 2**20 / (one.shape[0] * one.shape[1]))


def lock() -> None:
    big = floor(4000, 4000)
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            for _ in range(1000):
                counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(1.0)
    free_rate = counted[0] / 1.0
    one = mj.Map(big, resolution=0.05, origin=(0, 0))
    before, begun = counted[0], time.perf_counter()
    mj.score(one, one, metrics=["cells", "distance"], threads=1)
    took = time.perf_counter() - begun
    rate = (counted[0] - before) / took
    done.set()
    thread.join()
    tell("other_thread_while_scoring_4000x4000", ratio=rate / free_rate, took_s=took)


def two_threads() -> None:
    one = mj.Map(floor(1500, 1500), resolution=0.05, origin=(0, 0))

    def work() -> None:
        for _ in range(6):
            mj.score(one, one, metrics=["cells", "distance"], threads=2)

    begun = time.perf_counter()
    work()
    work()
    serial = time.perf_counter() - begun
    threads = [threading.Thread(target=work) for _ in range(2)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell("two_threads_of_pairs", speed_up=serial / (time.perf_counter() - begun))


def import_time() -> None:
    code = "import time; a = time.process_time(); b = time.perf_counter(); import mapjudge; " \
        "print(time.process_time() - a, time.perf_counter() - b)"
    numbers = []
    for _ in range(11):
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        numbers.append((float(out[0]), float(out[1])))
    tell("import", cpu_ms=1e3 * median([n[0] for n in numbers]), wall_ms=1e3 * median([n[1] for n in numbers]))


def main() -> None:
    if len(sys.argv) > 1:
        zero_copy(sys.argv[1])
        return
    import_time()
    overhead()
    three_metrics()
    for view in ("plain", "reversed", "strided"):
        subprocess.run([sys.executable, os.path.abspath(__file__), view], check=True)
    lock()
    two_threads()


if __name__ == "__main__":
    main()
