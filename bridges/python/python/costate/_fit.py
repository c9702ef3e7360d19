"""Costs and identifications."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from . import _costate, _data
from ._errors import DataError
from ._model import Model, _loaded
from ._record import Record


class Correction(NamedTuple):
    """A gain, offset or delay of a sensor: a known value, or an unknown one with its start value and bounds."""

    value: float
    unknown: bool = False
    bounds: tuple[float, float] | None = None


class Measurement:
    """What is measured of an output: `data` is (t, y), a pandas Series, a `Record` or (record, channel).

    `weight` is that of the channel, `deviation` the known standard deviation of its noise, in the unit of the output;
    `windows` and `without` are lists of (from, to) in s that alone count, or do not; `gain`, `offset` and `delay` are
    numbers, or a `Correction` that may be unknown. A delay is in s.
    """

    def __init__(
        self,
        data: Any,
        *,
        weight: float | None = None,
        deviation: float | None = None,
        windows: Sequence[tuple[float, float]] = (),
        without: Sequence[tuple[float, float]] = (),
        gain: float | Correction | None = None,
        offset: float | Correction | None = None,
        delay: float | Correction | None = None,
    ) -> None:
        self.data = data
        self.weight = None if weight is None else _data.number("`weight`", weight, positive=True)
        self.deviation = None if deviation is None else _data.number("`deviation`", deviation, positive=True)
        self.windows = [_data.pair("`windows`", one) for one in windows]
        self.without = [_data.pair("`without`", one) for one in without]
        self.gain, self.offset, self.delay = _correction("gain", gain), _correction("offset", offset), _correction("delay", delay)

    def _spec(self, output: str, record: Record | None = None) -> dict[str, Any]:
        what, data = f"the measured `{output}`", self.data
        channel = output
        if isinstance(data, Record):
            record = data
        elif isinstance(data, tuple) and len(data) == 2 and isinstance(data[0], Record):
            record, channel = data
            if not isinstance(channel, str):
                raise DataError(f"{what}: give (record, channel)")
        elif isinstance(data, str) and record is not None:
            channel = data
        else:
            times, values = _data.samples(what, data)
            record = Record(times, {output: values})
        return {
            "output": output,
            "record": record._core,
            "channel": channel,
            **{key: getattr(self, key) for key in ("weight", "deviation", "windows", "without", "gain", "offset", "delay")},
        }


class Experiment:
    """One of several experiments: its own inputs, measurements and known parameters.

    `measured` is as for `fit`; `parameters` are values that hold for this experiment alone; `group` names the group
    whose unknowns it shares; an experiment of `validation` is not fitted, but predicted. Settings that are not given
    are those of the fit.
    """

    def __init__(
        self,
        name: str,
        measured: Any,
        inputs: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, Any] | None = None,
        group: str | None = None,
        validation: bool = False,
        **settings: Any,
    ) -> None:
        self.name, self.measured, self.inputs = name, measured, _data.mapping("`inputs`", inputs)
        self.parameters, self.group = _data.mapping("`parameters`", parameters), group
        self.validation, self.settings = bool(validation), settings
        unknown = settings.keys() - {"step", "until", "tables", "scheme", "order", "tolerance", "error_limit", "judge"}
        if not isinstance(name, str) or unknown:
            raise DataError(f"experiment {name!r}: {', '.join(sorted(unknown)) or 'the name'} is no setting of one")


def _bounds(what: str, given: Any) -> tuple[float, float]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise DataError(f"the bounds of {what}: {given!r} is no pair (lower, upper)")
    lower, upper = (float(one) if isinstance(one, (int, float)) else _data.number(what, one) for one in given)
    if not lower < upper:
        raise DataError(f"the bounds of {what} are {lower} and {upper}; give the lower one first")
    return (lower, upper)


def _correction(what: str, given: Any) -> tuple[float, bool, tuple[float, float] | None] | None:
    if given is None:
        return None
    one = given if isinstance(given, Correction) else Correction(given)
    return (_data.number(f"`{what}`", one.value), bool(one.unknown), one.bounds and _bounds(f"`{what}`", one.bounds))


def _measured(model: Model, given: Any) -> tuple[list[dict[str, Any]], Record | None]:
    """Returns the measured outputs, and the record that drives inputs which are not given."""
    cls = type(model)
    if _data.is_frame(given):
        given = Record.from_pandas(given)
    if isinstance(given, Record):
        outputs = [name for name in cls.outputs if name in given]
        if not outputs:
            raise DataError(
                f"no channel of {given!r} is an output of `{cls.__name__}` ({', '.join(cls.outputs)}); "
                "give measured={output: (record, channel)}"
            )
        return [Measurement(given)._spec(name) for name in outputs], given
    given = _data.mapping("`measured`", given)
    if not given:
        raise DataError("nothing is measured; give measured={output: (t, y)}, a DataFrame or a Record")
    cls._check("outputs", given)
    records = [one.data if isinstance(one, Measurement) else one for one in given.values()]
    records = [one[0] if isinstance(one, tuple) and one else one for one in records]
    record = next((one for one in records if isinstance(one, Record)), None)
    specs = [(one if isinstance(one, Measurement) else Measurement(one))._spec(name, record) for name, one in given.items()]
    return specs, record


def _driven(model: Model, inputs: Mapping[str, Any], record: Record | None) -> dict[str, Any]:
    """Adds the channels of a record to inputs that are not given."""
    missing = {name: record for name in type(model).inputs if name not in inputs and record is not None and name in record}
    return {**inputs, **missing}


def _unknown(
    model: Model, given: Any, bounds: Any, priors: Any, owners: dict[str, str], has_others: bool
) -> list[dict[str, Any]]:
    cls = type(model)
    bounds, priors = _data.mapping("`bounds`", bounds), _data.mapping("`priors`", priors)
    if isinstance(given, Mapping):
        given = _data.mapping("`unknown`", given)
        bounds = {**{name: one for name, one in given.items() if one is not None}, **bounds}
    names = _data.names("`unknown`", given)
    cls._check("parameters", [*names, *bounds, *priors, *owners])
    if not names and not has_others:
        raise DataError("nothing is to be found; name the unknown parameters by `unknown`")
    specs = []
    for name in names:
        one, what = bounds.get(name), f"parameter `{name}`"
        scaling = None
        if isinstance(one, tuple) and len(one) == 3:
            scaling = ("log", 0.0) if one[2] == "log" else ("linear", _data.number(f"the scale of {what}", one[2], positive=True))
            one = one[:2]
        prior = priors.get(name)
        if prior is not None:
            if not (isinstance(prior, tuple) and len(prior) in (2, 3)) or (len(prior) == 3 and prior[0] not in ("normal", "lognormal")):
                raise DataError(f'the prior of {what} is {prior!r}; give (mean, deviation) or ("lognormal", median, deviation)')
            kind, centre, deviation = prior if len(prior) == 3 else ("normal", *prior)
            centre = _data.number(f"the prior of {what}", centre)
            prior = (kind, centre, _data.number(f"the deviation of the prior of {what}", deviation, positive=True))
        specs.append({
            "name": name,
            "bounds": None if one is None else _bounds(what, one),
            "scaling": scaling,
            "owner": owners.get(name, "all"),
            "prior": prior,
        })
    return specs


def _unknown_inputs(model: Model, given: Any) -> list[tuple[str, float, float, float | None]]:
    specs = []
    for name, one in _data.mapping("`unknown_inputs`", given).items():
        type(model)._check("inputs", [name])
        if not isinstance(one, tuple) or len(one) not in (2, 3):
            raise DataError(f"the unknown input `{name}`: {one!r}; give (interval, typical) or (interval, typical, deviation)")
        numbers = [_data.number(f"the unknown input `{name}`", number, positive=True) for number in one]
        specs.append((name, numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else None))
    return specs


def _unknown_tables(model: Model, given: Any) -> list[tuple[str, float, float | None]]:
    specs = []
    for name, one in _data.mapping("`unknown_tables`", given).items():
        type(model)._check("tables", [name])
        numbers = [_data.number(f"the unknown table `{name}`", number, positive=True) for number in (one if isinstance(one, tuple) else (one,))]
        if len(numbers) not in (1, 2):
            raise DataError(f"the unknown table `{name}`: {one!r}; give a typical value, or (typical, bend)")
        specs.append((name, numbers[0], numbers[1] if len(numbers) == 2 else None))
    return specs


_LOSSES = {"squares": 0.0, "huber": 1.345, "cauchy": 2.385, "student": 4.0}


def _loss(given: Any) -> tuple[str, float] | None:
    if given is None:
        return None
    name, number = (given, None) if isinstance(given, str) else given if isinstance(given, tuple) and len(given) == 2 else (None, None)
    if name not in _LOSSES:
        raise DataError(f"`loss` is {given!r}; give one of {', '.join(_LOSSES)}, or (name, number)")
    return (name, _LOSSES[name] if number is None else _data.number("the number of `loss`", number, positive=True))


def _estimate(
    model: Any,
    unknown: Any,
    measured: Any,
    inputs: Any,
    experiments: Any = None,
    bounds: Any = None,
    priors: Any = None,
    per_experiment: Any = (),
    per_group: Any = (),
    loss: Any = None,
    weighting: str | None = None,
    quadrature: str | None = None,
    approach: str | None = None,
    pieces: int | None = None,
    method: str | None = None,
    iterations: int | None = None,
    tolerance_of_cost: float | None = None,
    ignore_check: bool = False,
    unknown_inputs: Any = None,
    unknown_tables: Any = None,
    **settings: Any,
) -> dict[str, Any]:
    if not isinstance(model, Model):
        raise DataError(f"a {type(model).__name__} is no model; give an instance such as Mount(c=80e3)")
    if approach is not None and pieces is not None:
        raise DataError("`approach` and `pieces` are given; give one of them")
    inputs = _data.mapping("`inputs`", inputs)
    owners = {name: "experiment" for name in _data.names("`per_experiment`", per_experiment)}
    owners.update({name: "group" for name in _data.names("`per_group`", per_group)})
    own: list[dict[str, Any]] = []
    all_: list[dict[str, Any]] = []
    if experiments is None:
        own, record = _measured(model, measured)
        inputs = _driven(model, inputs, record)
    elif measured is not None:
        raise DataError("`measured` and `experiments` are given; give `measured` to each experiment")
    else:
        for one in experiments:
            if not isinstance(one, Experiment):
                raise DataError(f"a {type(one).__name__} is no experiment; give `costate.Experiment(name, measured, inputs)`")
            specs, record = _measured(model, one.measured)
            driven = _driven(model, {**inputs, **one.inputs}, record)
            setup = model.with_values(**one.parameters)._setup(inputs=driven, **{**settings, **one.settings})
            all_.append({"name": one.name, "setup": setup, "measured": specs, "group": one.group, "validation": one.validation})
        if not all_:
            raise DataError("there are no experiments; give at least one")
    return {
        "setup": model._setup(inputs=inputs, complete=experiments is None, **settings),
        "measured": own,
        "experiments": all_,
        "unknown": _unknown(model, unknown, bounds, priors, owners, bool(unknown_inputs or unknown_tables)),
        "unknown_inputs": _unknown_inputs(model, unknown_inputs),
        "unknown_tables": _unknown_tables(model, unknown_tables),
        "loss": _loss(loss),
        "weighting": weighting,
        "quadrature": quadrature,
        "approach": approach,
        "pieces": None if pieces is None else _data.whole("`pieces`", pieces, 1),
        "method": method,
        "iterations": None if iterations is None else _data.whole("`iterations`", iterations, 1),
        "tolerance": tolerance_of_cost,
        "ignore_check": bool(ignore_check),
    }


class Cost:
    """J(x) = 1/2 sum r_j(x)^2 of a run with the unknown parameters x, with exact derivatives of the computed numbers.

    Residuals are the outputs less what is measured, times the root of the weights of samples. All methods take an array
    of the unknowns, in the order of `names` and in their units.
    """

    def __init__(self, model: Model, made: dict[str, Any]) -> None:
        spec = _estimate(model, **made)
        self.model, self._made = model, made
        self._core = type(model)._library.Cost(type(model)._core, spec)
        self.names: list[str] = [one["name"] for one in spec["unknown"]]
        """Names of the unknowns."""
        self._bounds = [one["bounds"] for one in spec["unknown"]]

    @property
    def x0(self) -> np.ndarray:
        """The values of the model."""
        return np.array([self.model[name] for name in self.names])

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """Bounds of the unknowns, as `scipy.optimize.minimize` takes them."""
        return [one or (-np.inf, np.inf) for one in self._bounds]

    @property
    def samples(self) -> int:
        """Number of residuals."""
        return self._core.samples

    @property
    def step(self) -> float:
        """Step of the run in s."""
        return self._core.grid[0]

    def __call__(self, x: Any) -> float:
        return self.value(x)

    def value(self, x: Any) -> float:
        """Returns J."""
        return self._core.value(_data.numbers("x", x))

    def value_and_gradient(self, x: Any) -> tuple[float, np.ndarray]:
        """Returns J and dJ/dx by the discrete adjoint: for `scipy.optimize.minimize(.., jac=True)`."""
        return self._core.value_and_gradient(_data.numbers("x", x))

    def gradient(self, x: Any) -> np.ndarray:
        """Returns dJ/dx by the discrete adjoint."""
        return self.value_and_gradient(x)[1]

    def residuals(self, x: Any) -> np.ndarray:
        """Returns r."""
        return self._core.residuals(_data.numbers("x", x))

    def jacobian(self, x: Any) -> np.ndarray:
        """Returns dr/dx, a row for each residual."""
        return self._core.jacobian_transposed(_data.numbers("x", x)).T

    def jvp(self, x: Any, v: Any) -> np.ndarray:
        """Returns (dr/dx) v by direct differentiation."""
        return self._core.jvp(_data.numbers("x", x), _data.numbers("v", v))

    def vjp(self, x: Any, w: Any) -> np.ndarray:
        """Returns (dr/dx)^T w by one sweep of the discrete adjoint."""
        return self._core.vjp(_data.numbers("x", x), _data.numbers("w", w))

    def __reduce__(self) -> Any:
        return (Cost, (self.model, self._made))

    def __repr__(self) -> str:
        return f"<Cost of {type(self.model).__name__} by {', '.join(self.names)}: {self.samples} residuals>"


def cost(
    model: Model,
    *,
    measured: Any,
    unknown: Any,
    inputs: Mapping[str, Any] | None = None,
    quadrature: str = "rectangle",
    bounds: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Cost:
    """Makes the cost of a model and what is measured, for the optimisers of others.

    `measured`, `inputs` and `unknown` are as for `fit`; `step` and `until` are taken from what is measured where they
    are not given. `quadrature` weighs samples: "rectangle" and "trapezoid" by the time in s that they stand for, "sum"
    by 1. Of a `Measurement` the data and the weight count.
    """
    made = {"measured": measured, "unknown": unknown, "inputs": inputs, "quadrature": quadrature, "bounds": bounds}
    return Cost(model, {**made, **settings})


class Result:
    """A result with its text: what it holds are its attributes and items, as named in `keys()`."""

    def __init__(self, given: tuple[str, str]) -> None:
        self._text = given[0]
        data = json.loads(given[1])
        self._data: dict[str, Any] = data if isinstance(data, dict) else {"all": data}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(f"there is no `{name}`; there are {', '.join(self._data)}") from None

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def keys(self) -> list[str]:
        """Returns the names of what the result holds."""
        return list(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self._text)}</pre>"


class FittedParameter(NamedTuple):
    """An unknown that was found, in its unit."""

    name: str
    quantity: str
    of: str | None
    """The experiment or group that has the unknown alone."""
    unit: str
    start: float
    found: float
    deviation: float
    """The standard deviation; infinite if the measurement does not determine the unknown."""
    lower: float
    upper: float
    at_bound: bool

    def __float__(self) -> float:
        return self.found


class Parameters(dict[str, FittedParameter]):
    """The unknowns that were found, by name."""

    def _rows(self) -> list[tuple[str, ...]]:
        return [(p.name, p.unit, f"{p.start:.6g}", f"{p.found:.8g}", f"{p.deviation:.2g}") for p in self.values()]

    def __repr__(self) -> str:
        rows = [("name", "unit", "start", "found", "deviation"), *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{name}</th>" for name in ("name", "unit", "start", "found", "deviation"))
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows())
        return f"<table><tr>{head}</tr>{body}</table>"

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a row for each unknown."""
        import pandas

        return pandas.DataFrame([one._asdict() for one in self.values()]).set_index("name")


