//! The exact derivatives of the last step, of its outputs and of the start: symbols of costate's own, whose C
//! declarations are `costate.h` in `extra/org.costate` of every FMU.
//!
//! # Safety
//! As of [`exports`](crate::exports).

#![allow(clippy::missing_safety_doc, reason = "one rule for all functions, see the page of the module")]
#![allow(clippy::too_many_arguments, reason = "pairs of arrays and lengths, as in the standard")]

use std::ffi::c_void;

use costate::command::{Group, Instant, StateVectors};
use costate::stepper::StepperOf;
use costate_numerics::scalar::array;

use crate::call::call;
use crate::functions::{self, Functions};
use crate::instance::Instance;
use crate::mode::Mode::{self, Initialization, Step};
use crate::pointers::{entries, entries_mut};
use crate::refusal::{Refusal, Status};

/// Writes 4n + m.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_step_numbers(instance: *mut c_void, numbers: *mut usize) -> Status {
    call(instance, "costate_step_numbers", &Mode::ALL, |instance| {
        // SAFETY: see the page of the module.
        unsafe { entries_mut(numbers, 1, "numbers") }?[0] = instance.step_numbers();
        Ok(())
    })
}

/// Computes the adjoint of the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_step_vjp(
    instance: *mut c_void,
    end: *const f64,
    end_count: usize,
    begin: *mut f64,
    begin_count: usize,
    inputs: *mut f64,
    inputs_count: usize,
    inputs_before: *mut f64,
    inputs_before_count: usize,
    parameters: *mut f64,
    parameters_count: usize,
) -> Status {
    call(instance, "costate_step_vjp", &[Step], |instance| {
        // SAFETY: see the page of the module.
        let end = finite(unsafe { entries(end, end_count, "end") }?, "end")?;
        let gradient = instance.stepped()?.adjoint(end).map_err(Refusal::error)?;
        let results = [
            (begin, begin_count, "begin", &gradient.state),
            (inputs, inputs_count, "inputs", &gradient.inputs),
            (inputs_before, inputs_before_count, "inputsBefore", &gradient.inputs_before),
            (parameters, parameters_count, "parameters", &gradient.parameters),
        ];
        // SAFETY: see the page of the module.
        results.into_iter().try_for_each(|(to, count, name, from)| unsafe { copied(to, count, name, from) })
    })
}

/// Computes the tangent of the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_step_jvp(
    instance: *mut c_void,
    begin: *const f64,
    begin_count: usize,
    inputs: *const f64,
    inputs_count: usize,
    inputs_before: *const f64,
    inputs_before_count: usize,
    parameters: *const f64,
    parameters_count: usize,
    end: *mut f64,
    end_count: usize,
) -> Status {
    call(instance, "costate_step_jvp", &[Step], |instance| {
        let derivatives = instance.stepped()?.derivatives().map_err(Refusal::error)?;
        let changes = [
            (begin, begin_count, "begin", &derivatives.state),
            (inputs, inputs_count, "inputs", &derivatives.inputs),
            (inputs_before, inputs_before_count, "inputsBefore", &derivatives.inputs_before),
            (parameters, parameters_count, "parameters", &derivatives.parameters),
        ];
        let mut sum = vec![0.0; derivatives.state.nrows()];
        for (from, count, name, matrix) in changes {
            // SAFETY: see the page of the module.
            let change = finite(unsafe { entries(from, count, name) }?, name)?;
            check_length(name, count, matrix.ncols())?;
            for (column, change) in matrix.column_iter().zip(change) {
                sum.iter_mut().zip(column.iter()).for_each(|(sum, entry)| *sum += entry * change);
            }
        }
        // SAFETY: see the page of the module.
        unsafe { copied(end, end_count, "end", &sum) }
    })
}

/// Computes the adjoint of the outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_outputs_vjp(
    instance: *mut c_void,
    outputs: *const f64,
    outputs_count: usize,
    end: *mut f64,
    end_count: usize,
    inputs: *mut f64,
    inputs_count: usize,
    parameters: *mut f64,
    parameters_count: usize,
) -> Status {
    call(instance, "costate_outputs_vjp", &[Step], |instance| {
        // SAFETY: see the page of the module.
        let seed = finite(unsafe { entries(outputs, outputs_count, "outputs") }?, "outputs")?;
        let [of_end, of_inputs, of_parameters] = instance.outputs_adjoint(seed)?;
        let results = [
            (end, end_count, "end", of_end),
            (inputs, inputs_count, "inputs", of_inputs),
            (parameters, parameters_count, "parameters", of_parameters),
        ];
        // SAFETY: see the page of the module.
        results.into_iter().try_for_each(|(to, count, name, from)| unsafe { copied(to, count, name, &from) })
    })
}

