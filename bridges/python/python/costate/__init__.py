"""costate: multibody models from text, with exact gradients.

    Mount = costate.load("mount.model")
    m = Mount(c=80e3)
    run = m.simulate(until=2.0, step=5e-4, inputs={"drive": lambda t: 500 * np.sin(60 * t * t)})
    run.t, run["acceleration"]

Numbers are in the units of the model; times are in s.
"""

from ._costate import Accuracy, __version__
from ._errors import (
    DataError,
    Error,
    FitError,
    ModelError,
    SimulationError,
    UnknownNameError,
)
from ._filter import Filtered
from ._fit import (
    Correction,
    Cost,
    Density,
    Experiment,
    Fit,
    FittedParameter,
    Function,
    Measurement,
    Parameters,
    Result,
    campaign,
    check,
    cost,
    density,
    fit,
    function,
    prediction_error,
)
from ._model import Model, ModelType, Quantity, load, model
from ._record import Record, read, read_all
from ._run import Animation, Run
from ._spectra import MapAxis, MeasuredResponse, SpectralDensity, SpectralMap, spectra
from ._vibration import Equilibrium, Mode, Modes, Periodic, Response


def __getattr__(name: str) -> object:
    """Imports `costate.jax`, `costate.torch` and `costate.pytensor` where they are first used."""
    if name in ("jax", "pytensor", "torch"):
        from importlib import import_module

        return import_module(f"costate.{name}")
    raise AttributeError(f"module `costate` has no `{name}`")


__all__ = [
    "Accuracy",
    "Animation",
    "Correction",
    "Cost",
    "DataError",
    "Density",
    "Equilibrium",
    "Error",
    "Experiment",
    "Filtered",
    "Fit",
    "FitError",
    "FittedParameter",
    "Function",
    "MapAxis",
    "MeasuredResponse",
    "Measurement",
    "Mode",
    "Model",
    "ModelError",
    "ModelType",
    "Modes",
    "Parameters",
    "Periodic",
    "Quantity",
    "Record",
    "Response",
    "Result",
    "Run",
    "SimulationError",
    "SpectralDensity",
    "SpectralMap",
    "UnknownNameError",
    "__version__",
    "campaign",
    "check",
    "cost",
    "density",
    "fit",
    "function",
    "load",
    "model",
    "prediction_error",
    "read",
    "read_all",
    "spectra",
]
