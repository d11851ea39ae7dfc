"""`ape` and `rpe` against evo, which is started here and never shipped."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import mapjudge as mj

pytest.importorskip("evo")


def run_of(noise):
    from evo.core.trajectory import PoseTrajectory3D

    rng = np.random.default_rng(5)
    t = 1.5e9 + np.arange(0.0, 40.0, 0.05)
    angle = (t - t[0]) / 6
    places = np.column_stack([4 * np.cos(angle), 3 * np.sin(angle), 0.2 * np.sin(3 * angle)])
    yaw = angle + np.pi / 2
    quaternions = np.column_stack([np.cos(yaw / 2), 0 * yaw, 0 * yaw, np.sin(yaw / 2)])
    places = places + rng.normal(0, noise, places.shape)
    return PoseTrajectory3D(positions_xyz=places, orientations_quat_wxyz=quaternions, timestamps=t)


@pytest.mark.parametrize("align", ["none", "se3"])
def test_ape_is_that_of_evo(align):
    from evo.core import metrics, trajectory

    truth, estimate = run_of(0.0), run_of(0.03)
    ours = mj.ape(estimate, truth, align=align)["ate_translation"].value
    if align == "se3":
        estimate = trajectory.PoseTrajectory3D(
            positions_xyz=estimate.positions_xyz.copy(),
            orientations_quat_wxyz=estimate.orientations_quat_wxyz.copy(),
            timestamps=estimate.timestamps,
        )
        estimate.align(truth)
    error = metrics.APE(metrics.PoseRelation.translation_part)
    error.process_data((truth, estimate))
    assert ours == pytest.approx(error.get_statistic(metrics.StatisticsType.rmse), abs=1e-9)


DATA = pathlib.Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "evo"
PAIRS = [
    ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam.txt"),
    ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam_drift.txt"),
    ("tum", "freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-ORB_kf_mono.txt"),
    ("kitti", "KITTI_00_gt.txt", "KITTI_00_ORB.txt"),
    ("kitti", "KITTI_00_gt.txt", "KITTI_00_SPTAM.txt"),
]


def read_by_evo(kind, name):
    from evo.tools import file_interface

    read = {"tum": file_interface.read_tum_trajectory_file, "kitti": file_interface.read_kitti_poses_file}[kind]
    return read(str(DATA / name))


@pytest.mark.parametrize("align", ["none", "se3", "sim3"])
@pytest.mark.parametrize(("kind", "truth", "estimate"), PAIRS, ids=[estimate for _, _, estimate in PAIRS])
def test_ape_is_that_of_evo_on_its_own_data(kind, truth, estimate, align):
    from evo.core import metrics, sync

    if not DATA.is_dir():
        pytest.skip("the test data of evo is not here")
    reference, other = read_by_evo(kind, truth), read_by_evo(kind, estimate)
    if kind == "tum":
        # As objects of evo, and as the paths of the files.
        found = [mj.ape(other, reference, align=align, max_dt=0.01)["ate_translation"].value]
        found.append(mj.ape(DATA / estimate, DATA / truth, align=align, max_dt=0.01)["ate_translation"].value)
        reference, other = sync.associate_trajectories(reference, other, max_diff=0.01)
    else:
        found = [mj.ape(DATA / estimate, DATA / truth, align=align, associate="index")["ate_translation"].value]
    if align != "none":
        other.align(reference, correct_scale=align == "sim3")
    error = metrics.APE(metrics.PoseRelation.translation_part)
    error.process_data((reference, other))
    assert found == pytest.approx([error.get_statistic(metrics.StatisticsType.rmse)] * len(found), rel=1e-9, abs=1e-9)
