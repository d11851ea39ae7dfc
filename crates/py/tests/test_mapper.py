"""A mapper that is fed scan by scan gives the trajectory of `mapjudge map`."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import run

import mapjudge as mj


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A drive through a room as a CARMEN log, odometry after each scan."""
    path = tmp_path_factory.mktemp("log") / "run.log"
    beams = np.linspace(-np.pi / 2, np.pi / 2, 181)
    lines = []
    for step in range(60):
        time_s, x = 100.0 + step * 0.2, step * 0.05
        with np.errstate(divide="ignore"):
            to_side = np.abs(np.where(np.sin(beams) > 0, 2.0, 1.5) / np.sin(beams))
            to_front = np.abs((7.0 - x) / np.cos(beams))
        ranges = np.minimum(np.minimum(to_side, to_front), 20.0)
        numbers = " ".join(f"{r:.3f}" for r in ranges)
        lines.append(f"FLASER 181 {numbers} {x:.6f} 0 0 {x:.6f} 0 0 {time_s:.6f} host {time_s:.6f}")
        lines.append(f"ODOM {x:.6f} 0 0 0.25 0 0 {time_s:.6f} host {time_s:.6f}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("mapper", ["graph", "robbie", "odometry"])
def test_scan_by_scan_is_the_whole_log(log, tmp_path, mapper):
    done = run("map", log, "--mapper", mapper, "--out", tmp_path / "whole", "--quiet")
    assert done.returncode in (0, 3), done.stderr.decode()
    stepwise = mj.Mapper(mapper)
    steps = stepwise.add_log(log)
    steps += stepwise.finish()
    assert len(steps) == 60
    assert stepwise.trajectory("final").to_tum().encode() == (tmp_path / "whole" / "trajectory.tum").read_bytes()
    whole = mj.read(tmp_path / "whole" / "map.yaml")
    assert stepwise.map().shape == whole.shape


def test_a_mapper_takes_single_records():
    mapper = mj.Mapper("graph", cell_size_m=0.05)
    ready = []
    for step in range(5):
        ready += mapper.add_scan(step * 0.1, [2.0 + 0.001 * step] * 181, -np.pi / 2, np.pi / 180)
        ready += mapper.add_odometry(step * 0.1, 0.01 * step, 0.0, 0.0)
    ready += mapper.finish()
    assert [step.time_s for step in ready] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert mapper.map() is not None and len(mapper.trajectory("online")) == 5
    with pytest.raises(mj.ArgumentError):
        mj.Mapper("graph", no_such_setting=1)
    with pytest.raises(mj.MapjudgeError):
        mj.Mapper("nobody")


def test_map_log_reads_the_results(log, tmp_path):
    found, poses, result = mj.map_log(log, tmp_path / "out", mapper="odometry")
    assert len(poses) == 60 and found.shape[0] > 10 and result.scans == 60
