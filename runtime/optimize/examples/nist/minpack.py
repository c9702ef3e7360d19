#!/usr/bin/env python3
"""Runs MINPACK and a trust-region reflective method on the reference problems of the example `nist`.

Needs Python 3 with numpy and scipy (https://scipy.org). The problems are those of the example, written once more, with
derivatives by complex steps, which are exact but for rounding.

    python3 minpack.py [DATA] [--json FILE] [--tolerance 1e-15]

prints a table and writes the counts of evaluations, which stand in `data/minpack_counts.json`.
"""

import argparse
import json
import pathlib
import warnings

import numpy as np
import scipy
from scipy.optimize import least_squares, leastsq

exp, pi = np.exp, np.pi


def saturation(b, x):
    return b[0] * (1 - exp(-b[1] * x))


def chwirut(b, x):
    return exp(-b[0] * x) / (b[1] + b[2] * x)


def lanczos(b, x):
    return b[0] * exp(-b[1] * x) + b[2] * exp(-b[3] * x) + b[4] * exp(-b[5] * x)


def gauss(b, x):
    peaks = b[2] * exp(-(((x - b[3]) / b[4]) ** 2)) + b[5] * exp(-(((x - b[6]) / b[7]) ** 2))
    return b[0] * exp(-b[1] * x) + peaks


def kirby(b, x):
    return (b[0] + x * (b[1] + x * b[2])) / (1 + x * (b[3] + x * b[4]))


def cubics(b, x):
    return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1 + x * (b[4] + x * (b[5] + x * b[6])))


def enso(b, x):
    def wave(period, cosine, sine):
        angle = 2 * pi * x / period
        return cosine * np.cos(angle) + sine * np.sin(angle)

    return b[0] + wave(12.0, b[1], b[2]) + wave(b[3], b[4], b[5]) + wave(b[6], b[7], b[8])


MODELS = {
    "Misra1a": saturation,
    "Chwirut2": chwirut,
    "Chwirut1": chwirut,
    "Lanczos3": lanczos,
    "Gauss1": gauss,
    "Gauss2": gauss,
    "DanWood": lambda b, x: b[0] * x ** b[1],
    "Misra1b": lambda b, x: b[0] * (1 - (1 + b[1] * x / 2) ** -2),
    "Kirby2": kirby,
    "Hahn1": cubics,
    "Nelson": lambda b, x: b[0] - b[1] * x[0] * exp(-b[2] * x[1]),
    "MGH17": lambda b, x: b[0] + b[1] * exp(-b[3] * x) + b[2] * exp(-b[4] * x),
    "Lanczos1": lanczos,
    "Lanczos2": lanczos,
    "Gauss3": gauss,
    "Misra1c": lambda b, x: b[0] * (1 - (1 + 2 * b[1] * x) ** -0.5),
    "Misra1d": lambda b, x: b[0] * b[1] * x / (1 + b[1] * x),
    "Roszman1": lambda b, x: b[0] - b[1] * x - np.arctan(b[2] / (x - b[3])) / pi,
    "ENSO": enso,
    "MGH09": lambda b, x: b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]),
    "Thurber": cubics,
    "BoxBOD": saturation,
    "Rat42": lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)),
    "MGH10": lambda b, x: b[0] * exp(b[1] / (x + b[2])),
    "Eckerle4": lambda b, x: b[0] / b[1] * exp(-0.5 * ((x - b[2]) / b[1]) ** 2),
    "Rat43": lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)) ** (1 / b[3]),
    "Bennett5": lambda b, x: b[0] * (b[1] + x) ** (-1 / b[2]),
}


def read(path):
    """The parameters (start 1, start 2, value, deviation), the sum of squares and the data of a file of NIST."""
    lines = path.read_text().splitlines()
    head = max(k for k, line in enumerate(lines) if line.startswith("Data:"))
    rows = np.array([[float(text) for text in line.split()] for line in lines[head + 1 :] if line.strip()])
    parameters, squares = [], None
    for line in lines[:head]:
        name, _, rest = line.partition("=")
        if name.strip()[:1] == "b" and name.strip()[1:].isdigit():
            parameters.append([float(text) for text in rest.split()])
        if line.startswith("Residual Sum of Squares:"):
            squares = float(line.split()[-1])
    return np.array(parameters), squares, rows