class Fit:
    """The result of an identification: a table in the terminal, HTML in a notebook, a page by `report`."""

    def __init__(self, model: Model, core: _costate.Fit) -> None:
        self._core = core
        self._start = model
        self.parameters = Parameters((row[0], FittedParameter(*row[:10])) for row in core.parameters())
        """What was found, by the name of the unknown."""

    def __getitem__(self, name: str) -> float:
        """Returns the found value of an unknown."""
        try:
            return self.parameters[name].found
        except KeyError:
            raise DataError(f"`{name}` was not unknown; there are {', '.join(self.parameters)}") from None

    @property
    def model(self) -> Model:
        """The model with the found values of the parameters that all experiments have in common."""
        own = {p.quantity: p.found for p in self.parameters.values() if p.of is None and p.quantity in type(self._start).parameters}
        return self._start.with_values(**own)

    @property
    def covariance(self) -> np.ndarray:
        """The covariance matrix of the unknowns, in their order."""
        return self._core.covariance()

    @property
    def correlation(self) -> np.ndarray:
        """The correlation matrix of the unknowns, in their order."""
        return self._core.correlation()

    @property
    def cost(self) -> float:
        """J at the found values."""
        return self._core.numbers()[1]

    @property
    def iterations(self) -> int:
        """Iterations of the optimizer."""
        return self._core.numbers()[2]

    @property
    def history(self) -> np.ndarray:
        """J of all iterations, beginning with the start."""
        return self._core.history()

    @property
    def converged(self) -> bool:
        """True if the search has converged."""
        return self._core.stop()[1]

    @property
    def doubts(self) -> list[str]:
        """Doubts about data, settings and course of the fit, with remedies."""
        return self._core.doubts()

    @property
    def deviations_valid(self) -> bool:
        """True if the standard deviations are those of a fit that explains the data."""
        return self._core.deviations_valid

    @property
    def summary(self) -> dict[str, Any]:
        """All results, as the command writes them in JSON; infinite and undefined numbers are None."""
        return json.loads(self._core.json())

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        """The unknown tables that were found: knots, values and standard deviations."""
        return {one["table"]: one for one in self.summary["tables"]}

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """The unknown inputs that were found: times of the knots in s, values and standard deviations."""
        return self.summary["inputs"]

    def run(self, experiment: str | None = None) -> Record:
        """Returns the outputs at the found values, of the experiment of this name."""
        return Record._of(self._core.run(self._index(experiment)))

    def residuals(self, output: str, experiment: str | None = None) -> Record:
        """Returns the residuals of an output that was measured."""
        outputs = list(type(self._start).outputs)
        type(self._start)._check("outputs", [output])
        found = self._core.residuals(self._index(experiment), outputs.index(output))
        if found is None:
            raise DataError(f"the output `{output}` was not measured")
        return Record._of(found)

    def _index(self, experiment: str | None) -> int:
        names = self._core.experiments()
        if experiment is None and len(names) == 1:
            return 0
        if experiment not in names:
            raise DataError(f"there is no experiment {experiment!r}; there are {', '.join(names)}")
        return names.index(experiment)

    def report(self, path: str | PathLike[str]) -> None:
        """Writes a page with all results, which needs no network."""
        self._core.report(path)

    def write(self, folder: str | PathLike[str]) -> list[str]:
        """Writes parameters, runs and residuals into a folder; returns the files."""
        return [fspath(path) for path in self._core.write(folder)]

    def profiles(self, *names: str, level: float = 0.95, points: int | None = None) -> Result:
        """Follows the profiles of unknowns, of all without a name: intervals that hold beyond the linear ones."""
        level = _data.number("`level`", level)
        points = None if points is None else _data.whole("`points`", points, 1)
        return Result(self._core.profiles(_data.names("the unknowns", names), level, points))

    def bootstrap(self, repetitions: int = 100, of: str = "residuals", seed: int = 0) -> Result:
        """Fits to data that are drawn again: blocks of "residuals", "normal" errors or "experiments"."""
        if of not in ("normal", "residuals", "experiments"):
            raise DataError(f'`of` is {of!r}; give "normal", "residuals" or "experiments"')
        return Result(self._core.bootstrap(of, _data.whole("`repetitions`", repetitions, 1), _data.whole("`seed`", seed)))

    def leave_one_out(self) -> Result:
        """Fits without each experiment, and predicts it."""
        return Result(self._core.leave_one_out())

    def known_parameters(self) -> Result:
        """Returns the effects of errors of the parameters that were taken as known."""
        return Result(self._core.known_parameters())

    def __repr__(self) -> str:
        return self._core.text()

    def _repr_html_(self) -> str:
        from html import escape

        doubts = "".join(f"<li>{escape(doubt)}</li>" for doubt in self.doubts)
        return f"{self.parameters._repr_html_()}<ul>{doubts}</ul><details><pre>{escape(repr(self))}</pre></details>"


