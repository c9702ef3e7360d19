"""Models: classes made of text, and their instances with values of parameters."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from itertools import chain, repeat
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _costate, _data, _signal, _vibration
from ._errors import DataError, ModelError, UnknownNameError
from ._run import Run

if TYPE_CHECKING:
    from ._filter import Filtered

_AMOUNT = re.compile(r"\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?:\[\s*([^\]]+?)\s*\]|(\S.*?))\s*")


class Quantity(NamedTuple):
    """A parameter, input, output, coordinate, constraint or table of a model."""

    name: str
    unit: str
    """The unit as declared; `1` if there is none."""
    text: str
    """The documentation above the declaration."""
    default: float | None = None
    """The default of a parameter."""


class _Quantities(Mapping[str, Quantity]):
    """Quantities by name, shown as a table. They are those of the text, and stay as they are."""

    def __init__(self, rows: Iterable[tuple[str, Quantity]]) -> None:
        self._all = dict(rows)

    def __getitem__(self, name: str) -> Quantity:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        rows = [(q.name, q.unit, "" if q.default is None else f"{q.default:g}", q.text.strip()) for q in self.values()]
        widths = [max((len(row[k]) for row in rows), default=0) for k in range(3)]
        return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        from html import escape

        head = "<tr><th>name</th><th>unit</th><th>default</th><th></th></tr>"
        cells = ((q.name, q.unit, "" if q.default is None else f"{q.default:g}", q.text) for q in self.values())
        return f"<table>{head}{''.join('<tr>' + ''.join(f'<td>{escape(c)}</td>' for c in row) + '</tr>' for row in cells)}</table>"


class ModelType(type):
    """The class of a loaded model: `Mount.parameters`, `Mount.inputs`, `Mount.outputs` describe it."""

    _core: _costate.Loaded
    # the module whose functions take `_core`: `_costate`, or that with this model compiled in
    _library: Any
    _source: tuple[Any, ...]
    parameters: Mapping[str, Quantity]
    inputs: Mapping[str, Quantity]
    outputs: Mapping[str, Quantity]
    coordinates: Mapping[str, Quantity]
    constraints: Mapping[str, Quantity]
    tables: Mapping[str, Quantity]

    @property
    def text(cls) -> str:
        """The text that was loaded."""
        return cls._core.text

    def __repr__(cls) -> str:
        if "_core" not in cls.__dict__:
            return super().__repr__()
        shown = ", ".join(f"{q.name} [{q.unit}]" for q in cls.parameters.values())
        return f"<model {cls.__name__}({shown})>"

    def _unknown(cls, kind: str, name: object) -> UnknownNameError:
        """Returns the error of a name that the model does not have."""
        available = list(getattr(cls, kind))
        near = _costate.nearest(str(name), available)
        meant = f", did you mean `{near}`? it has " if near else "; it has "
        kind = kind.removesuffix("s")
        error = UnknownNameError(f"model `{cls.__name__}` has no {kind} `{name}`{meant}{', '.join(available) or 'none'}")
        error.name, error.kind, error.available = str(name), kind, available
        return error

    def _check(cls, kind: str, names: Any) -> None:
        known = getattr(cls, kind)
        for name in names:
            if name not in known:
                raise cls._unknown(kind, name)


class Model(metaclass=ModelType):
    """A model with values of its parameters, in their units: `Mount(c=80e3)`, `Mount(c="80 N/mm")`.

    Parameters are attributes, and items for arrays of them (`m["k[2]"]`). `repr`, `copy`, `pickle` and `==` are those of
    a record of the values.
    """

    __slots__ = ("_values",)
    _values: dict[str, float]

    def __init__(self, **parameters: Any) -> None:
        cls = type(self)
        if "_core" not in cls.__dict__:
            raise TypeError("a model is made by `costate.load` or `costate.model`")
        cls._check("parameters", parameters)
        values = {name: quantity.default for name, quantity in cls.parameters.items()}
        for name, value in parameters.items():
            values[name] = _amount(cls, name, value)
        missing = [name for name, value in values.items() if value is None]
        if missing:
            raise DataError(f"model `{cls.__name__}`: no value and no default of {', '.join(missing)}; give {missing[0]}=..")
        object.__setattr__(self, "_values", values)

    def __getattr__(self, name: str) -> float:
        if name.startswith("__") or name == "_values":
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __getitem__(self, name: str) -> float:
        try:
            return self._values[name]
        except (KeyError, TypeError):
            raise type(self)._unknown("parameters", name) from None

    def __setitem__(self, name: str, value: Any) -> None:
        type(self)._check("parameters", [name])
        self._values[name] = _amount(type(self), name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return False
        own, cls = type(self), type(other)
        return (cls is own or cls._source == own._source) and other._values == self._values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._values.items())})"

    def _repr_html_(self) -> str:
        from html import escape

        rows = ((name, f"{value:g}", type(self).parameters[name].unit) for name, value in self._values.items())
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><tr><th>{escape(type(self).__name__)}</th><th>value</th><th>unit</th></tr>{body}</table>"

    def __copy__(self) -> Model:
        return self.with_values()

    def __deepcopy__(self, memo: Any) -> Model:
        return self.with_values()

    def __reduce__(self) -> Any:
        return (_instance, (_costate.__version__, type(self)._source, dict(self._values)))

    def with_values(self, **parameters: Any) -> Model:
        """Returns the model with other values of these parameters."""
        new = object.__new__(type(self))
        object.__setattr__(new, "_values", dict(self._values))
        for name, value in parameters.items():
            new[name] = value
        return new

    @property
    def values(self) -> np.ndarray:
        """The values of all parameters, in the order of their declaration."""
        return np.array(list(self._values.values()), dtype=float)

    def _setup(
        self,
        until: Any = None,
        step: Any = None,
        inputs: Any = None,
        tables: Any = None,
        scheme: Any = "alpha",
        tolerance: Any = None,
        error_limit: Any = 0.05,
        judge: Any = None,
        checkpoints: Any = None,
        memory_limit: Any = None,
        order: Any = 2,
        complete: bool = True,
    ) -> dict[str, Any]:
        cls = type(self)
        step = None if step is None else _data.number("`step`", step, positive=True)
        until = None if until is None else _data.number("`until`", until, positive=True)
        inputs, tables = _data.mapping("`inputs`", inputs), _data.mapping("`tables`", tables)
        cls._check("inputs", inputs)
        cls._check("tables", tables)
        missing = [name for name in cls.inputs if name not in inputs]
        if missing and complete:
            raise DataError(f"input `{missing[0]}` has no signal; give inputs={{\"{missing[0]}\": ..}}, 0.0 if it is zero")
        if judge is not None:
            judge = _data.names("`judge`", judge)
            cls._check("outputs", judge)
        return {
            "values": list(self._values.values()),
            "inputs": [(name, _signal.signal(name, given, step)) for name, given in inputs.items()],
            "tables": [(name, _table(name, given)) for name, given in tables.items()],
            "step": step,
            "until": until,
            "scheme": _scheme(scheme),
            "tolerance": None if tolerance is None else _data.number("`tolerance`", tolerance, positive=True),
            "error_limit": None if error_limit is None else _data.number("`error_limit`", error_limit, positive=True),
            "judge": judge,
            "checkpoints": None if checkpoints is None else _data.whole("`checkpoints`", checkpoints),
            "memory_limit": None if memory_limit is None else _data.whole("`memory_limit`", memory_limit),
            "order": _data.whole("`order`", order, least=2),
        }

    def simulate(
        self,
        until: float,
        step: float | None = None,
        inputs: Mapping[str, Any] | None = None,
        *,
        tables: Mapping[str, Any] | None = None,
        scheme: Any = "alpha",
        tolerance: float | None = None,
        error_limit: float | None = 0.05,
        judge: Any = None,
        memory_limit: int | None = None,
        order: int = 2,
    ) -> Run:
        """Simulates from 0 to `until`, in s, with steps of `step` s; without it, a step with small errors is found.

        `inputs` has for each input a number, a function of the time in s, an array over the multiples of `step`,
        (t, y), (t, y, "cubic" | "held"), a pandas Series, a `Record` with a channel of this name, or
        (record, channel). Functions are called with an array of times if they take one, else with single times,
        before the run begins. `tables` has (x, y), (x, y, values) or a CSV file for each table.

        `scheme` is "alpha", ("alpha", rho_inf), ("hht", alpha) or "undamped". `tolerance` makes steps adaptive. A run
        of `order` p, up to 6, combines p - 1 runs with steps of `step`, half of it, a fourth .., so that errors cancel.
        A run with estimated errors beyond `error_limit`, relative to the ranges of coordinates and outputs, or of the outputs
        in `judge`, raises SimulationError; None accepts any.
        """
        setup = self._setup(
            _data.number("`until`", until, positive=True), step, inputs, tables, scheme, tolerance, error_limit, judge,
            None, memory_limit, order,
        )
        return Run(type(self), type(self)._library.simulate(type(self)._core, setup))

    def filter(
        self,
        measured: Any,
        *,
        noise: Mapping[str, float],
        follow: Any = (),
        inputs: Mapping[str, Any] | None = None,
        method: str = "extended",
        smooth: bool = False,
        step: float | None = None,
        until: float | None = None,
        **settings: Any,
    ) -> Filtered:
        """Follows states and parameters through a record by a Kalman filter, or with `smooth` a smoother.

        `measured` is as for `costate.fit`; `noise` has the standard deviation of the errors of each measured output.
        `follow` names parameters that are estimated as well, or has for each its standard deviation at the start (a
        fifth of its value without it), or (deviation, drift in one second). `method` is "extended", "unscented" or
        "square_root_unscented".
        """
        from ._filter import filtered

        settings = {"step": step, "until": until, **settings}
        return filtered(self, measured, noise, follow, inputs, method, smooth, settings)

    def equilibrium(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        hold: Any = (),
        start: Mapping[str, float] | None = None,
        turning: Mapping[str, float] | None = None,
        unstable: bool = False,
        tables: Mapping[str, Any] | None = None,
    ) -> _vibration.Equilibrium:
        """Finds a position of rest near the initial values; inputs that are not given are 0.

        Coordinates of `hold` keep their initial values, those of `start` begin elsewhere, and those of `turning` turn at
        a speed in their unit per s. An unstable equilibrium raises SimulationError unless `unstable` is True.
        """
        return _vibration.equilibrium(self, inputs, hold, start, turning, unstable, tables)

    def modes(self, inputs: Mapping[str, Any] | None = None, **settings: Any) -> _vibration.Modes:
        """Returns the modes of small vibrations about the position of rest that `equilibrium` finds."""
        return self.equilibrium(inputs, **settings).modes()

    def response(
        self, frequencies: Any, input: str, output: str, inputs: Mapping[str, Any] | None = None, **settings: Any
    ) -> _vibration.Response:
        """Returns the frequency response of an output to an input about the position of rest; frequencies are in Hz."""
        type(self)._check("inputs", [input])
        type(self)._check("outputs", [output])
        return self.equilibrium(inputs, **settings).response(frequencies, input, output)

    def harmonic_balance(
        self,
        frequencies: Any,
        input: str,
        amplitudes: Any,
        *,
        output: str | None = None,
        harmonics: int | None = None,
        mean: float = 0.0,
        stability: bool = True,
        inputs: Mapping[str, Any] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> _vibration.Periodic:
        """Computes periodic responses of the nonlinear model to mean + amplitude cos(2 pi f t), frequencies f in Hz.

        `input` is driven, or controls `output` to this course, as a test rig does; there is a curve for each amplitude.
        """
        return _vibration.harmonic_balance(
            self, frequencies, input, amplitudes, output, harmonics, mean, stability, inputs, tables
        )


def _scheme(given: Any) -> tuple[str, float]:
    name, numbers = (given, ()) if isinstance(given, str) else (given[0], tuple(given[1:])) if isinstance(given, tuple) and given else (None, ())
    defaults = {"alpha": 0.8, "hht": -0.1, "undamped": 0.0}
    if name not in defaults or len(numbers) > 1:
        raise DataError(f'`scheme` is {given!r}; give "alpha", ("alpha", rho_inf), ("hht", alpha) or "undamped"')
    return (name, _data.number("the number of `scheme`", numbers[0]) if numbers else defaults[name])


def _table(name: str, given: Any) -> Any:
    what = f"table `{name}`"
    if isinstance(given, (str, PathLike)):
        return fspath(given)
    if isinstance(given, tuple) and len(given) == 2:
        return tuple(_data.numbers(what, one) for one in given)
    if isinstance(given, tuple) and len(given) == 3:
        x, y, values = _data.numbers(what, given[0]), _data.numbers(what, given[1]), _data.numbers(what, given[2], 2)
        if values.shape != (len(x), len(y)):
            raise DataError(f"{what} has values of the shape {values.shape}; give one row for each x: {(len(x), len(y))}")
        return (x, y, values.ravel())
    raise DataError(f"{what}: give (x, y), (x, y, values) or the path of a CSV file")


def _amount(cls: ModelType, name: str, given: Any) -> float:
    """Returns the value of a parameter in its unit: of a number, or of a text with a unit."""
    if isinstance(given, str):
        found = _AMOUNT.fullmatch(given)
        if found is None:
            raise DataError(f"parameter `{name}`: `{given}` is no number with a unit; write e.g. \"80 N/mm\"")
        return _costate.Loaded.converted(name, float(found[1]), found[2] or found[3], cls.parameters[name].unit)
    return _data.number(f"parameter `{name}`", given)


def _class(version: str, source: tuple[Any, ...]) -> ModelType:
    """Loads the class of a pickle."""
    if version != _costate.__version__:
        raise DataError(
            f"the pickle is of costate {version}, this is {_costate.__version__}; load the model from its text"
        )
    return _loaded(*source)


def _instance(version: str, source: tuple[Any, ...], values: dict[str, float]) -> Model:
    """Loads the instance of a pickle."""
    return _class(version, source)(**values)


# The modules with compiled models, by their paths.
_libraries: dict[str, Any] = {}


def _library(path: str) -> Any:
    """Returns the module of a library that has a model compiled in."""
    if path not in _libraries:
        loader = ExtensionFileLoader("costate.compiled._costate", path)
        library = module_from_spec(ModuleSpec("costate.compiled._costate", loader, origin=path))
        loader.exec_module(library)
        if library.__version__ != _costate.__version__:
            raise ModelError(
                f"the sources are those of costate {library.__version__}, and this is {_costate.__version__}; name the folder "
                "of its sources in the environment variable `COSTATE_SOURCE`"
            )
        _libraries[path] = library
    return _libraries[path]


def _loaded(
    path: str, text: str | None, name: str | None, arguments: dict[str, Any], allow: list[str], compiled: bool = False
) -> ModelType:
    library = _library(fspath(_costate.compiled(path, text, name, arguments, allow))) if compiled else _costate
    core: _costate.Loaded = library.Loaded(path, text, name, arguments, allow)

    def quantities(kind: str) -> _Quantities:
        defaults = chain(core.defaults() if kind == "parameters" else (), repeat(None))
        return _Quantities((row[0], Quantity(*row, default)) for row, default in zip(core.quantities(kind), defaults))

    kinds = ("parameters", "inputs", "outputs", "coordinates", "constraints", "tables")
    described = {kind: quantities(kind) for kind in kinds}
    units = "\n".join(f"    {q.name} [{q.unit}] = {q.default}: {q.text.strip()}" for q in described["parameters"].values())
    members = {
        "__doc__": f"{core.documentation.strip()}\n\nParameters:\n{units}\n".lstrip(),
        "__module__": "costate.loaded",
        "__slots__": (),
        "_core": core,
        "_library": library,
        "_source": (path, core.text, name, arguments, allow, compiled),
        **described,
    }
    return ModelType(core.name, (Model,), members)


copyreg.pickle(
    ModelType,
    lambda cls: (_class, (_costate.__version__, cls._source)) if "_core" in cls.__dict__ else cls.__qualname__,  # type: ignore[arg-type, return-value]
)


def load(
    path: str | PathLike[str],
    name: str | None = None,
    *,
    arguments: Mapping[str, int | bool] | None = None,
    allow_files: Any = (),
    compiled: bool = False,
) -> ModelType:
    """Loads a model: the text of one, or one of the `model!` blocks of a Rust file, which `name` chooses.

    `arguments` has values of structural arguments. Tables and meshes are read from the folder of the model, and from
    those of `allow_files`.

    The arithmetic of a model runs as machine code, which is assembled in milliseconds and needs no compiler, on
    processors of the x86-64 family with AVX2; elsewhere it is interpreted. With `compiled` cargo compiles it to a
    library, which takes minutes for the first model and half a minute for others, and is kept in the folder
    `costate/compiled` of the user's cache. It needs a Rust toolchain, and the sources from which the package was built,
    or those in the folder of the environment variable `COSTATE_SOURCE`.
    """
    path = Path(path)
    return _checked(path, None, name, arguments, allow_files, compiled)


def model(
    text: str,
    name: str | None = None,
    *,
    folder: str | PathLike[str] = ".",
    arguments: Mapping[str, int | bool] | None = None,
    allow_files: Any = (),
    compiled: bool = False,
) -> ModelType:
    """Loads a model from its text, as `load` does; tables are relative to `folder`."""
    if not isinstance(text, str):
        raise DataError(f"a model is a text, and not a {type(text).__name__}; `costate.load` reads a file")
    return _checked(Path(folder) / "text.model", text, name, arguments, allow_files, compiled)


def _checked(path: Path, text: str | None, name: Any, arguments: Any, allow: Any, compiled: bool) -> ModelType:
    arguments = _data.mapping("`arguments`", arguments)
    for key, value in arguments.items():
        if not isinstance(value, bool):
            _data.whole(f"the argument `{key}`", value, -(2**63))
    if name is not None and not isinstance(name, str):
        raise DataError(f"`name` is {name!r}; give the name of a model")
    return _loaded(str(path), text, name, arguments, _data.paths("`allow_files`", allow), bool(compiled))
