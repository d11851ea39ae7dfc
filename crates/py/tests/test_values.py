"""Results, errors, threads, processes: what a caller may rely on."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import json
import multiprocessing
import os
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


def test_equal_values_have_one_hash(tmp_path):
    one = mj.Map(MINE, resolution=0.1, origin=(-0.0, 1, 0))
    mj.write(one, tmp_path / "map.yaml")
    of_file = mj.read(tmp_path / "map.yaml")
    assert of_file == one and hash(of_file) == hash(one)
    assert hash(mj.Map(MINE, resolution=0.1)) != hash(one)
    records = [mj.Record({"value": number, "within": [number]}) for number in (1, 1.0)]
    assert records[0] == records[1] and hash(records[0]) == hash(records[1])


def a_mapper():
    mapper = mj.Mapper("graph", cell_size_m=0.1)
    for step in range(4):
        mapper.add_odometry(0.1 * step, 0.02 * step, 0.0, 0.0)
        mapper.add_scan(0.1 * step, [2.0 + 0.1 * step] * 60, -0.8, 0.02)
    mapper.finish()
    mapper.add_odometry(0.5, 0.1, 0.0, 0.0)
    return mapper


def test_every_public_class_is_pickled(here):
    report = mj.score("demo/noise.yaml", "demo/truth.yaml", metrics="cells")
    log, layer = mj.read("log.clf"), mj.read("demo/contest/truth/victims.geojson")
    values = [report, report.cases[0], report["overall_error"], mj.card("overall_error"), mj.read("demo/noise.yaml"), mj.read("a.tum")]
    values += [log, log.scans()[0], log.findings[0], layer, a_mapper(), mj.Step(0.5, (1.0, 2.0, 0.0), True, None)]
    by_name = {type(value).__name__: value for value in values}
    public = [getattr(mj, name) for name in PUBLIC if isinstance(getattr(mj, name, None), type)]
    for kind in public:
        if issubclass(kind, Exception):
            continue
        # The results of commands differ in their names and properties alone.
        value = by_name.get(kind.__name__) or kind('{"coverage": 0.5, "rooms": [{"area_m2": 1}]}')
        again = pickle.loads(pickle.dumps(value))
        assert type(again) is type(value) is kind
        if kind is not mj.Mapper:
            assert again == value and hash(again) == hash(value), kind
            continue
        assert again.map() == value.map() and again.pose == value.pose
        assert again.trajectory("online") == value.trajectory("online") and again.trajectory() == value.trajectory()
        assert again.add_scan(0.5, [2.0] * 60, -0.8, 0.02) == value.add_scan(0.5, [2.0] * 60, -0.8, 0.02)
    assert {kind.__name__ for kind in public} >= set(by_name) and len(public) > 25


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


def test_what_users_of_evo_try_is_answered():
    t = np.arange(20.0)
    line = np.column_stack([t, t, 0 * t, 0 * t])
    for keywords, words in [
        ({"align": False}, 'none, origin(.|\n)*align="none"'),
        ({"align": True}, 'none, origin(.|\n)*align="se3"'),
        ({"align": "umeyama"}, r"'align': expected one of(.|\n)*help\(mapjudge.traj\)"),
        ({"all_pairs": True}, 'pairs="all"'),
        ({"delta_unit": "m"}, 'delta="1 m"'),
        ({"correct_scale": True}, 'align="sim3"'),
        ({"max_diff": 0.01}, "max_dt"),
    ]:
        with pytest.raises(mj.ArgumentError, match=words):
            mj.ape(line, line, **keywords)
    report = mj.ape(line, line, align="none")
    with pytest.raises(AttributeError, match="metric.detail.rmse"):
        report["ate_translation"].rmse
    with pytest.raises(KeyError, match="detail.rmse"):
        report["rmse"]
    with pytest.raises(AttributeError, match=r'report\["ate_translation"\].detail'):
        report.stats
    with pytest.raises(AttributeError, match=r'report\["ate_translation"\].detail.rmse'):
        report.rmse
    with pytest.raises(AttributeError, match=r'items: report\["ate_translation"\]'):
        report.ate_translation
    with pytest.raises(AttributeError, match="metrics, .*render"):
        report.nothing
    assert report.metrics == tuple(report)


@pytest.mark.parametrize(
    ("name", "words"),
    [("APE", r"mapjudge.ape\(estimate"), ("read_tum_trajectory_file", r"mapjudge.read\("), ("scores", "did you mean 'score'"), ("x", "no 'x'$")],
)
def test_names_that_the_module_does_not_have(name, words):
    with pytest.raises(AttributeError, match=words):
        getattr(mj, name)
    assert not hasattr(mj, name)


def test_a_report_holds_metrics_by_their_ids():
    report = scored()
    assert "overall_error" in report and report["overall_error"] in report and "rmse" not in report
    assert f"{report['overall_error']:.2f}" == "20.00"
    for value, word in ((True, "auto"), (False, "none")):
        with pytest.raises(mj.ArgumentError, match=f'align="{word}"'):
            scored(align=value)


def test_help_lists_keywords_above_the_example():
    lines = inspect.getdoc(mj.align).splitlines()
    assert lines.index("Keywords, the flags of `mapjudge align`:") < next(i for i, line in enumerate(lines) if line.startswith(">>> "))


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
    assert report.to_arrow().to_pylist() == report.rows()


NAMES = ["case", "metric", "code", "value", "unit", "better", "best", "worst", "status", "reasons", "coverage"]
NUMBERS = {"value", "best", "worst", "coverage"}


def test_types_of_columns_do_not_depend_on_what_is_null():
    pyarrow = pytest.importorskip("pyarrow")
    nothing_known = mj.score(np.full((5, 5), 205, np.uint8), np.full((5, 5), 205, np.uint8), resolution=1.0, metrics=["cells"])
    assert all(row["coverage"] is None for row in nothing_known.rows())
    for report in (scored(), nothing_known):
        schema = report.to_arrow().schema
        assert schema.names == NAMES
        assert {name for name in NAMES if schema.field(name).type == pyarrow.float64()} == NUMBERS


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import numpy as np, mapjudge as mj
cells = np.eye(9, dtype=bool)
report = mj.score(cells, cells, resolution=0.1, metrics=["cells"])
for _ in range(50):
    capsule = report.__arrow_c_stream__()
    assert "arrow_array_stream" in repr(capsule)
del capsule
{use}
"""


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("polars", "import polars; print(polars.DataFrame(report).shape == (len(report.rows()), 11))"),
        ("duckdb", "import duckdb; print(duckdb.sql('select count(*) from report').fetchall() == [(len(report.rows()),)])"),
        ("numpy", "print(True)"),
    ],
)
def test_arrows_interface_needs_no_pyarrow(package, use):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not here")
    ended = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW.format(use=use)], capture_output=True, text=True)
    if package == "duckdb" and "pyarrow" in ended.stderr:
        pytest.skip("this DuckDB takes Arrow's interface through pyarrow")
    assert ended.stdout == "True\n", ended.stderr


