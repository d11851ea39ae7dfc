"""Prints a metric of evo with all digits: the command line of evo prints six decimals.

    evo_values.py ape|rpe trans_part|angle_deg TRUTH ESTIMATE none|origin|se3|sim3 DELTA
"""
import sys

import numpy as np
from evo.core import filters, metrics, sync, units
from evo.core.geometry import GeometryException
from evo.core.trajectory import PoseTrajectory3D
from evo.tools import file_interface

measure, relation, truth_file, estimate_file, align, delta = sys.argv[1:7]
relation = {"trans_part": metrics.PoseRelation.translation_part, "angle_deg": metrics.PoseRelation.rotation_angle_deg}[relation]
truth = file_interface.read_tum_trajectory_file(truth_file)
estimate = file_interface.read_tum_trajectory_file(estimate_file)
assert isinstance(truth, PoseTrajectory3D)
try:
    truth, estimate = sync.associate_trajectories(truth, estimate, max_diff=0.05)
    if align == "origin":
        estimate.align_origin(truth)
    elif align in ("se3", "sim3"):
        estimate.align(truth, correct_scale=align == "sim3")
    if measure == "ape":
        metric = metrics.APE(relation)
    else:
        unit = {"f": units.Unit.frames, "m": units.Unit.meters}[delta[-1]]
        metric = metrics.RPE(relation, delta=float(delta[:-1]), delta_unit=unit, all_pairs=False)
    metric.process_data((truth, estimate))
except (sync.SyncException, GeometryException, metrics.MetricsException, filters.FilterException) as refused:
    sys.exit("evo refuses: %s" % refused)
value = metric.get_statistic(metrics.StatisticsType.rmse)
print("nan" if np.isnan(value) else repr(float(value)))
