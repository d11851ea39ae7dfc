"""Reference for trajectories: APE, RPE and relations, from their definitions, in plain Python.

Poses are 3 x 3 rotation matrices with positions. The fit of positions is Horn's for runs in space (largest eigenvector
of a 4 x 4 matrix, found by Jacobi rotations) and the closed form of one angle for runs in the plane. The values are
computed from the rows as they stand in the files, so that rounding of the files cannot matter.
"""
import math


class Undefined(Exception):
    def __init__(self, *reasons):
        self.reasons = list(reasons)


# ---------------------------------------------------------------- poses

def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turned(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def transposed(a):
    return [[a[j][i] for j in range(3)] for i in range(3)]


def compose(p, q):
    return times(p[0], q[0]), [x + y for x, y in zip(turned(p[0], q[1]), p[1])]


def inverse(p):
    back = transposed(p[0])
    return back, [-x for x in turned(back, p[1])]


def of_quaternion(x, y, z, w):
    n = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / n, y / n, z / n, w / n
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def of_roll_pitch_yaw(roll, pitch, yaw):
    cr, sr, cp, sp, cy, sy = (f(v) for v in (roll, pitch, yaw) for f in (math.cos, math.sin))
    return [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr]]


def angle_deg(r):
    """From sine and cosine: an arc cosine alone loses half of the digits of small angles."""
    axis = (r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1])
    return math.degrees(math.atan2(math.sqrt(sum(a * a for a in axis)), r[0][0] + r[1][1] + r[2][2] - 1))


def norm(v):
    return math.sqrt(math.fsum(x * x for x in v))


def root_mean_square(errors):
    return math.sqrt(math.fsum(e * e for e in errors) / len(errors))


# ---------------------------------------------------------------- fits

def largest_eigenvector(m):
    """Of a symmetric 4 x 4 matrix, by cyclic Jacobi rotations."""
    a, v = [row[:] for row in m], [[float(i == j) for j in range(4)] for i in range(4)]
    for _ in range(60):
        for p in range(4):
            for q in range(p + 1, 4):
                if a[p][q] == 0:
                    continue
                theta = 0.5 * math.atan2(2 * a[p][q], a[q][q] - a[p][p])
                c, s = math.cos(theta), math.sin(theta)
                for k in range(4):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(4):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
                for k in range(4):
                    v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
    best = max(range(4), key=lambda i: a[i][i])
    return [v[k][best] for k in range(4)]


