"""`ape` and `rpe` against evo, which is started here and never shipped."""

from __future__ import annotations

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
