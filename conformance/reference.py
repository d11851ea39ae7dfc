#!/usr/bin/env python3
"""Brute-force reference for every metric of mapjudge, straight from the definitions.

Makes conformance/vectors/<name>/{truth.txt, map.txt, expected.json}: tiny text maps and the value of every
metric and variant on them. Nothing here is fast, and nothing is shared with the program: distances are taken
over all pairs of cells, thinning in plain sweeps, so that two independent implementations have to agree.
Vectors of trajectories come from reference_trajectories.py, those of readers from reference_readers.py. Beside the
vectors it makes their hash list, vectors/SHA256SUMS; vectors/VERSION is written by people.

    python3 conformance/reference.py            renew the vectors
    python3 conformance/reference.py --check    fail if a vector on disk differs

Python 3.9 or newer, standard library only.
"""
import hashlib
import json
import math
import os
import sys

sys.dont_write_bytecode = True
import reference_readers  # noqa: E402
import reference_trajectories  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FREE, UNKNOWN, OCCUPIED = ".", "?", "#"
NUMBER = {FREE: 0.0, UNKNOWN: 0.5, OCCUPIED: 1.0}
NAVIGATION = {"g": FREE, "w": FREE, "b": UNKNOWN, "r": OCCUPIED, "k": OCCUPIED}


class Undefined(Exception):
    def __init__(self, *reasons):
        self.reasons = list(reasons)


class Map:
    """Cells by (row, column), row 0 on top: a class and a number each."""

    def __init__(self, rows):
        self.probabilities = any(" " in r for r in rows) or any(r[0].isdigit() for r in rows)
        self.navigation = None
        if self.probabilities:
            numbers = [[float(v) for v in r.split()] for r in rows]
            classes = [[OCCUPIED if v > 0.5 else FREE if v < 0.5 else UNKNOWN for v in r] for r in numbers]
        else:
            if any(ch in NAVIGATION for ch in rows[0]):
                self.navigation = rows
                rows = ["".join(NAVIGATION[ch] for ch in r) for r in rows]
            classes = [list(r) for r in rows]
            numbers = [[NUMBER[c] for c in r] for r in classes]
        self.height, self.width = len(classes), len(classes[0])
        self.cells = [(r, c) for r in range(self.height) for c in range(self.width)]
        self.cls = {(r, c): classes[r][c] for r, c in self.cells}
        self.num = {(r, c): numbers[r][c] for r, c in self.cells}

    def of(self, *classes):
        return [p for p in self.cells if self.cls[p] in classes]


# ---------------------------------------------------------------- counts

def binary(cell_class, unknown_as):
    if cell_class == UNKNOWN:
        return {"free": 0, "occupied": 1, "exclude": None}[unknown_as]
    return int(cell_class == OCCUPIED)


def counts(g, m, unknown_as):
    tp = fn = fp = tn = 0
    for p in g.cells:
        a, b = binary(g.cls[p], unknown_as), binary(m.cls[p], unknown_as)
        if a is None or b is None:
            continue
        tp, fn, fp, tn = tp + (a & b), fn + (a & (1 - b)), fp + ((1 - a) & b), tn + ((1 - a) & (1 - b))
    if tp + fn + fp + tn == 0:
        raise Undefined("EMPTY_WINDOW")
    return tp, fn, fp, tn


def wall_reasons(n_g, n_m):
    return (["NO_OCCUPIED_GT"] if n_g == 0 else []) + (["NO_OCCUPIED_MAP"] if n_m == 0 else [])


def count_metric(pick):
    def metric(g, m, unknown_as="free"):
        tp, fn, fp, tn = counts(g, m, unknown_as)
        return float(pick(tp, fn, fp, tn)), wall_reasons(tp + fn, tp + fp)
    return metric