class _Progress:
    """Iterations given to a function, or shown by tqdm, if it is installed; else nothing."""

    def __init__(self, wanted: Any) -> None:
        self.bar: Any = None
        self.function = wanted if callable(wanted) else None
        if wanted is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(desc="fit", unit=" iterations", leave=False)
            self.function = self.show

    def show(self, number: int, cost: float, parameters: list[float], evaluations: int) -> None:
        self.bar.set_postfix_str(f"cost {cost:.6e}, {evaluations} evaluations", refresh=False)
        self.bar.update()

    def __enter__(self) -> Callable[..., Any] | None:
        return self.function

    def __exit__(self, *raised: Any) -> None:
        if self.bar is not None:
            self.bar.close()


def fit(
    model: Model,
    *,
    unknown: Any = (),
    measured: Any = None,
    inputs: Mapping[str, Any] | None = None,
    experiments: Sequence[Experiment] | None = None,
    bounds: Mapping[str, Any] | None = None,
    priors: Mapping[str, Any] | None = None,
    per_experiment: Sequence[str] = (),
    per_group: Sequence[str] = (),
    starts: int | None = None,
    seed: int = 0,
    loss: Any = None,
    weighting: str | None = None,
    quadrature: str | None = None,
    approach: str | None = None,
    pieces: int | None = None,
    method: str | None = None,
    iterations: int | None = None,
    ignore_check: bool = False,
    unknown_inputs: Mapping[str, Any] | None = None,
    unknown_tables: Mapping[str, Any] | None = None,
    state: str | PathLike[str] | None = None,
    progress: bool | Callable[[int, float, list[float], int], Any] = False,
    **settings: Any,
) -> Fit:
    """Identifies parameters from measurements; the search starts at the values of `model`.

    `unknown` names the parameters; `bounds` has (lower, upper) for some, with "log" or a typical change as a third
    entry, and `priors` (mean, deviation) or ("lognormal", median, deviation of the logarithm). `measured` has for each
    measured output (t, y), a pandas Series, (record, channel) or a `Measurement`; a DataFrame or a `Record` measures
    the outputs, and drives the inputs, that its channels are named after. `experiments` takes their place where there
    are several; unknowns of `per_experiment` and `per_group` have a value for each.

    `unknown_inputs` has (distance of the knots in s, typical value) for inputs of which a part is to be found, beside
    their signal, and a deviation as third entry for a prior; `unknown_tables` a typical value for tables, whose start
    values are their data, or (typical, bend) where the departure from a straight line is known.

    `starts` fits from many points within the bounds. `loss` is "squares", "huber", "cauchy", "student" or (name,
    number); `weighting` "likelihood" or "given"; `state` a file, or with `starts` a folder, from which an
    interrupted call continues. `progress` shows a bar if tqdm is installed, or is called with number, cost, parameters
    and evaluations of each iteration. `settings` are those of `simulate`; `step` and `until` are taken from what is
    measured where they are not given.

    `approach` is "automatic", "single" (one simulation of every record in any case) or "growing" (parts of the records
    first, which grow); in its place, `pieces` is the number of pieces into which every record is cut first, each with a
    start of its own (multiple shooting). "automatic", the default, tries both where a fit ends out of phase.

    Ctrl-C raises KeyboardInterrupt, whose `best` has the best values so far.
    """
    spec = _estimate(
        model, unknown, measured, inputs, experiments, bounds, priors, per_experiment, per_group, loss, weighting,
        quadrature, approach, pieces, method, iterations, None, ignore_check, unknown_inputs, unknown_tables,
        **settings,
    )
    starts = None if starts is None else _data.whole("`starts`", starts, 1)
    seed = _data.whole("`seed`", seed)
    names = [one["name"] for one in spec["unknown"]]
    return _searched(model, names, progress, lambda call: type(model)._library.fit(type(model)._core, spec, starts, seed, state, call))


