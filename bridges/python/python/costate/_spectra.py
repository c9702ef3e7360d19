"""Spectra of records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _costate, _data
from ._errors import DataError
from ._record import Record


class SpectralDensity(NamedTuple):
    """The one-sided spectral density of a channel."""

    channel: str
    unit: str | None
    """Square of the channel's unit per Hz."""
    frequencies: np.ndarray
    """Frequencies in Hz."""
    values: np.ndarray
    deviations: np.ndarray
    """Standard deviations of the values."""
    averages: float
    """Number of independent averages."""
    root_mean_square: float
    """Root mean square of the channel, of all lines."""


class MeasuredResponse(NamedTuple):
    """A frequency response of an output to an input, from a record."""

    name: str
    unit: str | None
    """Unit of the output."""
    reference_unit: str | None
    """Unit of the input."""
    frequencies: np.ndarray
    """Frequencies in Hz."""
    values: np.ndarray
    """Complex values."""
    coherence: np.ndarray | None
    deviations: np.ndarray | None
    """Standard deviations of real and imaginary parts."""
    averages: float | None
    """Number of independent averages."""
    added_decay: float
    """Decay in 1/s that an exponential window has added."""
    notes: list[str]
    """What the numbers may not show."""

    @property
    def magnitudes(self) -> np.ndarray:
        """Magnitudes, in the unit."""
        return np.abs(self.values)

    @property
    def phases(self) -> np.ndarray:
        """Phases in degrees, without jumps."""
        return np.degrees(np.unwrap(np.angle(self.values)))


class MapAxis(NamedTuple):
    """An axis of a map."""

    name: str
    """`time`, `frequency`, `speed` or `order`."""
    unit: str | None
    values: np.ndarray


class SpectralMap(NamedTuple):
    """Spectra side by side: amplitudes at `x` (time or speed) and `y` (frequency or order)."""

    channel: str
    unit: str | None
    x: MapAxis
    y: MapAxis
    values: np.ndarray
    """A row for each value of `y`."""
    speeds: np.ndarray | None
    """Speed in 1/min at every `x`, where a tacho measures it."""
    notes: list[str]
    """What the numbers may not show."""


def spectra(
    record: Record,
    *,
    density: Any = (),
    response: Any = (),
    input: Any = (),
    map: str | None = None,
    length: int | None = None,
    window: str | None = None,
    overlap: float | None = None,
    between: tuple[float, float] | None = None,
    estimator: str | None = None,
    blows: float | None = None,
    before: float = 0.01,
    after: float = 1.0,
    time_constant: float | None = None,
    tacho: str | None = None,
    threshold: float | None = None,
    hysteresis: float = 0.0,
    pulses: int | None = None,
    orders: bool = False,
    up_to: float | None = None,
) -> list[SpectralDensity] | list[MeasuredResponse] | SpectralMap:
    """Computes spectral densities of the channels `density`, frequency responses of the channels `response` to those of
    `input`, or the spectrogram of the channel `map`, as the command `costate spectra` does.

    `length` is the number of samples of a segment, `window` "rectangular", "hann", "flat_top" or "blackman_harris",
    `overlap` the part of a segment that the next one has as well; lines from `between` (from, to) in Hz are kept.
    `estimator` of responses is "h1", "h2" or "hv". With `blows`, a level in the unit of the first input, pieces from
    `before` to `after` s around each blow are averaged in place of segments, in an exponential window with a
    `time_constant` in s.

    With `tacho`, a channel that rises to `threshold` at each of the `pulses` of a revolution, a map is over the speed,
    and with `orders` of orders up to `up_to`, of the signal over the angle.
    """
    if not isinstance(record, Record):
        raise DataError(f"a {type(record).__name__} is no record; give what `costate.read` or `costate.Record` returns")
    names = {key: _data.names(f"`{key}`", given) for key, given in (("density", density), ("response", response), ("input", input))}
    if sum((bool(names["density"]), bool(names["response"]), map is not None)) != 1:
        raise DataError("give one of `density`, `response` with `input`, or `map`")
    if (len(names["input"]) > 0) != (len(names["response"]) > 0):
        raise DataError("a frequency response has outputs and inputs; give both `response` and `input`")
    what = map if map is not None else ""
    if not isinstance(what, str) or not all(isinstance(one, (str, type(None))) for one in (window, estimator, tacho)):
        raise DataError("`map`, `window`, `estimator` and `tacho` are texts")

    def number(name: str, given: Any) -> float | None:
        return None if given is None else _data.number(f"`{name}`", given)

    segments = {
        "length": None if length is None else _data.whole("`length`", length, 1),
        "window": window,
        "overlap": number("overlap", overlap),
        "between": None if between is None else _data.pair("`between`", between),
        "estimator": estimator,
        "blows": None if blows is None else tuple(
            number(name, given) for name, given in
            (("blows", blows), ("before", before), ("after", after), ("time_constant", time_constant))
        ),
    }
    if names["density"]:
        return [SpectralDensity(*row) for row in _costate.densities(record._core, names["density"], segments)]
    if names["response"]:
        return [
            MeasuredResponse(*texts, frequencies, real + 1j * imaginary, *certainty, decay, notes)
            for texts, (frequencies, real, imaginary), certainty, decay, notes
            in _costate.responses(record._core, names["response"], names["input"], segments)
        ]
    shaft = None
    if tacho is not None:
        if threshold is None or pulses is None:
            raise DataError("a tacho needs `threshold` and `pulses` of a revolution")
        shaft = {
            "tacho": tacho,
            "threshold": number("threshold", threshold),
            "hysteresis": number("hysteresis", hysteresis),
            "pulses": _data.whole("`pulses`", pulses, 1),
            "orders": bool(orders),
            "highest_order": number("up_to", up_to),
        }
    (channel, unit), x, y, (values, speeds, notes) = _costate.spectral_map(record._core, what, segments, shaft)
    return SpectralMap(channel, unit, MapAxis(*x), MapAxis(*y), values, speeds, notes)
