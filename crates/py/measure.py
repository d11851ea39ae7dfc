"""Measures speed and memory of calls against their limits; one line of JSON per measurement.

    python measure.py
    python measure.py --bench target/release/mapjudge-bench     also the metrics alone, on the same grids

Times are processor time, and rates are held against what the machine gives at that time, so that a busy machine can be
measured on. Ends with 1 if a limit is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import mapjudge as mj
from mapjudge import _core


MISSED: list[str] = []


def tell(name: str, holds: bool, **numbers: Any) -> None:
    rounded = {key: round(value, 4) if isinstance(value, float) else value for key, value in numbers.items()}
    print(json.dumps({"name": name, **rounded, "holds": holds}), flush=True)
    if not holds:
        MISSED.append(name)


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
    """A call whose compiled part answers at once: what is left is the way there and back.

    Between two real calls of some milliseconds a busy machine empties the caches, which would be measured instead.
    """
    array = floor(50, 50)
    report = mj.score(array, array, resolution=0.05, metrics=["overall_error"])
    answer = (report.to_json(), list[str](), "fine", None)
    judge = _core.judge
    _core.judge = lambda *_: answer
    times = []
    for _ in range(2000):
        begun = time.thread_time()
        mj.score(array, array, resolution=0.05, metrics=["overall_error"])
        times.append(time.thread_time() - begun)
    _core.judge = judge
    tell("overhead_50x50", median(times) <= 1e-4, cpu_ms=1e3 * median(times), limit_ms=0.1)


CELL_METRICS = ["map_score_balaguer", "overall_error", "map_score_collins"]
"""The operation of the benchmark program computes eight of these; see `in_process`."""
BENCH = {
    "cell_metrics": [
        "map_score_balaguer",
        "overall_error",
        "normalized_map_score_balaguer",
        "occupied_map_score_balaguer",
        "map_score_collins",
        "occupied_map_score_collins",
        "baron_correlation",
        "pearson_correlation",
    ],
    "psi": ["image_similarity", "picture_distance"],
}
SETTINGS = {"baron_correlation.input": "trinary", "pearson_correlation.domain": "all"}


def cpu_ms(work: Callable[[], object], calls: int = 40) -> float:
    """The smallest processor time of all threads, as the benchmark program takes it."""
    times = []
    for _ in range(calls):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return 1e3 * min(times)


def in_process(bench: str | None) -> None:
    """Two arrays of 800 x 800 against the metrics alone, by the benchmark program on the same grids, in turn."""
    array, truth = floor(800, 800), floor(800, 800)
    array[100, 100:200] = 205

    def ours(ids: list[Any]) -> float:
        settings = {key: value for key, value in SETTINGS.items() if key.partition(".")[0] in ids}
        return cpu_ms(lambda: mj.score(array, truth, resolution=0.05, metrics=ids, set=settings, threads=1))

    if bench is None:
        tell("score_800x800_3_metrics", True, cpu_ms=ours(CELL_METRICS))
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, cells in (("truth", truth), ("robot", array)):
            mj.write(mj.Map(cells, resolution=0.05, origin=(0, 0)), pathlib.Path(folder) / f"{name}.png")
        for operation, ids in BENCH.items():
            pairs = []
            for _ in range(3):
                words = [bench, operation, "--inputs", folder, "--size", "800", "--json"]
                done = subprocess.run(words, capture_output=True, check=True)
                pairs.append((ours(ids), 1e3 * json.loads(done.stdout)["cpu_s"]))
            mine, bare = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
            limit = 1.2 * bare + 0.5
            tell(f"score_800x800_{operation}", mine <= limit, cpu_ms=mine, bench_cpu_ms=bare, limit_ms=limit)
            if operation == "cell_metrics":
                three = ours(CELL_METRICS)
                tell("score_800x800_3_metrics", three <= limit, cpu_ms=three, bench_cpu_ms=bare, limit_ms=limit)


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
    # The first call brings the code into memory, whatever the size of the array.
    first = high_water_mb()
    mj.Map(array[:50, :50], resolution=0.05)
    before = high_water_mb()
    one = mj.Map(shown, resolution=0.05)
    per_cell = (high_water_mb() - before) * 2**20 / (one.shape[0] * one.shape[1])
    tell(f"zero_copy_{view}", per_cell <= 1.05, bytes_per_cell=per_cell, limit=1.05, code_mb=before - first)


class Counter(threading.Thread):
    """Counts in Python for as long as it runs."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.count = 0

    def run(self) -> None:
        while True:
            for _ in range(1000):
                self.count += 1


