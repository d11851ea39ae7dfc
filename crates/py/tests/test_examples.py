"""The examples run: the notebook cell by cell, the regression test, and the lines of the pipelines."""

from __future__ import annotations

import json
import pathlib
import re
import runpy
import shlex
import shutil

import pytest
from conftest import run

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples" / "python"


def test_the_notebook_runs_cell_by_cell():
    pytest.importorskip("pandas")
    cells = json.loads((EXAMPLES / "judge_a_map.ipynb").read_text())["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for source in sources:
        exec(source, names)
    assert len(sources) >= 4 and names["found"].verdict == "certain"
    assert "<svg" in names["report"].to_html() or "<img" in names["report"].to_html()


def test_the_regression_test_passes():
    tests = {name: value for name, value in runpy.run_path(str(EXAMPLES / "regression_test.py")).items() if name.startswith("test_")}
    assert tests
    for test in tests.values():
        test()


@pytest.mark.parametrize("file", ["github-workflow.yml", "gitlab-ci.yml"])
def test_the_lines_of_a_pipeline_run(file, demo, tmp_path):
    (line,) = re.findall(r"(mapjudge score .*)", (EXAMPLES / file).read_text())
    (tmp_path / "maps").mkdir()
    for name in ("noise", "bend"):
        for ending in ("yaml", "pgm"):
            shutil.copy(demo / "demo" / f"{name}.{ending}", tmp_path / "maps")
            shutil.copy(demo / "demo" / f"truth.{ending}", tmp_path)
    (tmp_path / "limits.txt").write_text("overall_error <= 100000\n")
    words = shlex.split(line.partition(" > ")[0])[1:]
    maps = [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.glob("maps/*.yaml"))]
    words = [part for word in words for part in (maps if word == "maps/*.yaml" else [word])]
    ended = run(*words, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr.decode()
    assert (tmp_path / "result" / "report.json").is_file()
