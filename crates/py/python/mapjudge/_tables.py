"""Rows that become tables of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import _core

if TYPE_CHECKING:
    import os

    import pandas
    import polars
    import pyarrow

Columns = list[tuple[str, Union["dict[str, list[float | None]]", "dict[str, list[str | None]]"]]]
"""Name, and values under `numbers` or `texts`: the type of a column does not depend on what is null."""


def missing(package: str, extra: str) -> ImportError:
    """What to install where an optional package is missing."""
    return ImportError(f"{package} is not installed: pip install mapjudge[{extra}]")


class Table:
    """What has columns."""

    __slots__ = ()

    def _columns(self) -> Columns:
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """The rows of `--format csv`, numbers as numbers; an empty field is None where a number stands."""
        columns = self._columns()
        values = [next(iter(column.values())) for _, column in columns]
        names = [name for name, _ in columns]
        return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas data frame."""
        try:
            import pandas
        except ImportError:
            raise missing("pandas", "pandas") from None
        columns: dict[str, Any] = {}
        for name, column in self._columns():
            ((kind, values),) = column.items()
            columns[name] = pandas.Series(values, dtype="float64") if kind == "numbers" else values
        return pandas.DataFrame(columns)

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        try:
            import polars
        except ImportError:
            raise missing("polars", "polars") from None
        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """A table of Arrow."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "arrow") from None
        return pyarrow.table(self)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the rows as a Parquet file."""
        table = self.to_arrow()
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Arrow's C interface: polars, DuckDB, pandas and pyarrow take the rows by it; pyarrow need not be there.

        A requested schema is left to the one who asks, as the interface allows.
        """
        return _core.arrow_stream(self._columns())
