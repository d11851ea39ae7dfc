"""The files of the tests: made by the program itself, and by mapjudge's own writers."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

np = pytest.importorskip("numpy")


def console_script() -> str:
    """The program that the wheel brought."""
    return str(pathlib.Path(sys.executable).with_name("mapjudge"))


def run(*words: object, cwd: object = None) -> subprocess.CompletedProcess[bytes]:
    """The program that MAPJUDGE names, which cargo built; without one the console script of this environment."""
    program = os.environ.get("MAPJUDGE") or console_script()
    return subprocess.run([program, *map(str, words)], capture_output=True, cwd=cwd, check=False)


def made_once(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The folder of the demonstration, which one of the processes of the tests makes; the others wait for it."""
    shared = tmp_path_factory.getbasetemp()
    shared = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "made"
    ready = shared.with_name("made.ready")
    try:
        shared.mkdir()
    except FileExistsError:
        begun = time.monotonic()
        while not ready.exists():
            assert time.monotonic() - begun < 600, "another process of the tests did not make the demonstration"
            time.sleep(0.05)
        return shared
    done = run("demo", "--quiet", "--out", "demo", cwd=shared)
    assert done.returncode == 0, done.stderr
    ready.touch()
    return shared


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The folder of `mapjudge demo`, which is the working folder of the test."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.copytree(made_once(tmp_path_factory) / "demo", folder / "demo")
    (folder / "limits.txt").write_text("overall_error <= 5000\n")
    (folder / "strict.txt").write_text("overall_error <= 0\n")
    t = np.arange(0.0, 60.0, 0.1)
    truth = np.column_stack([t, 3 * np.cos(t / 7), 2 * np.sin(t / 5), np.arctan2(np.cos(t / 5), -np.sin(t / 7))])
    noise = np.random.default_rng(7).normal(0, 0.02, truth.shape)
    noise[:, 0] = 0
    import mapjudge as mj

    mj.Trajectory(truth).write(folder / "truth.tum")
    mj.Trajectory(truth + noise).write(folder / "a.tum")
    mj.Trajectory(truth[::2] + 2 * noise[::2]).write(folder / "b.tum")
    head = "pois\n1.2\nTeam\nNowhere\n2025-07-19\n14:30:00\nFinal\n\nid,time,text,x,y,z,robot,mode,type\n"
    rows = "1,,7,0,0,0,,,ar_tag\n2,,7,6,1,0,,,ar_tag\n3,,fire,4,4,0,,,hazmat\n4,,helmet,1,8,0,,,real_object\n"
    (folder / "points.csv").write_text(head + rows)
    ranges = " ".join(["2.5"] * 90)
    scans = [f"FLASER 90 {ranges} {x} 0 0 {x} 0 0 {x} host {x}\nODOM {x} 0 0 1 0 0 {x} host {x}\n" for x in range(3)]
    (folder / "log.clf").write_text("".join(scans))
    return folder


@pytest.fixture
def here(demo, monkeypatch):
    """Paths of a report are those given: tests use the same relative ones as the command."""
    monkeypatch.chdir(demo)
    return demo