def nist(folder):
    """Name, start, start values, residuals, certified parameters."""
    for name, model in MODELS.items():
        parameters, _, rows = read(folder / f"{name}.dat")
        y, x = rows[:, 0], rows[:, 1]
        if name == "Nelson":
            y, x = np.log(y), rows[:, 1:].T
        for k in range(2):
            yield name, k + 1, parameters[:, k], lambda b, x=x, y=y, f=model: f(b, x) - y, parameters[:, 2]


def full_rank(x, m):
    own = np.zeros(m, dtype=x.dtype)
    own[: x.size] = x
    return own - 2 / m * x.sum() - 1


def rank_one(x, m):
    return np.arange(1, m + 1) * (np.arange(1, x.size + 1) * x).sum() - 1


def rank_one_with_zeros(x, m):
    factors = np.arange(m, dtype=float)
    factors[-1] = 0
    return factors * (np.arange(2, x.size) * x[1:-1]).sum() - 1


def helical(x, m):
    if x[0].real == 0:
        turns = np.copysign(0.25, x[1].real) - x[0] / (2 * pi * x[1])
    else:
        turns = np.arctan(x[1] / x[0]) / (2 * pi) + (0.5 if x[0].real < 0 else 0)
    return np.array([10 * (x[2] - 10 * turns), 10 * (np.sqrt(x[0] ** 2 + x[1] ** 2) - 1), x[2]])


def watson(x, m):
    t = np.arange(1, 30) / 29
    powers = np.arange(x.size)
    value = (x[:, None] * t ** powers[:, None]).sum(axis=0)
    slope = (x[1:, None] * powers[1:, None] * t ** powers[:-1, None]).sum(axis=0)
    return np.concatenate([slope - value**2 - 1, [x[0], x[1] - x[0] ** 2 - 1]])


def chebyquad(x, m):
    previous, current, sums = np.ones_like(x), 2 * x - 1, []
    for degree in range(1, m + 1):
        integral = -1 / (degree**2 - 1) if degree % 2 == 0 else 0
        sums.append(current.sum() / x.size - integral)
        previous, current = current, 2 * (2 * x - 1) * current - previous
    return np.array(sums)


def brown(x, m):
    return np.append(x[:-1] + x.sum() - (x.size + 1), x.prod() - 1)


BARD = np.array([0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39])
KOWALIK = np.array(
    [[4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625],
     [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246]]
)  # fmt: skip
MEYER = np.array(
    [34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872.0]
)
OSBORNE_ONE = np.array(
    [0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.85, 0.818, 0.784, 0.751, 0.718, 0.685, 0.658, 0.628,
     0.603, 0.58, 0.558, 0.538, 0.522, 0.506, 0.49, 0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.42,
     0.414, 0.411, 0.406]
)  # fmt: skip
OSBORNE_TWO = np.array(
    [1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608, 0.655, 0.616,
     0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661, 0.612, 0.558, 0.533, 0.495,
     0.5, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672,
     0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559, 0.597, 0.625, 0.739, 0.71, 0.729, 0.72, 0.636, 0.581,
     0.428, 0.292, 0.162, 0.098, 0.054]
)  # fmt: skip


def bard(x, m):
    u = np.arange(1, 16)
    return BARD - (x[0] + u / ((16 - u) * x[1] + np.minimum(u, 16 - u) * x[2]))


def kowalik(x, m):
    u, y = KOWALIK
    return y - x[0] * u * (u + x[1]) / (u * (u + x[2]) + x[3])


def box(x, m):
    t = np.arange(1, m + 1) / 10
    return exp(-t * x[0]) - exp(-t * x[1]) + (exp(-10 * t) - exp(-t)) * x[2]


def jennrich(x, m):
    t = np.arange(1, m + 1)
    return 2 + 2 * t - exp(t * x[0]) - exp(t * x[1])


