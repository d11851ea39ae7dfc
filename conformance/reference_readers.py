"""Reference for readers of ROS map files: the class of each cell, by the rules of the map servers.

    p = (255 - x) / 255, or x / 255 with negate
    trinary: occupied where p > occupied_thresh, free where p < free_thresh, else unknown; both strictly
    scale:   the same at the ends; between them the probability (p - free) / (occupied - free), whose class is occupied
             above one half, free below it
    raw:     x from 0 to 100 is a percentage, anything else is unknown
"""

GREYS = [[(row * 16 + column) for column in range(16)] for row in range(16)]
SAVED = [[0, 254, 205], [205, 0, 254], [254, 205, 0]]
HEAD = "image: map.pgm\nresolution: 0.05\norigin: [0.0, 0.0, 0.0]\n"


class Rule:
    def __init__(self, occupied=0.65, free=0.196, negate=False, mode="trinary"):
        self.occupied, self.free, self.negate, self.mode = occupied, free, negate, mode

    def cell(self, x, treat_205_as_unknown=False):
        if treat_205_as_unknown and x == (50 if self.negate else 205):
            return "?"
        if self.mode == "raw":
            return self.of_probability(x / 100 if x <= 100 else 0.5)
        p = x / 255 if self.negate else (255 - x) / 255
        if p > self.occupied:
            return "#"
        if p < self.free:
            return "."
        return "?" if self.mode == "trinary" else self.of_probability((p - self.free) / (self.occupied - self.free))

    @staticmethod
    def of_probability(p):
        return "#" if p > 0.5 else "." if p < 0.5 else "?"


THRESHOLDS = "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
# Name: text of the YAML behind image, resolution and origin; how it is read; greys.
DIALECTS = {
    "yaml_usual": (THRESHOLDS + "negate: 0\nmode: trinary\n", Rule(), GREYS),
    "yaml_no_mode": (THRESHOLDS + "negate: 0\n", Rule(), GREYS),
    "yaml_negate": (THRESHOLDS + "negate: 1\n", Rule(negate=True), GREYS),
    "yaml_negate_word": (THRESHOLDS + "negate: true\n", Rule(negate=True), GREYS),
    "yaml_mode_capital": (THRESHOLDS + "negate: 0\nmode: Scale\n", Rule(mode="scale"), GREYS),
    "yaml_scale": (THRESHOLDS + "negate: 0\nmode: scale\n", Rule(mode="scale"), GREYS),
    "yaml_raw": (THRESHOLDS + "negate: 0\nmode: raw\n", Rule(mode="raw"), GREYS),
    "yaml_nav2_default": ("occupied_thresh: 0.65\nfree_thresh: 0.25\nnegate: 0\nmode: trinary\n", Rule(free=0.25), SAVED),
    # 204 is 51/255 = 0.2 and 51 is 0.8, both exactly at a threshold: unknown, since both comparisons are strict.
    "yaml_at_thresholds": ("occupied_thresh: 0.8\nfree_thresh: 0.2\nnegate: 0\n", Rule(0.8, 0.2), [[50, 51, 52], [203, 204, 205]]),
    "yaml_saved": (THRESHOLDS + "negate: 0\nmode: trinary\n", Rule(), SAVED),
    "yaml_turned_origin": (THRESHOLDS + "negate: 0\n", Rule(), SAVED),
    "yaml_extra_keys": ("# written by a tool of our own\nframe_id: map\n" + THRESHOLDS + "negate: 0\n", Rule(), SAVED),
    "yaml_flow_style": (None, Rule(), SAVED),
}
# Cells of yaml_at_thresholds, written down by hand.
BY_HAND = {"yaml_at_thresholds": ["#??", "??."], "yaml_saved": ["#.?", "?#.", ".?#"], "yaml_nav2_default": ["#..", ".#.", "..#"]}


def files(name):
    rest, _, greys = DIALECTS[name]
    head = HEAD.replace("0.0, 0.0, 0.0", "1.0, 2.0, 0.5") if name == "yaml_turned_origin" else HEAD
    yaml = head + rest if rest is not None else (
        "{image: map.pgm, resolution: 0.05, origin: [0, 0, 0], occupied_thresh: 0.65, free_thresh: 0.196, negate: 0}\n")
    rows = "".join(" ".join(str(x) for x in row) + "\n" for row in greys)
    return {"map.yaml": yaml, "map.pgm": "P2\n# greys of cells\n%d %d\n255\n%s" % (len(greys[0]), len(greys), rows)}


def expected(name):
    _, rule, greys = DIALECTS[name]
    records = []
    for params in ({}, {"treat_205_as_unknown": True}):
        rows = ["".join(rule.cell(x, **params) for x in row) for row in greys]
        records.append({"metric": "cell_classes", "params": params, "value": rows, "status": "ok", "reasons": []})
    return records