def best_rotation(p, q, planar):
    """The rotation that brings centred points p nearest to centred points q."""
    s = [[math.fsum(a[i] * b[j] for a, b in zip(p, q)) for j in range(3)] for i in range(3)]
    if math.sqrt(math.fsum(x * x for a in p for x in a) / len(p)) < 1e-6:
        return [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    if planar:
        return of_roll_pitch_yaw(0, 0, math.atan2(s[0][1] - s[1][0], s[0][0] + s[1][1]))
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = s
    w, x, y, z = largest_eigenvector([[xx + yy + zz, yz - zy, zx - xz, xy - yx],
                                      [yz - zy, xx - yy - zz, xy + yx, zx + xz],
                                      [zx - xz, xy + yx, yy - xx - zz, yz + zy],
                                      [xy - yx, zx + xz, yz + zy, zz - xx - yy]])
    return of_quaternion(x, y, z, w)


def fitted(estimates, truths, align, planar):
    if align == "none":
        return estimates
    if align == "origin":
        move = compose(truths[0], inverse(estimates[0]))
        return [compose(move, e) for e in estimates]
    n = len(estimates)
    e0 = [math.fsum(e[1][i] for e in estimates) / n for i in range(3)]
    t0 = [math.fsum(t[1][i] for t in truths) / n for i in range(3)]
    p = [[e[1][i] - e0[i] for i in range(3)] for e in estimates]
    q = [[t[1][i] - t0[i] for i in range(3)] for t in truths]
    r = best_rotation(p, q, planar)
    scale, square = 1.0, math.fsum(x * x for a in p for x in a)
    if align == "sim3" and square > 1e-12 * n:
        scale = math.fsum(b[i] * turned(r, a)[i] for a, b in zip(p, q) for i in range(3)) / square
    shift = [t0[i] - scale * turned(r, e0)[i] for i in range(3)]
    return [(times(r, e[0]), [scale * turned(r, e[1])[i] + shift[i] for i in range(3)]) for e in estimates]


# ---------------------------------------------------------------- metrics

MAX_DT_S = 0.05


class Run:
    def __init__(self, truth_rows, estimate_rows, relations):
        self.truth, self.estimate = (sorted((row[0], (of_quaternion(*row[4:8]), list(row[1:4]))) for row in rows)
                                     for rows in (truth_rows, estimate_rows))
        rows = list(truth_rows) + list(estimate_rows)
        self.planar = all(row[3] == 0 and row[4] == 0 and row[5] == 0 for row in rows)
        self.relations = relations

    def at(self, poses, t):
        near = min(poses, key=lambda pose: abs(pose[0] - t))
        return near[1] if abs(near[0] - t) <= MAX_DT_S else None

    def pairs(self):
        found = [(self.at(self.estimate, t), truth) for t, truth in self.truth]
        found = [(e, t) for e, t in found if e is not None]
        if not found:
            raise Undefined("UNMATCHED_TIME")
        return [e for e, _ in found], [t for _, t in found]


def absolute(part):
    def metric(run, align="auto"):
        estimates, truths = run.pairs()
        moved = fitted(estimates, truths, align, run.planar)
        return root_mean_square([part(compose(inverse(t), e)) for e, t in zip(moved, truths)])
    return metric


def consecutive(progress, delta, cut):
    found, start, end = [], 0, 1
    while end < len(progress):
        reached, before = progress[end] - progress[start], progress[end - 1] - progress[start]
        if reached < delta * (1 - 1e-9):
            end += 1
            continue
        if cut == "nearest" and end - 1 > start and delta - before < reached - delta:
            end -= 1
        found.append((start, end))
        start, end = end, end + 1
    return found


def relative(part):
    def metric(run, delta="1f", pairs_from="truth", cut="nearest"):
        estimates, truths = run.pairs()
        whose = truths if pairs_from == "truth" else estimates
        if delta.endswith("f"):
            progress = list(range(len(whose)))
        else:
            progress = [0.0]
            for a, b in zip(whose, whose[1:]):
                progress.append(progress[-1] + norm([x - y for x, y in zip(a[1], b[1])]))
        found = consecutive(progress, float(delta[:-1]), cut)
        if not found:
            raise Undefined("INSUFFICIENT_POINTS")
        errors = []
        for a, b in found:
            truth = compose(inverse(truths[a]), truths[b])
            errors.append(part(compose(inverse(truth), compose(inverse(estimates[a]), estimates[b]))))
        return root_mean_square(errors)
    return metric


def relative_displacement(run, side="left"):
    errors = []
    for t1, t2, x, y, z, roll, pitch, yaw in run.relations:
        first, second = run.at(run.estimate, t1), run.at(run.estimate, t2)
        if first is None or second is None:
            continue
        truth = of_roll_pitch_yaw(roll, pitch, yaw), [x, y, z]
        found = compose(inverse(first), second)
        error = compose(inverse(truth), found) if side == "left" else compose(found, inverse(truth))
        errors.append(norm(error[1]))
    if not errors:
        raise Undefined("UNMATCHED_TIME")
    return math.fsum(errors) / len(errors)


def translation(error):
    return norm(error[1])


def rotation(error):
    return angle_deg(error[0])


FITS = [{}, {"align": "none"}, {"align": "origin"}, {"align": "sim3"}]
EVO_PAIRS = {"delta": "1m", "pairs_from": "estimate", "cut": "past"}
PAIRS = [{}, {"delta": "3f"}, {"delta": "1m"}, EVO_PAIRS]
VARIANTS = {
    "ate_translation": (absolute(translation), FITS),
    "ate_rotation": (absolute(rotation), FITS),
    "rpe_translation": (relative(translation), PAIRS),
    "rpe_rotation": (relative(rotation), PAIRS),
}
RELATIONS = {"relative_displacement": (relative_displacement, [{}, {"side": "right"}])}
# Angles of nearly equal rotations: the last digits of a program depend on how it takes them.
TOLERANCES = {"ate_rotation": 1e-6, "rpe_rotation": 1e-6}


# ---------------------------------------------------------------- the runs

def drive(count, step, bend, lean, spatial, start):
    """Rows t x y z qx qy qz qw of a winding drive, one pose each 0.1 s."""
    x, y, z = start
    rows = []
    for i in range(count):
        yaw = bend * i + 0.4 * math.sin(0.21 * i) + lean
        pitch = 0.15 * math.sin(0.13 * i + 10 * lean) if spatial else 0.0
        cy, sy, cp, sp = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(pitch / 2), math.sin(pitch / 2)
        rows.append((100 + i / 10, x, y, z, -sy * sp, cy * sp, sy * cp, cy * cp))
        x, y = x + step * math.cos(yaw) * math.cos(pitch), y + step * math.sin(yaw) * math.cos(pitch)
        z -= step * math.sin(pitch)
    return rounded(rows)


def rounded(rows):
    return [tuple(float("%.9f" % v) + 0.0 for v in row) for row in rows]


def mirrored(rows):
    """Left and right exchanged: y and yaw with the other sign."""
    return rounded((t, x, -y, z, -qx, qy, -qz, qw) for t, x, y, z, qx, qy, qz, qw in rows)


def later(rows, seconds):
    return rounded((row[0] + seconds,) + row[1:] for row in rows)


def shuffled(rows):
    return [rows[i * 7 % len(rows)] for i in range(len(rows))]


def still(x, y, yaw):
    return rounded((100 + i / 10, x, y, 0.0, 0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)) for i in range(12))