def brown_dennis(x, m):
    t = np.arange(1, m + 1) / 5
    return (x[0] + t * x[1] - exp(t)) ** 2 + (x[2] + np.sin(t) * x[3] - np.cos(t)) ** 2


def osborne_one(x, m):
    t = 10 * np.arange(33)
    return OSBORNE_ONE - (x[0] + x[1] * exp(-t * x[3]) + x[2] * exp(-t * x[4]))


def osborne_two(x, m):
    t = np.arange(65) / 10
    peaks = sum(x[k] * exp(-x[k + 4] * (t - x[k + 7]) ** 2) for k in (1, 2, 3))
    return OSBORNE_TWO - (x[0] * exp(-t * x[4]) + peaks)


def nodes(n):
    return [j / (n + 1) for j in range(1, n + 1)]


ONCE, TWICE, THRICE = [1], [1, 10], [1, 10, 100]

MGH = [
    ("linear, full rank, m = 10", full_rank, 10, [1] * 5, ONCE),
    ("linear, full rank, m = 50", full_rank, 50, [1] * 5, ONCE),
    ("linear, rank 1, m = 10", rank_one, 10, [1] * 5, ONCE),
    ("linear, rank 1, m = 50", rank_one, 50, [1] * 5, ONCE),
    ("linear, rank 1, zeros, m = 10", rank_one_with_zeros, 10, [1] * 5, ONCE),
    ("linear, rank 1, zeros, m = 50", rank_one_with_zeros, 50, [1] * 5, ONCE),
    ("Rosenbrock", lambda x, m: np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]]), 2, [-1.2, 1], THRICE),
    ("helical valley", helical, 3, [-1, 0, 0], THRICE),
    (
        "Powell singular",
        lambda x, m: np.array(
            [x[0] + 10 * x[1], 5**0.5 * (x[2] - x[3]), (x[1] - 2 * x[2]) ** 2, 10**0.5 * (x[0] - x[3]) ** 2]
        ),
        4,
        [3, -1, 0, 1],
        THRICE,
    ),
    (
        "Freudenstein and Roth",
        lambda x, m: np.array(
            [-13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1], -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1]]
        ),
        2,
        [0.5, -2],
        THRICE,
    ),
    ("Bard", bard, 15, [1, 1, 1], THRICE),
    ("Kowalik and Osborne", kowalik, 11, [0.25, 0.39, 0.415, 0.39], THRICE),
    (
        "Meyer",
        lambda x, m: x[0] * exp(x[1] / (50 + 5 * np.arange(16) + x[2])) - MEYER,
        16,
        [0.02, 4000, 250],
        TWICE,
    ),
    ("Watson, n = 6", watson, 31, [0] * 6, THRICE),
    ("Watson, n = 9", watson, 31, [0] * 9, THRICE),
    ("Watson, n = 12", watson, 31, [0] * 12, THRICE),
    ("Box 3-d", box, 10, [0, 10, 20], ONCE),
    ("Jennrich and Sampson", jennrich, 10, [0.3, 0.4], ONCE),
    ("Brown and Dennis", brown_dennis, 20, [25, 5, -5, -1], THRICE),
    ("Chebyquad, n = 1, m = 8", chebyquad, 8, nodes(1), THRICE),
    ("Chebyquad, n = 8", chebyquad, 8, nodes(8), ONCE),
    ("Chebyquad, n = 9", chebyquad, 9, nodes(9), ONCE),
    ("Chebyquad, n = 10", chebyquad, 10, nodes(10), ONCE),
    ("Brown almost-linear, n = 10", brown, 10, [0.5] * 10, THRICE),
    ("Brown almost-linear, n = 30", brown, 30, [0.5] * 30, ONCE),
    ("Brown almost-linear, n = 40", brown, 40, [0.5] * 40, ONCE),
    ("Osborne 1", osborne_one, 33, [0.5, 1.5, -1, 0.01, 0.02], ONCE),
    ("Osborne 2", osborne_two, 65, [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5], ONCE),
]


