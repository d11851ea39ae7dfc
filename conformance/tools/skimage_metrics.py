"""Prints a metric of scikit-image on two arrays of cells: 1 occupied, 0.5 unknown, 0 free."""
import sys

import numpy as np
from skimage import metrics

name, truth, found = sys.argv[1], np.load(sys.argv[2]), np.load(sys.argv[3])


def grey(cells):
    """The greys of map savers."""
    return np.where(cells > 0.5, 0, np.where(cells < 0.5, 254, 205)).astype(np.uint8)


if name == "ssim":
    print(repr(float(metrics.structural_similarity(grey(truth), grey(found), data_range=255))))
elif name == "nmi":
    print(repr(float(metrics.normalized_mutual_information(grey(truth), grey(found), bins=256))))
else:
    print(repr(float(metrics.hausdorff_distance(truth > 0.5, found > 0.5))))
