"""Kalman filters and smoothers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _costate, _data
from ._errors import DataError
from ._fit import _driven, _measured

if TYPE_CHECKING:
    from ._model import Model

_METHODS = ("extended", "unscented", "square_root_unscented")


class Filtered:
    """States and followed parameters over time: `filtered["x"]`, `filtered.deviation("x")`."""

    def __init__(self, model: Model, outputs: list[str], core: _costate.Filtered) -> None:
        self.model, self._outputs = model, outputs
        self.names: list[str] = core.names
        """Names of the states: independent coordinates, their rates, followed parameters."""
        self.means: np.ndarray = core.means()
        """The estimates, a row for each state."""
        self.deviations: np.ndarray = core.deviations()
        """Their standard deviations."""
        self._predicted = core.predicted()
        self.t: np.ndarray = np.arange(self.means.shape[1]) * core.interval
        """Times of the samples in s."""

    def _at(self, name: str) -> int:
        if name not in self.names:
            raise DataError(f"there is no state {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.means[self._at(name)]

    def deviation(self, name: str) -> np.ndarray:
        """Returns the standard deviation of a state at all samples."""
        return self.deviations[self._at(name)]

    def predicted(self, output: str) -> np.ndarray:
        """Returns the predictions of a measured output, each from the samples before it."""
        if output not in self._outputs:
            raise DataError(f"the output {output!r} was not measured; there are {', '.join(self._outputs)}")
        return self._predicted[self._outputs.index(output)]

    def to_pandas(self) -> Any:
        """Returns a DataFrame of the estimates, with the time in s as index."""
        import pandas

        return pandas.DataFrame(self.means.T, columns=self.names, index=pandas.Index(self.t, name="time"))

    def __repr__(self) -> str:
        last = ", ".join(f"{name} = {self[name][-1]:g} ± {self.deviation(name)[-1]:.2g}" for name in self.names)
        return f"<Filtered {type(self.model).__name__}: {len(self.t)} samples to {self.t[-1]:g} s; {last}>"


def filtered(
    model: Model, measured: Any, noise: Any, follow: Any, inputs: Any, method: str, smooth: bool, settings: dict[str, Any]
) -> Filtered:
    """Filters a record."""
    cls = type(model)
    specs, record = _measured(model, measured)
    outputs = [one["output"] for one in specs]
    noise = _data.mapping("`noise`", noise)
    cls._check("outputs", noise)
    for name in outputs:
        if name not in noise:
            raise DataError(f"the errors of `{name}` are not known; give their standard deviation by noise={{\"{name}\": ..}}")
    if method not in _METHODS:
        raise DataError(f"`method` is {method!r}; give one of {', '.join(_METHODS)}")
    if not isinstance(follow, Mapping):
        follow = {name: None for name in _data.names("`follow`", follow)}
    followed = []
    for name, one in _data.mapping("`follow`", follow).items():
        cls._check("parameters", [name])
        one = one if isinstance(one, tuple) else (0.2 * abs(model[name]) if one is None else one, 0.0)
        if len(one) != 2:
            raise DataError(f"`follow` of `{name}` is {one!r}; give a standard deviation, or (deviation, drift)")
        deviation = _data.number(f"the deviation of `{name}` at the start", one[0], positive=True)
        followed.append((name, deviation, abs(_data.number(f"the drift of `{name}`", one[1]))))
    setup = model._setup(inputs=_driven(model, _data.mapping("`inputs`", inputs), record), **settings)
    deviations = [_data.number(f"the noise of `{name}`", noise[name], positive=True) for name in outputs]
    return Filtered(model, outputs, cls._library.filter(cls._core, setup, specs, deviations, followed, method, bool(smooth)))
