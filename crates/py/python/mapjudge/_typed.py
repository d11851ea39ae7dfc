"""Types of the keywords of functions. Made by stubs.py."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, Union

from ._names import MetricName


class AlignKeywords(TypedDict, total=False):
    """What `align` takes beside what its signature names."""

    method: Any
    points: Any
    layout: Any
    annotations: Any
    truth_annotations: Any
    frame: Any
    scale_min: Union[float, None]
    scale_max: Union[float, None]
    align_tol: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    map_resolution: Union[float, None]
    truth_resolution: Union[float, None]
    map_origin: Any
    truth_origin: Any
    force: Union[bool, None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ApeKeywords(TypedDict, total=False):
    """What `ape` takes beside what its signature names."""

    truth_topic: Any
    relations: Any
    regions: Any
    odometry: Any
    map: Any
    job: Any
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    records: Any
    skip_bad: Union[int, None]
    associate: Union[Literal["nearest", "interpolate", "exact", "index", "filled"], None]
    max_dt: Union[float, None]
    max_gap: Union[float, None]
    fill: Union[Literal["chain", "spread"], None]
    time_offset: Union[float, None]
    estimate_offset: Union[float, None]
    t_start: Union[float, None]
    t_end: Union[float, None]
    downsample: Union[int, None]
    motion_filter: Any
    project: Union[Literal["xy", "xz", "yz", "space"], None]
    align: Union[Literal["auto", "none", "origin", "se2", "yaw", "se3", "sim3"], None]
    align_first: Union[int, None]
    weight: Union[Literal["pose", "time", "distance"], None]
    delta: Any
    pairs: Union[Literal["consecutive", "all"], None]
    relation_error: Union[Literal["left", "right", "symmetric"], None]
    order: Union[Literal["forward", "backward"], None]
    relation_time: Union[Literal["end", "middle"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    min_coverage: Union[float, None]
    rank_by: Any
    resamples: Union[int, None]
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]
    digits: Union[int, None]
    unit: Any
    transpose: Union[bool, None]
    name: Any
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ArenaBuildKeywords(TypedDict, total=False):
    """What `arena.build` takes beside what its signature names."""

    overwrite: Union[bool, None]
    seed: Union[int, None]
    threads: Union[int, None]


class ArenaRandomKeywords(TypedDict, total=False):
    """What `arena.random` takes beside what its signature names."""

    kind: Union[Literal["maze", "office"], None]
    width: Union[float, None]
    height: Union[float, None]
    pallet: Union[float, None]
    loops: Union[float, None]
    ramps: Union[float, None]
    steep: Union[bool, None]
    overwrite: Union[bool, None]
    seed: Union[int, None]
    threads: Union[int, None]


class CompareKeywords(TypedDict, total=False):
    """What `compare` takes beside what its signature names."""

    annotations_a: Any
    annotations_b: Any
    truth_annotations: Any
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    map_resolution: Union[float, None]
    truth_resolution: Union[float, None]
    map_origin: Any
    truth_origin: Any
    force: Union[bool, None]
    scale_min: Union[float, None]
    scale_max: Union[float, None]
    align_tol: Union[float, None]
    align: Any
    accept_ambiguous: Union[bool, None]
    window: Union[Literal["truth", "union", "intersection"], None]
    resample: Union[Literal["occupied-wins", "nearest", "mean"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    robot_radius: Union[float, None]
    start: Any
    target: Any
    random_targets: Union[int, None]
    despeckle: Any
    thinning: Union[Literal["distance", "zhang-suen"], None]
    prune_min: Union[float, None]
    prune_factor: Union[float, None]
    snap: Union[float, None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ConsensusKeywords(TypedDict, total=False):
    """What `consensus` takes beside what its signature names."""

    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    force: Union[bool, None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ContestKeywords(TypedDict, total=False):
    """What `contest` takes beside what its signature names."""

    resamples: Union[int, None]
    no_figures: Union[bool, None]
    no_cache: Union[bool, None]
    stamp: Any
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ConvertKeywords(TypedDict, total=False):
    """What `convert` takes beside what its signature names."""

    lossy: Union[bool, None]
    background: Union[Literal["unknown", "free"], None]
    force: Union[bool, None]
    resolution: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class ExploreKeywords(TypedDict, total=False):
    """What `explore` takes beside what its signature names."""

    resolution: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    force: Union[bool, None]
    robots: Union[int, None]
    start: Any
    robot_radius: Union[float, None]
    laser_fov_deg: Union[float, None]
    laser_beams: Union[int, None]
    laser_range: Union[float, None]
    baseline: Union[bool, None]
    choice: Union[Literal["transform", "nearest"], None]
    alpha: Union[float, None]
    d_min: Union[float, None]
    d_opt: Union[float, None]
    replan: Union[float, None]
    max_time: Union[float, None]
    max_distance: Union[float, None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class FiducialsKeywords(TypedDict, total=False):
    """What `fiducials` takes beside what its signature names."""

    layout: Any
    align: Union[Literal["fiducials", "georeference"], None]
    objective: Union[Literal["cost", "coverage"], None]
    d_max: Union[float, None]
    displaced: Union[Literal["capped", "missing"], None]
    reach: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    force: Union[bool, None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]
    out: Any
    overwrite: Union[bool, None]
    seed: Union[int, None]
    threads: Union[int, None]


class GraphKeywords(TypedDict, total=False):
    """What `graph` takes beside what its signature names."""

    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    force: Union[bool, None]
    robot_radius: Union[float, None]
    start: Any
    target: Any
    random_targets: Union[int, None]
    despeckle: Any
    thinning: Union[Literal["distance", "zhang-suen"], None]
    prune_min: Union[float, None]
    prune_factor: Union[float, None]
    snap: Union[float, None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class InfoKeywords(TypedDict, total=False):
    """What `info` takes beside what its signature names."""

    effort: Union[bool, None]
    resolution: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    force: Union[bool, None]
    seed: Union[int, None]
    threads: Union[int, None]


class LintKeywords(TypedDict, total=False):
    """What `lint` takes beside what its signature names."""

    profile: Any
    force: Union[bool, None]
    list: Union[bool, None]
    resolution: Union[float, None]
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class MapLogKeywords(TypedDict, total=False):
    """What `map_log` takes beside what its signature names."""

    odometry_topic: Any
    laser_mount: Any
    from_: Any
    duration: Union[float, None]
    wait: Union[float, None]
    no_init: Union[bool, None]
    list_settings: Union[bool, None]
    overwrite: Union[bool, None]
    snapshot_every: Union[float, None]
    strict: Union[bool, None]
    final: Union[bool, None]
    online: Union[bool, None]
    set: Union[dict[str, Any], None]
    params: Any
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class PathsKeywords(TypedDict, total=False):
    """What `paths` takes beside what its signature names."""

    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    map_resolution: Union[float, None]
    truth_resolution: Union[float, None]
    map_origin: Any
    truth_origin: Any
    force: Union[bool, None]
    align: Any
    accept_ambiguous: Union[bool, None]
    window: Union[Literal["truth", "union", "intersection"], None]
    resample: Union[Literal["occupied-wins", "nearest", "mean"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    robot_radius: Union[float, None]
    start: Any
    target: Any
    random_targets: Union[int, None]
    despeckle: Any
    thinning: Union[Literal["distance", "zhang-suen"], None]
    prune_min: Union[float, None]
    prune_factor: Union[float, None]
    snap: Union[float, None]
    out: Any
    overwrite: Union[bool, None]
    seed: Union[int, None]
    threads: Union[int, None]


class PointsKeywords(TypedDict, total=False):
    """What `points` takes beside what its signature names."""

    profile: Any
    frame: Union[Literal["fitted", "given"], None]
    set: Union[dict[str, Any], None]
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class PortalsKeywords(TypedDict, total=False):
    """What `portals` takes beside what its signature names."""

    map: Any
    path: Any
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    force: Union[bool, None]
    align: Any
    accept_ambiguous: Union[bool, None]
    window: Union[Literal["truth", "union", "intersection"], None]
    resample: Union[Literal["occupied-wins", "nearest", "mean"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    robot_radius: Union[float, None]
    start: Any
    target: Any
    random_targets: Union[int, None]
    despeckle: Any
    thinning: Union[Literal["distance", "zhang-suen"], None]
    prune_min: Union[float, None]
    prune_factor: Union[float, None]
    snap: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class RelationsCheckKeywords(TypedDict, total=False):
    """What `relations.check` takes beside what its signature names."""

    run: Any
    published: Any
    gap: Union[float, None]
    agree: Union[float, None]
    worst: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class RelationsFilterKeywords(TypedDict, total=False):
    """What `relations.filter` takes beside what its signature names."""

    force: Union[bool, None]
    min_distance: Union[float, None]
    max_distance: Union[float, None]
    min_gap: Union[float, None]
    max_gap: Union[float, None]
    from_: Union[float, None]
    to: Union[float, None]
    tag: Any
    sample: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class RelationsMakeKeywords(TypedDict, total=False):
    """What `relations.make` takes beside what its signature names."""

    force: Union[bool, None]
    pairs: Any
    distance: Union[float, None]
    count: Union[int, None]
    precision: Union[float, None]
    run: Any
    project: Union[Literal["xy", "xz", "yz", "space"], None]
    step: Union[float, None]
    turn: Union[float, None]
    loop_radius: Union[float, None]
    loop_gap: Union[float, None]
    loops_per_pose: Union[int, None]
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class RoomsKeywords(TypedDict, total=False):
    """What `rooms` takes beside what its signature names."""

    method: Union[Literal["auto", "combined", "doors", "free-space", "visibility", "watershed"], None]
    theta: Union[float, None]
    spacing: Union[float, None]
    linkage: Union[Literal["average", "single"], None]
    smoothing: Union[float, None]
    reference: Any
    origin: Any
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    scale: Union[Literal["ratio", "ros1", "nav2"], None]
    palette: Any
    palette_tolerance: Union[int, None]
    lenient_colours: Union[bool, None]
    grey_is_uncleared: Union[bool, None]
    pixels_per_cell: Union[int, None]
    topic: Any
    force: Union[bool, None]
    overwrite: Union[bool, None]
    labels: Any
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class RpeKeywords(TypedDict, total=False):
    """What `rpe` takes beside what its signature names."""

    truth_topic: Any
    relations: Any
    regions: Any
    odometry: Any
    map: Any
    job: Any
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    records: Any
    skip_bad: Union[int, None]
    associate: Union[Literal["nearest", "interpolate", "exact", "index", "filled"], None]
    max_dt: Union[float, None]
    max_gap: Union[float, None]
    fill: Union[Literal["chain", "spread"], None]
    time_offset: Union[float, None]
    estimate_offset: Union[float, None]
    t_start: Union[float, None]
    t_end: Union[float, None]
    downsample: Union[int, None]
    motion_filter: Any
    project: Union[Literal["xy", "xz", "yz", "space"], None]
    align: Union[Literal["auto", "none", "origin", "se2", "yaw", "se3", "sim3"], None]
    align_first: Union[int, None]
    weight: Union[Literal["pose", "time", "distance"], None]
    pairs: Union[Literal["consecutive", "all"], None]
    relation_error: Union[Literal["left", "right", "symmetric"], None]
    order: Union[Literal["forward", "backward"], None]
    relation_time: Union[Literal["end", "middle"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    min_coverage: Union[float, None]
    rank_by: Any
    resamples: Union[int, None]
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]
    digits: Union[int, None]
    unit: Any
    transpose: Union[bool, None]
    name: Any
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]


class ScoreKeywords(TypedDict, total=False):
    """What `score` takes beside what its signature names."""

    layout: Any
    annotations: Any
    map_annotations: Any
    truth_annotations: Any
    transform: Any
    trajectories: Any
    truth_trajectory: Any
    truth_topic: Any
    relations: Any
    odometry: Any
    background: Any
    records: Any
    skip_bad: Union[int, None]
    points: Any
    truth_points: Any
    floors: Any
    connectors: Any
    map_resolution_m: Union[float, None]
    truth_resolution_m: Union[float, None]
    map_origin: Any
    truth_origin: Any
    force: Union[bool, None]
    aligning: Any
    scale_min: Union[float, None]
    scale_max: Union[float, None]
    tol_m: Union[float, None]
    accept_ambiguous: Union[bool, None]
    fiducials: Any
    paths: Any
    matching: Any
    associate: Union[Literal["nearest", "interpolate", "exact", "index", "filled"], None]
    max_dt_s: Union[float, None]
    max_gap_s: Union[float, None]
    time_offset_s: Union[float, None]
    estimate_offset_s: Union[float, None]
    min_coverage: Union[float, None]
    poses: Any
    ranking: Any
    profile: Any
    read: Any
    resolution_m: Union[float, None]
    occupied_thresh: Union[float, None]
    free_thresh: Union[float, None]
    negate: Union[bool, None]
    treat_205_as_unknown: Union[bool, None]
    ignore_alpha: Union[bool, None]
    topic: Any
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]


class SimulateKeywords(TypedDict, total=False):
    """What `simulate` takes beside what its signature names."""

    drive: Any
    localize: Union[Literal["truth", "odometry", "graph", "robbie"], None]
    overwrite: Union[bool, None]
    snapshot_every: Union[float, None]
    serve: Any
    host: Any
    speed: Union[float, None]
    laser: Union[Literal["urg-04lx", "utm-30lx", "sick-lms200"], None]
    upright: Union[bool, None]
    sonar: Union[bool, None]
    levelled: Union[bool, None]
    exact_odometry: Union[bool, None]
    max_time: Union[float, None]
    seed: Union[int, None]
    threads: Union[int, None]


class TrajKeywords(TypedDict, total=False):
    """What `traj` takes beside what its signature names."""

    truth_topic: Any
    regions: Any
    odometry: Any
    map: Any
    job: Any
    pose_columns: Union[Literal["xy-theta-t", "t-xy-theta", "xy-theta"], None]
    topic: Any
    fov_deg: Union[float, None]
    max_range: Union[float, None]
    usarsim_frame: Union[Literal["usarsim", "ros"], None]
    scan_direction: Union[Literal["ccw", "cw"], None]
    max_bad: Union[float, None]
    records: Any
    skip_bad: Union[int, None]
    associate: Union[Literal["nearest", "interpolate", "exact", "index", "filled"], None]
    max_dt: Union[float, None]
    max_gap: Union[float, None]
    fill: Union[Literal["chain", "spread"], None]
    time_offset: Union[float, None]
    estimate_offset: Union[float, None]
    t_start: Union[float, None]
    t_end: Union[float, None]
    downsample: Union[int, None]
    motion_filter: Any
    project: Union[Literal["xy", "xz", "yz", "space"], None]
    align: Union[Literal["auto", "none", "origin", "se2", "yaw", "se3", "sim3"], None]
    align_first: Union[int, None]
    weight: Union[Literal["pose", "time", "distance"], None]
    delta: Any
    pairs: Union[Literal["consecutive", "all"], None]
    relation_error: Union[Literal["left", "right", "symmetric"], None]
    order: Union[Literal["forward", "backward"], None]
    relation_time: Union[Literal["end", "middle"], None]
    metrics: Union[MetricName, Sequence[MetricName], str, None]
    set: Union[dict[str, Any], None]
    min_coverage: Union[float, None]
    rank_by: Any
    resamples: Union[int, None]
    limits: Any
    baseline: Any
    baseline_tolerance: Union[float, None]
    digits: Union[int, None]
    unit: Any
    transpose: Union[bool, None]
    name: Any
    overwrite: Union[bool, None]
    out: Any
    seed: Union[int, None]
    threads: Union[int, None]
