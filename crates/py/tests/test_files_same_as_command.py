"""Functions that write files write the bytes of their command, and every function is held against its command."""

from __future__ import annotations

import inspect
import json
import pathlib
import re

import pytest
from conftest import run
from test_same_as_command import CONSOLE, TRUTH, same

import mapjudge as mj

SMALL = ["--width", "6", "--height", "4.8"]


def written(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def done(*words, codes=(0,)):
    ended = run(*words, "--quiet")
    assert ended.returncode in codes, ended.stderr.decode()


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arena")
    done("arena", "random", "--seed", "3", *SMALL, "--out", folder / "arena")
    return folder / "arena"


def test_arena_random(arena, tmp_path):
    # The seed is one of all commands; so it is a keyword of each.
    files = mj.arena.random(tmp_path / "arena", seed=3, width=6, height=4.8)
    assert written(tmp_path / "arena") == written(arena) and sorted(files) == sorted(written(arena))


def test_arena_build(arena, tmp_path):
    done("arena", "build", arena / "plan.toml", "--out", tmp_path / "other")
    mj.arena.build(arena / "plan.toml", tmp_path / "mine")
    assert written(tmp_path / "mine") == written(tmp_path / "other")


def test_simulate(arena, tmp_path):
    # A drive that ends before the arena is seen has exit code 3 and all its files.
    words = ("simulate", arena, "--drive", "explore", "--max-time", "8", "--seed", "2")
    result = mj.simulate(arena, tmp_path / "mine", drive="explore", max_time=8, seed=2)
    ended = run(*words, "--out", tmp_path / "other", "--format", "json")
    assert result.to_json().encode() == ended.stdout
    assert written(tmp_path / "mine") == written(tmp_path / "other")


def test_explore(arena):
    mine, other = mj.explore(arena).to_dict(), json.loads(run("explore", arena, "--format", "json").stdout)
    # The cost of a plan is measured anew each time.
    assert mine.pop("plan_ms").keys() == other.pop("plan_ms").keys()
    assert mine == other


def test_fiducials(arena):
    words = ("fiducials", arena / "truth.yaml", "--layout", arena / "fiducials.toml", "--format", "json")
    ended = run(*words)
    result = mj.fiducials(arena / "truth.yaml", layout=arena / "fiducials.toml")
    assert result.to_json().encode() == ended.stdout and ended.returncode in (0, 3)


def test_map_log(arena, tmp_path):
    done("simulate", arena, "--drive", "explore", "--max-time", "8", "--out", tmp_path / "run", codes=(0, 3))
    log = tmp_path / "run" / "log.clf"
    found, poses, _ = mj.map_log(log, tmp_path / "mine", mapper="odometry")
    done("map", log, "--mapper", "odometry", "--out", tmp_path / "other", codes=(0, 3))
    mine, other = written(tmp_path / "mine"), written(tmp_path / "other")
    assert sorted(mine) == sorted(other)
    # The others hold the time that each scan took.
    for name in ("map.yaml", "map.pgm", "map.tif", "trajectory.tum", "trajectory.xyt", "corrected.log"):
        assert mine[name] == other[name], name
    assert found == mj.read(tmp_path / "other" / "map.yaml") and len(poses) > 3


@pytest.mark.parametrize("flags", [{}, {"pairs": "distance", "distance": 0.5}], ids=["plain", "distance"])
def test_relations(here, tmp_path, flags):
    words = [f"--{name}={value}" for name, value in flags.items()]
    mine, other = tmp_path / "mine.relations", tmp_path / "other.relations"
    mj.relations.make("truth.tum", mine, **flags)
    done("relations", "make", "truth.tum", other, *words)
    assert mine.read_bytes() == other.read_bytes()
    checked = run("relations", "check", mine, "--format", "json")
    assert mj.relations.check(mine).to_json().encode() == checked.stdout


def test_relations_filter(here, tmp_path):
    all_of_them = mj.relations.make("truth.tum", tmp_path / "all.relations")
    mj.relations.filter(all_of_them, tmp_path / "mine.relations", max_gap=2.0)
    done("relations", "filter", all_of_them, tmp_path / "other.relations", "--max-gap", "2")
    assert (tmp_path / "mine.relations").read_bytes() == (tmp_path / "other.relations").read_bytes()


@pytest.mark.parametrize("ending", ["png", "tif", "yaml", "txt"])
def test_convert_and_write(here, tmp_path, ending):
    folders = [tmp_path / name for name in ("command", "convert", "write")]
    for folder in folders:
        folder.mkdir()
    done("convert", "demo/noise.yaml", folders[0] / f"map.{ending}", "--lossy")
    mj.convert("demo/noise.yaml", folders[1] / f"map.{ending}", lossy=True)
    mj.write(mj.read("demo/noise.yaml"), folders[2] / f"map.{ending}")
    assert written(folders[1]) == written(folders[0])
    back = [mj.read(folder / f"map.{ending}", resolution=0.05 if ending == "png" else None) for folder in folders]
    assert back[2] == back[0]


@pytest.mark.parametrize("name", ["a.tum", "truth.tum"])
def test_trajectories_are_written_as_converted(here, tmp_path, name):
    mj.write(mj.read(name), tmp_path / "mine.tum")
    done("convert", name, tmp_path / "other.tum")
    assert (tmp_path / "mine.tum").read_bytes() == (tmp_path / "other.tum").read_bytes()


def test_lint(here, tmp_path):
    (tmp_path / "odd.yaml").write_text("image: nowhere.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n")
    ended = run("lint", tmp_path / "odd.yaml", "--format", "json")
    told = json.dumps(json.loads(ended.stdout))
    found = mj.lint(tmp_path / "odd.yaml")
    assert found and all(f'"code": "{finding.code}"' in told for finding in found)


@pytest.mark.parametrize("id", ["overall_error", "structural_similarity", "ate_translation"])
def test_card(here, id):
    from mapjudge._records import plain

    ended = run("metrics", id, "--format", "json")
    assert plain(mj.card(id)) == json.loads(ended.stdout)[0]


@pytest.mark.parametrize("function", ["ape", "rpe"])
@pytest.mark.parametrize("align", ["se3", "none"])
def test_ape_and_rpe(here, function, align):
    prefix = {"ape": "ate_", "rpe": "rpe_"}[function]
    ids = ",".join(card["id"] for card in mj.metrics() if card["id"].startswith(prefix))
    result = mj.ape("a.tum", "truth.tum", align=align) if function == "ape" else mj.rpe("a.tum", "truth.tum", align=align)
    same(result, "traj", "a.tum", "--truth", "truth.tum", "--metrics", ids, "--align", align)


def test_rows_of_score_many_are_those_of_a_manifest(here, tmp_path):
    pairs = [{"map": f"demo/{name}.yaml", "truth": TRUTH, "id": name} for name in ("noise", "bend", "shift")]
    pairs.append({"map": "nowhere.pgm", "truth": TRUTH, "id": "lost"})
    (here / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    done("score", "--manifest", "pairs.jsonl", "--metrics", "cells", "--out", tmp_path / "rows", codes=(2,))
    lines = next((tmp_path / "rows").glob("rows-*.jsonl")).read_text().splitlines()[1:]
    wanted = {row["id"]: row for row in map(json.loads, lines)}
    for row in mj.score_many(pairs, metrics="cells"):
        assert row["status"] == wanted[row["id"]]["status"]
        for key in ("values", "coverage", "code"):
            assert row.get(key) == wanted[row["id"]].get(key), key


def test_a_scorer_has_the_value_of_the_report(here):
    wanted = json.loads(run("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--format", "json").stdout)
    values = {metric["id"]: metric["value"] for metric in wanted["cases"][0]["metrics"]}
    assert mj.scorer("overall_error")("demo/noise.yaml", TRUTH) == -values["overall_error"]
    assert mj.scorer("occupied_iou")("demo/noise.yaml", TRUTH) == values["occupied_iou"]


@pytest.mark.parametrize(("limits", "code"), [("limits.txt", 0), ("strict.txt", 1)])
def test_limits_hold_as_on_the_command_line(here, limits, code):
    report = mj.score("demo/noise.yaml", TRUTH, metrics=["cells"])
    ended = run("score", "demo/noise.yaml", "--truth", TRUTH, "--metrics", "cells", "--limits", limits, "--format", "json")
    assert ended.returncode == code
    if code == 0:
        assert mj.assert_limits(report, limits).to_json().encode() == ended.stdout
    else:
        with pytest.raises(mj.LimitMissed):
            mj.assert_limits(report, limits)


def test_every_function_is_compared_in_these_files():
    here = pathlib.Path(__file__).parent
    text = "".join((here / name).read_text() for name in ("test_same_as_command.py", "test_files_same_as_command.py"))
    modules = {"": mj, "arena.": mj.arena, "relations.": mj.relations}
    functions = {
        prefix + name
        for prefix, module in modules.items()
        for name, value in vars(module).items()
        if inspect.isfunction(value) and not name.startswith("_") and value.__module__.startswith("mapjudge")
    }
    functions -= {f"{prefix}{name}" for prefix in ("arena.", "relations.") for name in ("call", "path_of", "trajectory_of")}
    assert len(functions) >= 30
    assert not {name for name in functions if not re.search(rf"mj\.{re.escape(name)}\(", text)}


def test_there_are_sixty_cases_and_ten_of_the_console_script(request):
    names = ("test_same_as_command", "test_files_same_as_command")
    cases = [item for item in request.session.items if item.module.__name__ in names]
    if {item.module.__name__ for item in cases} != set(names) or request.config.option.keyword:
        pytest.skip("only some of the cases were chosen")
    assert len(cases) - len(CONSOLE) >= 60 and len(CONSOLE) >= 10
