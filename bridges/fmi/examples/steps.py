"""Runs an FMU of costate step by step by FMPy, and goes back through the steps by their exact adjoint."""
import ctypes
import tempfile

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave


class Unit:
    """An FMU for Co-Simulation, with communication steps of its own step."""

    def __init__(self, path):
        self.folder = tempfile.TemporaryDirectory()
        folder = extract(path, self.folder.name)
        self.about = read_model_description(path)
        self.step = float(self.about.coSimulation.fixedInternalStepSize)
        of = lambda causality: [v for v in self.about.modelVariables if v.causality == causality]
        self.parameters, self.inputs, self.outputs = of("parameter"), of("input"), of("output")
        self.fmu = FMU3Slave(
            guid=self.about.guid,
            unzipDirectory=folder,
            modelIdentifier=self.about.coSimulation.modelIdentifier,
            instanceName="unit",
        )
        self.fmu.instantiate()
        size = ctypes.c_size_t()
        self.call("costate_step_numbers", ctypes.byref(size))
        self.numbers = size.value

    def call(self, name, *arguments):
        """Calls a symbol of costate's own; arrays go with their lengths."""
        given = [ctypes.c_void_p(self.fmu.component)]
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                given += [argument.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(argument.size)]
            else:
                given.append(argument)
        status = getattr(self.fmu.dll, name)(*given)
        assert status == 0, f"{name}: status {status}"

    def start(self, values):
        """Begins anew with these values of parameters, by their names."""
        self.fmu.reset()
        known = {v.name: v.valueReference for v in self.parameters}
        self.fmu.setFloat64([known[name] for name in values], list(values.values()))
        self.fmu.enterInitializationMode(startTime=0.0)
        self.fmu.exitInitializationMode()

    def run(self, values, steps):
        """Returns the outputs after every step (steps x outputs)."""
        self.start(values)
        references = [v.valueReference for v in self.outputs]
        rows = []
        for k in range(steps):
            self.fmu.doStep(k * self.step, self.step)
            rows.append(self.fmu.getFloat64(references))
        return np.array(rows)

    def sensitivities(self, values, steps, output, names):
        """Returns the derivatives of an output after every step by these parameters (steps x names), forward."""
        self.start(values)
        place = {v.name: k for k, v in enumerate(self.parameters)}
        inputs = np.zeros(len(self.inputs))
        units = [np.eye(len(self.parameters))[place[name]] for name in names]
        changes = [self.of_start(unit) for unit in units]
        rows = []
        for k in range(steps):
            self.fmu.doStep(k * self.step, self.step)
            seed = np.eye(len(self.outputs))[output]
            by_end, by_inputs, by_parameters = np.zeros(self.numbers), inputs.copy(), np.zeros(len(self.parameters))
            self.call("costate_outputs_vjp", seed, by_end, by_inputs, by_parameters)
            for column, unit in enumerate(units):
                end = np.zeros(self.numbers)
                self.call("costate_step_jvp", changes[column], inputs, inputs, unit, end)
                changes[column] = end
            rows.append([by_end @ change + by_parameters @ unit for change, unit in zip(changes, units)])
        return np.array(rows)

    def of_start(self, unit):
        """Returns the change of what the first step begins with for this change of the parameters."""
        change = np.zeros(self.numbers)
        for k in range(self.numbers):
            gradient = np.zeros(len(self.parameters))
            self.call("costate_start_vjp", np.eye(self.numbers)[k], gradient)
            change[k] = gradient @ unit
        return change

    def gradient(self, values, steps, seeds):
        """Returns J, the sum of `seeds` (steps x outputs) times the outputs, and its gradient by all parameters:
        backward through the steps, from states that are saved."""
        self.start(values)
        references = [v.valueReference for v in self.outputs]
        states, total = [], 0.0
        for k in range(steps):
            states.append(self.fmu.getFMUState())
            self.fmu.doStep(k * self.step, self.step)
            total += seeds[k] @ np.array(self.fmu.getFloat64(references))
        gradient, later = np.zeros(len(self.parameters)), np.zeros(self.numbers)
        for k in reversed(range(steps)):
            self.fmu.setFMUState(states[k])
            self.fmu.doStep(k * self.step, self.step)
            end, inputs, parameters = np.zeros(self.numbers), np.zeros(len(self.inputs)), np.zeros(len(self.parameters))
            self.call("costate_outputs_vjp", seeds[k].copy(), end, inputs, parameters)
            gradient += parameters
            end += later
            self.call("costate_step_vjp", end, later, inputs, inputs.copy(), parameters)
            gradient += parameters
            self.fmu.freeFMUState(states[k])
        self.call("costate_start_vjp", later, parameters)
        return total, gradient + parameters
