"""Made records of a damper with hysteresis (Bouc, Wen) on a test machine, and what scipy's least squares find from two starts.

python3 records.py FOLDER COUNT        (needs numpy, scipy, numba)
"""

import json
import pathlib
import sys
import time

import numpy as np
from numba import njit
from scipy.optimize import least_squares
from scipy.signal import butter, sosfiltfilt

RATE, SAMPLES = 3000.0, 6000
TRUTH = [1450.0, -15000.0, 1.6e5, -110.0, -1.5e8, 3.5e8, 0.0]
STARTS = [[2e3, 500, 3e4, 0, 1e4, 1e4, 0], [2e3, 500, 5e5, 0, 1e6, 1e7, 0]]


@njit(cache=True)
def force(p, x, v, h):
    c_0, k_0, alpha, f_0, beta, gamma, z = p
    n = len(x)
    out = np.empty(n)
    for i in range(n):
        out[i] = c_0 * v[i] + k_0 * x[i] + alpha * z + f_0
        if i == n - 1:
            break
        parts = 12
        step = h / parts
        for s in range(parts):
            v_0 = v[i] + (v[i + 1] - v[i]) * s / parts
            v_1 = v[i] + (v[i + 1] - v[i]) * (s + 1) / parts
            v_m = 0.5 * (v_0 + v_1)
            k1 = 20 * v_0 - gamma * abs(v_0) * z * abs(z) - beta * v_0 * z * z
            y = z + step / 2 * k1
            k2 = 20 * v_m - gamma * abs(v_m) * y * abs(y) - beta * v_m * y * y
            y = z + step / 2 * k2
            k3 = 20 * v_m - gamma * abs(v_m) * y * abs(y) - beta * v_m * y * y
            y = z + step * k3
            k4 = 20 * v_1 - gamma * abs(v_1) * y * abs(y) - beta * v_1 * y * y
            z = z + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return out


def record(seed):
    random = np.random.default_rng(seed)
    t = np.arange(SAMPLES) / RATE
    band = butter(4, [1, 18], "band", fs=RATE, output="sos")
    x = sosfiltfilt(band, random.standard_normal(SAMPLES))
    x *= 1.5e-3 / x.std()
    v = np.gradient(x, 1 / RATE)
    f = force(np.array(TRUTH), x, v, 1 / RATE)
    noise, e = np.zeros(SAMPLES), random.standard_normal(SAMPLES)
    for i in range(1, SAMPLES):
        noise[i] = 0.98 * noise[i - 1] + e[i]
    # coloured: the model is not the whole truth
    return t, x, v, f + noise * (0.25 * f.std() / noise.std())


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    force(np.array(TRUTH), np.zeros(2), np.zeros(2), 1 / RATE)
    for seed in range(1, count + 1):
        t, x, v, f = record(seed)
        with open(folder / f"hysteresis_{seed}.csv", "w") as out:
            out.write("time [s],disp [m],speed [m/s],force [N]\n")
            for row in zip(t, x, v, f):
                out.write(",".join(f"{a:.9g}" for a in row) + "\n")
        starts = []
        for start in STARTS:

            def residual(p):
                o = force(np.array(p), x, v, 1 / RATE) - f
                return np.where(np.isfinite(o), o, 1e6)

            begin = time.perf_counter()
            found = least_squares(residual, start, x_scale="jac", max_nfev=500)
            seconds = time.perf_counter() - begin
            starts.append(dict(start=start, iterations=found.nfev, seconds=seconds, cost=found.cost))
            print(seed, found.nfev, f"{seconds:.2f} s", f"{np.sqrt(2 * found.cost / SAMPLES):.3f} N", found.x)
        with open(folder / f"hysteresis_{seed}.json", "w") as out:
            json.dump(dict(starts=starts), out)


if __name__ == "__main__":
    main()