def ratio_metric(pick):
    def metric(g, m, unknown_as="free"):
        tp, fn, fp, tn = counts(g, m, unknown_as)
        part, whole = pick(tp, fn, fp)
        reasons = wall_reasons(tp + fn, tp + fp)
        if whole == 0:
            raise Undefined(*reasons)
        return part / whole, reasons
    return metric


# ---------------------------------------------------------------- sums and correlations

def unknown_number(unknown_as):
    return {"half": 0.5, "free": 0.0, "occupied": 1.0, "exclude": None}[unknown_as]


def number_pairs(g, m, unknown_as="half"):
    def number(x, p):
        return unknown_number(unknown_as) if x.cls[p] == UNKNOWN else x.num[p]
    pairs = [(number(g, p), number(m, p)) for p in g.cells]
    return [(a, b) for a, b in pairs if a is not None and b is not None]


def pearson(pairs):
    n = len(pairs)
    if n < 2:
        raise Undefined("INSUFFICIENT_POINTS")
    ma, mb = math.fsum(a for a, _ in pairs) / n, math.fsum(b for _, b in pairs) / n
    va, vb = math.fsum((a - ma) ** 2 for a, _ in pairs), math.fsum((b - mb) ** 2 for _, b in pairs)
    if va < 1e-20 or vb < 1e-20:
        raise Undefined("ZERO_VARIANCE")
    return math.fsum((a - ma) * (b - mb) for a, b in pairs) / math.sqrt(va * vb)


def baron_correlation(g, m, input="binary", unknown_as="free", clamp=False):
    if input == "binary":
        tp, fn, fp, tn = counts(g, m, unknown_as)
        n_g, n_m, n = tp + fn, tp + fp, tp + fn + fp + tn
        if 0 in (n_g, n - n_g, n_m, n - n_m):
            raise Undefined("ZERO_VARIANCE", *wall_reasons(n_g, n_m))
        r = (n * tp - n_g * n_m) / math.sqrt(n_g * (n - n_g) * n_m * (n - n_m))
    elif input == "trinary":
        r = pearson([(NUMBER[g.cls[p]], NUMBER[m.cls[p]]) for p in g.cells])
    else:
        r = pearson(number_pairs(g, m))
    return (max(0.0, r) if clamp else r), []


def pearson_correlation(g, m, domain="union", band_cells=1):
    if domain == "coords":
        a, b = g.of(OCCUPIED), m.of(OCCUPIED)
        ranked = list(zip(a, b))
        r_x = pearson([(p[1], q[1]) for p, q in ranked])
        r_y = pearson([(p[0], q[0]) for p, q in ranked])
        return (r_x + r_y) / 2, []
    if domain == "band":
        walls = g.of(OCCUPIED)
        near = [p for p in g.cells if any(max(abs(p[0] - q[0]), abs(p[1] - q[1])) <= band_cells for q in walls)]
        return pearson([(g.num[p], m.num[p]) for p in near]), []
    pairs = number_pairs(g, m)
    if domain == "union":
        pairs = [(a, b) for a, b in pairs if a > 0.5 or b > 0.5]
    if not pairs:
        raise Undefined("EMPTY_WINDOW")
    r = pearson(pairs)
    is_binary = all(v in (0.0, 1.0) for pair in pairs for v in pair)
    return r, ["BINARY_INPUT"] if is_binary and r < 0 else []


def map_score_collins(g, m, unknown_as="half"):
    pairs = number_pairs(g, m, unknown_as)
    if not pairs:
        raise Undefined("EMPTY_WINDOW")
    return math.fsum((a - b) ** 2 for a, b in pairs), []


def occupied_map_score_collins(g, m, unknown_as="half"):
    pairs = number_pairs(g, m, unknown_as)
    if not pairs:
        raise Undefined("EMPTY_WINDOW")
    used = [(a, b) for a, b in pairs if a > 0.5 or b > 0.5]
    n_g, n_m = sum(a > 0.5 for a, _ in pairs), sum(b > 0.5 for _, b in pairs)
    return math.fsum((a - b) ** 2 for a, b in used), wall_reasons(n_g, n_m)