def lock() -> None:
    """How fast another thread counts while a pair is scored, against while nothing runs, before and after.

    Turns in which something else ran on the machine are left out: the free rates before and after differ then, or are low.
    """
    one = mj.Map(floor(4000, 4000), resolution=0.05, origin=(0, 0))
    counter = Counter()
    counter.start()

    def rate(work: Callable[[], object]) -> float:
        before, begun = counter.count, time.perf_counter()
        work()
        return (counter.count - before) / (time.perf_counter() - begun)

    turns = []
    for _ in range(15):
        before = rate(lambda: time.sleep(0.4))
        scored = rate(lambda: mj.score(one, one, metrics=["cells", "distance"], threads=1))
        turns.append((before, scored, rate(lambda: time.sleep(0.4))))
    free = max(max(before, after) for before, _, after in turns)
    ratios = [2 * scored / (before + after) for before, scored, after in turns if min(before, after) >= 0.95 * free]
    ratio = median(ratios) if ratios else 0.0
    tell("other_thread_while_scoring_4000x4000", ratio >= 0.8, ratio=ratio, limit=0.8, calm_turns=len(ratios))


def two_threads() -> None:
    """Pairs by two threads of Python against one after the other, and the same of native work that shares nothing."""
    one = mj.Map(floor(1500, 1500), resolution=0.05, origin=(0, 0))
    block = bytes(1 << 24)

    def speed_up(work: Callable[[], object]) -> float:
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
        return serial / (time.perf_counter() - begun)

    def pairs() -> None:
        for _ in range(4):
            mj.score(one, one, metrics=["cells", "distance"], threads=1)

    def native() -> None:
        for _ in range(30):
            hashlib.sha256(block)

    found = [(speed_up(pairs), speed_up(native)) for _ in range(5)]
    ours, machine = max(pair[0] for pair in found), max(pair[1] for pair in found)
    # On two idle cores the machine gives 2; on a busy one less.
    tell("two_threads_of_pairs", ours >= 1.7 * min(machine, 2.0) / 2.0, speed_up=ours, machine_gives=machine, limit=1.7)


def interrupted() -> None:
    """Ctrl-C between metrics of a large pair."""
    code = (
        "import numpy as np, mapjudge as mj, time, sys\n"
        "a = np.kron(np.random.default_rng(0).integers(0, 2, (60, 60)), np.ones((30, 30))).astype(bool)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    while True: mj.score(a, a, resolution=0.05, threads=1)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    times = []
    for turn in range(5):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5 + 0.13 * turn)
        begun = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        times.append(time.perf_counter() - begun)
        process.wait()
    tell("interrupted", max(times) <= 1.0, worst_s=max(times), limit_s=1.0)


def import_time() -> None:
    code = "import time; a = time.process_time(); b = time.perf_counter(); import mapjudge; " \
        "print(time.process_time() - a, time.perf_counter() - b)"
    numbers = []
    for _ in range(11):
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        numbers.append((float(out[0]), float(out[1])))
    cpu_s, wall_s = (min(pair[k] for pair in numbers) for k in (0, 1))
    # The other limit is that of an idle machine.
    is_idle = os.getloadavg()[0] < (os.cpu_count() or 1)
    tell("import", cpu_s <= 0.03 and (wall_s <= 0.1 or not is_idle), cpu_ms=1e3 * cpu_s, wall_ms=1e3 * wall_s)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", help="mapjudge-bench of the same build")
    parser.add_argument("--view", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.view:
        zero_copy(options.view)
        return 1 if MISSED else 0
    import_time()
    overhead()
    in_process(options.bench)
    for view in ("plain", "reversed", "strided"):
        code = subprocess.run([sys.executable, os.path.abspath(__file__), "--view", view], check=False).returncode
        MISSED.extend([f"zero_copy_{view}"] * code)
    interrupted()
    two_threads()
    # Last: its counter runs for as long as the process.
    lock()
    return 1 if MISSED else 0


if __name__ == "__main__":
    sys.exit(main())
