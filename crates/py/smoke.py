"""What a new environment must be able to do, with nothing but numpy installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

IMPORT = (
    "import time; cpu = time.process_time(); wall = time.perf_counter(); import mapjudge; "
    "print(time.process_time() - cpu, time.perf_counter() - wall); import sys; print('numpy' in sys.modules)"
)
MAX_CPU_S, MAX_WALL_S = 0.030, 0.100


def import_times() -> tuple[float, float]:
    """The shortest of ten: another program on the machine can only make it longer."""
    seconds = []
    for _ in range(10):
        out = subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout.split()
        assert out[2] == "False", "import mapjudge loads numpy"
        seconds.append((float(out[0]), float(out[1])))
    return min(cpu for cpu, _ in seconds), min(wall for _, wall in seconds)


def main() -> None:
    cpu_s, wall_s = import_times()
    print(f"import mapjudge: {1e3 * cpu_s:.1f} ms of processor time, {1e3 * wall_s:.1f} ms")
    is_idle = os.getloadavg()[0] < (os.cpu_count() or 1)
    assert cpu_s <= MAX_CPU_S and (wall_s <= MAX_WALL_S or not is_idle), "import mapjudge takes too long"

    import numpy as np

    import mapjudge as mj

    os.chdir(tempfile.mkdtemp())
    truth = np.full((60, 80), 254, np.uint8)
    truth[[0, 30, 59], :] = 0
    mine = truth.copy()
    mine[30, 10:20] = 205
    assert mj.score(mine, truth, resolution=0.05, metrics=["cells", "distance"])["overall_error"].value == 10.0
    for name, cells in (("mine", mine), ("truth", truth)):
        mj.write(mj.Map(cells, resolution=0.05, origin=(0, 0)), f"{name}.yaml")
    assert mj.score("mine.yaml", "truth.yaml", metrics=["cells"])["overall_error"].value == 10.0
    t = np.arange(0.0, 10.0, 0.1)
    line = np.column_stack([t, t, 0 * t, 0 * t])
    assert mj.ape(line + [0, 3, 4, 0], line, align="none")["ate_translation"].value == 5.0
    print(f"{mj.__version__} on Python {sys.version.split()[0]} with numpy {np.__version__}")


if __name__ == "__main__":
    main()
