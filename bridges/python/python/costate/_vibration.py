"""Positions of rest, modes, frequency responses and periodic responses."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _costate, _data
from ._errors import DataError

if TYPE_CHECKING:
    from ._model import Model


class Mode(NamedTuple):
    """A mode of small vibrations."""

    frequency: float
    """Undamped frequency in Hz."""
    damped_frequency: float
    """Frequency with damping in Hz."""
    damping_ratio: float
    eigenvalue: complex
    """Eigenvalue in 1/s."""
    shape: dict[str, complex]
    """Amplitudes of the coordinates."""
    outputs: dict[str, complex]
    """Amplitudes of the outputs."""


class Modes:
    """The modes of a model about a position of rest: a table, `modes[0].frequency`, `modes.frequencies`."""

    def __init__(self, model: Model, core: _costate.Modes) -> None:
        self.model, self._core = model, core
        cls = type(model)

        def named(names: Any, values: Any) -> dict[str, complex]:
            return {name: complex(*value) for name, value in zip(names, values)}

        self.all = [
            Mode(*row[:3], complex(*row[3]), named(cls.coordinates, row[4]), named(cls.outputs, row[5]))
            for row in core.all()
        ]

    @property
    def frequencies(self) -> np.ndarray:
        """Undamped frequencies in Hz."""
        return np.array([mode.frequency for mode in self.all])

    @property
    def damping_ratios(self) -> np.ndarray:
        """Damping ratios."""
        return np.array([mode.damping_ratio for mode in self.all])

    def energy_shares(self, index: int) -> dict[str, tuple[float, float, float]]:
        """Returns the shares of parameters in the potential, lost and kinetic energy of a mode."""
        index = _data.whole("`index`", index)
        return {row[0]: row[1:] for row in self._core.energy_shares(type(self.model)._core, index)}

    def animate(self, index: int, path: str | PathLike[str]) -> None:
        """Writes a moving picture of a mode: a page (`.html`) or glTF."""
        self._core.animate(_data.whole("`index`", index), path)

    def __getitem__(self, index: int) -> Mode:
        return self.all[index]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __repr__(self) -> str:
        return self._core.text()


class Response(NamedTuple):
    """A frequency response: frequencies in Hz, complex values, and their unit."""

    frequencies: np.ndarray
    values: np.ndarray
    unit: str

    @property
    def magnitudes(self) -> np.ndarray:
        """Magnitudes, in the unit."""
        return np.abs(self.values)

    @property
    def phases(self) -> np.ndarray:
        """Phases in degrees, without jumps."""
        return np.degrees(np.unwrap(np.angle(self.values)))


class Equilibrium:
    """A position of rest or a steady motion, with the linear model about it."""

    def __init__(self, model: Model, core: _costate.Equilibrium) -> None:
        self.model, self._core = model, core

    @property
    def coordinates(self) -> dict[str, float]:
        """Values of the coordinates, in their units."""
        return dict(zip(type(self.model).coordinates, self._core.coordinates()))

    @property
    def outputs(self) -> dict[str, float]:
        """Values of the outputs, in their units."""
        return dict(zip(type(self.model).outputs, self._core.outputs()))

    @property
    def holding(self) -> dict[str, float]:
        """Forces or torques that hold the coordinates that are held."""
        return dict(self._core.holding())

    @property
    def is_stable(self) -> bool | None:
        """True if all deviations decay or stay small; None where it cannot be told."""
        stable, known, _ = self._core.stability()
        return stable if known else None

    @property
    def growth(self) -> float:
        """The largest rate in 1/s at which a deviation grows; negative if all decay."""
        return self._core.stability()[2]

    @property
    def doubts(self) -> list[str]:
        """What makes stability or the linear model doubtful."""
        return self._core.doubts()

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass, damping and stiffness of the linear model, in all coordinates."""
        return self._core.matrices()

    def modes(self) -> Modes:
        """Returns the modes of small vibrations."""
        return Modes(self.model, self._core.modes())

    def response(self, frequencies: Any, input: str, output: str) -> Response:
        """Returns the frequency response of an output to an input, at frequencies in Hz."""
        frequencies = _data.numbers("the frequencies", frequencies)
        values, unit = self._core.response(type(self.model)._core, frequencies, input, output)
        return Response(frequencies, np.array([complex(*value) for value in values]), unit)

    def __repr__(self) -> str:
        return self._core.text()


