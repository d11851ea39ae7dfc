"""Each function gives the bytes of its command."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from conftest import console_script, run

import mapjudge as mj

MAPS = ["noise", "bend", "shift", "missing_wing", "thick_walls"]
TRUTH = "demo/truth.yaml"


def same(result, *words, code=0):
    done = run(*words, "--format", "json")
    assert done.returncode == code, done.stderr.decode()
    assert result.to_json().encode() == done.stdout


@pytest.mark.parametrize("name", MAPS)
def test_score_by_default(here, name):
    words = ("score", f"demo/{name}.yaml", "--truth", TRUTH, "--metrics", "cells,distance")
    same(mj.score(f"demo/{name}.yaml", TRUTH, metrics=["cells", "distance"]), *words)


@pytest.mark.parametrize("metric", [card["id"] for card in mj.metrics() if card["family"] in ("cells", "distance", "image")])
def test_score_of_one_metric(here, metric):
    done = run("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", metric, "--format", "json")
    assert done.returncode in (0, 3), done.stderr.decode()
    report = mj.score("demo/noise.yaml", TRUTH, metrics=metric)
    assert report.to_json().encode() == done.stdout
    assert report.verdict == {0: "fine", 3: "undefined"}[done.returncode]


KEYWORDS = [
    (dict(window="union"), ["--window", "union"]),
    (dict(window="intersection"), ["--window", "intersection"]),
    (dict(resample="nearest"), ["--resample", "nearest"]),
    (dict(resample="mean"), ["--resample", "mean"]),
    (dict(align="none"), ["--align", "none"]),
    (dict(align="georeference"), ["--align", "georeference"]),
    (dict(align="auto"), ["--align", "auto"]),
    (dict(treat_205_as_unknown=True), ["--treat-205-as-unknown"]),
    (dict(occupied_thresh=0.7), ["--occupied-thresh", "0.7"]),
    (dict(free_thresh=0.25), ["--free-thresh", "0.25"]),
    (dict(set={"overall_error.unknown_as": "exclude"}), ["--set", "overall_error.unknown_as=exclude"]),
    (dict(limits="limits.txt"), ["--limits", "limits.txt"]),
]


@pytest.mark.parametrize(("keywords", "flags"), KEYWORDS, ids=[" ".join(flags) for _, flags in KEYWORDS])
def test_score_with_keywords(here, keywords, flags):
    words = ("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", *flags)
    same(mj.score("demo/noise.yaml", TRUTH, metrics=["cells"], **keywords), *words)


def test_score_of_several_maps(here):
    files = [f"demo/{name}.yaml" for name in MAPS]
    same(mj.score(files, TRUTH, metrics="cells"), "score", *files, "--truth", TRUTH, "--metrics", "cells")


def test_score_of_a_map_alone(here):
    same(mj.score("demo/noise.yaml", metrics="plausibility"), "score", "demo/noise.yaml", "--metrics", "plausibility")


def test_missed_limits_are_a_verdict(here):
    words = ("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--limits", "strict.txt")
    report = mj.score("demo/noise.yaml", TRUTH, metrics=["cells"], limits="strict.txt")
    same(report, *words, code=1)
    assert report.verdict == "missed"


@pytest.mark.parametrize("format", ["csv", "md", "latex", "junit", "html"])
def test_other_formats(here, format):
    done = run("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--format", format)
    rendered = mj.score("demo/noise.yaml", TRUTH, metrics=["cells"], figures=format == "html")
    text = rendered.to_html() if format == "html" else rendered.render(format)
    assert text.encode() == done.stdout


TRAJECTORIES = [
    ({}, []),
    (dict(align="none"), ["--align", "none"]),
    (dict(align="sim3"), ["--align", "sim3"]),
    (dict(max_dt_s=0.02), ["--max-dt", "0.02"]),
    (dict(delta="1m"), ["--delta", "1m"]),
    (dict(associate="interpolate"), ["--associate", "interpolate"]),
]


@pytest.mark.parametrize(("keywords", "flags"), TRAJECTORIES, ids=[" ".join(flags) or "plain" for _, flags in TRAJECTORIES])
@pytest.mark.parametrize("name", ["a.tum", "b.tum"])
def test_traj(here, name, keywords, flags):
    same(mj.traj(name, "truth.tum", **keywords), "traj", name, "--truth", "truth.tum", *flags)


def test_traj_of_several_runs(here):
    same(mj.traj(["a.tum", "b.tum"], "truth.tum"), "traj", "a.tum", "b.tum", "--truth", "truth.tum")


def test_ape_and_rpe_are_parts_of_traj(here):
    whole = mj.traj("a.tum", "truth.tum").values()
    for report in (mj.ape("a.tum", "truth.tum"), mj.rpe("a.tum", "truth.tum")):
        assert report.values()
        assert all(whole[name] == value for name, value in report.values().items())


@pytest.mark.parametrize("name", ["shift", "noise"])
def test_align(here, name):
    same(mj.align(f"demo/{name}.yaml", TRUTH), "align", f"demo/{name}.yaml", "--truth", TRUTH)


def test_an_alignment_is_taken_by_score(here):
    found = mj.align("demo/shift.yaml", TRUTH)
    (here / "transform.json").write_text(found.to_json())
    words = ("score", "demo/shift.yaml", "--truth", TRUTH, "--metrics", "cells", "--align", "transform.json")
    same(mj.score("demo/shift.yaml", TRUTH, metrics="cells", align=found), *words)


def test_rooms(here):
    same(mj.rooms(TRUTH), "rooms", TRUTH)


def test_graph(here):
    same(mj.graph(TRUTH), "graph", TRUTH)


def test_paths(here):
    same(mj.paths("demo/noise.yaml", TRUTH), "paths", "demo/noise.yaml", "--truth", TRUTH)


def test_portals(here):
    same(mj.portals(TRUTH), "portals", TRUTH)


def test_compare(here):
    result = mj.compare("demo/noise.yaml", "demo/bend.yaml", TRUTH)
    same(result, "compare", "demo/noise.yaml", "demo/bend.yaml", "--truth", TRUTH)


def test_consensus(here):
    files = [f"demo/{name}.yaml" for name in ("noise", "bend", "thick_walls")]
    same(mj.consensus(files), "consensus", *files)


def test_info_and_lint(here):
    same(mj.info(TRUTH, "demo/noise.yaml"), "info", TRUTH, "demo/noise.yaml")
    assert mj.lint(TRUTH) == []


def test_points(here):
    same(mj.points("points.csv", "points.csv"), "points", "points.csv", "--truth", "points.csv")


def test_metrics(here):
    import json

    cards = json.loads(run("metrics", "--format", "json").stdout)
    assert [card["id"] for card in cards] == [card["id"] for card in mj.metrics()]
    assert dict(mj.card("overall_error"))["title"] == "Overall error"


def test_convert(here, tmp_path):
    target = tmp_path / "map.png"
    mj.convert("demo/noise.yaml", target, lossy=True)
    assert run("convert", "demo/noise.yaml", tmp_path / "other.png", "--lossy").returncode == 0
    assert target.read_bytes() == (tmp_path / "other.png").read_bytes()


def test_contest_starts_workers_of_this_module(here):
    same(mj.contest("demo/contest/contest.toml"), "contest", "demo/contest/contest.toml")


def test_out_writes_the_folder_of_the_command(here, tmp_path):
    report = mj.score("demo/noise.yaml", TRUTH, metrics=["cells"], out=tmp_path / "mine")
    words = ("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--out", tmp_path / "other")
    assert run(*words, "--quiet").returncode == 0
    names = sorted(path.name for path in (tmp_path / "other").rglob("*") if path.is_file())
    assert sorted(path.name for path in (tmp_path / "mine").rglob("*") if path.is_file()) == names
    assert (tmp_path / "mine" / "report.json").read_text() == report.to_json()


CONSOLE = [
    ["--version"],
    ["score", "--help"],
    ["metrics"],
    ["metrics", "structural_similarity"],
    ["score", "nowhere.pgm", "--truth", "nowhere.pgm"],
    ["score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--limits", "strict.txt"],
    ["score", "demo/noise.yaml", "--truth", TRUTH, "--metricks", "cells"],
    ["info", TRUTH],
    ["rooms", TRUTH],
    ["traj", "a.tum", "--truth", "truth.tum"],
    ["align", "demo/shift.yaml", "--truth", TRUTH],
    ["schema", "rows"],
]


@pytest.mark.parametrize("words", CONSOLE, ids=[" ".join(words) for words in CONSOLE])
def test_the_console_script_and_the_module_are_the_program(here, words):
    wanted = run(*words)
    for start in ([console_script()], [sys.executable, "-m", "mapjudge"]):
        found = subprocess.run([*start, *words], capture_output=True, check=False)
        assert (found.returncode, found.stdout, found.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)


def test_the_console_script_starts_itself_again(here, tmp_path):
    # Python is the process: what starts itself again must not start that alone.
    (here / "isolated.jsonl").write_text('{"map": "demo/noise.yaml", "truth": "demo/truth.yaml"}\n')
    words = ["score", "--manifest", "isolated.jsonl", "--metrics", "cells", "--isolate", "--format", "json", "--out"]
    ended = subprocess.run([console_script(), *words, tmp_path / "rows"], capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    tool = pathlib.Path(__file__).parents[3] / "conformance" / "tools" / "mapjudge.toml"
    words = ["conform", "run", str(tool), "--metrics", "overall_error", "--format", "json"]
    ended = subprocess.run([console_script(), *words], capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
    assert ended.stdout == run(*words).stdout
