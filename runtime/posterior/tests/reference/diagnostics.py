"""Writes diagnostics.json: draws, and what ArviZ says of them.

python -m venv venv && venv/bin/pip install arviz==0.23.4 && venv/bin/python diagnostics.py
"""

import json
from pathlib import Path

import arviz
import numpy

random = numpy.random.default_rng(20240229)


def autoregressive(chains, draws, coefficient, shifts=0.0):
    noise = random.standard_normal((chains, draws))
    walk = numpy.empty_like(noise)
    walk[:, 0] = noise[:, 0]
    for k in range(1, draws):
        walk[:, k] = coefficient * walk[:, k - 1] + numpy.sqrt(1 - coefficient**2) * noise[:, k]
    return walk + numpy.asarray(shifts).reshape(-1, 1)


cases = {
    "independent": autoregressive(4, 100, 0.0),
    "correlated": autoregressive(4, 150, 0.9),
    "anticorrelated": autoregressive(3, 120, -0.6),
    "an odd number": autoregressive(2, 101, 0.5),
    "apart": autoregressive(4, 80, 0.3, [0.0, 0.5, -0.5, 2.0]),
    "scales": autoregressive(4, 80, 0.3) * numpy.array([[1.0], [1.0], [3.0], [0.2]]),
    "heavy tails": random.standard_cauchy((4, 100)),
    "rounded": numpy.round(autoregressive(4, 100, 0.4), 1),
    "a single chain": autoregressive(1, 200, 0.7),
    "few": autoregressive(2, 5, 0.0),
    "a walk": numpy.cumsum(random.standard_normal((3, 60)), axis=1),
}

numbers = {}
for name, draws in cases.items():
    r_hat = float(arviz.rhat(draws)) if len(draws) > 1 else None
    numbers[name] = {
        "draws": draws.tolist(),
        "mean": float(draws.mean()),
        "standard_deviation": float(draws.std(ddof=1)),
        "quantiles": [float(numpy.quantile(draws, part)) for part in (0.05, 0.5, 0.95)],
        "r_hat": r_hat,
        "effective": float(arviz.ess(draws, method="mean")),
        "bulk": float(arviz.ess(draws, method="bulk")),
        "tail": float(arviz.ess(draws, method="tail")),
        "error_of_mean": float(arviz.mcse(draws, method="mean")),
        "error_of_deviation": float(arviz.mcse(draws, method="sd")),
        "energy_fractions": [float(fraction) for fraction in arviz.bfmi(draws)],
    }

Path(__file__).with_name("diagnostics.json").write_text(json.dumps(numbers, indent=None) + "\n")