class Periodic:
    """Periodic responses over frequency, a curve for each amplitude; curves go through turning points."""

    def __init__(self, model: Model, core: _costate.Periodic) -> None:
        self.model, self._core = model, core
        curves = core.curves()
        self.amplitudes = np.array([curve[0] for curve in curves])
        """Amplitudes of the curves."""
        self.turning_points = [np.array(curve[1]) for curve in curves]
        """Frequencies of the turning points of each curve in Hz."""

    def frequencies(self, curve: int = 0) -> np.ndarray:
        """Returns the frequencies of the motions of a curve in Hz."""
        return self._core.motions(self._at(curve))[0]

    def is_stable(self, curve: int = 0) -> np.ndarray:
        """Returns whether the motions of a curve are stable."""
        return np.array(self._core.motions(self._at(curve))[1])

    def harmonic(self, output: str | None = None, harmonic: int = 1, curve: int = 0) -> np.ndarray:
        """Returns the complex amplitude of a harmonic of an output, or of the driving input, along a curve."""
        index = None if output is None else self._output(output)
        values = self._core.harmonic(self._at(curve), index, _data.whole("`harmonic`", harmonic))
        return np.array([complex(*value) for value in values])

    def stiffness(self, output: str, curve: int = 0) -> np.ndarray:
        """Returns the dynamic stiffness along a curve: the driving force over the displacement `output`."""
        return np.array([complex(*value) for value in self._core.stiffness(self._at(curve), self._output(output))])

    def _output(self, output: str) -> int:
        type(self.model)._check("outputs", [output])
        return list(type(self.model).outputs).index(output)

    def _at(self, curve: int) -> int:
        if _data.whole("`curve`", curve) >= len(self.amplitudes):
            raise DataError(f"there is no curve {curve}; there are {len(self.amplitudes)}")
        return curve

    def __repr__(self) -> str:
        return self._core.text()


def equilibrium(model: Model, inputs: Any, hold: Any, start: Any, turning: Any, unstable: bool, tables: Any) -> Equilibrium:
    """Finds a position of rest."""
    cls = type(model)
    hold, start, turning = _data.names("`hold`", hold), _data.mapping("`start`", start), _data.mapping("`turning`", turning)
    cls._check("coordinates", [*hold, *start, *turning])
    inputs = {**{name: 0.0 for name in cls.inputs}, **_data.mapping("`inputs`", inputs)}
    setup = model._setup(inputs=inputs, tables=tables)

    def numbers(given: dict[str, Any]) -> list[tuple[str, float]]:
        return [(name, _data.number(f"`{name}`", one)) for name, one in given.items()]

    found = cls._library.equilibrium(cls._core, setup, hold, numbers(start), numbers(turning), bool(unstable))
    return Equilibrium(model, found)


def harmonic_balance(
    model: Model, frequencies: Any, input: str, amplitudes: Any, output: str | None, harmonics: Any, mean: float,
    stability: bool, inputs: Any, tables: Any,
) -> Periodic:
    """Computes periodic responses."""
    cls = type(model)
    cls._check("inputs", [input])
    cls._check("outputs", [] if output is None else [output])
    others = {**{name: 0.0 for name in cls.inputs}, **_data.mapping("`inputs`", inputs)}
    setup = model._setup(inputs=others, tables=tables)
    harmonics = None if harmonics is None else _data.whole("`harmonics`", harmonics, 1)
    found = cls._library.harmonic_balance(
        cls._core, setup, input, output, _data.numbers("`amplitudes`", np.atleast_1d(amplitudes)),
        _data.numbers("`frequencies`", np.atleast_1d(frequencies)), harmonics, _data.number("`mean`", mean), bool(stability),
    )
    return Periodic(model, found)
