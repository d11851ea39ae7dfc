#!/usr/bin/env python3
"""Compares `mapjudge traj` with evo on real and generated trajectories: APE and RPE must agree to 1e-6.

    python3 conformance/against_evo.py --mapjudge target/release/mapjudge --data ../shared/data

Needs evo 1.38 in the running environment (GPL-3.0: it is called, nothing of it is copied). Real sets that are not there
are skipped with a message. Where the defaults of the two programs differ, mapjudge is told to do what evo does: that
difference is documented in docs/trajectories.md.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from evo.core import metrics, sync, units
from evo.core.trajectory import Plane, PosePath3D
from evo.tools import file_interface

TOLERANCE = 1e-6
# Matrices of KITTI files have seven digits and are not quite rotations. Both programs make rotations of them, each in its
# own way, and a projection of the heading shows the difference.
PROJECTED_KITTI_TOLERANCE = 1e-5
STATISTICS = ("rmse", "mean", "median", "std", "min", "max", "sse")
EVO_PAIRS = [f"--set={metric}.{name}" for metric in ("rpe_translation", "rpe_rotation")
             for name in ("pairs_from=estimate", "cut=past")]


def generated(folder, seed, planar):
    """A drive of 4000 poses with turns, and an estimate of it that drifts, with jittered stamps."""
    rng = np.random.default_rng(seed)
    count = 4000
    times = 1.6e9 + np.arange(count) * 0.05
    yaw = np.cumsum(rng.normal(0, 0.02, count))
    climb = np.zeros(count) if planar else np.cumsum(rng.normal(0, 0.01, count))

    def poses(yaw, climb, step):
        z = np.cumsum(np.sin(climb) * step)
        x, y = np.cumsum(np.cos(yaw) * np.cos(climb) * step), np.cumsum(np.sin(yaw) * np.cos(climb) * step)
        # Rz(yaw) Ry(-climb) as a quaternion.
        cy, sy, cp, sp = np.cos(yaw / 2), np.sin(yaw / 2), np.cos(-climb / 2), np.sin(-climb / 2)
        return np.stack([x, y, z, -sy * sp, cy * sp, sy * cp, cy * cp], 1)

    truth = poses(yaw, climb, 0.025)
    drift = np.cumsum(rng.normal(0, 0.001, count))
    tilt = 0 if planar else np.cumsum(rng.normal(0, 0.0005, count))
    estimate = poses(yaw + drift + 0.7, climb + tilt, 0.0251)
    jitter = times + rng.uniform(-0.004, 0.004, count)
    files = folder / f"truth_{seed}.tum", folder / f"estimate_{seed}.tum"
    np.savetxt(files[0], np.column_stack([times, truth]), fmt="%.9f")
    np.savetxt(files[1], np.column_stack([jitter, estimate]), fmt="%.9f")
    return files


def evo_pair(kind, truth, estimate, select):
    """Both trajectories, reduced and matched as evo_ape and evo_rpe do it."""
    if kind == "kitti":
        return file_interface.read_kitti_poses_file(str(truth)), file_interface.read_kitti_poses_file(str(estimate))
    reference = file_interface.read_tum_trajectory_file(str(truth))
    other = file_interface.read_tum_trajectory_file(str(estimate))
    time_range = middle(reference.timestamps)
    for trajectory in (reference, other):
        if "downsample" in select:
            trajectory.downsample(select["downsample"])
        if "motion_filter" in select:
            trajectory.motion_filter(*select["motion_filter"], degrees=True)
    if "middle" in select:
        reference.reduce_to_time_range(*time_range)
    return sync.associate_trajectories(reference, other, max_diff=0.01)


def middle(times):
    """The second and third quarter of a run, cut between two stamps."""
    return (float((times[len(times) // 4] + times[len(times) // 4 + 1]) / 2),
            float((times[3 * len(times) // 4] + times[3 * len(times) // 4 + 1]) / 2))


def rotations(trajectory):
    """The same poses with the nearest rotations. KITTI's matrices have seven digits and are none; evo multiplies by them
    as they stand, which at 500 m moves `origin` by up to 2e-5 m. mapjudge takes the nearest rotation when it reads."""
    poses = []
    for pose in trajectory.poses_se3:
        u, _, v = np.linalg.svd(pose[:3, :3])
        poses.append(np.block([[u @ v, pose[:3, 3:]], [np.zeros((1, 3)), np.ones((1, 1))]]))
    return PosePath3D(poses_se3=poses)


def evo_values(kind, truth, estimate, align, measure, relation, pairs, select):
    """The statistics of one of evo's metrics."""
    reference, other = evo_pair(kind, truth, estimate, select)
    if align == "origin":
        if kind == "kitti":
            reference, other = rotations(reference), rotations(other)
        other.align_origin(reference)
    elif align in ("se3", "sim3"):
        other.align(reference, correct_scale=align == "sim3")
    if "project" in select:
        reference.project(Plane(select["project"]))
        other.project(Plane(select["project"]))
    relation = {"translation": metrics.PoseRelation.translation_part, "rotation": metrics.PoseRelation.rotation_angle_deg,
                "full": metrics.PoseRelation.full_transformation}[relation]
    if measure == "ape":
        metric = metrics.APE(relation)
    else:
        amount, unit, all_pairs = pairs
        unit = {"f": units.Unit.frames, "m": units.Unit.meters}[unit]
        metric = metrics.RPE(relation, delta=amount, delta_unit=unit, all_pairs=all_pairs)
    metric.process_data((reference, other))
    return {name: metric.get_statistic(getattr(metrics.StatisticsType, name)) for name in STATISTICS}


