"""Exceptions of costate: one family, whose texts name the remedy."""


class Error(Exception):
    """An error of costate. Its text has no control characters, whatever it repeats."""

    def __init__(self, text: str = "") -> None:
        super().__init__("".join(one if one.isprintable() or one in "\n\t" else "\N{REPLACEMENT CHARACTER}" for one in text))


class ModelError(Error):
    """A model that cannot be loaded; the text shows the lines of its mistakes.

    Attributes: `line` and `column` of the first mistake, from 1; `mistakes`, all of them as (line, column, message);
    `path` of the text.
    """

    line: int | None = None
    column: int | None = None
    path: str = ""
    mistakes: list[tuple[int, int, str]] = []


class DataError(Error, ValueError):
    """Values, arrays, records or settings that cannot be used."""


class UnknownNameError(DataError, AttributeError):
    """A name that the model does not have.

    Attributes: `name`, its `kind` (`parameter`, `input`, ...) and the names that are `available`.
    """

    kind: str = ""
    available: list[str] = []


class SimulationError(Error, RuntimeError):
    """A run, a position of rest or another computation that fails; `time` in s, where it is known."""

    time: float | None = None


class FitError(Error, RuntimeError):
    """An identification that cannot be set up or that fails."""
