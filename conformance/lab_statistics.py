#!/usr/bin/env python3
"""Computes the statistics of a lab again from its rows, with numpy and scipy, and compares.

    python3 conformance/lab_statistics.py DIR

DIR is a folder that `mapjudge lab .. --out DIR` wrote: rows.csv and draws.csv are read, lab.json is compared with.
"""

import csv
import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import kendalltau, mannwhitneyu, spearmanr

TOLERANCE = 1e-12


def badness(value, metric):
    """More is worse; None where undefined."""
    if value == "":
        return None
    value = float(value)
    if metric["better"] == "lower":
        return value
    return -value if metric["better"] == "higher" else abs(value - BEST.get(metric["id"], 0.0))


def tau_of(levels, values):
    if len(levels) < 2:
        return None
    tau = kendalltau(levels, values, variant="b").statistic
    return 0.0 if math.isnan(tau) else float(tau)


def auc_of(above, below):
    if not above or not below:
        return None
    return mannwhitneyu(above, below, method="asymptotic").statistic / (len(above) * len(below))


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


def interval(values, draws):
    means = []
    for times in draws:
        pairs = [(v, t) for v, t in zip(values, times) if v is not None]
        weight = sum(t for _, t in pairs)
        if weight:
            means.append(sum(v * t for v, t in pairs) / weight)
    return [float(x) for x in np.quantile(means, [0.025, 0.975])] if means else None


def same(found, expected, what):
    if found is None or expected is None:
        assert found is None and expected is None, f"{what}: {found} {expected}"
        return
    for a, b in zip(np.atleast_1d(found), np.atleast_1d(expected), strict=True):
        assert abs(a - b) <= TOLERANCE, f"{what}: {a} {b}"


folder = Path(sys.argv[1])
report = json.loads((folder / "lab.json").read_text())
rows = list(csv.DictReader((folder / "rows.csv").open()))
draws = [[int(x) for x in line.split(",")] for line in (folder / "draws.csv").read_text().split()]
maps = [entry["name"] for entry in report["maps"]]
kinds = {kind["name"]: kind for kind in report["kinds"]}
# The best values of the metrics whose value should be near one; None of them is in the families of the test otherwise.
BEST = json.loads(Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else {}
metrics = {metric["id"]: metric for metric in report["metrics"]}
checked = 0

for answer in report["answers"]:
    metric, kind = metrics[answer["metric"]], kinds[answer["kind"]]
    if metric["better"] == "closer" and metric["id"] not in BEST:
        continue
    taus, aucs, by_level = [], [], [[] for _ in kind["levels"]]
    for name in maps:
        of = lambda change: [r for r in rows if r["map"] == name and r["change"] == change and r["status"] == "scored"]
        value = lambda row: badness(row[metric["id"]], metric)
        unchanged = [value(row) for row in of("none")]
        harmless = [b for b in map(value, of("harmless")) if b is not None]
        damaged = of(kind["name"])
        per_seed = []
        for seed in sorted({row["seed"] for row in damaged}, key=int):
            points = [(0, unchanged[0])] + [(int(r["level"]), value(r)) for r in damaged if r["seed"] == seed]
            points = [(level, b) for level, b in points if b is not None]
            enough = min(3, len(kind["levels"]) + 1)
            per_seed.append(tau_of(*zip(*points)) if len(points) >= enough else None)
        taus.append(mean(per_seed))
        defined = lambda level: [value(r) for r in damaged if int(r["level"]) == level and value(r) is not None]
        aucs.append(auc_of([b for level in kind["levels"] for b in defined(level)], harmless))
        for place, level in enumerate(kind["levels"]):
            by_level[place].append(auc_of(defined(level), harmless))
    what = f"{answer['metric']} under {answer['kind']}"
    same(answer["tau"], mean(taus), f"tau of {what}")
    same(answer["separation"], mean(aucs), f"AUC of {what}")
    for found, expected in zip(answer["separation_by_level"], by_level, strict=True):
        same(found, mean(expected), f"AUC by level of {what}")
    if draws:
        same(answer["tau_interval"], interval(taus, draws), f"interval of tau of {what}")
        same(answer["separation_interval"], interval(aucs, draws), f"interval of AUC of {what}")
    checked += 1

damaged = [row for row in rows if row["change"] in kinds and row["status"] == "scored"]
ids = list(metrics)
columns = [[badness(row[i], metrics[i]) for row in damaged] for i in ids]
distance = np.zeros((len(ids), len(ids)))
for i in range(len(ids)):
    for j in range(i + 1, len(ids)):
        both = [(a, b) for a, b in zip(columns[i], columns[j]) if a is not None and b is not None]
        x, y = zip(*both) if both else ((), ())
        rho = spearmanr(x, y).statistic if len(set(x)) > 1 and len(set(y)) > 1 else math.nan
        distance[i, j] = distance[j, i] = 1.0 if math.isnan(rho) else 1.0 - abs(rho)
if not any(metric["better"] == "closer" and metric["id"] not in BEST for metric in metrics.values()):
    condensed = distance[np.triu_indices(len(ids), 1)]
    groups = {}
    # Rounding must not decide about a distance that is the limit itself.
    for name, group in zip(ids, fcluster(linkage(condensed, "average"), 0.1 + TOLERANCE, "distance")):
        groups.setdefault(group, set()).add(name)
    expected = sorted(sorted(group) for group in groups.values())
    found = sorted(sorted(group) for group in report["clusters"])
    assert found == expected, f"clusters: {found} {expected}"
print(f"{checked} answers and {len(report['clusters'])} clusters equal to {TOLERANCE}")
