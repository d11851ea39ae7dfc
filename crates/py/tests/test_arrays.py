"""Arrays and messages: what they mean, and what is refused."""

from __future__ import annotations

import types

import numpy as np
import pytest

import mapjudge as mj

TRUTH = "demo/truth.yaml"


def rows_of(report):
    return [dict(case)["metrics"] for case in report.to_dict()["cases"]]


def greys(path):
    """The pixels of a binary PGM."""
    data = open(path, "rb").read()
    fields, at = [], 0
    while len(fields) < 4:
        end = at
        while data[end : end + 1] not in (b" ", b"\n", b"\t"):
            end += 1
        line = data[at:end]
        if line.startswith(b"#"):
            end = data.index(b"\n", at)
        elif line:
            fields.append(line)
        at = end + 1
    width, height = int(fields[1]), int(fields[2])
    return np.frombuffer(data[at : at + width * height], np.uint8).reshape(height, width)


def files_and_arrays(name):
    array, truth = greys(f"demo/{name}.pgm"), greys("demo/truth.pgm")
    maps = [mj.read(f"demo/{one}.yaml") for one in (name, "truth")]
    return array, truth, maps


@pytest.mark.parametrize("view", ["plain", "reversed", "fortran", "strided"])
def test_an_array_gives_the_rows_of_its_file(here, view):
    array, truth, maps = files_and_arrays("noise")
    if view == "reversed":
        array = np.ascontiguousarray(array[::-1])[::-1]
    elif view == "fortran":
        array = np.asfortranarray(array)
    elif view == "strided":
        wide = np.zeros((array.shape[0] * 2, array.shape[1] * 3), np.uint8)
        wide[::2, ::3] = array
        array = wide[::2, ::3]
    pair = [
        mj.Map(pixels, resolution=one.resolution, origin=one.origin)
        for pixels, one in zip((array, truth), maps, strict=True)
    ]
    of_file = mj.score("demo/noise.yaml", TRUTH, metrics=["cells", "distance"])
    assert rows_of(mj.score(*pair, metrics=["cells", "distance"])) == rows_of(of_file)
    assert rows_of(mj.score(*maps, metrics=["cells", "distance"])) == rows_of(of_file)


def message(classes, resolution, origin):
    data = np.select([classes == 0, classes == 2], [0, 100], -1).astype(np.int8)[::-1]
    position = types.SimpleNamespace(x=origin[0], y=origin[1], z=0.0)
    orientation = types.SimpleNamespace(x=0.0, y=0.0, z=np.sin(origin[2] / 2), w=np.cos(origin[2] / 2))
    pose = types.SimpleNamespace(position=position, orientation=orientation)
    info = types.SimpleNamespace(
        resolution=float(np.float32(resolution)), width=classes.shape[1], height=classes.shape[0], origin=pose
    )
    return types.SimpleNamespace(info=info, data=data.reshape(-1).tolist())


def test_a_message_gives_the_rows_of_its_file(here):
    one = mj.read("demo/noise.yaml")
    report = mj.score(message(one.classes(), one.resolution, one.origin), TRUTH, metrics="cells")
    assert rows_of(report) == rows_of(mj.score("demo/noise.yaml", TRUTH, metrics="cells"))


def test_types_decide_what_numbers_mean():
    of = lambda array, **kw: mj.Map(array, resolution=1.0, **kw).classes().tolist()  # noqa: E731
    assert of(np.array([[0, 205, 254]], np.uint8)) == [[2, 1, 0]]
    assert of(np.array([[100], [0], [-1]], np.int8)) == [[1], [0], [2]], "bottom row first"
    assert of(np.array([[True, False]])) == [[2, 0]]
    assert of(np.array([[0.9, 0.1, np.nan, 0.5]])) == [[2, 0, 1, 1]]
    assert of(np.ma.masked_array([[True, False]], [[True, False]])) == [[1, 0]]
    assert of(np.array([[100, 255, 0]], np.uint8), values="occupancy") == [[2, 1, 0]]
    assert of(np.array([[0, 1, 2]], np.uint8), values="classes") == [[0, 1, 2]]


def test_what_is_masked_may_be_any_number():
    of = lambda array, **kw: mj.Map(array, resolution=1.0, **kw).classes().tolist()  # noqa: E731
    assert of(np.ma.masked_invalid([[0.9, np.inf, 0.1]])) == [[2, 1, 0]]
    assert of(np.ma.masked_equal(np.array([[100, -128, 0]], np.int8), -128)) == [[2, 1, 0]]
    assert of(np.ma.masked_equal(np.array([[2, 9, 0]], np.uint8), 9), values="classes") == [[2, 1, 0]]
    with pytest.raises(mj.InputError, match=r"element \[0, 2\] is 2: .*1 such"):
        of(np.ma.masked_array([[0.5, 3.0, 2.0]], [[False, True, False]]))


