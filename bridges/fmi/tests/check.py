"""FMUs of costate in FMPy and CasADi. Every part ends with an assertion; prints what it has found."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import casadi
import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

HERE = Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "models/src"
EXAMPLES = HERE.parent / "examples"
COSTATE = os.environ["COSTATE"]
LIBRARY = [] if "LIBRARY" not in os.environ else ["--library", os.environ["LIBRARY"]]

# tables whose data a run is given; the command takes them from a file
GIVEN_TABLES = {
    "HalfCar": ["damper"],
    "SwingArm": ["elastic", "dissipative"],
    "CoupledOscillator": ["restoring"],
    "IdentifiedOscillator": ["elastic", "dissipative"],
    "IdentifiedPlate": [f"{kind}_{k}" for kind in ("elastic", "dissipative") for k in (1, 2, 3)],
}
# models whose vibrations the default step of 1 ms does not resolve
STEPS = {"VanDerPol": "1e-5", "FourCylinderEngine": "1e-4", "MappedEngine": "1e-4"}
CURVE = "x,y\n-1,-20\n0,0\n1,20\n"
SURFACE = ",-1,0,1\n-1,-20,-10,0\n0,-10,0,10\n1,0,10,20\n"

MOUNT = """
pub Mount {
    parameters { m: kg = 20, c: N/m = 100e3, c_3: N/m^3 = 3e9, d: N*s/m = 40, q_0: mm = 1 }
    inputs { drive: N }
    coordinates { x: m }
    mass { x: m }
    forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
    initial { x = q_0 }
    outputs { acceleration: m/s^2 = ddot(x), position: m = x }
}"""
# a component, a structural argument, a table of a file, a constraint, and a mesh
ROW = """
pub Row(masses: usize = 2) {
    component Spring {
        connections { a: m, b: m }
        parameters { stiffness: N/m }
        forces { a: -stiffness*(a - b), b: stiffness*(a - b) }
    }
    parameters { m: kg = 2, c: N/m = 1000, d: N*s/m = 3, l: m = 0.3, g: m/s^2 = 9.81 }
    tables { stop(linear x: mm): N = "stop.csv" }
    coordinates { x[1..=masses]: m, y: m, w: rad }
    mass { for i in 1..=masses { x[i]: m }, y: 0.5*m }
    bodies { hull: spatial { mass: m, inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]), shape: mesh("hull.stl") } }
    components { for i in 1..masses { spring[i]: Spring { a = x[i], b = x[i + 1], stiffness = c } } }
    forces { for i in 1..=masses { x[i]: -c*x[i] - d*dot(x[i]) }, x[1]: -stop(x[1]), y: -0.5*m*g }
    constraints { along: x[masses] - l*sin(w), across: y + l*cos(w) }
    initial { x[1] = 8[mm], x[masses] = 5[mm] }
    outputs { first: m/s^2 = ddot(x[1]), last: m = x[masses], push: N = multiplier(across) }
}"""
HULL = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
STOP = "x [mm],force [N]\n-10,-40\n-5,-6\n0,0\n4,5\n10,50\n"
CONTROLLER = """
pub Controller {
    parameters {
        wanted: m = 2e-3, gain: N/m = 20e3, damping: N*s/m = 1500, integral: N/m = 500, rate: N*s/m = 1000,
        stiffness: N/m = 1e6, lag: N*s/m = 2000,
    }
    inputs { seen: m }
    coordinates { sum: m, late: m }
    mass { sum: 1[kg], late: 1[kg] }
    forces { sum: integral*(wanted - seen), late: stiffness*(seen - late) - lag*dot(late) }
    initial { sum = 0[m], late = 0[m] }
    outputs { force: N = gain*(wanted - late) - damping*dot(late) + rate*dot(sum) }
}"""


def export(folder, model, name, *arguments, library=LIBRARY):
    """Exports a model and returns the path of its FMU."""
    fmu = folder / f"{name}.fmu"
    subprocess.run([COSTATE, "fmu", model, *arguments, "-o", fmu, *library], check=True, stdout=subprocess.DEVNULL)
    return fmu


def text(folder, name, content):
    """Writes the text of a model."""
    path = folder / f"{name}.model"
    path.write_text(content)
    return path


def every_model(folder):
    """No message of the validation for any model, and a run of each in both interfaces."""
    checked, data = 0, [folder / "curve.csv", folder / "surface.csv"]
    for path, content in zip(data, (CURVE, SURFACE)):
        path.write_text(content)
    for path in sorted(MODELS.rglob("*.rs")):
        for name in re.findall(r"^\s*pub (\w+)(?:\(| \{| = \w+\()", path.read_text(), re.M):
            if "model!" not in path.read_text():
                continue
            options = [f"--table={table}={data[table == 'restoring']}" for table in GIVEN_TABLES.get(name, [])]
            fmu = export(folder, path, name, "--model", name, "--step", STEPS.get(name, "1e-3"), *options)
            problems = validate_fmu(str(fmu))
            assert not problems, (name, problems)
            about = read_model_description(str(fmu))
            runs = [simulate_fmu(str(fmu), stop_time=0.05, step_size=1e-3, output_interval=1e-3, fmi_type="CoSimulation")]
            if about.modelExchange is not None:
                runs.append(simulate_fmu(str(fmu), stop_time=0.05, output_interval=1e-3, fmi_type="ModelExchange", relative_tolerance=1e-9))
                for output in runs[0].dtype.names[1:]:
                    one, other = (run[output][:51] for run in runs)
                    size = np.abs(one).max() + 1e-9
                    assert np.abs(one - other).max() < 0.05 * size, (name, output, np.abs(one - other).max() / size)
            checked += 1
    print(f"{checked} models: no message of FMPy, runs in both interfaces")
    assert checked == 26


def bits(folder, mount):
    """FMPy's simulation is that of another instance of the steps, to the bit."""
    sys.path.insert(0, str(EXAMPLES))
    from steps import Unit

    one = simulate_fmu(str(mount), stop_time=0.2, step_size=1e-3, output_interval=1e-3, fmi_type="CoSimulation")
    run = Unit(str(mount)).run({}, 200)
    assert (np.stack([one["acceleration"][1:], one["position"][1:]], 1) == run).all()
    print("a simulation of FMPy and steps: the same bits")


