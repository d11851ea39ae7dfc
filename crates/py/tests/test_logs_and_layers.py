"""Logs and vector layers as values: what is read, kept, pickled and written."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import run

import mapjudge as mj

LAYERS = ["victims", "hazards", "labels"]


def test_a_log_is_a_frozen_value(here):
    log = mj.read("log.clf")
    assert type(log) is mj.Log and log == mj.Log("log.clf") and hash(log) == hash(mj.Log("log.clf"))
    again = pickle.loads(pickle.dumps(log))
    assert again == log and type(again) is mj.Log
    with pytest.raises(AttributeError):
        log.findings = ()
    assert {finding.code for finding in log.findings} == {"BEAMS_GUESSED"}
    assert log.odometry()[:, :2].tolist() == [[0, 0], [1, 1], [2, 2]] and log.true_poses().shape == (0, 4)
    scans = log.scans()
    assert [scan.time_s for scan in scans] == [0, 1, 2]
    assert scans[0].ranges.dtype == np.float32 and scans[0].ranges.tolist() == [2.5] * 90
    assert log.trajectory().rows().tolist() == log.odometry().tolist()


def test_a_log_that_was_drawn_is_pickled_whole(tmp_path):
    mj.arena.random(tmp_path / "arena", seed=3, width=6, height=4.8)
    mj.simulate(tmp_path / "arena", tmp_path / "run", drive="explore", max_time=4)
    log = mj.read(tmp_path / "run" / "log.clf")
    assert pickle.loads(pickle.dumps(log)) == log and len(log) > 20
    of_value, of_file = mj.Mapper("odometry"), mj.Mapper("odometry")
    assert of_value.add_log(log) == of_file.add_log(tmp_path / "run" / "log.clf")


def test_a_log_is_written_as_converted(here, tmp_path):
    mj.write(mj.read("log.clf"), tmp_path / "mine.log")
    done = run("convert", "log.clf", tmp_path / "other.log", "--lossy", "--quiet")
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "mine.log").read_bytes() == (tmp_path / "other.log").read_bytes()


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_a_frozen_value(here, name):
    path = f"demo/contest/truth/{name}.geojson"
    layer = mj.read(path)
    assert type(layer) is mj.Layer and layer == mj.read(path) and hash(layer) == hash(mj.read(path))
    assert pickle.loads(pickle.dumps(layer)) == layer
    assert len(layer) == len(list(layer)) == len(layer.features) > 0 and layer.name == name
    assert layer.__geo_interface__ == layer.to_dict() and layer.__geo_interface__["type"] == "FeatureCollection"
    with pytest.raises(AttributeError):
        layer.name = "other"


@pytest.mark.parametrize("ending", ["geojson", "mif"])
def test_a_layer_is_written_as_converted(here, tmp_path, ending):
    path = "demo/contest/truth/victims.geojson"
    for folder in ("mine", "other"):
        (tmp_path / folder).mkdir()
    written = mj.write(mj.read(path), tmp_path / "mine" / f"victims.{ending}")
    done = run("convert", path, tmp_path / "other" / f"victims.{ending}", "--lossy", "--quiet")
    assert done.returncode == 0, done.stderr.decode()
    files = sorted(file.name for file in (tmp_path / "other").iterdir())
    assert len(written) == len(files)
    for file in files:
        assert (tmp_path / "mine" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()
    assert mj.read(tmp_path / "mine" / f"victims.{ending}").features == mj.read(path).features