def test_a_notebook_shows_the_page():
    assert "&lt;html" in scored(figures=True)._repr_html_()


def test_plot():
    pytest.importorskip("matplotlib").use("Agg")
    assert scored().plot().get_xlabel()
    line = np.column_stack([np.arange(20.0)] * 2 + [np.zeros(20)] * 2)
    # A fit of a straight line fixes no rotation about it.
    report = mj.ape([line + [0, 0, 0.1, 0], line], line, align="none")
    axes = report.plot()
    assert [one.get_title() for one in axes] == ["ate_full", "ate_rotation", "ate_translation"]
    assert [len(one.lines) for one in axes] == [2, 2, 2]
    assert report.plot(["ate_translation"]).get_ylabel() == "m"


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


def test_calls_with_threads_of_their_own_do_not_wait_for_each_other():
    # Some seconds of work: a search in a large map without a sign of its place.
    big = np.kron(np.random.default_rng(5).integers(0, 2, (60, 60)), np.ones((40, 40))).astype(bool)
    long = threading.Thread(target=lambda: mj.score(big, big, resolution=0.05, metrics=["cells", "distance", "topology"], threads=1))
    long.start()
    time.sleep(0.1)
    assert scored(threads=1)["overall_error"].value == 20.0
    is_first = long.is_alive()
    long.join()
    assert is_first


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


def test_a_scorer_is_larger_where_the_map_is_better():
    by_direction = {}
    for card in mj.metrics():
        by_direction.setdefault(card["better"], card)
    assert set(by_direction) == {"lower", "higher", "closer", "neither"}
    with pytest.raises(mj.ArgumentError, match="describes"):
        mj.scorer(by_direction["neither"]["id"])
    for id in ("overall_error", "occupied_iou"):
        found = mj.scorer(id, resolution=0.1)
        assert found(TRUTH, TRUTH) > found(MINE, TRUTH), id
    # Walls three times as thick are not better than those of the truth, though the ratio is larger.
    assert mj.card("wall_thickness_ratio")["better"] == "closer"
    thick = TRUTH.copy()
    thick[19:22] = 0
    found = mj.scorer("wall_thickness_ratio", resolution=0.1)
    assert found(TRUTH, TRUTH) == 0.0 and found(thick, TRUTH) < 0.0


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


MODULES = ["", "._cards", "._commands", "._errors", "._files", "._layers", "._logs", "._mapper", "._maps", "._records", "._report", "._results"]
MODULES += ["._runs", "._score", "._tables", "._trajectories", ".arena", ".relations", ".table", ".testing"]
# Of the engines those that listen are tried by `engines.py` alone, in a network of its own.
MODULES += [".dask"]
PUBLIC = sorted(name for name in vars(mj) if not name.startswith("_") and name not in ("arena", "relations", "testing"))
PUBLIC = [name for name in PUBLIC if getattr(getattr(mj, name), "__module__", "").startswith("mapjudge")]
PUBLIC += [f"{module}.{name}" for module in ("arena", "relations", "testing") for name in getattr(mj, module).__all__]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_a_docstring_with_an_example(name):
    value = mj
    for part in name.split("."):
        value = getattr(value, part)
    assert ">>> " in (value.__doc__ or "")


def test_public_names_are_those_that_modules_list():
    listed = {name for module in MODULES[1:16] for name in importlib.import_module(f"mapjudge{module}").__dict__.get("__all__", [])}
    assert {name for name in PUBLIC if "." not in name} == listed
    assert len(listed) > 50


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings_run(module, demo, tmp_path, monkeypatch):
    # Examples read the demonstration, and write where they stand.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").symlink_to(demo / "demo")
    for name in ("a.tum", "truth.tum", "points.csv", "log.clf"):
        (tmp_path / name).symlink_to(demo / name)
    if module in (".dask", ".table"):
        pytest.importorskip("pyarrow")
    if module == ".dask":
        pytest.importorskip("dask.dataframe")
    failed, _ = doctest.testmod(importlib.import_module(f"mapjudge{module}"))
    assert failed == 0
