"""What is refused, line by line of the table "Bad input" of the specification (Y-API); manifests are tested with the program."""

from __future__ import annotations

import io
import subprocess
import sys
import types

import numpy as np
import pytest

import mapjudge as mj


def refused(call, code, kind=mj.InputError):
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.code == code, caught.value
    return caught.value


def a_map(array, **keywords):
    return lambda: mj.Map(array, **{"resolution": 0.05, **keywords})


def test_bytes_that_may_be_percentages():
    percent = np.array([[0, 100, 255, 40]], np.uint8)
    error = refused(a_map(percent), "ARRAY_AMBIGUOUS")
    assert 'values="occupancy"' in error.hint
    # One of the two alone, or any other number, is a picture.
    for other in ([[0, 100, 40]], [[0, 255, 40]], [[0, 100, 255, 101]]):
        assert mj.Map(np.array(other, np.uint8), resolution=0.05).shape[0] == 1
    assert mj.Map(percent, values="occupancy", resolution=0.05).classes().tolist() == [[0, 2, 1, 0]]


SHAPES = [
    (np.zeros(5, np.uint8), "ARRAY_SHAPE", "(5,)"),
    (np.zeros((4, 5, 3), np.uint8), "ARRAY_SHAPE", "(4, 5, 3)"),
    (np.zeros((0, 5), np.uint8), "ARRAY_EMPTY", "(0, 5)"),
    (np.zeros((4, 5), object), "ARRAY_TYPE", "object"),
    (np.zeros((4, 5), complex), "ARRAY_TYPE", "complex128"),
    (np.zeros((4, 5), np.int16), "ARRAY_TYPE", "int16"),
    (np.zeros((4, 5), np.int32), "ARRAY_TYPE", "int32"),
    (np.zeros((4, 5), np.int64), "ARRAY_TYPE", "int64"),
    (np.broadcast_to(np.uint8(0), (1 << 16, (1 << 14) + 1)), "ARRAY_TOO_LARGE", str(1 << 30)),
]


@pytest.mark.parametrize(("array", "code", "words"), SHAPES, ids=[f"{a.dtype}{a.shape}" for a, _, _ in SHAPES])
def test_arrays_that_are_no_maps(array, code, words):
    message = str(refused(a_map(array), code))
    assert words in message and "expected" in message, "shape and type, and what to write"


def test_rows_of_different_lengths_and_no_resolution():
    refused(a_map([[0, 1], [0]]), "ARRAY_SHAPE")
    error = refused(lambda: mj.Map(np.zeros((4, 5), np.uint8)), "RESOLUTION_MISSING")
    assert "(4, 5)" in str(error) and "uint8" in str(error) and "resolution=" in error.hint


VALUES = [
    (np.array([[0.5, 1.5], [2.5, 0.0]]), "element [0, 1] is 1.5", "2 such"),
    (np.array([[0.5, -0.1]], np.float32), "element [0, 1] is -0.1", "1 such"),
    (np.array([[0.5], [np.inf]]), "element [1, 0] is inf", "1 such"),
    (np.array([[101, -2], [-3, 0]], np.int8), "element [0, 0] is 101", "3 such"),
]


@pytest.mark.parametrize(("array", "first", "count"), VALUES, ids=[first for _, first, _ in VALUES])
def test_numbers_out_of_range_name_the_first_and_count_all(array, first, count):
    message = str(refused(a_map(array), "ARRAY_VALUES"))
    assert first in message and count in message


def message():
    place = types.SimpleNamespace(x=0.0, y=0.0, z=0.0)
    pose = types.SimpleNamespace(position=place, orientation=types.SimpleNamespace(x=0.0, y=0.0, z=0.0, w=1.0))
    info = types.SimpleNamespace(resolution=0.05, width=3, height=2, origin=pose)
    return types.SimpleNamespace(info=info, data=[0, 100, -1, 0, 0, 0])


DAMAGE = [
    ("data", "data", [0, 0]),
    ("data", "data", [0, 0, 0, 0, 0, 101]),
    ("data", "data", [0, 0, 0, 0, 0, 0.5]),
    ("data", "data", [0, 0, 0, 0, 0, float("nan")]),
    ("data", "data", "no cells"),
    ("info.width", "info.width", 2.5),
    ("info.height", "info.height", None),
    ("info.resolution", "info.resolution", 0.0),
    ("info.resolution", "info.resolution", -0.05),
    ("info.resolution", "info.resolution", float("inf")),
    ("info.origin.position.x", "info.origin.position.x", float("nan")),
    ("info.origin.orientation", "info.origin.orientation.x", 0.5),
    ("info.origin.orientation", "info.origin.orientation.y", 0.5),
    ("info.origin.orientation", "info.origin.orientation.w", 0.0),
    ("info.origin.orientation.w", "info.origin.orientation.w", "one"),
]


@pytest.mark.parametrize(("field", "changed", "value"), DAMAGE, ids=[f"{c}={v}" for _, c, v in DAMAGE])
def test_messages_name_the_field(field, changed, value):
    assert mj.Map.of_message(message()).shape == (2, 3)
    broken = message()
    *path, last = changed.split(".")
    owner = broken
    for name in path:
        owner = getattr(owner, name)
    setattr(owner, last, value)
    error = refused(lambda: mj.Map.of_message(broken), "MESSAGE_INVALID")
    assert error.place == field and field in str(error)