def _searched(model: Model, names: list[str], progress: Any, search: Callable[[Any], _costate.Fit]) -> Fit:
    """Searches with its progress shown; an interruption has the best values by their names."""
    try:
        with _Progress(progress) as call:
            return Fit(model, search(call))
    except KeyboardInterrupt as interrupt:
        best = getattr(interrupt, "best", None)
        if best is not None and len(best) == len(names):
            interrupt.best = dict(zip(names, best))  # type: ignore[attr-defined]
        raise


def campaign(
    path: str | PathLike[str],
    *,
    allow_files: Any = (),
    state: str | PathLike[str] | None = None,
    progress: bool | Callable[[int, float, list[float], int], Any] = False,
) -> Fit | Result:
    """Runs the identification that a campaign file in TOML describes, as `costate fit` does; `costate fit --template`
    writes one. The result is that of `fit`, or with `[prediction_error]` that of `prediction_error`.

    The file names files of its own folder and of those in `allow_files`. `state` and `progress` are as for `fit`. The
    files of `[output]` are not written, and data are not drawn again: these are methods of the result. Doubts about the
    records are warnings.
    """
    core = _costate.Campaign(fspath(path), _data.paths("`allow_files`", allow_files))
    file, name, arguments, folders = core.source()
    cls = _loaded(fspath(file), None, name, dict(arguments), _data.paths("the folders", folders))
    try:
        if core.by_prediction_errors:
            return Result(core.prediction_error())
        model = cls(**dict(zip(cls.parameters, core.values())))
        return _searched(model, core.unknowns(), progress, lambda call: core.fit(cls._core, state, call))
    finally:
        for remark in core.remarks():
            warnings.warn(remark, stacklevel=2)


