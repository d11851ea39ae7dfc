"""Results: frozen values over the JSON that the command line prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import LimitMissed, UndefinedError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def missing(package: str, extra: str) -> ImportError:
    return ImportError(f"{package} is not installed: pip install mapjudge[{extra}]")


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return value


class Record(Mapping[str, Any]):
    """An object of a result: its fields as attributes and as items; nothing in it can be changed."""

    __slots__ = ("_items",)
    _items: dict[str, Any]

    def __init__(self, items: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_items", {key: _frozen(value) for key, value in items.items()})

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._items[name]
        except KeyError:
            raise AttributeError(f"no field '{name}'; there are {', '.join(self._items)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("results cannot be changed")

    def __hash__(self) -> int:
        return hash(json.dumps(plain(self), sort_keys=True))

    def __repr__(self) -> str:
        return f"Record({self._items!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Record, (self._items,))


def plain(value: Any) -> Any:
    """The same with dicts and lists, as `json.loads` gives them."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


class Result:
    """What a command gave: the fields of its JSON as attributes.

    `to_json()` is the text that the command prints with `--format json`; two results are equal if that is.
    """

    __slots__ = ("_text", "_notes", "_verdict", "_page", "_parsed")
    _text: str
    _notes: tuple[str, ...]
    _verdict: str
    _page: str | None

    def __init__(
        self,
        text: str,
        notes: tuple[str, ...] | list[str] = (),
        verdict: str = "fine",
        page: str | None = None,
    ) -> None:
        for name, value in (
            ("_text", text),
            ("_notes", tuple(notes)),
            ("_verdict", verdict),
            ("_page", page),
        ):
            object.__setattr__(self, name, value)

    @property
    def _fields(self) -> Any:
        try:
            return self._parsed
        except AttributeError:
            parsed = _frozen(json.loads(self._text, object_hook=Record))
            object.__setattr__(self, "_parsed", parsed)
            return parsed

    def to_json(self) -> str:
        """The text that the command prints with `--format json`."""
        return self._text

    def to_dict(self) -> Any:
        """The fields as plain dicts and lists, which may be changed."""
        return json.loads(self._text)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the command would have said beside its result, such as warnings."""
        return self._notes

    @property
    def verdict(self) -> str:
        """`fine`, `missed` (a limit), `undefined` (a metric asked for by name) or `not_judged` (a case)."""
        return self._verdict

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        fields = self._fields
        if isinstance(fields, Mapping) and name in fields:
            return fields[name]
        known = ", ".join(fields) if isinstance(fields, Mapping) else "none"
        raise AttributeError(f"{type(self).__name__} has no field '{name}'; there are {known}")

    def __dir__(self) -> list[str]:
        fields = self._fields
        return [*super().__dir__(), *(fields if isinstance(fields, Mapping) else ())]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("results cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._text == other._text

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._text))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self._text, self._notes, self._verdict, self._page))

    def __repr__(self) -> str:
        fields = self._fields
        shown = ", ".join(fields) if isinstance(fields, Mapping) else f"{len(fields)} entries"
        return f"<{type(self).__name__}: {shown}>"


class Finding(Record):
    """What was noticed about a file or an array: level, code, message and hint."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Finding {self['level']} {self['code']}: {self['message']}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Finding, (self._items,))


class Metric(Record):
    """One value with what it rests on: id, value, unit, better, best, worst, status, reasons, params, detail.

    `float(metric)` raises `UndefinedError` where there is no value.
    """

    __slots__ = ()

    def __float__(self) -> float:
        value = self["value"]
        if value is None:
            reasons = ", ".join(map(str, self["reasons"]))
            raise UndefinedError(f"{self['id']} is undefined: {reasons}", "UNDEFINED")
        return float(value)

    def __repr__(self) -> str:
        value = "undefined" if self["value"] is None else f"{self['value']:.6g} {self['unit']}"
        reasons = f" ({', '.join(map(str, self['reasons']))})" if self["reasons"] else ""
        return f"<Metric {self['id']}: {value}{reasons}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Metric, (self._items,))