REFUSED = [
    (np.array([[0, 100, 255]], np.uint8), "ARRAY_AMBIGUOUS"),
    (np.zeros(5, np.uint8), "ARRAY_SHAPE"),
    (np.zeros((5, 5, 3), np.uint8), "ARRAY_SHAPE"),
    (np.zeros((0, 5), np.uint8), "ARRAY_EMPTY"),
    (np.zeros((5, 5), object), "ARRAY_TYPE"),
    (np.zeros((5, 5), complex), "ARRAY_TYPE"),
    (np.zeros((5, 5), np.int16), "ARRAY_TYPE"),
    (np.zeros((5, 5), np.int64), "ARRAY_TYPE"),
    (np.zeros((5, 5), ">f4"), "ARRAY_TYPE"),
    (np.array([[0.5, 1.5]]), "ARRAY_VALUES"),
    (np.array([[0.5, np.inf]]), "ARRAY_VALUES"),
    (np.array([[-2, 0]], np.int8), "ARRAY_VALUES"),
    (np.array([[101, 0]], np.int8), "ARRAY_VALUES"),
]


@pytest.mark.parametrize(("array", "code"), REFUSED, ids=[f"{a.dtype}-{a.shape}-{c}" for a, c in REFUSED])
def test_refused_arrays(array, code):
    with pytest.raises(mj.InputError) as caught:
        mj.Map(array, resolution=0.05)
    assert caught.value.code == code
    if code == "ARRAY_VALUES":
        assert "such elements" in str(caught.value)


def test_refused_places():
    cells = np.zeros((2, 2), bool)
    for keywords, code in [
        ({}, "RESOLUTION_MISSING"),
        ({"resolution": 0.0}, "CELL_SIZE"),
        ({"resolution": float("nan")}, "CELL_SIZE"),
        ({"resolution": 1, "origin": (1,)}, "GRID_ORIGIN"),
    ]:
        with pytest.raises(mj.InputError) as caught:
            mj.Map(cells, **keywords)
        assert caught.value.code == code
    with pytest.raises(mj.InputError):
        mj.Map(np.broadcast_to(np.uint8(0), (1 << 16, 1 << 15)), resolution=0.05)


def test_refused_messages():
    good = message(np.zeros((2, 3), np.uint8), 0.05, (0, 0, 0))
    mj.Map.of_message(good)
    broken = [
        ("data", lambda m: setattr(m, "data", m.data[1:])),
        ("info.resolution", lambda m: setattr(m.info, "resolution", 0.0)),
        ("info.origin.orientation", lambda m: setattr(m.info.origin.orientation, "x", 0.5)),
        ("info.origin.orientation", lambda m: m.info.origin.orientation.__dict__.update(z=0.0, w=0.0)),
    ]
    for field, damage in broken:
        bad = message(np.zeros((2, 3), np.uint8), 0.05, (0, 0, 0))
        damage(bad)
        with pytest.raises(mj.InputError) as caught:
            mj.Map.of_message(bad)
        assert caught.value.place == field


def test_two_arrays_of_one_shape_are_one_grid():
    array = np.eye(12, dtype=bool)
    report = mj.score(array, array, resolution=0.1, metrics="overall_error")
    assert report["overall_error"].value == 0.0
    assert "ARRAYS_TAKEN_AS_ONE_GRID" in [finding.code for finding in report.findings]
    inputs = report.cases[0].inputs
    assert {one["format"] for one in inputs} == {"memory"}
    assert {one["path"] for one in inputs} == {"map", "truth"}
    again = mj.score(array, array, resolution=0.1, metrics="overall_error")
    assert again.to_json() == report.to_json(), "no number of a call is in a report"


def test_streams_and_addresses_are_no_maps(tmp_path):
    (tmp_path / "a.pgm").write_bytes(b"P5 1 1 255 0")
    with open(tmp_path / "a.pgm", "rb") as file, pytest.raises(TypeError, match="path or an array"):
        mj.score(file, file)
    for value in (b"P5", "http://example.org/map.pgm", 5, object()):
        with pytest.raises(TypeError, match="path"):
            mj.score(value, value)


def test_maps_are_written_and_read_back(tmp_path):
    rng = np.random.default_rng(1)
    one = mj.Map(rng.integers(0, 3, (20, 30)).astype(np.uint8), values="classes", resolution=0.1, origin=(1, 2, 0))
    files = mj.write(one, tmp_path / "map.yaml")
    assert len(files) == 2
    back = mj.read(tmp_path / "map.yaml")
    assert (back.classes() == one.classes()).all() and back.origin == one.origin
    with pytest.raises(mj.InputError):
        mj.write(one, tmp_path / "map.yaml")