def check(model: Model, *, unknown: Any, measured: Any = None, inputs: Any = None, **settings: Any) -> Result:
    """Says before a fit which unknowns the data determine, and how well; takes what `fit` takes."""
    return Result(type(model)._library.check(type(model)._core, _estimate(model, unknown, measured, inputs, **settings)))


def _noise(
    model: Model, noise: Any, output_noise: Any, drift: Any, start_noise: Any, vanishing: bool
) -> dict[str, Any]:
    """Checks the noise of a fit by prediction errors."""
    cls = type(model)

    def deviations(what: str, kind: str, given: Any) -> list[tuple[str, float, bool]]:
        given = _data.mapping(f"`{what}`", given)
        if kind == "outputs":
            cls._check(kind, given)
        all_ = []
        for name, one in given.items():
            is_unknown = isinstance(one, tuple) and len(one) == 2 and one[0] == "unknown"
            value = _data.number(f"the noise of `{name}`", one[1] if is_unknown else one, positive=True)
            all_.append((name, value, is_unknown))
        return all_

    start = []
    for name, one in _data.mapping("`start_noise`", start_noise).items():
        if not isinstance(one, (tuple, list)) or len(one) != 2:
            raise DataError(f"`start_noise` of `{name}` is {one!r}; give (deviation of the position, of the velocity)")
        start.append((name, *(_data.number(f"the noise at the start of `{name}`", number) for number in one)))
    return {
        "process": deviations("noise", "", noise),
        "outputs": deviations("output_noise", "outputs", output_noise),
        "drifts": deviations("drift", "outputs", drift),
        "start": start,
        "vanishing": bool(vanishing),
    }