def relations_of(rows, gaps=(5, 20)):
    """Displacements of the truth over so many poses, from every fifth pose on."""
    made = []
    for gap in gaps:
        for i in range(0, len(rows) - gap, 5):
            a, b = ((of_quaternion(*rows[k][4:8]), list(rows[k][1:4])) for k in (i, i + gap))
            r, t = compose(inverse(a), b)
            angles = math.atan2(r[2][1], r[2][2]), math.asin(max(-1.0, min(1.0, -r[2][0]))), math.atan2(r[1][0], r[0][0])
            made.append((rows[i][0], rows[i + gap][0], *t, *angles))
    return rounded(made)


PLANAR = drive(40, 0.19, 0.05, 0.0, False, (1, 2, 0))
PLANAR_ESTIMATE = drive(40, 0.194, 0.0505, 0.3, False, (0, 0, 0))
SPATIAL = drive(40, 0.19, 0.05, 0.0, True, (1, 2, 0.5))
SPATIAL_ESTIMATE = drive(40, 0.194, 0.0505, 0.03, True, (0, 0, 0))
LONG = drive(200, 0.08, 0.02, 0.0, False, (0, 0, 0))
LONG_ESTIMATE = drive(200, 0.081, 0.0202, 0.2, False, (3, -1, 0))
VECTORS = {
    "run_equal": (PLANAR, PLANAR, relations_of(PLANAR)),
    "run_planar": (PLANAR, PLANAR_ESTIMATE, relations_of(PLANAR)),
    "run_spatial": (SPATIAL, SPATIAL_ESTIMATE, relations_of(SPATIAL)),
    "run_mirrored": (PLANAR, mirrored(PLANAR), relations_of(PLANAR)),
    "run_tenth": (LONG, LONG_ESTIMATE[::10], relations_of(LONG, (10, 50))),
    "run_unsorted": (PLANAR, shuffled(PLANAR_ESTIMATE), relations_of(PLANAR)),
    "run_no_overlap": (PLANAR, later(PLANAR_ESTIMATE, 1000), relations_of(PLANAR)),
    "run_one_pose": (PLANAR, PLANAR_ESTIMATE[7:8], relations_of(PLANAR)),
    "run_standstill": (still(1, 2, 0.5), still(4, 1, 0.2), []),
}
# Worked out by hand: vector, metric, params, value.
BY_HAND = [
    ("run_equal", "ate_translation", {}, 0.0), ("run_equal", "rpe_translation", {}, 0.0),
    ("run_no_overlap", "ate_translation", {}, None), ("run_no_overlap", "relative_displacement", {}, None),
    ("run_one_pose", "rpe_translation", {}, None), ("run_one_pose", "ate_translation", {}, 0.0),
    ("run_standstill", "ate_translation", {"align": "none"}, math.sqrt(10)),
    ("run_standstill", "rpe_translation", {}, 0.0), ("run_standstill", "rpe_translation", {"delta": "1m"}, None),
    ("run_standstill", "ate_rotation", {"align": "none"}, math.degrees(0.3)),
]


def row_text(row, decimals="%.9f"):
    return " ".join((decimals % v).rstrip("0").rstrip(".") for v in row)


def files(name):
    truth, estimate, relations = VECTORS[name]
    texts = {"truth.tum": truth, "estimate.tum": estimate}
    if relations:
        texts["truth.relations"] = relations
    return {file_name: "".join(row_text(row) + "\n" for row in rows) for file_name, rows in texts.items()}


def expected(name):
    truth, estimate, relations = VECTORS[name]
    run, records = Run(truth, estimate, relations), []
    for metric, (compute, variants) in {**VARIANTS, **(RELATIONS if relations else {})}.items():
        for params in variants:
            record = {"metric": metric, "params": params}
            try:
                record.update(value=compute(run, **params), status="ok", reasons=[])
            except Undefined as undefined:
                record.update(value=None, status="undefined", reasons=undefined.reasons)
            if metric in TOLERANCES:
                record["tolerance"] = TOLERANCES[metric]
            records.append(record)
    return records
