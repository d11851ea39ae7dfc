"""Results, errors, threads, processes: what a caller may rely on."""

from __future__ import annotations

import doctest
import importlib
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mapjudge as mj

TRUTH = np.full((60, 80), 254, np.uint8)
TRUTH[[0, 20, 59], :] = 0
TRUTH[:, [0, 40, 79]] = 0
TRUTH[30:36, 40] = 254
MINE = TRUTH.copy()
MINE[20, 10:30] = 205


def scored(**keywords):
    return mj.score(MINE, TRUTH, resolution=0.1, **{"metrics": ["cells"], **keywords})


def test_a_report_is_a_frozen_value():
    report = scored()
    assert report == scored() and hash(report) == hash(scored())
    assert report != scored(metrics=["overall_error"])
    metric = report["overall_error"]
    assert float(metric) == metric.value == metric["value"] == 20.0
    assert (metric.unit, metric.better, metric.status, metric.reasons) == ("cells", "lower", "ok", ())
    for target in (report, metric, report.cases[0]):
        with pytest.raises(AttributeError):
            target.value = 3
    with pytest.raises(KeyError, match="no metric"):
        report["overal_error"]
    assert report.to_dict() == json.loads(report.to_json())
    assert "overall_error" in str(report) or "Overall error" in str(report)


def test_everything_public_is_pickled():
    report = scored()
    values = [report, report.cases[0], report["overall_error"], *report.findings, mj.Map(MINE, resolution=0.1)]
    values += [mj.rooms(TRUTH, resolution=0.1), mj.card("structural_similarity"), mj.Trajectory(np.zeros((3, 4)) + np.arange(3)[:, None])]
    for value in values:
        again = pickle.loads(pickle.dumps(value))
        assert again == value and type(again) is type(value)
    for kind in (mj.InputError, mj.MissingFile, mj.ArgumentError, mj.UndefinedError, mj.LimitMissed, mj.InternalError):
        again = pickle.loads(pickle.dumps(kind("why", "CODE", "hint", "path", "place")))
        assert (type(again), again.code, again.hint, again.path, again.place) == (kind, "CODE", "hint", "path", "place")


def test_undefined_values_raise_as_numbers():
    report = mj.score(np.zeros((5, 5), bool), np.zeros((5, 5), bool), resolution=1.0)
    undefined = [metric for metric in report if metric.value is None]
    assert undefined
    with pytest.raises(mj.UndefinedError):
        float(undefined[0])
    with pytest.raises(ArithmeticError):
        float(undefined[0])


def test_errors_say_what_and_where():
    with pytest.raises(mj.MissingFile) as caught:
        mj.score("nowhere.pgm", "nowhere.pgm", resolution=0.1)
    assert isinstance(caught.value, (FileNotFoundError, ValueError)) and caught.value.path == "nowhere.pgm"
    with pytest.raises(mj.ArgumentError, match="overall_error"):
        scored(metrics=["overal_error"])
    with pytest.raises(mj.ArgumentError, match="window"):
        scored(windw="union")
    with pytest.raises(mj.ArgumentError):
        scored(window="everything")
    with pytest.raises(mj.ArgumentError, match="min_room_area|no keyword"):
        mj.rooms(TRUTH, resolution=0.1, min_rom_area=1)
    with pytest.raises(mj.ArgumentError):
        scored(set={"overall_error.unknown_as": "purple"})
    with pytest.raises(mj.ArgumentError):
        scored(set={"nothing": 1})


def test_limits():
    assert mj.assert_limits(scored(), "overall_error <= 20").limits[0]["held"]
    with pytest.raises(mj.LimitMissed, match="overall_error = 20.0, expected <= 19"):
        mj.assert_limits(scored(), "overall_error <= 19\n")
    with pytest.raises(AssertionError):
        mj.assert_limits(scored(), "overall_error <= 19\n")
    with pytest.raises(mj.MissingFile):
        mj.assert_limits(scored(), "nowhere.txt")
    with pytest.raises(mj.MapjudgeError):
        mj.assert_limits(scored(), "overall_eror <= 19\n")


