"""The code of the documentation runs, in the order of each page."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
PAGES = [ROOT / "docs" / "python.md", ROOT / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_of_a_page_runs(page, demo, tmp_path):
    code = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    assert code
    for name in ("map", "truth"):
        source = demo / "demo" / ("noise" if name == "map" else "truth")
        (tmp_path / f"{name}.pgm").write_bytes(source.with_suffix(".pgm").read_bytes())
        text = source.with_suffix(".yaml").read_text()
        (tmp_path / f"{name}.yaml").write_text(re.sub(r"image: .*", f"image: {name}.pgm", text))
    (tmp_path / "limits.txt").write_text("overall_error <= 100000\n")
    for name in ("truth.tum", "a.tum", "b.tum", "log.clf", "demo/contest/truth/victims.geojson"):
        (tmp_path / pathlib.Path(name).name).write_bytes((demo / name).read_bytes())
    done = subprocess.run([sys.executable, "-c", "\n".join(code)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_types_and_names_are_current():
    done = subprocess.run([sys.executable, str(ROOT / "crates/py/stubs.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
