"""Conversion of what users give - numbers, arrays, functions, series - into what the compiled part takes."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any

import numpy as np

from ._errors import DataError


def numbers(what: str, given: Any, ndim: int = 1) -> np.ndarray:
    """Returns a contiguous array of real numbers, NaN where samples are missing."""
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "fiubO" or (array.dtype.kind == "O" and array.size == 0):
            raise DataError(f"{what}: an array of {array.dtype} has no real numbers; give floats")
        shape = array.shape
        array = np.ascontiguousarray(array, dtype=float)
    except DataError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what}: {error}; give an array of numbers") from None
    if len(shape) != ndim:
        raise DataError(f"{what} has the shape {shape}; give an array of {ndim} dimension{'s' * (ndim > 1)}")
    return array


def number(what: str, given: Any, positive: bool = False) -> float:
    """Returns one finite number."""
    if isinstance(given, (str, bytes, bool, complex)) or given is None:
        raise DataError(f"{what}: {given!r} is no number")
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what}: {error}; give a number") from None
    if not np.isfinite(value):
        raise DataError(f"{what} is {value}; give a finite number")
    if positive and value <= 0.0:
        raise DataError(f"{what} is {value}; give a positive number")
    return value


def whole(what: str, given: Any, least: int = 0) -> int:
    """Returns an integer of at least `least`."""
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not least <= given < 2**63:
        raise DataError(f"{what} is {given!r}; give an integer of at least {least}")
    return int(given)


def names(what: str, given: Any) -> list[str]:
    """Returns a list of names."""
    given = [given] if isinstance(given, str) else given
    try:
        given = list(given)
    except TypeError:
        raise DataError(f"{what}: {given!r} is no list of names") from None
    for name in given:
        if not isinstance(name, str):
            raise DataError(f"{what}: {name!r} is no name")
    return given


def mapping(what: str, given: Any) -> dict[str, Any]:
    """Returns a dictionary with names as keys."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise DataError(f"{what}: a {type(given).__name__} has no names; give a dictionary {{name: ..}}")
    for name in given:
        if not isinstance(name, str):
            raise DataError(f"{what}: {name!r} is no name")
    return dict(given)


def paths(what: str, given: Any) -> list[str]:
    """Returns a list of paths."""
    try:
        return [fspath(path) for path in ([given] if isinstance(given, (str, PathLike)) else given)]
    except TypeError as error:
        raise DataError(f"{what}: {error}; give paths") from None


def pair(what: str, given: Any) -> tuple[float, float]:
    """Returns two finite numbers."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise DataError(f"{what}: {given!r} is no pair (from, to)")
    return (number(what, given[0]), number(what, given[1]))


def seconds(what: str, index: Any) -> np.ndarray:
    """Returns the index of a pandas object as times in s; dates count from the first one."""
    kind = getattr(getattr(index, "dtype", None), "kind", "")
    if kind == "M":
        index = index - index[0]
        kind = "m"
    if kind == "m":
        return np.ascontiguousarray(index.total_seconds(), dtype=float)
    return numbers(f"the times of {what}", np.asarray(index))


def is_series(given: Any) -> bool:
    """Checks for a pandas Series, without an import."""
    return hasattr(given, "index") and hasattr(given, "to_numpy") and not hasattr(given, "columns")


def is_frame(given: Any) -> bool:
    """Checks for a pandas DataFrame, without an import."""
    return hasattr(given, "columns") and hasattr(given, "index") and hasattr(given, "to_numpy")


def samples(what: str, given: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns times in s and values of `(t, y)` or a pandas Series."""
    if is_series(given):
        times, values = seconds(what, given.index), numbers(what, given.to_numpy())
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        times, values = numbers(f"the times of {what}", given[0]), numbers(what, given[1])
    else:
        raise DataError(f"{what}: a {type(given).__name__} is no signal; give (t, y) or a pandas Series")
    if len(times) != len(values):
        raise DataError(f"{what} has {len(values)} values for {len(times)} times; give one value for each time")
    return times, values
