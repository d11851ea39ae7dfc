"""Writes the types of the module: names of metrics, families and words of flags, and the stub of the compiled part.

    python stubs.py           writes
    python stubs.py --check   fails if a file is not what would be written
"""

from __future__ import annotations

import json
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).parent / "python" / "mapjudge"

CORE = '''"""The compiled part. Made by stubs.py."""

import os
from typing import Any, final

import numpy
import numpy.typing as npt

__version__: str

_Answer = tuple[str, list[str], str, str | None]
_Found = list[tuple[str, str, str, str | None]]
_Step = tuple[float, tuple[float, float, float], bool, list[float] | None]

def main(words: list[str]) -> int: ...
def start_again_by(words: list[str]) -> None: ...
def run(words: list[str], threads: int = 0) -> _Answer: ...
def judge(
    values: str, out: str | None = None, overwrite: bool = False, page: bool = False, threads: int = 0
) -> _Answer: ...
def render(report: str, format: str) -> str: ...
def hold(report: str, limits: str, path: str) -> tuple[str, bool]: ...
def commands() -> str: ...
def job_keys() -> list[str]: ...
def content_kind(path: str) -> str: ...
def vector_files() -> dict[str, str]: ...
@final
class Held:
    @property
    def path(self) -> os.PathLike[str]: ...

@final
class Grid:
    @staticmethod
    def of_array(
        array: npt.NDArray[Any],
        values: str,
        rows: str,
        resolution: float,
        origin: tuple[float, float, float] | None = None,
        mask: npt.NDArray[numpy.bool_] | None = None,
        thresholds: tuple[float | None, float | None] = (None, None),
        negate: bool = False,
    ) -> Grid: ...
    @staticmethod
    def is_ambiguous(array: npt.NDArray[Any]) -> bool: ...
    @staticmethod
    def read(
        path: str, resolution: float | None = None, origin: tuple[float, float, float] | None = None
    ) -> Grid: ...
    def write(self, path: str, overwrite: bool) -> list[os.PathLike[str]]: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def resolution(self) -> float: ...
    @property
    def origin(self) -> tuple[float, float, float]: ...
    @property
    def anchored(self) -> bool: ...
    @property
    def findings(self) -> _Found: ...
    @property
    def blake3(self) -> str: ...
    def counts(self) -> tuple[int, int, int]: ...
    def classes(self) -> npt.NDArray[numpy.uint8]: ...
    def probabilities(self) -> npt.NDArray[numpy.float64] | None: ...
    def on_one_grid(self) -> Grid: ...
    def hold(self, label: str) -> Held: ...
    def state(self) -> tuple[Any, bytes, list[float] | None, bytes | None]: ...
    @staticmethod
    def of_state(
        place: Any, classes: bytes, probabilities: list[float] | None, navigation: bytes | None
    ) -> Grid: ...

@final
class Poses:
    @staticmethod
    def of_rows(rows: npt.NDArray[numpy.float64], time_base: str = "seconds") -> Poses: ...
    @staticmethod
    def read(path: str) -> Poses: ...
    def write(self, path: str, overwrite: bool) -> list[os.PathLike[str]]: ...
    def __len__(self) -> int: ...
    @property
    def planar(self) -> bool: ...
    @property
    def time_base(self) -> str: ...
    @property
    def findings(self) -> _Found: ...
    def rows(self) -> npt.NDArray[numpy.float64]: ...
    def tum(self) -> str: ...
    def hold(self, label: str) -> Held: ...

@final
class Mapper:
    def __new__(cls, mapper: str = "graph", settings: list[tuple[str, str]] = [], seed: int = 1) -> Mapper: ...
    def add_odometry(self, time_s: float, x: float, y: float, theta: float) -> list[_Step]: ...
    def add_scan(
        self, time_s: float, ranges: list[float], first_rad: float, step_rad: float, max_range: float = ...
    ) -> list[_Step]: ...
    def add_log(self, path: str) -> list[_Step]: ...
    def finish(self) -> list[_Step]: ...
    @property
    def pose(self) -> tuple[float, float, float]: ...
    def map(self) -> Grid | None: ...
    def trajectory(self, which: str) -> Poses: ...
'''


def literal(name: str, words: list[str], doc: str) -> str:
    lines = "".join(f'    "{word}",\n' for word in words)
    return f'{name} = Literal[\n{lines}]\n"""{doc}"""\n'


def names() -> str:
    """The words that metrics, families and flags have."""
    from mapjudge import _core

    cards = json.loads(_core.run(["mapjudge", "metrics", "--format", "json"], 1)[0])
    ids = sorted(card["id"] for card in cards)
    families = sorted({card["family"] for card in cards})
    score = next(c for c in json.loads(_core.commands()) if c["path"] == ["score"])
    words = {argument["name"]: argument["words"] for argument in score["arguments"]}
    parts = [
        '"""Names of metrics and words of options. Made by stubs.py."""\n\nfrom typing import Literal, Union\n',
        literal("MetricId", ids, "Ids of metrics."),
        literal("Family", families, "Families of metrics."),
        'MetricName = Union[MetricId, Family]\n"""What `metrics=` takes."""\n',
    ]
    parts += [
        literal(name.capitalize(), words[name], f"What `{name}=` takes.")
        for name in ("window", "resample")
        if words.get(name)
    ]
    return "\n".join(parts)


def signatures_differ() -> list[str]:
    """Names of the compiled module that the stub lacks, and the other way round."""
    import ast

    from mapjudge import _core

    stub: set[str] = set()
    for node in ast.parse(CORE).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stub.add(node.name)
        if isinstance(node, ast.ClassDef):
            stub |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef) and n.name[0] != "_"}
    real: set[str] = set()
    for name in dir(_core):
        if name.startswith("_"):
            continue
        real.add(name)
        value = getattr(_core, name)
        if isinstance(value, type):
            real |= {f"{name}.{member}" for member in dir(value) if not member.startswith("_")}
    return sorted(stub ^ real)


def main() -> int:
    differ = signatures_differ()
    if differ:
        print(f"the stub and the module differ in {', '.join(differ)}", file=sys.stderr)
        return 1
    stale = []
    for file, text in ((PACKAGE / "_core.pyi", CORE), (PACKAGE / "_names.py", names())):
        if "--check" in sys.argv:
            stale += [file.name] if not file.exists() or file.read_text() != text else []
        else:
            file.write_text(text)
    if stale:
        print(f"not current: {', '.join(stale)}; run python crates/py/stubs.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