def connected_empties(g, start):
    row, column = g.height - 1 - math.floor(start[1]), math.floor(start[0])
    if g.cls.get((row, column)) != FREE:
        raise Undefined("UNREACHABLE_START")
    reached, todo = {(row, column)}, [(row, column)]
    while todo:
        r, c = todo.pop()
        for q in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if g.cls.get(q) == FREE and q not in reached:
                reached.add(q)
                todo.append(q)
    return reached


def normalized_map_score_collins(g, m, worst="detectable", domain="all", reachable_from_m=None, unknown_as="half"):
    empty = set(g.of(FREE)) if reachable_from_m is None else None
    if worst == "naive":
        changed = list(g.cells)
    else:
        if empty is None:
            empty = connected_empties(g, reachable_from_m)

        def detectable(p):
            """From an empty cell next to it; past a corner only beside an empty side cell."""
            r, c = p
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (r + dr, c + dc) not in empty or (dr, dc) == (0, 0):
                        continue
                    if dr == 0 or dc == 0 or (r + dr, c) in empty or (r, c + dc) in empty:
                        return True
            return False
        changed = [p for p in g.cells if g.cls[p] == FREE or detectable(p)]
    worst_ssd = math.fsum(0.25 if g.cls[p] == UNKNOWN else 1.0 for p in changed)
    if not g.of(FREE) or worst_ssd == 0:
        raise Undefined("EMPTY_WINDOW")
    if domain == "all":
        ssd = map_score_collins(g, m, unknown_as)[0]
    else:
        def number(p):
            return unknown_number(unknown_as) if m.cls[p] == UNKNOWN else m.num[p]
        compared = [p for p in changed if number(p) is not None]
        if not compared:
            raise Undefined("EMPTY_WINDOW")
        ssd = math.fsum((g.num[p] - number(p)) ** 2 for p in compared)
    value = ssd / worst_ssd
    return value, ["EXCEEDS_ONE"] if value > 1 else []


def normalized_mutual_information(g, m, input="trinary"):
    def label(x, p):
        return x.cls[p] if input == "trinary" else x.cls[p] == OCCUPIED

    def entropy(labels):
        seen = {}
        for v in labels:
            seen[v] = seen.get(v, 0) + 1
        return -math.fsum(k / len(labels) * math.log(k / len(labels)) for k in seen.values())
    a, b = [label(g, p) for p in g.cells], [label(m, p) for p in g.cells]
    joint = entropy(list(zip(a, b)))
    if joint == 0:
        raise Undefined("ZERO_VARIANCE")
    return (entropy(a) + entropy(b)) / joint, []


def structural_similarity(g, m):
    if g.width < 7 or g.height < 7:
        raise Undefined("TOO_SMALL")
    grey = {FREE: 254, UNKNOWN: 205, OCCUPIED: 0}
    c1, c2, values = (0.01 * 255) ** 2, (0.03 * 255) ** 2, []
    for r in range(3, g.height - 3):
        for c in range(3, g.width - 3):
            window = [(r + i, c + j) for i in range(-3, 4) for j in range(-3, 4)]
            a, b = [grey[g.cls[p]] for p in window], [grey[m.cls[p]] for p in window]
            ma, mb = sum(a) / 49, sum(b) / 49
            va, vb = sum((v - ma) ** 2 for v in a) / 48, sum((v - mb) ** 2 for v in b) / 48
            cov = sum((v - ma) * (w - mb) for v, w in zip(a, b)) / 48
            values.append((2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2)))
    return math.fsum(values) / len(values), []


def known_coverage(g, m):
    known = g.of(FREE, OCCUPIED)
    if not known:
        raise Undefined("EMPTY_WINDOW")
    return sum(m.cls[p] != UNKNOWN for p in known) / len(known), []


