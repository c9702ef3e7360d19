"""Results of simulations."""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _costate
from ._errors import UnknownNameError

if TYPE_CHECKING:
    from ._model import ModelType


class Run:
    """The result of a simulation: `run.t`, `run["acceleration"]`, `run.states`.

    Arrays are views of one block, which is read-only; they stay valid without the run.
    """

    def __init__(self, model: ModelType, core: _costate.Run) -> None:
        self.model = model
        self._core = core

    @cached_property
    def t(self) -> np.ndarray:
        """Times of the samples in s."""
        return _fixed(self._core.times())

    @cached_property
    def outputs(self) -> np.ndarray:
        """All outputs in their units, a row for each."""
        return _fixed(self._core.outputs())

    @cached_property
    def states(self) -> np.ndarray:
        """Coordinates, velocities, accelerations and multipliers, a row for each; `state_names` names them."""
        return _fixed(self._core.states())

    @property
    def state_names(self) -> list[str]:
        """Names of the rows of `states`: `x`, `dot(x)`, `ddot(x)`, and constraints for their multipliers."""
        names = list(self.model.coordinates)
        rates = [f"{rate}({name})" for rate in ("dot", "ddot") for name in names]
        return names + rates + list(self.model.constraints)

    @property
    def step(self) -> float:
        """Step, or for adaptive steps the sampling interval, in s."""
        return self._core.step

    @property
    def steps(self) -> int:
        """Number of steps."""
        return self._core.steps

    def __getitem__(self, name: str) -> np.ndarray:
        """Returns an output, or else a coordinate `x`, its rate `dot(x)`, `ddot(x)`, or a multiplier, at all times."""
        outputs = list(self.model.outputs)
        if name in outputs:
            return self.outputs[outputs.index(name)]
        states = self.state_names
        if name in states:
            return self.states[states.index(name)]
        raise self.model._unknown("outputs", name)

    def __contains__(self, name: object) -> bool:
        return name in self.model.outputs or name in self.state_names

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return f"<Run of {self.model.__name__}: {len(self)} samples to {self.t[-1]:g} s, outputs {', '.join(self.model.outputs)}>"

    def accuracy(self) -> _costate.Accuracy:
        """Estimates the errors that the steps leave in coordinates and outputs, by runs with other steps."""
        return self._core.accuracy()

    def to_pandas(self) -> Any:
        """Returns a DataFrame of the outputs, with the time in s as index; units are in `attrs["units"]`."""
        import pandas

        data = {name: self[name] for name in self.model.outputs}
        frame = pandas.DataFrame(data, index=pandas.Index(self.t, name="time"))
        frame.attrs["units"] = {name: output.unit for name, output in self.model.outputs.items()}
        return frame

    def to_xarray(self) -> Any:
        """Returns a Dataset of the outputs over `time` in s, with their units."""
        import xarray

        data = {
            name: ("time", self[name], {"units": output.unit, "long_name": output.text})
            for name, output in self.model.outputs.items()
        }
        return xarray.Dataset(data, coords={"time": ("time", self.t, {"units": "s"})})

    def record(self) -> Any:
        """Returns the outputs as a `Record`, in place of a measurement."""
        from ._record import Record

        units = {name: output.unit for name, output in self.model.outputs.items()}
        return Record(self.t, {name: self[name] for name in units}, units, self.model.__name__)

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws outputs over time by matplotlib, one below the other; returns the axes."""
        import matplotlib.pyplot as plt

        names = names or tuple(self.model.outputs)
        if axes is None:
            _, axes = plt.subplots(len(names), 1, sharex=True, squeeze=False)
            axes = axes[:, 0]
        for axis, name in zip(np.atleast_1d(axes), names, strict=True):
            axis.plot(self.t, self[name])
            unit = self.model.outputs[name].unit if name in self.model.outputs else ""
            axis.set_ylabel(f"{name} [{unit}]" if unit else name)
        np.atleast_1d(axes)[-1].set_xlabel("time [s]")
        return axes

    def animate(self, path: str | PathLike[str] | None = None) -> Animation:
        """Returns the run as a moving picture, which a notebook shows.

        `path` is a file to write as well: a page (`.html`), glTF (`.gltf`, `.glb`) or a still (`.svg`).
        """
        if path is not None:
            self._core.animate(path)
        return Animation(self._core)


class Animation:
    """A run as a moving picture: a page that a notebook shows, and `write` writes."""

    def __init__(self, core: _costate.Run) -> None:
        self._core = core

    @property
    def html(self) -> str:
        """The page."""
        return self._core.animation_html()

    def write(self, path: str | PathLike[str]) -> None:
        """Writes a page (`.html`), glTF (`.gltf`, `.glb`) or a still (`.svg`)."""
        self._core.animate(path)

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="520" frameborder="0"></iframe>'


def _fixed(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


__all__ = ["Animation", "Run", "UnknownNameError"]
