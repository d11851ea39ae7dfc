"""Reports of `score` and `traj`: cases and metrics, limits, pages, tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _core
from ._errors import LimitMissed, UndefinedError
from ._records import Finding, Record, Result
from ._tables import Columns, Table, missing

__all__ = ["Case", "Metric", "Report", "assert_limits"]

_NUMBERS = ("value", "best", "worst", "coverage")


class Metric(Record):
    """One value with what it rests on: id, value, unit, better, best, worst, status, reasons, params, detail.

    `float(metric)` raises `UndefinedError` where there is no value.

    >>> import mapjudge as mj
    >>> metric = mj.score("demo/truth.yaml", "demo/truth.yaml", metrics="overall_error")["overall_error"]
    >>> float(metric), metric.unit
    (0.0, 'cells')
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError as error:
            if name in (self._items.get("detail") or ()):
                raise AttributeError(f"no field '{name}'; it stands in the detail: metric.detail.{name}") from None
            raise error

    def __float__(self) -> float:
        value = self["value"]
        if value is None:
            reasons = ", ".join(map(str, self["reasons"]))
            raise UndefinedError(f"{self['id']} is undefined: {reasons}", "UNDEFINED")
        return float(value)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __repr__(self) -> str:
        value = "undefined" if self["value"] is None else f"{self['value']:.6g} {self['unit']}"
        reasons = f" ({', '.join(map(str, self['reasons']))})" if self["reasons"] else ""
        return f"<Metric {self['id']}: {value}{reasons}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Metric, (self._items,))


class Case(Record):
    """One judged map, trajectory or list: its metrics by id, its alignment, findings and inputs.

    >>> import mapjudge as mj
    >>> case = mj.score("demo/noise.yaml", "demo/truth.yaml", metrics="overall_error").case("noise")
    >>> case["overall_error"].value > 0, case.alignment.method
    (True, 'georeference')
    """

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
        known = ", ".join(record["id"] for record in self._items["metrics"])
        within = [record["id"] for record in self._items["metrics"] if key in (record.get("detail") or ())]
        hint = f'; statistics stand in the detail: report["{within[0]}"].detail.{key}' if within else ""
        raise KeyError(f"no metric '{key}'; there are {known}{hint}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._items:
            raise AttributeError(name)
        return self[name]

    def __repr__(self) -> str:
        return f"<Case {self['name']}: {len(self._items['metrics'])} metrics>"

    def __reduce__(self) -> tuple[object, ...]:
        return (Case, (self._items,))


class Report(Result, Table):
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

    def __contains__(self, metric: object) -> bool:
        return any(metric in (found, found["id"]) for found in self)

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError as error:
            hint = None if name.startswith("_") else self._place_of(name)
            raise AttributeError(hint or str(error)) from None

    def _place_of(self, name: str) -> str | None:
        """Where stands what somebody looks for as an attribute."""
        # Of errors of trajectories that of positions first, which is what most mean.
        ordered = sorted(self, key=lambda metric: not str(metric["id"]).endswith("_translation"))
        ids = [metric["id"] for metric in ordered]
        if name in ids:
            return f'metrics are items: report["{name}"]'
        within = [metric["id"] for metric in ordered if name in (metric["detail"] or ())]
        first = [*within, *ids, "ID"][0]
        if within or name in ("stats", "statistics", "value"):
            place = "value" if name == "value" else f"detail.{name}" if within else "detail"
            return f"Report has no field '{name}'; each metric has its own: report[\"{first}\"].{place}"
        return None

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of all cases, as iteration gives them."""
        return tuple(self)

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

    def _columns(self) -> Columns:
        """The columns of `--format csv`."""
        import csv
        import io

        header, *rows = csv.reader(io.StringIO(self.render("csv")))
        columns: Columns = []
        for index, name in enumerate(header):
            fields = [row[index] for row in rows]
            if name in _NUMBERS:
                numbers = [float(field) if field else None for field in fields]
                columns.append((name, {"numbers": numbers}))
            else:
                texts: list[str | None] = [*fields]
                columns.append((name, {"texts": texts}))
        return columns

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
        """Draws the values that have a best and a worst, from worst (0) to best (1); of trajectories the statistics of the
        errors, an axes for each metric. The axes of matplotlib."""
        try:
            from matplotlib import pyplot
        except ImportError:
            raise missing("matplotlib", "plot") from None
        chosen = [metric for metric in self if metrics is None or metric["id"] in metrics]
        errors = list(dict.fromkeys(metric["id"] for metric in chosen if "rmse" in (metric["detail"] or ())))
        if errors:
            _, several = pyplot.subplots(1, len(errors), squeeze=False, layout="constrained", figsize=(4.5 * len(errors), 4.0))
            for one, id in zip(several[0], errors, strict=True):
                self._draw_errors(one, id)
            return several[0] if len(errors) > 1 else several[0][0]
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

    def _draw_errors(self, axes: Any, id: str) -> None:
        for case in self.cases:
            for metric in case["metrics"]:
                detail = metric["detail"] or {}
                if metric["id"] != id or "rmse" not in detail:
                    continue
                shown = [name for name in ("max", "p95", "rmse", "mean", "median", "min") if name in detail]
                axes.plot(shown, [detail[name] for name in shown], "o", label=case["name"])
                axes.set_ylabel(metric["unit"])
        axes.set_title(id)
        axes.set_ylim(bottom=0)
        axes.legend()


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
