#!/usr/bin/env python3
"""Compares thinning after Zhang and Suen with OpenCV, cell by cell.

    against_opencv.py --thin target/debug/examples/thin [--data ../shared/data]

Needs opencv-contrib-python-headless and numpy. Exits 1 if a cell differs.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy

REAL_MAPS = 20


def generated():
    """Masks by name: noise of several densities, corridors, blobs, single lines, odd sizes."""
    random = numpy.random.default_rng(2009)
    for share in (0.2, 0.5, 0.7, 0.9):
        for width, height in ((64, 64), (65, 63), (130, 257), (1, 40), (40, 1), (3, 3)):
            yield f"noise {share} {width}x{height}", (random.random((height, width)) < share).astype(numpy.uint8) * 255
    for seed in range(8):
        picture = numpy.zeros((300, 400), numpy.uint8)
        for _ in range(40):
            x, y = (int(v) for v in random.integers(0, (400, 300)))
            w, h = (int(v) for v in random.integers(3, 90, 2))
            cv2.rectangle(picture, (x, y), (x + w, y + h), 255, -1)
            cv2.circle(picture, (y, x % 300), w // 3, 255 * (seed % 2), -1)
        yield f"rooms {seed}", picture


def real(data):
    """Free cells of real maps, evenly drawn from all of the shared sets."""
    folders = ("halmstad-robot-maps", "slam-comparison-leo", "room-segmentation-ipa")
    files = sorted(file for folder in folders for kind in ("*.pgm", "*.png") for file in (data / folder).rglob(kind))
    step = max(1, len(files) // REAL_MAPS)
    for file in files[::step][:REAL_MAPS]:
        picture = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        if picture is not None:
            yield f"{file.parent.name}/{file.name}", numpy.where(picture > 250, 255, 0).astype(numpy.uint8)


def thinned_by_opencv(mask):
    """OpenCV leaves the outermost cells of a picture as they are; with a frame of empty cells it thins all of them, as we
    do. Where those cells are empty anyway, the frame changes nothing."""
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return cv2.ximgproc.thinning(framed, thinningType=cv2.ximgproc.THINNING_ZHANGSUEN)[1:-1, 1:-1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--thin", required=True)
    arguments.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    arguments = arguments.parse_args()
    masks = list(generated()) + list(real(arguments.data))
    with tempfile.TemporaryDirectory() as scratch:
        pairs = [(f"{scratch}/{n}.pgm", f"{scratch}/{n}-thin.pgm") for n in range(len(masks))]
        for (_, mask), (before, _) in zip(masks, pairs):
            cv2.imwrite(before, mask)
        subprocess.run([arguments.thin] + [file for pair in pairs for file in pair], check=True)
        differing = 0
        for (name, mask), (_, after) in zip(masks, pairs):
            theirs = thinned_by_opencv(mask)
            cells = int((cv2.imread(after, cv2.IMREAD_GRAYSCALE) != theirs).sum())
            if cells:
                print(f"{name}: {cells} of {mask.size} cells differ")
                differing += 1
    real_maps = len(masks) - len(list(generated()))
    print(f"{len(masks)} pictures thinned like OpenCV {cv2.__version__} ({real_maps} real ones), {differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
