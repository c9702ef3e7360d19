"""Finds the stiffness and damping of a mount that is an FMU, by scipy with exact gradients: python calibrate.py mount.fmu"""
import sys

import numpy as np
from scipy.optimize import least_squares

from steps import Unit

unit = Unit(sys.argv[1])
names, steps = ["c", "d"], 300
measured = unit.run({"c": 95e3, "d": 55.0}, steps)[:, 1]
residual = lambda p: 1e3 * (unit.run(dict(zip(names, p)), steps)[:, 1] - measured)
jacobian = lambda p: 1e3 * unit.sensitivities(dict(zip(names, p)), steps, output=1, names=names)
fit = least_squares(residual, [80e3, 30.0], jac=jacobian, x_scale=[1e5, 50.0], xtol=1e-14, ftol=1e-14, gtol=1e-14)
print(f"c = {fit.x[0]:.6f} N/m, d = {fit.x[1]:.8f} N*s/m after {fit.nfev} runs")
assert np.allclose(fit.x, [95e3, 55.0], rtol=1e-8)
