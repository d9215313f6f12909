"""Sequences and tables as arrays. NumPy is loaded when the first array is made."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from . import _perfectplay
from .errors import PerfectPlayError


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise PerfectPlayError("arrays need NumPy: pip install numpy") from error
    return numpy


class Terms:
    """Values as one parameter runs, or two.

    ``array`` has them as numbers: nimbers, scores, or outcomes as 1 (won), 0 (drawn) and -1 (lost). Where a value is no
    number, such as a value of a partizan game, ``array`` holds texts.
    """

    def __init__(self, found: _perfectplay.Sequence) -> None:
        self._found = found
        self.name: str = found.name
        self.kind: Optional[str] = found.kind
        self.parameters: list[str] = found.parameters
        self.ranges: list[range] = [range(*ends) for ends in found.ranges]
        self.period: Optional[_perfectplay.Period] = found.period

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values there are, along each parameter."""
        return tuple(len(through) for through in self.ranges)

    @property
    def values(self) -> list:
        """The values in one list, row by row; None where the rules admit no instance."""
        return self._found.texts if self._found.texts is not None else self._found.numbers

    @property
    def array(self) -> Any:
        """The values as an array of NumPy: int64, or objects where some are missing or no numbers."""
        numpy = _numpy()
        values = self.values
        whole = self._found.texts is None and None not in values
        return numpy.array(values, dtype=numpy.int64 if whole else object).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.array
        return array if dtype is None else array.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        runs = ", ".join(f"{name}={values}" for name, values in zip(self.parameters, self.ranges))
        return f"<perfectplay.Terms {self.name} {runs}: {self.kind}>"


def sequence(
    rules: Any,
    /,
    *,
    time: Any = None,
    memory: Optional[int] = None,
    threads: Optional[int] = None,
    method: Optional[str] = None,
    **instance: Any,
) -> Terms:
    """The values of a game as one parameter runs through a ``range``, or two.

    >>> import perfectplay
    >>> kayles = perfectplay.sequence("kayles", rows=range(200))
    >>> kayles.values[:8], kayles.period.length, kayles.period.proved
    ([0, 1, 2, 3, 1, 4, 3, 2], 12, True)
    """
    found = _perfectplay.terms(rules, time=time, memory=memory, threads=threads, method=method, **instance)
    return Terms(found)


class Table(_perfectplay.TableReader):
    """A table file that ``perfectplay build`` has written, opened as arrays.

    ``table.arrays`` maps names to arrays, one row a position: ``cells`` (the variables), ``mover`` where it matters, and what
    the table knows: ``outcome`` (1, 0, -1) with ``remoteness`` (-1 for endless), ``score``, ``payoffs`` or ``nimber``. They lie
    in files of a temporary folder that are mapped into memory, so a table may be larger than that.
    """

    _folder: Optional[tempfile.TemporaryDirectory] = None
    _arrays: Optional[dict] = None

    @property
    def arrays(self) -> dict[str, Any]:
        """The arrays by name."""
        if self._arrays is None:
            numpy = _numpy()
            self._folder = tempfile.TemporaryDirectory(prefix="perfectplay-")
            self.write_arrays(Path(self._folder.name))
            files = sorted(Path(self._folder.name).glob("*.npy"))
            self._arrays = {file.stem: numpy.load(file, mmap_mode="r") for file in files}
            texts = Path(self._folder.name) / "value.txt"
            if texts.exists():
                self._arrays["value"] = numpy.array(texts.read_text().splitlines(), dtype=object)
        return self._arrays

    def __getitem__(self, name: str) -> Any:
        return self.arrays[name]

    def __repr__(self) -> str:
        return f"<perfectplay.Table {self.name} {self.instance}: {len(self)} positions>"


def open_table(path: Union[str, "os.PathLike[str]"]) -> Table:
    """Opens a table file that ``perfectplay build`` has written."""
    return Table(os.fspath(path))