class Case(Record):
    """One judged map, trajectory or list: its metrics by id, its alignment, findings and inputs."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        if key in self._items:
            value = self._items[key]
            if key == "metrics":
                return tuple(Metric(record) for record in value)
            return tuple(Finding(f) for f in value) if key == "findings" else value
        for record in self._items["metrics"]:
            if record["id"] == key:
                return Metric(record)
        raise KeyError(f"no metric '{key}'; there are {', '.join(r['id'] for r in self._items['metrics'])}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._items:
            raise AttributeError(name)
        return self[name]

    def __repr__(self) -> str:
        return f"<Case {self['name']}: {len(self._items['metrics'])} metrics>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Case, (self._items,))


class _Table:
    """Rows that become tables of other packages."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame."""
        try:
            import pandas
        except ImportError:
            raise missing("pandas", "pandas") from None
        return pandas.DataFrame(self.rows())

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        try:
            import polars
        except ImportError:
            raise missing("polars", "polars") from None
        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def to_arrow(self) -> pyarrow.Table:
        """A table of Arrow."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "arrow") from None
        return pyarrow.Table.from_pylist(self.rows())

    def to_parquet(self, path: str) -> None:
        """Writes the rows as a Parquet file."""
        table = self.to_arrow()
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's C interface, through pyarrow: polars, DuckDB and pandas read the rows by it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


_NUMBERS = ("value", "best", "worst", "coverage")


class Report(Result, _Table):
    """The report of `score` and `traj`: `report["overall_error"].value`, `report.to_pandas()`.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.full((20, 30), 254, np.uint8)
    >>> truth[5, :] = 0
    >>> report = mj.score(truth, truth, resolution=0.05, metrics=["overall_error"])
    >>> report["overall_error"].value
    0.0
    """

    __slots__ = ()

    @property
    def cases(self) -> tuple[Case, ...]:
        """One entry per judged map or trajectory."""
        return tuple(Case(record) for record in self._fields["cases"])

    def case(self, name: str) -> Case:
        """The case of this name."""
        for case in self.cases:
            if case["name"] == name:
                return case
        raise KeyError(f"no case '{name}'; there are {', '.join(c['name'] for c in self.cases)}")

    def _only(self) -> Case:
        cases = self.cases
        if len(cases) != 1:
            raise KeyError(f"the report has {len(cases)} cases: choose one with report.case(name)")
        return cases[0]

    def __getitem__(self, metric: str) -> Metric:
        value = self._only()[metric]
        if not isinstance(value, Metric):
            raise KeyError(f"no metric '{metric}'")
        return value

    def __iter__(self) -> Iterator[Metric]:
        return iter([metric for case in self.cases for metric in case["metrics"]])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed about the inputs of all cases."""
        return tuple(finding for case in self.cases for finding in case["findings"])

    def values(self) -> dict[str, float | None]:
        """Value by id, of a report with one case."""
        return {metric["id"]: metric["value"] for metric in self._only()["metrics"]}

    def render(self, format: str) -> str:
        """The report as `table`, `json`, `csv`, `md`, `latex`, `html` or `junit`; figures are not part of it."""
        return _core.render(self._text, format)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of `--format csv`, numbers as numbers."""
        import csv
        import io

        rows: list[dict[str, Any]] = []
        for row in csv.DictReader(io.StringIO(self.render("csv"))):
            one: dict[str, Any] = dict(row)
            for name in _NUMBERS:
                one[name] = float(one[name]) if one.get(name) else None
            rows.append(one)
        return rows

    def to_html(self) -> str:
        """The report as a page; with figures if it was made with `figures=True`."""
        return self._page if self._page is not None else self.render("html")

    def _repr_html_(self) -> str:
        from html import escape

        page = escape(self.to_html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:32em;border:0" sandbox></iframe>'

    def __str__(self) -> str:
        return self.render("table")

    def __repr__(self) -> str:
        names = ", ".join(case["name"] for case in self.cases)
        return f"<Report of {names}: {self.verdict}>"

    def plot(self, metrics: list[str] | None = None) -> Any:
        """Draws the values that have a best and a worst, from worst (0) to best (1); the axes of matplotlib."""
        try:
            from matplotlib import pyplot
        except ImportError:
            raise missing("matplotlib", "plot") from None
        _, axes = pyplot.subplots()
        for case in self.cases:
            ratios = {}
            for metric in case["metrics"]:
                best, worst, value = metric["best"], metric["worst"], metric["value"]
                if None in (best, worst, value) or best == worst:
                    continue
                if metrics is None or metric["id"] in metrics:
                    ratios[metric["id"]] = (value - worst) / (best - worst)
            axes.plot(list(ratios.values()), list(ratios), "o", label=case["name"])
        axes.set_xlabel("worst (0) to best (1)")
        axes.legend()
        return axes


class Alignment(Result):
    """How a map lies on the truth: `verdict` of the certificate, `truth_from_map`, `matrix`, `certificate`.

    `mj.score(.., align=alignment)` takes it.
    """

    __slots__ = ()

    @property
    def truth_from_map(self) -> Record | None:
        """x_m, y_m, theta_rad and scale; none if the search failed."""
        found: Record | None = self._fields["alignment"]["truth_from_map"]
        return found

    @property
    def certificate(self) -> Record | None:
        """What supports the transform."""
        found: Record | None = self._fields["alignment"]["certificate"]
        return found

    @property
    def verdict(self) -> str:
        """`certain`, `ambiguous`, `failed` or `mirrored`."""
        certificate = self.certificate
        return "unknown" if certificate is None else str(certificate["verdict"])

    @property
    def matrix(self) -> Any:
        """The transform as a 3 x 3 array for points (x, y, 1)."""
        import math

        import numpy

        found = self.truth_from_map
        if found is None:
            raise UndefinedError("the search found no transform", "UNDEFINED")
        c = found["scale"] * math.cos(found["theta_rad"])
        s = found["scale"] * math.sin(found["theta_rad"])
        return numpy.array([[c, -s, found["x_m"]], [s, c, found["y_m"]], [0.0, 0.0, 1.0]])


class Rooms(Result):
    """The rooms of a map, as `mapjudge rooms` lists them."""

    __slots__ = ()


class Graph(Result):
    """The graph of a map: nodes and edges with clearances."""

    __slots__ = ()


class Portals(Result):
    """Doors and passages, and whether paths go through them."""

    __slots__ = ()


class Fiducials(Result):
    """Fiducials found in a map, against their layout."""

    __slots__ = ()


class Points(Result):
    """Labelled points against the truth, by the rules of a league."""

    __slots__ = ()


class Comparison(Result):
    """Two maps side by side."""

    __slots__ = ()


class Consensus(Result):
    """Several maps of one place against each other."""

    __slots__ = ()


class Contest(Result):
    """The ranking of a contest."""

    __slots__ = ()


class Info(Result):
    """What files hold."""

    __slots__ = ()


class Relations(Result):
    """What is wrong with relations, if anything."""

    __slots__ = ()


class MapRun(Result):
    """What a mapper did."""

    __slots__ = ()


class Exploration(Result):
    """An explored place."""

    __slots__ = ()


class Simulation(Result):
    """A simulated run."""

    __slots__ = ()


class Other(Result):
    """The result of any other command."""

    __slots__ = ()


def assert_limits(report: Report, limits: str) -> Report:
    """Raises `LimitMissed`, with the table of missed rules, unless all rules of a limits file hold.

    `limits` is the path of such a file, or its text (it then has a line break or a comparison in it). For use in any
    test function; the report comes back with the results of the rules in `report.limits`.

    >>> import mapjudge as mj, numpy as np
    >>> truth = np.eye(20, dtype=bool)
    >>> report = mj.score(truth, truth, resolution=0.05, metrics=["overall_error"])
    >>> mj.assert_limits(report, "overall_error <= 5").verdict
    'fine'
    """
    import os

    text, path = str(limits), "limits"
    if not any(sign in text for sign in ("\n", "<", ">", "=")):
        path = os.fspath(limits)
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            from ._errors import MissingFile

            raise MissingFile(f"{path}: no such file", "FILE_NOT_READABLE", None, path) from None
    held_json, held = _core.hold(report.to_json(), text, path)
    result = Report(held_json, report.notes, "fine" if held else "missed")
    if not held:
        lines = ["limits were missed:"]
        for row in result.limits:
            if not row["held"]:
                value = "undefined" if row["value"] is None else row["value"]
                lines.append(f"  {row['case']}: {row['metric']} = {value}, expected {row['rule']}")
        raise LimitMissed("\n".join(lines), "LIMIT_MISSED")
    return result