def prediction_error(
    model: Model,
    *,
    unknown: Any = (),
    noise: Mapping[str, Any] | None = None,
    output_noise: Mapping[str, Any] | None = None,
    drift: Mapping[str, Any] | None = None,
    start_noise: Mapping[str, Any] | None = None,
    vanishing: bool = False,
    measured: Any = None,
    inputs: Any = None,
    **settings: Any,
) -> Result:
    """Identifies by prediction errors, the innovations of an extended Kalman filter over the whole record: for models
    that noise drives, whose motion is unstable, or whose inputs were measured with errors.

    `noise` has deviations by the names of coordinates (of the velocity after 1 s, in the unit of the velocity) and of
    measured inputs; `output_noise` those of outputs, estimated where they are not given; `drift` those of the offsets of
    outputs after 1 s; `start_noise` (position, velocity) of coordinates whose start is not known. A deviation is a
    number, or ("unknown", start value). With `vanishing`, process noise and drift go to zero in stages, so that the end
    is the fit of one simulation. The rest is as for `fit`; the result has `parameters`, `noise`, `channels` with
    innovations, and `remarks`.
    """
    spec = _estimate(model, unknown, measured, inputs, **settings)
    given = _noise(model, noise, output_noise, drift, start_noise, vanishing)
    return Result(type(model)._library.prediction_error(type(model)._core, spec, given))