/// Computes the adjoint of the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_start_vjp(
    instance: *mut c_void,
    begin: *const f64,
    begin_count: usize,
    parameters: *mut f64,
    parameters_count: usize,
) -> Status {
    call(instance, "costate_start_vjp", &[Initialization, Step], |instance| {
        // SAFETY: see the page of the module.
        let seed = finite(unsafe { entries(begin, begin_count, "begin") }?, "begin")?;
        let gradient = instance.start_adjoint(seed)?;
        // SAFETY: see the page of the module.
        unsafe { copied(parameters, parameters_count, "parameters", &gradient) }
    })
}

/// # Safety
/// As of the functions of this module.
unsafe fn copied(to: *mut f64, count: usize, name: &str, from: &[f64]) -> Result<(), Refusal> {
    check_length(name, count, from.len())?;
    // SAFETY: see the page of the module.
    unsafe { entries_mut(to, count, name) }?.copy_from_slice(from);
    Ok(())
}

fn check_length(name: &str, given: usize, expected: usize) -> Result<(), Refusal> {
    match given == expected {
        true => Ok(()),
        false => Err(Refusal::error(format!("`{name}` has {given} numbers, {expected} are needed"))),
    }
}

fn finite<'a>(values: &'a [f64], name: &str) -> Result<&'a [f64], Refusal> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(values),
        Some(value) => Err(Refusal::error(format!("`{name}` has {value}; numbers have to be finite"))),
    }
}

impl Instance {
    /// Returns 4n + m.
    fn step_numbers(&self) -> usize {
        let model = self.packed.model.description();
        model.state_length() + model.coordinates.len()
    }

    /// Returns the stepper whose last step was the last communication step.
    fn stepped(&mut self) -> Result<&mut StepperOf<Functions>, Refusal> {
        if self.last_steps != 1 {
            return Err(Refusal::error(format!(
                "the last call of `fmi3DoStep` has made {} steps, or values were changed since; make one step of {} s \
                 before, in an FMU with steps of one length",
                self.last_steps, self.packed.settings.step
            )));
        }
        self.stepper.as_mut().ok_or_else(|| Refusal::error("the instance makes no steps"))
    }

    /// Returns the derivatives of a number by the end of the step, the inputs and the parameters, from those by the
    /// outputs.
    fn outputs_adjoint(&mut self, seed: &[f64]) -> Result<[Vec<f64>; 3], Refusal> {
        use costate::command::{Argument, Function};
        let model = self.packed.model.description();
        check_length("outputs", seed.len(), model.outputs.len())?;
        self.prepare()?;
        let stepper = self.stepper.as_ref().ok_or_else(|| Refusal::error("the instance makes no steps"))?;
        let state = StateVectors::of(stepper.state());
        let at = Instant { time: self.values.time, state: &state, inputs: &self.values.inputs };
        let mut group = Vec::new();
        let packed = &self.packed;
        packed.model.system().with_equations(&packed.problem, &self.values.parameters, &mut |equations| {
            group = equations.group(Group::OutputDerivatives, at);
        });
        let product = |argument: Argument, length: usize| {
            let mut sum = vec![0.0; length];
            let blocks = model.groups.output_derivatives.iter();
            let own = blocks.filter(|block| block.function == Function::Output && block.argument == Some(argument));
            own.flat_map(|block| block.iter(&group)).for_each(|(row, column, value)| sum[column] += seed[row] * value);
            sum
        };
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        let end = [
            product(Argument::Coordinates, n),
            product(Argument::Velocities, n),
            product(Argument::Accelerations, n),
            product(Argument::Multipliers, m),
            vec![0.0; n],
        ];
        let (inputs, parameters) = (model.inputs.len(), model.parameters.len());
        Ok([end.concat(), product(Argument::Inputs, inputs), product(Argument::Parameters, parameters)])
    }

    /// Returns the derivatives of a number by the parameters, from those by the begin of the first step.
    fn start_adjoint(&mut self, seed: &[f64]) -> Result<Vec<f64>, Refusal> {
        check_length("begin", seed.len(), self.step_numbers())?;
        self.prepare()?;
        if self.values.given.iter().any(Option::is_some) {
            return Err(Refusal::error("states were set before the start, which does not depend on parameters alone"));
        }
        let [parameters, inputs] = &self.values.start;
        if *parameters != self.values.parameters {
            return Err(Refusal::error(
                "parameters were changed after the start; their derivatives are not one number",
            ));
        }
        let simulation = self.packed.simulation(parameters, inputs);
        let problem = simulation.description().problem_of_stepper().map_err(Refusal::discard)?;
        let program = functions::program(self.packed.model);
        let derivatives = costate_kernel::initial::initial_derivatives::<Functions>(
            program,
            &problem,
            &array(parameters),
            None,
            &(0..parameters.len()).collect::<Vec<_>>(),
        );
        let derivatives = derivatives.map_err(Refusal::discard)?;
        let product = |column: usize| derivatives.column(column).iter().zip(seed).map(|(x, seed)| x * seed).sum();
        Ok((0..parameters.len()).map(product).collect())
    }
}