# ---------------------------------------------------------------- distances

def l1(p, q):
    return abs(p[0] - q[0]) + abs(p[1] - q[1])


def l2(p, q):
    return math.sqrt((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)


def nearest(sources, targets, distance):
    return [min(distance(p, q) for q in targets) for p in sources]


def image_similarity(g, m, colours="all", distance="l1", missing="max"):
    chosen = {"all": (FREE, UNKNOWN, OCCUPIED), "known": (FREE, OCCUPIED), "occupied": (OCCUPIED,)}[colours]
    metric, longest, total, reasons = {"l1": l1, "l2": l2}[distance], g.width + g.height - 2, 0.0, []
    for colour in chosen:
        a, b = g.of(colour), m.of(colour)
        if a and b:
            total += math.fsum(nearest(a, b, metric)) / len(a) + math.fsum(nearest(b, a, metric)) / len(b)
        elif a or b:
            reasons = ["MISSING_COLOUR"]
            if missing == "inf":
                raise Undefined("MISSING_COLOUR")
            if missing == "max":
                total += longest * (len(a + b) / len(g.cells) if colour == UNKNOWN else 1)
    return total, reasons


def picture_distance(g, m, distance="l1", missing="max"):
    metric, a, b = {"l1": l1, "l2": l2}[distance], g.of(OCCUPIED), m.of(OCCUPIED)
    if not (a or b):
        raise Undefined("NO_OCCUPIED_GT", "NO_OCCUPIED_MAP")
    if a and b:
        return math.fsum(nearest(a, b, metric) + nearest(b, a, metric)) / len(a + b), []
    if missing != "max":
        raise Undefined(*wall_reasons(len(a), len(b)))
    return float(g.width + g.height - 2), ["MISSING_COLOUR"] + wall_reasons(len(a), len(b))


def walls_of(g, m):
    a, b = g.of(OCCUPIED), m.of(OCCUPIED)
    if not (a and b):
        raise Undefined(*wall_reasons(len(a), len(b)))
    return a, b


def quantile(values, share):
    values, place = sorted(values), share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] * (1 - (place - low)) + values[high] * (place - low)


def mean_wall(g, m):
    a, b = walls_of(g, m)
    return (math.fsum(nearest(a, b, l2)) / len(a) + math.fsum(nearest(b, a, l2)) / len(b)) / 2, []


def quantile_wall(share):
    def metric(g, m):
        a, b = walls_of(g, m)
        return max(quantile(nearest(a, b, l2), share), quantile(nearest(b, a, l2), share)), []
    return metric