class Density:
    """The logarithm of the posterior density of the unknowns, up to a constant, with its exact gradient.

    Unknowns are those of a fit, and the standard deviations of outputs that are not given: `names`, `x0`, `bounds`,
    `scales`. For samplers such as those of PyMC, BlackJAX and emcee.
    """

    def __init__(self, model: Model, made: dict[str, Any]) -> None:
        self.model, self._made = model, made
        self._core = type(model)._library.Density(type(model)._core, _estimate(model, **made))
        rows = self._core.unknowns()
        self.names = [row[0] for row in rows]
        """Names of the unknowns."""
        self.x0 = np.array([row[2] for row in rows])
        """Start values."""
        self.bounds = [(row[3], row[4]) for row in rows]
        """Ends of the support."""
        self.scales = np.array([row[5] for row in rows])
        """Typical changes."""

    def value_and_gradient(self, x: Any) -> tuple[float, np.ndarray]:
        """Returns the logarithm of the density and its gradient; -infinity and NaN where a simulation fails."""
        return self._core.value_and_gradient(_data.numbers("x", x))

    def __call__(self, x: Any) -> float:
        return self.value_and_gradient(x)[0]

    def __reduce__(self) -> Any:
        return (Density, (self.model, self._made))


def density(model: Model, *, unknown: Any, measured: Any = None, inputs: Any = None, **settings: Any) -> Density:
    """Makes the posterior density of an identification; takes what `fit` takes."""
    return Density(model, {"unknown": unknown, "measured": measured, "inputs": inputs, **settings})


