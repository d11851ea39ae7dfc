"""Vector layers as values: points, lines and areas with attributes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from . import _core
from ._paths import path_of
from ._records import Finding, Record, Result, findings_of

__all__ = ["Layer"]


class Layer(Result):
    """Points, lines and areas with attributes, out of GeoJSON or MIF/MID files: victims, paths, labels.

    Its features are those of GeoJSON with places in metres; GeoPandas and Shapely take the layer itself.

    >>> import mapjudge as mj
    >>> layer = mj.read("demo/contest/truth/victims.geojson")
    >>> layer.name, len(layer), layer[0].geometry.type
    ('victims', 5, 'Point')
    """

    __slots__ = ("_findings",)
    _findings: tuple[Finding, ...]

    def __init__(self, text: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(text)
        object.__setattr__(self, "_findings", findings)

    @classmethod
    def _read(cls, path: str) -> Layer:
        text, findings = _core.read_layer(path)
        return cls(text, findings_of(findings))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed while reading."""
        return self._findings

    @property
    def features(self) -> tuple[Record, ...]:
        """Each with `geometry` and `properties`, as in GeoJSON."""
        features: tuple[Record, ...] = self._fields["features"]
        return features

    def __len__(self) -> int:
        return len(self.features)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.features)

    def __getitem__(self, index: int) -> Record:
        return self.features[index]

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._text)
        return found

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> tuple[str, ...]:
        """Writes the layer as GeoJSON or MIF/MID; the files written."""
        return tuple(str(p) for p in _core.write_layer(self._text, path_of(path, "path"), overwrite))

    def __reduce__(self) -> tuple[object, ...]:
        return (Layer, (self._text, self._findings))

    def __repr__(self) -> str:
        return f"<Layer {self._fields.get('name', '')!r} of {len(self)} features>"