def in_casadi(folder, mount):
    """CasADi takes the equations, and forward and reverse products with their Jacobian."""
    fmu = casadi.DaeBuilder("mount", str(extract(str(mount), str(folder / "of_casadi"))), {})
    f = fmu.create("f", ["x", "u", "p"], ["ode", "y"], {"uses_adjoint_derivatives": True, "uses_directional_derivatives": True})
    c, c_3, d, m = 100e3, 3e9, 40.0, 20.0
    place = {name: k for k, name in enumerate(fmu.p())}
    p = np.array([{"m": m, "c": c, "c_3": c_3, "d": d, "q_0": 1.0}[name] for name in fmu.p()])
    at = {name: k for k, name in enumerate(fmu.x())}
    x = np.zeros(2)
    x[at["x"]], x[at["dot(x)"]] = 2e-3, 0.3
    ode, _ = f(x, 12.0, p)
    a = (12.0 - c * 2e-3 - c_3 * 2e-3**3 - d * 0.3) / m
    assert np.isclose(float(ode[at["dot(x)"]]), a, rtol=1e-14) and float(ode[at["x"]]) == 0.3
    # CasADi's own Jacobian function takes differences of FMUs; its products do not
    forward, zeros = f.forward(1), [np.zeros(2), 0, np.zeros(len(p))]
    def column(argument, k):
        seed = [np.array(zero, dtype=float) for zero in zeros]
        seed[argument][k] = 1.0
        return np.array(forward(x, 12.0, p, 0, 0, *seed)[0]).ravel()
    of_x = np.stack([column(0, k) for k in range(2)], 1)
    of_p = np.stack([column(2, k) for k in range(len(p))], 1)
    row = at["dot(x)"]
    exact = {"x": -(c + 3 * c_3 * 2e-3**2) / m, "dot(x)": -d / m}
    for name, value in exact.items():
        assert np.isclose(of_x[row, at[name]], value, rtol=1e-12), (name, of_x[row, at[name]], value)
    assert np.isclose(of_p[row, place["c_3"]], -(2e-3**3) / m, rtol=1e-12)
    assert np.isclose(of_p[row, place["m"]], -a / m, rtol=1e-12)
    reverse = f.reverse(1)
    seed = np.zeros(2)
    seed[row] = 1.0
    back = reverse(x, 12.0, p, 0, 0, seed, np.zeros(len(fmu.y())))
    assert np.allclose(np.array(back[0]).ravel(), of_x[row], rtol=1e-12)
    assert np.allclose(np.array(back[2]).ravel(), of_p[row], rtol=1e-12)
    print("CasADi: forward and reverse products exact to 1e-12")
    return fmu, f, p


