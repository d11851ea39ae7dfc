"""Names of metrics and words of options. Made by stubs.py."""

from typing import Literal, Union

MetricId = Literal[
    "alignment_energy",
    "ate_full",
    "ate_rotation",
    "ate_translation",
    "attribution",
    "baron_correlation",
    "brokenness",
    "chamfer_distance",
    "cleared_area",
    "corner_count",
    "corner_match",
    "direction_test",
    "double_walls",
    "enclosed_areas",
    "explored_area",
    "feature_ratio",
    "fiducial_coverage",
    "fiducial_global_accuracy",
    "fiducial_long_consistency",
    "fiducial_pass_rate",
    "fiducial_relative_accuracy",
    "fiducial_resolution",
    "fiducial_score",
    "fiducial_short_consistency",
    "fiducial_topology",
    "free_leaks",
    "grouping_quality",
    "hausdorff_distance",
    "hausdorff_distance_95",
    "image_similarity",
    "kitti_drift_rotation",
    "kitti_drift_translation",
    "known_coverage",
    "map_score_balaguer",
    "map_score_collins",
    "median_wall_distance",
    "metric_quality",
    "navigation_success",
    "normalized_map_score_balaguer",
    "normalized_map_score_collins",
    "normalized_mutual_information",
    "occupied_f1",
    "occupied_iou",
    "occupied_map_score_balaguer",
    "occupied_map_score_collins",
    "occupied_precision",
    "occupied_recall",
    "occupied_share",
    "overall_error",
    "path_false_negatives",
    "path_false_positives",
    "path_usefulness",
    "pearson_correlation",
    "picture_distance",
    "point_score",
    "portal_coverage",
    "relative_displacement",
    "room_iou",
    "room_match_error",
    "room_precision",
    "room_recall",
    "rpe_rotation",
    "rpe_translation",
    "scale_error",
    "scan_difference",
    "skeleton_quality",
    "structural_similarity",
    "surface_f1_area",
    "tolerance_f1_area",
    "topology_match",
    "trajectory_coverage",
    "unclosed_rooms",
    "utility",
    "victims",
    "wall_distortion",
    "wall_straightness",
    "wall_thickness_ratio",
    "warp_penalty",
]
"""Ids of metrics."""

Family = Literal[
    "annotation",
    "cells",
    "contest",
    "distance",
    "fiducials",
    "paths",
    "plausibility",
    "rooms",
    "topology",
    "trajectory",
]
"""Families of metrics."""

MetricName = Union[MetricId, Family]
"""What `metrics=` takes."""

AlignBy = Literal[
    "georeference",
    "none",
    "auto",
    "fiducials",
    "correlative",
    "rooms",
    "features",
    "surf",
    "fourier-mellin",
]
"""What `align=` takes."""

Window = Literal[
    "truth",
    "union",
    "intersection",
]
"""What `window=` takes."""

Resample = Literal[
    "occupied-wins",
    "nearest",
    "mean",
]
"""What `resample=` takes."""

MapperName = Literal[
    "odometry",
    "graph",
    "robbie",
    "sonar-elfes",
    "sonar-forward",
    "sonar-last",
]
"""Names of mappers."""
