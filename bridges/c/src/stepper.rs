//! Steps that are driven by the caller, with exact derivatives.

use std::ffi::{c_int, c_long, c_void};
use std::sync::Arc;

use costate::interpreted::{LoadedModel, LoadedStepper, SavedLoadedStepper};
use costate::model::{Input, Parameter};
use costate::stepper::{StepChange, StepGradient};

use crate::boundary::{Failure, exported};
use crate::handles::{Handle, Kept, free, keep, with};
use crate::memory::{In, Out};
use crate::model::no_index;
use crate::simulation::settings_of;

/// A stepper.
#[derive(Debug)]
pub struct StepperObject {
    stepper: LoadedStepper,
    parameters: Vec<Parameter>,
    inputs: Vec<Input>,
    /// The place of outputs, so that a step allocates nothing.
    outputs: Vec<f64>,
    /// n and m.
    sizes: (usize, usize),
}

impl Kept for StepperObject {
    const KIND: usize = 5;
}

/// A saved state of a stepper.
#[derive(Debug, Clone)]
pub struct StateObject(Arc<SavedLoadedStepper>);

impl Kept for StateObject {
    const KIND: usize = 6;
}

impl StepperObject {
    fn new(model: LoadedModel, stepper: LoadedStepper) -> Result<Self, Failure> {
        let described = model.description();
        Ok(Self {
            stepper,
            parameters: described.parameters.iter().map(|one| model.parameter(one.name)).collect::<Result<_, _>>()?,
            inputs: described.inputs.iter().map(|one| model.input(one.name)).collect::<Result<_, _>>()?,
            outputs: vec![0.0; described.outputs.len()],
            sizes: (described.coordinates.len(), described.constraints.len()),
        })
    }

    fn set_inputs(&mut self, values: &[f64]) {
        for (&input, &value) in self.inputs.iter().zip(values) {
            self.stepper.set_input(input, value);
        }
    }

    /// Returns the outputs at the current time.
    fn outputs(&mut self) -> &[f64] {
        self.stepper.outputs_into(&mut self.outputs);
        &self.outputs
    }

    fn state(&self) -> Vec<f64> {
        self.stepper.state().parts().concat()
    }

    /// Returns 4n + m.
    fn numbers(&self) -> usize {
        4 * self.sizes.0 + self.sizes.1
    }

    /// Writes what is wanted of derivatives.
    fn write(&self, by: &StepGradient, to: Gradient) -> Result<(), Failure> {
        let parts = [&by.state, &by.inputs, &by.inputs_before, &by.parameters];
        for ((name, (place, count)), numbers) in GRADIENT.into_iter().zip(to).zip(parts) {
            if !place.is_null() {
                place.write(name, count, numbers)?;
            }
        }
        Ok(())
    }

    fn check(&self, to: Gradient) -> Result<(), Failure> {
        let expected = [self.numbers(), self.inputs.len(), self.inputs.len(), self.parameters.len()];
        for ((name, (place, count)), expected) in GRADIENT.into_iter().zip(to).zip(expected) {
            if !place.is_null() {
                place.check(name, count, expected)?;
            }
        }
        Ok(())
    }