def adjoints(folder, mount, in_casadi):
    """The adjoint of cvodes through Model Exchange is that of the steps, to second order in the step."""
    from steps import Unit

    fmu, f, p = in_casadi
    end, place = 0.2, {name: k for k, name in enumerate(fmu.p())}
    x, u, q = casadi.MX.sym("x", 2), casadi.MX.sym("u"), casadi.MX.sym("p", len(p))
    ode, _ = f(x, u, q)
    options = {"abstol": 1e-12, "reltol": 1e-12}
    integrator = casadi.integrator("i", "cvodes", {"x": x, "p": casadi.vertcat(q, u), "ode": ode}, 0, end, options)
    at = {name: k for k, name in enumerate(fmu.x())}
    x0 = np.zeros(2)
    x0[at["x"]] = 1e-3
    values = casadi.MX.sym("v", len(p))
    final = integrator(x0=x0, p=casadi.vertcat(values, 0.0))["xf"][at["x"]]
    gradient = np.array(casadi.Function("g", [values], [casadi.gradient(final, values)])(p)).ravel()
    names = ["m", "c", "c_3", "d"]
    wanted = gradient[[place[name] for name in names]]
    errors = []
    for step in [4e-4, 2e-4, 1e-4]:
        path = export(folder, folder / "mount.model", f"mount{step}", "--step", str(step))
        unit, steps = Unit(str(path)), round(end / step)
        seeds = np.zeros((steps, 2))
        seeds[-1, 1] = 1.0
        _, found = unit.gradient({}, steps, seeds)
        own = {v.name: k for k, v in enumerate(unit.parameters)}
        errors.append(np.abs(found[[own[name] for name in names]] / wanted - 1).max())
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    differences = [f"{error:.1e}" for error in errors]
    print(f"adjoint of cvodes and of steps: relative differences {differences}, orders {orders.round(3)}")
    assert (orders > 1.8).all() and errors[-1] < 2e-2


def compiled(folder):
    """A library with the model compiled in makes the same steps and adjoints, in less time."""
    from steps import Unit

    if shutil.which("cargo") is None:
        print("cargo is not installed: no library with a compiled model is checked")
        return
    if os.environ.get("COSTATE_LONG_TESTS", "0") in ("", "0"):
        print("COSTATE_LONG_TESTS is not set: no library with a compiled model is checked, whose build takes minutes")
        return
    (folder / "stop.csv").write_text(STOP)
    (folder / "hull.stl").write_text(HULL)
    model = text(folder, "row", ROW)
    given = ["--set", "masses=3", "--step", "2e-4"]
    units = [
        Unit(str(export(folder, model, "loaded", *given))),
        Unit(str(export(folder, model, "compiled", *given, "--compiled", library=[]))),
    ]
    seeds = np.random.default_rng(1).normal(size=(200, len(units[0].outputs)))
    found, times = [], []
    for unit in units:
        # the first run assembles machine code
        unit.run({}, 1)
        begin = time.perf_counter()
        unit.start({})
        for k in range(10):
            unit.fmu.doStep(500 * k * unit.step, 500 * unit.step)
        times.append(time.perf_counter() - begin)
        runs = [unit.run({"c": c}, 200) for c in (900.0, 1100.0)]
        found.append([*runs, unit.gradient({}, 200, seeds)[1]])
    for one, other in zip(*found):
        scale = np.abs(one).max(axis=0) + 1e-300
        assert (np.abs(one - other) / scale).max() < 1e-12, (np.abs(one - other) / scale).max()
    assert (found[0][0] != found[0][1]).any() and np.abs(found[0][2]).min() > 0
    library = next(Path(units[1].fmu.unzipDirectory).glob("binaries/*/*"))
    other, said = export(folder, text(folder, "mount", MOUNT), "other", library=["--library", library]), []
    try:
        simulate_fmu(str(other), stop_time=1e-3, logger=lambda *message: said.append(message[-1]))
    except Exception as refused:
        assert "instantiate" in str(refused)
    assert b"compiled into the library" in said[0], said
    print(f"a compiled model: runs and adjoints to 1e-12, {times[0] / times[1]:.2f} times as fast")


def main():
    with tempfile.TemporaryDirectory(prefix="costate fmü ") as name:
        folder = Path(name)
        mount = export(folder, text(folder, "mount", MOUNT), "mount")
        controller = export(folder, text(folder, "controller", CONTROLLER), "controller")
        bits(folder, mount)
        for call in (["calibrate.py", mount], ["couple.py", mount, controller]):
            said = subprocess.run([sys.executable, *call], cwd=EXAMPLES, check=True, capture_output=True, text=True)
            print(said.stdout.strip())
        adjoints(folder, mount, in_casadi(folder, mount))
        compiled(folder)
        every_model(folder)


main()