def our_values(program, kind, truth, estimate, align, measure, relation, pairs, select):
    metric = {"ape": "ate_", "rpe": "rpe_"}[measure] + relation
    command = [program, "traj", estimate, "--truth", truth, "--metrics", metric, "--format", "json", "--quiet"]
    command += ["--associate", "index"] if kind == "kitti" else ["--max-dt", "0.01"]
    if "downsample" in select:
        command += ["--downsample", str(select["downsample"])]
    if "motion_filter" in select:
        command += ["--motion-filter", *map(str, select["motion_filter"])]
    if "middle" in select:
        start, end = middle(file_interface.read_tum_trajectory_file(truth).timestamps)
        command += ["--t-start", repr(start), "--t-end", repr(end)]
    if "project" in select:
        command += ["--project", select["project"]]
    if measure == "ape":
        command += ["--align", align]
    else:
        amount, unit, all_pairs = pairs
        command += ["--delta", f"{amount}{unit}", "--pairs", "all" if all_pairs else "consecutive", *EVO_PAIRS]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    record = next(m for m in report["cases"][0]["metrics"] if m["id"] == metric)
    return {name: record["detail"][name] for name in STATISTICS}


def cases(kind):
    """Every alignment and metric; where files have times also fewer poses, times and planes."""
    for case in plain_cases():
        yield dict(case, select={})
    selections = [{"project": plane} for plane in ("xy", "xz", "yz")]
    if kind == "tum":
        selections += [{"middle": True}, {"downsample": 300}, {"motion_filter": (0.05, 2)},
                       {"downsample": 500, "motion_filter": (0.02, 1), "middle": True, "project": "xy"}]
    for select in selections:
        for align, relation in (("none", "rotation"), ("se3", "translation"), ("sim3", "translation"), ("se3", "rotation")):
            yield dict(align=align, measure="ape", relation=relation, pairs=None, select=select)
        for relation in ("translation", "rotation"):
            yield dict(align="none", measure="rpe", relation=relation, pairs=(1, "f", False), select=select)


def plain_cases():
    for align in ("none", "origin", "se3", "sim3"):
        for relation in ("translation", "rotation"):
            yield dict(align=align, measure="ape", relation=relation, pairs=None)
    yield dict(align="se3", measure="ape", relation="full", pairs=None)
    for pairs in ((1, "f", False), (10, "f", True), (1, "m", False), (1, "m", True)):
        for relation in ("translation", "rotation"):
            yield dict(align="none", measure="rpe", relation=relation, pairs=pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mapjudge", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    arguments = parser.parse_args()
    real = arguments.data / "trajectories/evo"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sets = [("generated, plane", "tum", *generated(folder, 1, True)),
                ("generated, space", "tum", *generated(folder, 2, False)),
                ("TUM fr1_xyz", "tum", real / "freiburg1_xyz-groundtruth.txt", real / "freiburg1_xyz-rgbdslam_drift.txt"),
                ("KITTI 00 ORB", "kitti", real / "KITTI_00_gt.txt", real / "KITTI_00_ORB.txt"),
                ("KITTI 00 SPTAM", "kitti", real / "KITTI_00_gt.txt", real / "KITTI_00_SPTAM.txt")]
        failures = compared = 0
        for name, kind, truth, estimate in sets:
            if not truth.exists() or not estimate.exists():
                print(f"skipped: {name}: {truth} is not here")
                continue
            worst = 0.0
            for case in cases(kind):
                theirs = evo_values(kind, truth, estimate, **case)
                ours = our_values(arguments.mapjudge, kind, str(truth), str(estimate), **case)
                # The sum of squares grows with the number of poses.
                difference = max(abs(ours[key] - theirs[key]) / max(1.0, abs(theirs[key])) for key in theirs)
                worst, compared = max(worst, difference), compared + 1
                is_rounded = kind == "kitti" and case["relation"] == "rotation" and case.get("select", {}).get("project")
                if not difference <= (PROJECTED_KITTI_TOLERANCE if is_rounded else TOLERANCE):
                    failures += 1
                    print(f"DIFFERS {name} {case}: evo {theirs}, mapjudge {ours}")
            print(f"{name}: worst difference {worst:.2e}")
    print(f"{compared} comparisons with evo, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