def test_a_message_without_a_field_names_it():
    broken = message()
    del broken.info.origin.position
    assert refused(lambda: mj.score(broken, broken), "MESSAGE_INVALID").place == "info.origin.position.x"


T = np.arange(6.0)
LINE = np.column_stack([T, T, 0 * T, 0 * T])


def evo(**changed):
    fields = {"timestamps": T, "positions_xyz": np.zeros((6, 3)), "orientations_quat_wxyz": np.tile([1.0, 0, 0, 0], (6, 1))}
    return types.SimpleNamespace(**{**fields, **changed})


def test_trajectories():
    with_nan = LINE.copy()
    with_nan[3, 1] = np.nan
    assert "row 3" in str(refused(lambda: mj.traj(with_nan, LINE), "TRAJECTORY_ROW"))
    assert "(6, 3)" in str(refused(lambda: mj.traj(LINE[:, :3], LINE), "TRAJECTORY_SHAPE"))
    assert "equal lengths" in str(refused(lambda: mj.traj(evo(timestamps=T[1:]), LINE), "TRAJECTORY_SHAPE"))
    refused(lambda: mj.traj(evo(positions_xyz="nowhere"), LINE), "TRAJECTORY_TYPE")
    refused(lambda: mj.traj(evo(orientations_quat_wxyz=np.zeros((6, 4))), LINE), "TRAJECTORY_ROW")


@pytest.mark.parametrize("stamps", [[0, 2, 1, 3, 4, 5], [0, 1, 1, 3, 4, 5]], ids=["unsorted", "repeated"])
def test_odd_stamps_are_the_findings_of_files(stamps, tmp_path):
    rows = LINE.copy()
    rows[:, 0] = stamps
    # Written by hand: a trajectory in memory is settled before it is written.
    (tmp_path / "odd.tum").write_text("".join(f"{t} {x} 0 0 0 0 0 1\n" for t, x in rows[:, :2]))
    codes = [finding.code for finding in mj.Trajectory(rows).findings]
    assert codes and set(codes) <= {finding.code for finding in mj.lint(tmp_path / "odd.tum")}


CELLS = np.eye(9, dtype=bool)
WORDS = [
    (lambda: mj.score(CELLS, CELLS, resolution=1, metrics=["overal_error"]), "overall_error"),
    (lambda: mj.score(CELLS, CELLS, resolution=1, metrics="cels"), "cells"),
    (lambda: mj.score(CELLS, CELLS, resolution=1, window="unoin"), "union"),
    (lambda: mj.score(CELLS, CELLS, resolution=1, align="autto"), "auto"),
    (lambda: mj.score(CELLS, CELLS, resolution=1, windw="union"), "window"),
    (lambda: mj.score(CELLS, CELLS, resolution=1, set={"overall_error.unknown_ass": "free"}), "unknown_as"),
    (lambda: mj.rooms(CELLS, resolution=1, resolutoin=3), "resolution"),
    (lambda: mj.traj(LINE, LINE, delt="1m"), "delta"),
    (lambda: next(mj.score_many([(CELLS, CELLS)], resolution=1, metrcs="cells")), "metrics"),
    (lambda: mj.card("overal_error"), "overall_error"),
    (lambda: mj.scorer("overal_error"), "overall_error"),
    (lambda: mj.Map(CELLS, resolution=1, values="picture"), "occupied"),
    (lambda: mj.Mapper("grap"), "graph"),
    (lambda: mj.Mapper("graph", cell_size=0.1), "cell_size_m"),
]


@pytest.mark.parametrize(("call", "nearest"), WORDS, ids=[nearest for _, nearest in WORDS])
def test_unknown_words_are_answered_with_the_nearest(call, nearest):
    with pytest.raises(mj.ArgumentError) as caught:
        call()
    assert nearest in str(caught.value), caught.value


# Named by their types: two processes must find tests of the same names, and some of these print where they lie in memory.
NO_PATHS = [b"P5 1 1 255 0", bytearray(b"P5"), memoryview(b"P5"), io.BytesIO(b"P5"), "https://a.org/map.pgm"]


@pytest.mark.parametrize("value", NO_PATHS, ids=lambda value: type(value).__name__)
def test_streams_bytes_and_addresses(value):
    for call in (mj.score, mj.align, mj.traj, mj.ape):
        with pytest.raises(TypeError, match="give a path or an array"):
            call(value, value)
    with pytest.raises(TypeError, match="give a path or an array"):
        mj.read(value)


MISSING = """
import sys
sys.modules["{package}"] = None
import numpy as np, mapjudge as mj
cells = np.eye(9, dtype=bool)
report = mj.score(cells, cells, resolution=1, metrics=["cells"])
try:
    {call}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("package", "extra", "call"),
    [
        ("pandas", "pandas", "report.to_pandas()"),
        ("polars", "polars", "report.to_polars()"),
        ("pyarrow", "arrow", "report.to_arrow()"),
        ("pyarrow", "arrow", "report.to_parquet('x.parquet')"),
        ("pyarrow", "arrow", "from mapjudge.table import score_table; score_table(None, {})"),
        ("matplotlib", "plot", "report.plot()"),
    ],
)
def test_packages_that_are_not_there(package, extra, call):
    ended = subprocess.run([sys.executable, "-c", MISSING.format(package=package, call=call)], capture_output=True, text=True)
    assert f"pip install mapjudge[{extra}]" in ended.stdout, ended.stderr