@pytest.mark.parametrize(("package", "method"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")])
def test_tables(package, method):
    report = scored()
    try:
        importlib.import_module(package)
    except ImportError:
        with pytest.raises(ImportError, match="pip install mapjudge"):
            getattr(report, method)()
        pytest.skip(f"{package} is not here")
    table = getattr(report, method)()
    columns = table.column_names if package == "pyarrow" else list(table.columns)
    assert columns == report.render("csv").splitlines()[0].split(",")
    assert len(table) == len(report.cases[0].metrics)


def test_arrow_and_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    report = scored()
    report.to_parquet(tmp_path / "rows.parquet")
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / "rows.parquet") == report.to_arrow()
    assert pyarrow.table(report) == report.to_arrow()


def test_a_notebook_shows_the_page():
    assert "&lt;html" in scored(figures=True)._repr_html_()


def test_plot():
    pytest.importorskip("matplotlib").use("Agg")
    assert scored().plot().get_xlabel()


def test_import_is_lazy():
    code = "import sys, mapjudge; print([m for m in ('numpy', 'pandas', 'matplotlib', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_version_is_that_of_reports():
    assert scored().tool.version == mj._core.__version__ == mj.__version__


def child(queue):
    queue.put(scored()["overall_error"].value)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    scored(metrics=["cells", "distance"])
    context = multiprocessing.get_context(method)
    queue = context.SimpleQueue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    process.join(60)
    assert process.exitcode == 0 and queue.get() == 20.0


def test_threads_of_python_run_at_once():
    values = []
    threads = [threading.Thread(target=lambda: values.append(scored()["overall_error"].value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values == [20.0] * 8


def test_the_lock_is_released():
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    big = np.kron(TRUTH, np.ones((20, 20), np.uint8))
    before = counted[0]
    mj.score(big, big, resolution=0.05, metrics=["cells", "distance"], threads=1)
    advanced = counted[0] - before
    done.set()
    thread.join()
    assert advanced > 100


def test_ctrl_c_between_metrics():
    code = (
        "import numpy as np, mapjudge as mj, time\n"
        "a = np.kron(np.random.default_rng(0).integers(0, 2, (60, 60)), np.ones((40, 40))).astype(bool)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    while True: mj.score(a, a, resolution=0.05, threads=1)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped\n"
    assert time.monotonic() - begun < 5.0
    assert process.wait(30) == 0


def test_many_pairs_give_rows():
    pairs = [(MINE, TRUTH), {"map": MINE, "truth": "nowhere.pgm", "id": "lost", "tags": {"seed": 3}}]
    rows = list(mj.score_many(pairs, resolution=0.1, metrics="cells"))
    assert rows[0]["values"]["overall_error"] == 20.0 and rows[0]["alignment"]["method"]
    assert (rows[1]["status"], rows[1]["id"], rows[1]["tags"]) == ("error", "lost", {"seed": 3})


def test_a_metric_of_ones_own_against_the_vectors():
    assert mj.testing.check_metric(lambda a, b: float(((a == 2) != (b == 2)).sum()), "overall_error") > 3
    with pytest.raises(AssertionError, match="disagree"):
        mj.testing.check_metric(lambda a, b: 0.0, "overall_error")


def test_arenas_relations_and_exploration(tmp_path):
    files = mj.arena.random(tmp_path / "arena", seed=3)
    assert files
    t = np.arange(0.0, 30.0, 0.5)
    line = np.column_stack([t, t, 0 * t, 0 * t])
    path = mj.relations.make(line, tmp_path / "line.relations")
    assert os.path.getsize(path) > 0
    assert mj.relations.check(path).verdict in ("fine", "missed")


def test_random_calls_give_a_result_or_a_known_error():
    rng = np.random.default_rng(int(os.environ.get("MAPJUDGE_RANDOM_SEED", "11")))
    types = ["uint8", "int8", "bool", "float32", "float64", "int16", "int64", "complex128", "object"]
    calls = int(os.environ.get("MAPJUDGE_RANDOM_CALLS", "300"))
    held_after_100 = 0.0
    for index in range(calls):
        shape = tuple(rng.integers(0, 12, rng.choice([1, 2, 2, 2, 2, 3])))
        kind = rng.choice(types)
        array = rng.normal(50, 60, shape).astype(np.float64)
        array = (array > 40) if kind == "bool" else array / 100 if kind.startswith("float") else array
        with np.errstate(all="ignore"):
            array = np.asarray(array).astype(kind, casting="unsafe")
        if array.ndim == 2 and rng.random() < 0.5:
            array = array[:: rng.choice([-1, 1, 2]), :: rng.choice([-2, -1, 1])]
        keywords = {"resolution": rng.choice([0.05, 0.1, -1.0]), "window": rng.choice(["truth", "union", "odd"])}
        try:
            mj.score(array, array, metrics=["cells"], **keywords)
        except mj.InternalError:
            raise
        except mj.MapjudgeError:
            pass
        if index == 100:
            held_after_100 = resident_mb()
    if calls > 1000:
        assert resident_mb() - held_after_100 <= 5.0


def resident_mb():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


PUBLIC = sorted(name for name in mj.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_a_docstring(name):
    assert (getattr(mj, name).__doc__ or "").strip()


@pytest.mark.parametrize("module", ["", "._api", "._inputs", "._results", "._errors", "._mapper", ".arena", ".testing"])
def test_examples_of_docstrings_run(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testmod(importlib.import_module(f"mapjudge{module}"))
    assert failed == 0 and tried > 0
