"""Measured records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _data
from ._costate import Record as _Record
from ._errors import DataError


class Record:
    """Measured signals over time: named channels with units, `record["force"]`.

    `Record(times, {"force": values}, units={"force": "kN"})` makes one of arrays; times are in s, missing samples NaN.
    A unit is converted to that of the output or input for which a channel is used; a channel without one is taken in
    the model's unit.
    """

    def __init__(
        self,
        times: Any,
        channels: Mapping[str, Any],
        units: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> None:
        units = _data.mapping("the units", units)
        channels = _data.mapping("the channels", channels)
        for unknown in units.keys() - channels.keys():
            raise DataError(f"the unit of `{unknown}` is given, but there is no such channel")
        all_ = [(key, units.get(key), _data.numbers(f"channel `{key}`", values)) for key, values in channels.items()]
        self._core = _Record(_data.numbers("the times", times), all_, name)

    @classmethod
    def _of(cls, core: _Record) -> Record:
        record = cls.__new__(cls)
        record._core = core
        return record

    @classmethod
    def from_pandas(cls, frame: Any, units: Mapping[str, str] | None = None, name: str | None = None) -> Record:
        """Makes a record of a DataFrame: its index is the time in s, unless it has a column `time` or `t`."""
        columns = {str(column): frame[column] for column in frame.columns}
        times = next((columns.pop(key) for key in ("time", "t") if key in columns), None)
        times = _data.seconds("the record", frame.index) if times is None else _data.numbers("the times", times)
        return cls(times, {key: values.to_numpy() for key, values in columns.items()}, units, name)

    @property
    def name(self) -> str:
        """Name of the record: that of its file."""
        return self._core.name

    @property
    def t(self) -> np.ndarray:
        """Times in s."""
        return self._core.times()

    @property
    def channels(self) -> dict[str, str | None]:
        """Names of the channels, with their units."""
        return dict(self._core.channels())

    @property
    def doubts(self) -> list[str]:
        """Doubts about the data."""
        return self._core.doubts()

    def __getitem__(self, channel: str) -> np.ndarray:
        return self._core.values(channel)

    def __contains__(self, channel: object) -> bool:
        return channel in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self._core.times())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in self._core.channels())
        return f"<Record {self.name!r}: {len(self)} samples of {shown}>"

    def __reduce__(self) -> Any:
        channels = self._core.channels()
        data = {name: self[name] for name, _ in channels}
        return (Record, (self.t, data, {name: unit for name, unit in channels if unit}, self.name))

    def starting_at_zero(self) -> Record:
        """Returns the record with times that count from its first sample."""
        return Record._of(self._core.starting_at_zero())

    def between(self, start: float | None = None, end: float | None = None) -> Record:
        """Returns the samples from `start` to `end`, in s."""
        core = self._core
        core = core if end is None else core.until(_data.number("`end`", end))
        core = core if start is None else core.since(_data.number("`start`", start))
        return Record._of(core)

    def resampled(self, interval: float) -> Record:
        """Returns the record at a constant interval in s."""
        return Record._of(self._core.resampled(_data.number("`interval`", interval, positive=True)))

    def write_csv(self, path: str | PathLike[str]) -> None:
        """Writes a CSV file."""
        self._core.write_csv(path)

    def to_pandas(self) -> Any:
        """Returns a DataFrame with the time in s as index."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self}, index=pandas.Index(self.t, name="time"))


def read(
    path: str | PathLike[str],
    group: str | None = None,
    channels: str | None = None,
    time: str | None = None,
    every: float | None = None,
) -> Record:
    """Reads the record of a file: CSV, MDF, UFF58, MAT, NumPy, TDMS, HDF5, Parquet or WAV.

    `group` and `channels` are patterns (`acc*`) that choose from a file with several; `time` names the channel of the
    times; `every` brings channels of several rates to one interval in s.
    """
    found = _Record.read(path, group, channels, time, every)
    if len(found) != 1:
        shown = ", ".join(f"`{record.name}`" for record in found)
        raise DataError(
            f"`{fspath(path)}` has {len(found)} records ({shown}); choose by `group` or `channels`, or give `every`"
        )
    return Record._of(found[0])


def read_all(path: str | PathLike[str], group: str | None = None, channels: str | None = None) -> list[Record]:
    """Reads all records of a file, one for each rate and group."""
    return [Record._of(record) for record in _Record.read(path, group, channels, None, None)]
