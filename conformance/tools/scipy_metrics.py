"""Prints a metric made of SciPy's functions on two arrays of cells: 1 occupied, 0.5 unknown, 0 free."""
import sys

import numpy as np
from scipy import ndimage, spatial, stats

name, truth, found = sys.argv[1], np.load(sys.argv[2]), np.load(sys.argv[3])


def there_and_back():
    """Distances from each wall cell to the nearest one of the other map."""
    a, b = truth > 0.5, found > 0.5
    if not (a.any() and b.any()):
        return None
    return ndimage.distance_transform_edt(~b)[a], ndimage.distance_transform_edt(~a)[b]


if name == "pearson":
    value = stats.pearsonr(truth.ravel(), found.ravel()).statistic if truth.size > 1 else np.nan
elif name == "hausdorff":
    a, b = np.argwhere(truth > 0.5), np.argwhere(found > 0.5)
    both = len(a) and len(b)
    directed = spatial.distance.directed_hausdorff
    value = max(directed(a, b)[0], directed(b, a)[0]) if both else np.nan
else:
    found_pairs = there_and_back()
    if found_pairs is None:
        value = np.nan
    elif name == "chamfer":
        value = np.mean([side.mean() for side in found_pairs])
    else:
        value = max(np.quantile(side, float(name)) for side in found_pairs)
print(repr(float(value)))