def mgh():
    """Name, factor, start values, residuals, nothing certified."""
    for name, function, m, start, factors in MGH:
        for factor in factors:
            standard = np.array(start, dtype=float)
            begin = factor * standard if factor == 1 or standard.any() else np.full(standard.size, float(factor))
            yield name, factor, begin, lambda x, f=function, m=m: f(x, m), None


class Counted:
    """Residuals and their derivatives, and how often they were asked for."""

    def __init__(self, function):
        self.function, self.nfev, self.njev = function, 0, 0

    def residuals(self, x):
        self.nfev += 1
        return self.function(np.asarray(x, dtype=float))

    def jacobian(self, x):
        self.njev += 1
        x = np.asarray(x, dtype=float)
        columns = []
        for k in range(x.size):
            step = 1e-30 * max(1.0, abs(x[k]))
            moved = x.astype(complex)
            moved[k] += 1j * step
            columns.append(self.function(moved).imag / step)
        return np.array(columns).T


def minpack(counted, start, tolerance):
    return leastsq(
        counted.residuals,
        start,
        Dfun=counted.jacobian,
        full_output=True,
        ftol=tolerance,
        xtol=tolerance,
        gtol=0.0,
        maxfev=5000,
    )[0]


def trf(counted, start, tolerance):
    # the method refuses tolerances below the rounding of numbers
    tolerance = max(tolerance, 4 * np.finfo(float).eps)
    result = least_squares(
        counted.residuals,
        start,
        jac=counted.jacobian,
        method="trf",
        x_scale="jac",
        ftol=tolerance,
        xtol=tolerance,
        gtol=tolerance,
        max_nfev=5000,
    )
    return result.x


def measured(method, function, start, certified, tolerance):
    counted = Counted(function)
    try:
        x = method(counted, start, tolerance)
        squares = float((np.abs(function(np.asarray(x, dtype=float))) ** 2).sum())
    except (ValueError, np.linalg.LinAlgError) as error:
        return {"nfev": counted.nfev, "njev": counted.njev, "failed": str(error)}
    entry = {"nfev": counted.nfev, "njev": counted.njev, "sum_of_squares": squares}
    if certified is not None:
        error = float(np.max(np.abs((x - certified) / certified)))
        entry["worst_relative_error"] = error if np.isfinite(error) else None
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = pathlib.Path(__file__).resolve().parents[2] / "data" / "nist_strd"
    parser.add_argument("data", nargs="?", type=pathlib.Path, default=default)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, default=1e-15)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    report = {"scipy": scipy.__version__, "tolerance": options.tolerance}
    for key, problems in (("nist", nist(options.data)), ("mgh", mgh())):
        report[key] = []
        for name, number, start, function, certified in problems:
            row = {"problem": name, "start": number}
            for method in (minpack, trf):
                row[method.__name__] = measured(method, function, start, certified, options.tolerance)
            report[key].append(row)
            cells = "  ".join(
                f"{entry['nfev']:5d} {entry['njev']:5d} {entry.get('sum_of_squares', np.nan):13.6e} "
                f"{entry.get('worst_relative_error') or np.nan:8.1e}"
                for entry in (row["minpack"], row["trf"])
            )
            print(f"{name:30s} {number:4d}  {cells}", flush=True)
        for method in ("minpack", "trf"):
            entries = [row[method] for row in report[key]]
            near = sum((entry.get("worst_relative_error") or np.inf) <= 1e-6 for entry in entries)
            counts = ", ".join(f"{count} {sum(entry[count] for entry in entries)}" for count in ("nfev", "njev"))
            print(f"{method}: {counts}" + (f", {near} within 1e-6" if key == "nist" else ""))
    if options.json:
        rows = {
            key: "[\n    " + ",\n    ".join(json.dumps(row) for row in report[key]) + "\n  ]" for key in ("nist", "mgh")
        }
        head = ", ".join(f'"{key}": {json.dumps(report[key])}' for key in ("scipy", "tolerance"))
        options.json.write_text(f'{{\n  {head},\n  "nist": {rows["nist"]},\n  "mgh": {rows["mgh"]}\n}}\n')


if __name__ == "__main__":
    main()