class Function:
    """Outputs over time as a differentiable function of parameters and of inputs over time.

    `f(x, u)` returns an array with a row of samples for each output; x has the parameters, u a row of samples for each
    input. Derivatives are those of the computed numbers.
    """

    def __init__(self, model: Model, parameters: Any, inputs: Any, outputs: Any, signals: Any, settings: dict[str, Any]) -> None:
        cls = type(model)
        self.model = model
        self.parameters, self.inputs = _data.names("`parameters`", parameters), _data.names("`inputs`", inputs)
        self.outputs = list(cls.outputs) if outputs is None else _data.names("`outputs`", outputs)
        for kind in ("parameters", "inputs", "outputs"):
            names = getattr(self, kind)
            cls._check(kind, names)
            if len(set(names)) != len(names):
                raise DataError(f"`{kind}` names one twice: {', '.join(names)}")
        signals = {**{name: 0.0 for name in self.inputs}, **_data.mapping("the signals", signals)}
        setup = model._setup(inputs=signals, **settings)
        self._core = cls._library.Function(cls._core, setup, self.parameters, self.inputs, self.outputs)
        self._made = (model, parameters, inputs, outputs, signals, settings)
        self.step: float = setup["step"]
        """Step in s."""

    @property
    def samples(self) -> int:
        """Samples of every input and output: number of steps + 1."""
        return self._core.samples

    @property
    def t(self) -> np.ndarray:
        """Times of the samples in s."""
        return np.arange(self.samples) * self.step

    @property
    def x0(self) -> np.ndarray:
        """The values of the model."""
        return np.array([self.model[name] for name in self.parameters])

    def __reduce__(self) -> Any:
        return (Function, self._made)

    def _u(self, u: Any) -> np.ndarray:
        if u is None and not self.inputs:
            return np.zeros(0)
        u = np.asarray(u)
        wanted = (len(self.inputs), self.samples)
        if u.shape != wanted:
            raise DataError(f"the inputs have the shape {u.shape}; give {wanted}")
        return _data.numbers("the inputs", u, 2).ravel()

    def __call__(self, x: Any, u: Any = None) -> np.ndarray:
        return self._core.value(_data.numbers("x", x), self._u(u))

    def vjp(self, x: Any, u: Any, w: Any) -> tuple[np.ndarray, np.ndarray]:
        """Returns the products of weights of the outputs with the derivatives by x and by u: one adjoint sweep."""
        w = _data.numbers("the weights", w, 2)
        if w.shape != (len(self.outputs), self.samples):
            raise DataError(f"the weights have the shape {w.shape}; give {(len(self.outputs), self.samples)}")
        by_x, by_u = self._core.vjp(_data.numbers("x", x), self._u(u), w.ravel())
        return by_x, by_u.reshape(len(self.inputs), self.samples)

    def jvp(self, x: Any, u: Any, along_x: Any, along_u: Any = None) -> np.ndarray:
        """Returns the derivative of the outputs in a direction of x and u."""
        along_u = self._u(np.zeros((len(self.inputs), self.samples)) if along_u is None and self.inputs else along_u)
        return self._core.jvp(_data.numbers("x", x), self._u(u), _data.numbers("the direction", along_x), along_u)


def function(
    model: Model,
    *,
    until: float,
    step: float,
    parameters: Sequence[str] = (),
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    signals: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Function:
    """Makes a differentiable function of a run from 0 to `until` with constant steps of `step`, in s.

    `parameters` and `inputs` name the arguments, `outputs` the results, all without it; `signals` drive the other
    inputs, as `inputs` of `simulate`.
    """
    settings = {"until": until, "step": step, **settings}
    return Function(model, parameters, inputs, outputs, signals, settings)