    /// Calls `work` with a change whose parts are zero where they are null.
    fn changed<R>(
        &mut self,
        given: [(In, usize); 4],
        work: impl FnOnce(&mut Self, StepChange<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let expected = [self.numbers(), self.inputs.len(), self.inputs.len(), self.parameters.len()];
        let mut parts = [const { Vec::new() }; 4];
        for (part, ((name, (from, count)), expected)) in
            parts.iter_mut().zip(CHANGE.into_iter().zip(given).zip(expected))
        {
            *part = match count {
                0 => vec![0.0; expected],
                _ => from.exactly(name, count, expected)?.to_vec(),
            };
        }
        let [state, inputs, inputs_before, parameters] = &parts;
        work(self, StepChange { state, inputs, inputs_before, parameters })
    }
}

/// Places of derivatives by state, inputs, inputs before and parameters, with their counts.
type Gradient = [(Out, usize); 4];

const GRADIENT: [&str; 4] = ["by_state", "by_inputs", "by_inputs_before", "by_parameters"];
const CHANGE: [&str; 4] = ["of_state", "of_inputs", "of_inputs_before", "of_parameters"];

fn of<R>(stepper: *mut c_void, work: impl FnOnce(&mut StepperObject) -> Result<R, Failure>) -> Result<R, Failure> {
    with(Handle::given(stepper), work)
}

exported! {
    /// Makes a stepper at the initial state of a simulation.
    fn costate_stepper_new(simulation: *mut c_void) -> *mut c_void {
        let settings = settings_of(simulation)?;
        let stepper = settings.model.stepper(&settings.problem_of_stepper()?, &settings.values)?;
        keep(StepperObject::new(settings.model, stepper)?)
    }

    /// Frees a stepper.
    fn costate_stepper_free(stepper: *mut c_void) -> c_int {
        free::<StepperObject>(Handle::given(stepper))
    }

    /// Sets an input at the end of the next step and of those after it.
    fn costate_stepper_set_input(stepper: *mut c_void, index: usize, value: f64) -> c_int {
        of(stepper, |own| {
            let input = own.inputs.get(index).ok_or_else(|| no_index("input", index, own.inputs.len()))?;
            own.stepper.set_input(*input, value);
            Ok(())
        })
    }

    /// Sets all inputs at the end of the next step and of those after it.
    fn costate_stepper_set_inputs(stepper: *mut c_void, values: In, count: usize) -> c_int {
        of(stepper, |own| {
            own.set_inputs(values.exactly("values", count, own.inputs.len())?);
            Ok(())
        })
    }

    /// Makes one step.
    fn costate_stepper_step(stepper: *mut c_void) -> c_int {
        of(stepper, |own| {
            own.stepper.step()?;
            Ok(())
        })
    }

    /// Makes one step with these inputs at its end, and writes the outputs there.
    fn costate_stepper_advance(
        stepper: *mut c_void, inputs: In, input_count: usize, outputs: Out, output_count: usize,
    ) -> c_int {
        of(stepper, |own| {
            outputs.check("outputs", output_count, own.outputs.len())?;
            own.set_inputs(inputs.exactly("inputs", input_count, own.inputs.len())?);
            own.stepper.step()?;
            outputs.write("outputs", output_count, own.outputs())
        })
    }

    /// Returns the time in s.
    fn costate_stepper_time(stepper: *mut c_void) -> f64 {
        of(stepper, |own| Ok(own.stepper.time()))
    }

    /// Returns an output at the current time.
    fn costate_stepper_output(stepper: *mut c_void, index: usize) -> f64 {
        of(stepper, |own| {
            let outputs = own.outputs();
            outputs.get(index).copied().ok_or_else(|| no_index("output", index, outputs.len()))
        })
    }

    /// Writes all outputs at the current time.
    fn costate_stepper_outputs(stepper: *mut c_void, values: Out, count: usize) -> c_int {
        of(stepper, |own| values.write("values", count, own.outputs()))
    }

    /// Writes q, v, a and lambda at the current time.
    fn costate_stepper_state(stepper: *mut c_void, state: Out, count: usize) -> c_int {
        of(stepper, |own| state.write("state", count, &own.state()))
    }

    /// Replaces q, v, a and lambda at the current time.
    fn costate_stepper_set_state(stepper: *mut c_void, state: In, count: usize) -> c_int {
        of(stepper, |own| {
            let mut rest = state.exactly("state", count, own.numbers() - own.sizes.0)?;
            let mut new = own.stepper.state().clone();
            let parts = [&mut new.coordinates, &mut new.velocities, &mut new.accelerations, &mut new.multipliers];
            for part in parts {
                let (own, others) = rest.split_at(part.len());
                part.copy_from_slice(own);
                rest = others;
            }
            Ok(own.stepper.set_state(&new)?)
        })
    }

    /// Changes a parameter for the steps to come.
    fn costate_stepper_set_parameter(stepper: *mut c_void, index: usize, value: f64) -> c_int {
        of(stepper, |own| {
            let count = own.parameters.len();
            let parameter = own.parameters.get(index).ok_or_else(|| no_index("parameter", index, count))?;
            Ok(own.stepper.set_parameter(*parameter, value)?)
        })
    }

    /// Changes the length of the steps to come, in s.
    fn costate_stepper_set_step(stepper: *mut c_void, step: f64) -> c_int {
        of(stepper, |own| Ok(own.stepper.set_step(step)?))
    }

    /// Saves all that the steps to come depend on.
    fn costate_stepper_save(stepper: *mut c_void) -> *mut c_void {
        let saved = of(stepper, |own| Ok(Arc::new(own.stepper.save())))?;
        keep(StateObject(saved))
    }

    /// Returns to a saved state.
    fn costate_stepper_restore(stepper: *mut c_void, state: *mut c_void) -> c_int {
        let saved = with(Handle::given(state), |state: &mut StateObject| Ok(state.clone()))?;
        of(stepper, |own| Ok(own.stepper.restore(&saved.0)?))
    }

    /// Frees a saved state.
    fn costate_state_free(state: *mut c_void) -> c_int {
        free::<StateObject>(Handle::given(state))
    }

    /// Returns the number of what a step begins with, 4n + m.
    fn costate_stepper_numbers(stepper: *mut c_void) -> c_long {
        of(stepper, |own| Ok(own.numbers()))
    }

    /// Multiplies weights of the end of the last step with its derivatives.
    fn costate_stepper_vjp(
        stepper: *mut c_void, by_end: In, count: usize, by_state: Out, state_count: usize, by_inputs: Out,
        input_count: usize, by_inputs_before: Out, input_before_count: usize, by_parameters: Out,
        parameter_count: usize,
    ) -> c_int {
        of(stepper, |own| {
            let to = [
                (by_state, state_count),
                (by_inputs, input_count),
                (by_inputs_before, input_before_count),
                (by_parameters, parameter_count),
            ];
            own.check(to)?;
            let by = own.stepper.adjoint(by_end.exactly("by_end", count, own.numbers())?)?;
            own.write(&by, to)
        })
    }

    /// Multiplies the derivatives of the last step with a change of what it began with.
    fn costate_stepper_jvp(
        stepper: *mut c_void, of_state: In, state_count: usize, of_inputs: In, input_count: usize,
        of_inputs_before: In, input_before_count: usize, of_parameters: In, parameter_count: usize,
        of_end: Out, count: usize,
    ) -> c_int {
        of(stepper, |own| {
            of_end.check("of_end", count, own.numbers())?;
            let given = [
                (of_state, state_count),
                (of_inputs, input_count),
                (of_inputs_before, input_before_count),
                (of_parameters, parameter_count),
            ];
            let change = own.changed(given, |own, change| Ok(own.stepper.tangent(change)?))?;
            of_end.write("of_end", count, &change)
        })
    }

    /// Multiplies weights of the outputs with their derivatives at the current time.
    fn costate_stepper_output_vjp(
        stepper: *mut c_void, weights: In, count: usize, by_state: Out, state_count: usize, by_inputs: Out,
        input_count: usize, by_parameters: Out, parameter_count: usize,
    ) -> c_int {
        of(stepper, |own| {
            let to = [
                (by_state, state_count), (by_inputs, input_count), (Out::null(), 0), (by_parameters, parameter_count),
            ];
            own.check(to)?;
            let by = own.stepper.output_adjoint(weights.exactly("weights", count, own.outputs.len())?)?;
            own.write(&by, to)
        })
    }

    /// Multiplies the derivatives of the outputs at the current time with a change.
    fn costate_stepper_output_jvp(
        stepper: *mut c_void, of_state: In, state_count: usize, of_inputs: In, input_count: usize,
        of_parameters: In, parameter_count: usize, of_outputs: Out, count: usize,
    ) -> c_int {
        of(stepper, |own| {
            of_outputs.check("of_outputs", count, own.outputs.len())?;
            let given =
                [(of_state, state_count), (of_inputs, input_count), (In::null(), 0), (of_parameters, parameter_count)];
            let change = own.changed(given, |own, change| Ok(own.stepper.output_tangent(change)?))?;
            of_outputs.write("of_outputs", count, &change)
        })
    }
}