def area_under_f1(a, b, largest):
    there, back, f1 = nearest(a, b, l2), nearest(b, a, l2), []
    for t in range(largest + 1):
        recall, precision = sum(d <= t for d in there) / len(a), sum(d <= t for d in back) / len(b)
        f1.append(2 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return f1[0] if largest == 0 else math.fsum((x + y) / 2 for x, y in zip(f1, f1[1:])) / largest


def tolerance_f1_area(g, m, largest_cells=10):
    return area_under_f1(*walls_of(g, m), largest_cells), []


def thinned(walls):
    """Zhang-Suen in plain sweeps; an obstacle that would vanish keeps its first cell."""
    left, changed = set(walls), True
    while changed:
        changed = False
        for first in (True, False):
            gone = []
            for r, c in left:
                ring = [(r - 1, c), (r - 1, c + 1), (r, c + 1), (r + 1, c + 1), (r + 1, c), (r + 1, c - 1), (r, c - 1),
                        (r - 1, c - 1)]
                n, ne, e, se, s, sw, w, nw = on = [q in left for q in ring]
                steps = sum(not x and y for x, y in zip(on, on[1:] + on[:1]))
                sides = (n and e and s) or (e and s and w) if first else (n and e and w) or (n and s and w)
                if 2 <= sum(on) <= 6 and steps == 1 and not sides:
                    gone.append((r, c))
            left -= set(gone)
            changed = changed or bool(gone)
    seen = set()
    for p in sorted(walls):
        if p in seen:
            continue
        part, todo = {p}, [p]
        while todo:
            r, c = todo.pop()
            for q in ((r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
                if q in walls and q not in part:
                    part.add(q)
                    todo.append(q)
        seen |= part
        if not part & left:
            left.add(min(part))
    return sorted(left)


def surface_f1_area(g, m, largest_cells=10):
    a, b = walls_of(g, m)
    return area_under_f1(thinned(set(a)), thinned(set(b)), largest_cells), []


def wall_thickness_ratio(g, m):
    a, b = walls_of(g, m)
    return (len(b) / len(thinned(set(b)))) / (len(a) / len(thinned(set(a)))), []


def area_metric(letters):
    def metric(g, m):
        if m.navigation is None:
            raise Undefined("NO_NAVIGATION")
        return float(sum(m.navigation[r][c] in letters and g.cls[r, c] == FREE for r, c in g.cells)), ["NO_PATH"]
    return metric


# ---------------------------------------------------------------- what is computed on which maps

BINARISED = [{}, {"unknown_as": "exclude"}, {"unknown_as": "occupied"}]
SUMMED = [{}, {"unknown_as": "free"}, {"unknown_as": "occupied"}, {"unknown_as": "exclude"}]
VARIANTS = {
    "map_score_balaguer": (count_metric(lambda tp, fn, fp, tn: tp + tn), BINARISED),
    "overall_error": (count_metric(lambda tp, fn, fp, tn: fn + fp), BINARISED),
    "normalized_map_score_balaguer": (count_metric(lambda tp, fn, fp, tn: fn), BINARISED),
    "occupied_map_score_balaguer": (count_metric(lambda tp, fn, fp, tn: fp), BINARISED),
    "occupied_precision": (ratio_metric(lambda tp, fn, fp: (tp, tp + fp)), BINARISED),
    "occupied_recall": (ratio_metric(lambda tp, fn, fp: (tp, tp + fn)), BINARISED),
    "occupied_f1": (ratio_metric(lambda tp, fn, fp: (2 * tp, 2 * tp + fn + fp)), BINARISED),
    "occupied_iou": (ratio_metric(lambda tp, fn, fp: (tp, tp + fn + fp)), BINARISED),
    "baron_correlation": (baron_correlation, BINARISED + [
        {"input": "trinary"}, {"input": "probability"}, {"clamp": True}, {"input": "trinary", "clamp": True}]),
    "pearson_correlation": (pearson_correlation, [
        {}, {"domain": "band"}, {"domain": "band", "band_cells": 2}, {"domain": "coords"}, {"domain": "all"}]),
    "map_score_collins": (map_score_collins, SUMMED),
    "occupied_map_score_collins": (occupied_map_score_collins, SUMMED),
    "normalized_map_score_collins": (normalized_map_score_collins, SUMMED + [
        {"worst": "naive"}, {"domain": "detectable"}, {"worst": "naive", "domain": "detectable"},
        {"domain": "detectable", "unknown_as": "exclude"},
        {"reachable_from_m": [1.5, 1.5]}]),
    "normalized_mutual_information": (normalized_mutual_information, [{}, {"input": "binary"}]),
    "structural_similarity": (structural_similarity, [{}]),
    "known_coverage": (known_coverage, [{}]),
    "image_similarity": (image_similarity, [
        {}, {"colours": "known"}, {"colours": "occupied"}, {"distance": "l2"}, {"missing": "inf"}, {"missing": "skip"},
        {"colours": "occupied", "distance": "l2"}, {"colours": "occupied", "missing": "inf"}]),
    "picture_distance": (picture_distance, [{}, {"distance": "l2"}, {"missing": "inf"}, {"missing": "skip"}]),
    "chamfer_distance": (mean_wall, [{}]),
    "median_wall_distance": (quantile_wall(0.5), [{}]),
    "hausdorff_distance_95": (quantile_wall(0.95), [{}]),
    "hausdorff_distance": (quantile_wall(1.0), [{}]),
    "tolerance_f1_area": (tolerance_f1_area, [{}, {"largest_cells": 2}, {"largest_cells": 0}]),
    "surface_f1_area": (surface_f1_area, [{}, {"largest_cells": 2}]),
    "wall_thickness_ratio": (wall_thickness_ratio, [{}]),
    "explored_area": (area_metric("gw"), [{}]),
    "cleared_area": (area_metric("g"), [{}]),
}

ROOM = ["#####", "#..#?", "#..##", "####?"]
FLOOR = ["##############", "#.....#......#", "#.....#......#", "#............#", "#.....#..##..#", "#.....#..##..#",
         "###.#####....#", "#...........?#", "#..#........?#", "##############"]
DAMAGED = ["##############", "##....#......#", "##.....#.....#", "#......#.....#", "#.....##.##..#", "#.....#..##..?",
           "###.#####....?", "#..........???", "#...#......???", "############??"]
VECTORS = {
    "e1": (["#####", "#...#", "#...#", "#####"], ["####.", "#...#", "#..#.", "####."]),
    "e2_probabilities": (["1 0 0.5", "0 1 0"], ["0.9 0.2 0.5", "0.1 0.6 0.4"]),
    "e3_worst_map": (ROOM, ["#####", "#..#.", "#..#.", "##.#?"]),
    "e3_hidden_corner": (["##.", "#..", "..."], ["##.", "#..", "..#"]),
    "e3_unknown_corners": (["?#?", "#.#", "?#?"], ["?#?", "#.#", "???"]),
    "e4_one_cell_moved": (["#....", ".....", "....."], ["...#.", ".....", "....."]),
    "e5_empty_map": (["#....", ".....", "....."], [".....", ".....", "....."]),
    "e5_both_empty": ([".....", ".....", "....."], [".....", ".....", "....."]),
    "e6_unequal_walls": (["#..", "...", "..#"], ["###", "...", "..."]),
    "e7_two_walls": (["..#..", ".....", "#...."], ["#####", ".....", "....."]),
    "one_cell_equal": (["#"], ["#"]),
    "one_cell_wrong": (["#"], ["."]),
    "one_cell_unknown": (["."], ["?"]),
    "all_unknown_map": (["#..#", "#..#"], ["????", "????"]),
    "all_unknown_truth": (["????", "????"], ["#..#", "#..#"]),
    "all_unknown_both": (["???", "???"], ["???", "???"]),
    "constant_occupied": (["###", "###"], ["###", "###"]),
    "constant_against_free": (["###", "###"], ["...", "..."]),
    "disjoint": (["#.#", ".#."], ["???", "???"]),
    "negated": (["##..", "#..."], ["..##", ".###"]),
    "floor_equal": (FLOOR, FLOOR),
    "floor_damaged": (FLOOR, DAMAGED),
    "floor_mirrored": (FLOOR, [row[::-1] for row in FLOOR]),
    "thick_walls": (["........."] * 3 + ["#########"] + ["........."] * 3,
                    ["........."] * 2 + ["#########"] * 3 + ["........."] * 2),
    "small_blocks": (["........", ".##..##.", ".##..##.", "........", "........", "...##...", "...##...", "........"],
                     ["........", "..#..##.", "..#..##.", "........", "........", "..###...", "..###...", "........"]),
    "probabilities": (["0 0.1 0.9 1", "0.5 0.2 0.8 0.5", "0 0 1 1"], ["0.1 0.3 0.7 0.9", "0.5 0.5 0.6 0.2", "0 0.4 1 0.9"]),
    "navigation": (["..#.", "....", ".##."], ["gggb", "gwwb", "grkb"]),
    "areas_in_walls": (["####", "#..#", "####"], ["gggg", "gwwg", "gggg"]),
    "areas_beyond_truth": (["..??", "..??"], ["gwgw", "gwgw"]),
    "areas_only_explored": (["...", ".#.", "..."], ["www", "wkw", "wwb"]),
    "areas_nothing": (["...", "..."], ["bbb", "bkk"]),
}
# The map of this vector lies elsewhere; on the truth's window it is unknown.
ELSEWHERE = {"disjoint": ["origin: 100 100 0", "#.#", ".#."]}

# Values worked out by hand, so that the reference itself is checked: vector, metric, params, value.
BY_HAND = [
    ("e1", "map_score_balaguer", {}, 16), ("e1", "overall_error", {}, 4),
    ("e1", "normalized_map_score_balaguer", {}, 3), ("e1", "occupied_map_score_balaguer", {}, 1),
    ("e1", "baron_correlation", {}, 0.579066), ("e1", "map_score_collins", {}, 4),
    ("e1", "occupied_map_score_collins", {}, 4), ("e1", "image_similarity", {}, 1.089286),
    ("e1", "image_similarity", {"colours": "occupied"}, 0.297619), ("e1", "picture_distance", {}, 0.153846),
    ("e1", "pearson_correlation", {}, -0.133631), ("e1", "pearson_correlation", {"domain": "band"}, 0.579066),
    ("e1", "pearson_correlation", {"domain": "coords"}, (-0.427282 + 0.939788) / 2),
    ("e2_probabilities", "map_score_collins", {}, 0.38), ("e2_probabilities", "occupied_map_score_collins", {}, 0.17),
    ("e2_probabilities", "baron_correlation", {"input": "probability"}, 0.882597),
    ("e2_probabilities", "pearson_correlation", {}, None),
    ("e3_worst_map", "normalized_map_score_collins", {}, 0.1875),
    ("e3_worst_map", "normalized_map_score_collins", {"worst": "naive"}, 0.121622),
    ("e3_hidden_corner", "normalized_map_score_collins", {}, 1 / 8),
    ("e4_one_cell_moved", "picture_distance", {}, 3), ("e4_one_cell_moved", "image_similarity", {}, 6.142857),
    ("e4_one_cell_moved", "image_similarity", {"colours": "occupied"}, 6),
    ("e5_empty_map", "picture_distance", {}, 6), ("e5_empty_map", "picture_distance", {"missing": "inf"}, None),
    ("e5_empty_map", "baron_correlation", {}, None), ("e5_both_empty", "picture_distance", {}, None),
    ("e5_both_empty", "baron_correlation", {}, None),
    ("e6_unequal_walls", "picture_distance", {}, 1), ("e6_unequal_walls", "image_similarity", {"colours": "occupied"}, 2),
    ("floor_equal", "surface_f1_area", {}, 1), ("navigation", "cleared_area", {}, 4),
    ("areas_in_walls", "cleared_area", {}, 0), ("areas_in_walls", "explored_area", {}, 2),
    ("areas_beyond_truth", "cleared_area", {}, 2), ("areas_beyond_truth", "explored_area", {}, 4),
    ("areas_only_explored", "cleared_area", {}, 0), ("areas_only_explored", "explored_area", {}, 7),
    ("areas_nothing", "explored_area", {}, 0),
]


def expected(name):
    if name in reference_trajectories.VECTORS:
        records, by_hand = reference_trajectories.expected(name), reference_trajectories.BY_HAND
    elif name in reference_readers.DIALECTS:
        records = reference_readers.expected(name)
        rows = reference_readers.BY_HAND.get(name)
        by_hand = [(name, "cell_classes", {}, rows)] if rows else []
    else:
        records, by_hand = expected_of_maps(name), BY_HAND
    worked_out = [(metric, params) for vector, metric, params, _ in by_hand if vector == name]
    for record in records:
        record["source"] = "hand" if (record["metric"], record["params"]) in worked_out else "reference"
    return records


def expected_of_maps(name):
    truth, map_ = (Map(rows) for rows in VECTORS[name])
    records = []
    for metric, (compute, variants) in VARIANTS.items():
        for params in variants:
            record = {"metric": metric, "params": params}
            try:
                value, reasons = compute(truth, map_, **params)
                record.update(value=value, status="warning" if reasons else "ok", reasons=reasons)
            except Undefined as undefined:
                record.update(value=None, status="undefined", reasons=undefined.reasons)
            records.append(record)
    return records


def check_by_hand():
    of_readers = [(name, "cell_classes", {}, rows) for name, rows in reference_readers.BY_HAND.items()]
    for name, metric, params, value in BY_HAND + reference_trajectories.BY_HAND + of_readers:
        found = next(r["value"] for r in expected(name) if r["metric"] == metric and r["params"] == params)
        if value is None or isinstance(value, list):
            same = found == value
        else:
            same = found is not None and abs(found - value) < 1e-6
        assert same, (name, metric, params, value, found)


def files(name):
    text = "[\n" + ",\n".join(" " + json.dumps(r) for r in expected(name)) + "\n]\n"
    if name in reference_trajectories.VECTORS:
        return {**reference_trajectories.files(name), "expected.json": text}
    if name in reference_readers.DIALECTS:
        return {**reference_readers.files(name), "expected.json": text}
    truth, map_ = VECTORS[name]
    head = ["origin: 0 0 0"] if name in ELSEWHERE else []
    return {"truth.txt": "\n".join(head + truth) + "\n", "map.txt": "\n".join(ELSEWHERE.get(name, map_)) + "\n",
            "expected.json": text}


def agrees(stored, fresh):
    """Numbers to the last digits, because sums may round differently on another platform."""
    if not stored.startswith("["):
        return stored == fresh
    a, b = json.loads(stored), json.loads(fresh)

    def close(x, y):
        if isinstance(x, float) and isinstance(y, float):
            return math.isclose(x, y, rel_tol=1e-12, abs_tol=1e-12)
        return x == y
    return len(a) == len(b) and all(close(x.pop("value"), y.pop("value")) and x == y for x, y in zip(a, b))


def hash_list():
    """As `sha256sum` writes it, of every file of every vector and of the version."""
    lines = []
    folder = os.path.join(HERE, "vectors")
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            if name != "SHA256SUMS":
                with open(path, "rb") as f:
                    shown = os.path.relpath(path, folder).replace(os.sep, "/")
                    lines.append((shown, hashlib.sha256(f.read()).hexdigest()))
    return "".join("%s  %s\n" % (digest, path) for path, digest in sorted(lines))


def main():
    check_by_hand()
    names = list(VECTORS) + list(reference_readers.DIALECTS) + list(reference_trajectories.VECTORS)
    stale = 0
    for name in names:
        folder = os.path.join(HERE, "vectors", name)
        os.makedirs(folder, exist_ok=True)
        for file_name, text in files(name).items():
            path = os.path.join(folder, file_name)
            if "--check" in sys.argv:
                with open(path, encoding="utf-8") as f:
                    if not agrees(f.read(), text):
                        print("differs: vectors/%s/%s" % (name, file_name))
                        stale += 1
            else:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
    sums = os.path.join(HERE, "vectors", "SHA256SUMS")
    if "--check" in sys.argv:
        with open(sums, encoding="utf-8") as f:
            if f.read() != hash_list():
                print("differs: vectors/SHA256SUMS")
                stale += 1
    else:
        with open(sums, "w", encoding="utf-8") as f:
            f.write(hash_list())
    print("%d vectors, %d values" % (len(names), sum(len(expected(n)) for n in names)))
    sys.exit(1 if stale else 0)


if __name__ == "__main__":
    main()