def test_trajectories_are_arrays_files_or_objects_of_evo(here):
    rows = mj.read("a.tum").rows()
    of_file = mj.traj("a.tum", "truth.tum").values()
    evo = types.SimpleNamespace(
        timestamps=rows[:, 0], positions_xyz=rows[:, 1:4], orientations_quat_wxyz=rows[:, [7, 4, 5, 6]]
    )
    for value in (rows, rows.tolist(), evo, mj.Trajectory(rows)):
        assert mj.traj(value, "truth.tum").values() == of_file
    for bad, code in [
        (rows[:, :5], "TRAJECTORY_SHAPE"),
        (rows[:0], "TRAJECTORY_EMPTY"),
        (np.where(np.arange(len(rows))[:, None] == 3, np.nan, rows), "TRAJECTORY_ROW"),
        (np.array([["a"] * 8]), "TRAJECTORY_TYPE"),
    ]:
        with pytest.raises(mj.InputError) as caught:
            mj.traj(bad, "truth.tum")
        assert caught.value.code == code
    evo.timestamps = evo.timestamps[1:]
    with pytest.raises(mj.InputError, match="equal lengths"):
        mj.traj(evo, "truth.tum")


def test_unsorted_stamps_are_findings():
    t = np.array([0.0, 2, 1, 3, 4])
    rows = np.column_stack([t, t, 0 * t, 0 * t])
    assert [finding.code for finding in mj.Trajectory(rows).findings] == ["STAMPS_RUN_BACKWARD"]


def test_a_report_says_what_an_array_was_taken_for():
    cells = np.full((4, 6), 254, np.uint8)
    (case,) = mj.score(cells, cells, resolution=0.1, metrics=["overall_error"]).cases
    reading = case.detail["reading"]
    assert (reading.source, reading.dtype, reading["values"], reading.rows) == ("array", "uint8", "picture", "top")
    assert (reading.occupied_thresh, reading.free_thresh, reading.negate) == (0.65, 0.196, False)
    assert reading.assumed == ("values", "rows", "origin", "occupied_thresh", "free_thresh")
    assert case.detail["truth_reading"] == reading

    percent = np.ma.masked_array(np.zeros((4, 6), np.int8), np.eye(4, 6, dtype=bool))
    stated = mj.Map(percent, resolution=0.1, origin=(0, 0), values="occupancy", rows="top")
    (case,) = mj.score(stated, stated, metrics=["overall_error"]).cases
    reading = case.detail["reading"]
    assert (reading["values"], reading.rows, reading.masked_cells, reading.assumed) == ("occupancy", "top", 4, ())
    assert reading.occupied_thresh is None


def test_a_reading_outlives_pickling_and_files_keep_theirs(here):
    import pickle

    one = mj.Map(np.eye(5, dtype=bool), resolution=0.1)
    again = pickle.loads(pickle.dumps(one))
    reports = [mj.score(value, value, metrics=["overall_error"]).to_json() for value in (one, again)]
    assert reports[0] == reports[1] and '"source": "array"' in reports[0]
    read = mj.read("demo/noise.yaml")
    (case,) = mj.score(read, TRUTH, metrics=["overall_error"]).cases
    assert "source" not in case.detail["reading"] and "truth_reading" not in case.detail
    sent = message(read.classes(), read.resolution, read.origin)
    (case,) = mj.score(sent, TRUTH, metrics=["overall_error"]).cases
    assert case.detail["reading"].source == "message" and case.detail["reading"].assumed == ()


@pytest.mark.parametrize(
    ("occupied_thresh", "free_thresh", "negate"),
    [(0.65, 0.196, False), (0.65, 0.196, True), (0.9, 0.1, False), (0.5, 0.5, False), (0.999, 0.001, True)],
)
def test_every_grey_is_what_it_is_in_a_file(tmp_path, occupied_thresh, free_thresh, negate):
    greys = np.arange(256, dtype=np.uint8).reshape(16, 16)
    (tmp_path / "map.pgm").write_bytes(b"P5 16 16 255\n" + greys.tobytes())
    text = f"image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: {int(negate)}\n"
    (tmp_path / "map.yaml").write_text(text + f"occupied_thresh: {occupied_thresh}\nfree_thresh: {free_thresh}\n")
    of_file = mj.read(tmp_path / "map.yaml").classes()
    options = {"resolution": 1, "negate": negate, "occupied_thresh": occupied_thresh, "free_thresh": free_thresh}
    assert (mj.Map(greys, **options).classes() == of_file).all()
    # Not next to each other in memory: the same by another path.
    spread = np.repeat(np.repeat(greys, 2, 0), 2, 1)[::2, ::2]
    assert (mj.Map(spread, **options).classes() == of_file).all()
