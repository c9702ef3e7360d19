//! Check that a compiled model is linear with constant coefficients.

use costate_kernel::evaluate;
use costate_kernel::run::constants_of;
use costate_kernel::verify::random_points_of;
use costate_numerics::scalar::{Dual, Scalar, Vector};
use costate_system::model::{Argument, Block, Description, Function, Functions, Group};
use costate_system::problem::Problem;
use costate_system::step::State;

use super::error::LinearModelError;

/// Change of a coefficient, relative to the largest one of its matrix, up to which it is rounding.
const COEFFICIENT_ROUNDING: f64 = 1e-10;

/// Quantity with which a coefficient might change.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Coordinate(usize),
    Velocity(usize),
    Acceleration(usize),
    Multiplier(usize),
    Input(usize),
    Time,
}

/// The emitted functions at one point.
struct Evaluated<M: Functions> {
    linearization: M::Linearization<Dual>,
    output_derivatives: M::OutputDerivatives<Dual>,
    outputs: M::Outputs<Dual>,
    kinematics: M::Kinematics<Dual>,
}

/// Converts parameters to constant dual numbers.
pub(super) fn lifted<M: Functions>(values: &[f64]) -> M::Parameters<Dual> {
    let mut dual = M::Parameters::<Dual>::zeros(values.len());
    for (to, &from) in dual.as_mut().iter_mut().zip(values) {
        *to = Dual::constant(from);
    }
    dual
}

/// Checks that all Jacobians are the same at random states, inputs and times, that their derivatives by dual
/// numbers vanish there, and that outputs and constraints depend on the time only through states and inputs.
pub(super) fn check_linear<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &[f64],
) -> Result<(), LinearModelError> {
    let constants = constants_of::<M, _>(program, problem, &lifted::<M>(parameters));
    let description = M::description(program);
    let mut reference: Option<Evaluated<M>> = None;
    let (points, seed) = (4, 1);
    for point in random_points_of::<M>(program, parameters, points, seed) {
        for direction in directions(description) {
            let evaluated = evaluate::<M>(&constants, &point.state, &point.inputs, point.time, direction);
            let first = reference.get_or_insert_with(|| evaluated.copied());
            let groups = description.groups;
            let group = (groups.linearization, evaluated.linearization.as_ref(), first.linearization.as_ref());
            check(description, group, direction)?;
            let outputs = evaluated.output_derivatives.as_ref();
            let group = (groups.output_derivatives, outputs, first.output_derivatives.as_ref());
            check(description, group, direction)?;
            if direction == Direction::Time {
                check_time(description, evaluated.kinematics.as_ref(), evaluated.outputs.as_ref())?;
            }
        }
    }
    Ok(())
}

fn directions(description: &Description) -> Vec<Direction> {
    let (n, m) = (description.coordinates.len(), description.constraints.len());
    let mut directions = Vec::new();
    directions.extend((0..n).map(Direction::Coordinate));
    directions.extend((0..n).map(Direction::Velocity));
    directions.extend((0..n).map(Direction::Acceleration));
    directions.extend((0..m).map(Direction::Multiplier));
    directions.extend((0..description.inputs.len()).map(Direction::Input));
    directions.push(Direction::Time);
    directions
}

fn evaluate<M: Functions>(
    constants: &M::Constants<Dual>,
    state: &State<M, f64>,
    inputs: &M::Inputs<f64>,
    time: f64,
    direction: Direction,
) -> Evaluated<M> {
    let program = M::program(constants);
    let lengths = M::lengths(program);
    let mut dual = State::<M, Dual>::zeros_of(program);
    let mut dual_inputs = M::Inputs::<Dual>::zeros(lengths.inputs);
    let lift = |to: &mut [Dual], from: &[f64], seeded: Option<usize>| {
        for (k, (to, &from)) in to.iter_mut().zip(from).enumerate() {
            *to = if seeded == Some(k) { Dual::variable(from) } else { Dual::constant(from) };
        }
    };
    let seeded = |k: Direction, index: usize| (k == direction).then_some(index);
    let of = |make: fn(usize) -> Direction, length: usize| (0..length).find_map(|k| seeded(make(k), k));
    let (n, m) = (state.coordinates.as_ref().len(), state.multipliers.as_ref().len());
    lift(dual.coordinates.as_mut(), state.coordinates.as_ref(), of(Direction::Coordinate, n));
    lift(dual.velocities.as_mut(), state.velocities.as_ref(), of(Direction::Velocity, n));
    lift(dual.accelerations.as_mut(), state.accelerations.as_ref(), of(Direction::Acceleration, n));
    lift(dual.multipliers.as_mut(), state.multipliers.as_ref(), of(Direction::Multiplier, m));
    lift(dual_inputs.as_mut(), inputs.as_ref(), of(Direction::Input, inputs.as_ref().len()));
    if direction == Direction::Time {
        // C_q v + C_t is then C_t
        dual.velocities = Vector::zeros(lengths.coordinates);
    }
    let mut point = dual.point(time, &dual_inputs, constants);
    if direction == Direction::Time {
        point.time = Dual::variable(time);
    }
    let mut evaluated = Evaluated::<M> {
        linearization: Vector::zeros(lengths.group(Group::Linearization)),
        output_derivatives: Vector::zeros(lengths.group(Group::OutputDerivatives)),
        outputs: Vector::zeros(lengths.outputs),
        kinematics: Vector::zeros(lengths.group(Group::Kinematics)),
    };
    evaluate::linearization(&point, &mut evaluated.linearization);
    M::output_derivatives(&point, &mut evaluated.output_derivatives);
    M::outputs(&point, &mut evaluated.outputs);
    evaluate::kinematics(&point, &mut evaluated.kinematics);
    evaluated
}

impl<M: Functions> Evaluated<M> {
    fn copied(&self) -> Self {
        Self {
            linearization: self.linearization.clone(),
            output_derivatives: self.output_derivatives.clone(),
            outputs: self.outputs.clone(),
            kinematics: self.kinematics.clone(),
        }
    }
}

/// Checks every Jacobian of a group; dependence on parameters alone is permitted.
fn check(
    description: &'static Description,
    (blocks, group, first): (&'static [Block], &[Dual], &[Dual]),
    direction: Direction,
) -> Result<(), LinearModelError> {
    for block in blocks {
        let (values, reference) = (block.values(group), block.values(first));
        let largest = |numbers: &[Dual]| numbers.iter().fold(0.0, |most: f64, entry| most.max(entry.value.abs()));
        let limit = COEFFICIENT_ROUNDING * largest(values).max(largest(reference));
        let jacobian = block.argument.is_some_and(|argument| argument != Argument::Parameters);
        for (k, (entry, before)) in values.iter().zip(reference).enumerate() {
            let row = || coefficient(description, block.function, block.entries[k].0 as usize);
            let changes = entry.derivative.is_nan() || entry.derivative.abs() > limit;
            if direction == Direction::Time && block.argument != Some(Argument::Parameters) && changes {
                return Err(LinearModelError::TimeDependent { model: description.name, coefficient: row() });
            }
            let differs = entry.value.is_nan() || (entry.value - before.value).abs() > limit;
            if jacobian && (changes || differs) {
                let argument = if changes { argument(description, direction) } else { "the state".to_owned() };
                let model = description.name;
                return Err(LinearModelError::Nonlinear { model, coefficient: row(), argument });
            }
        }
    }
    Ok(())
}

/// Checks that outputs, and constraints at rest, do not depend on the time.
fn check_time(
    description: &'static Description,
    kinematics: &[Dual],
    outputs: &[Dual],
) -> Result<(), LinearModelError> {
    let dependent = |coefficient| LinearModelError::TimeDependent { model: description.name, coefficient };
    let blocks = description.groups.kinematics.iter();
    for block in blocks.filter(|block| block.function == Function::ConstraintVelocity) {
        for (row, entry) in block.values(kinematics).iter().enumerate() {
            if entry.value != 0.0 {
                return Err(dependent(coefficient(description, Function::Constraint, row)));
            }
        }
    }
    for (row, entry) in outputs.iter().enumerate() {
        if entry.derivative.abs() > COEFFICIENT_ROUNDING * entry.value.abs() {
            return Err(dependent(coefficient(description, Function::Output, row)));
        }
    }
    Ok(())
}

fn coefficient(description: &Description, function: Function, row: usize) -> String {
    let (kind, quantities) = match function {
        Function::Output => ("output", description.outputs),
        Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => {
            ("constraint", description.constraints)
        }
        _ => ("equation of motion of", description.coordinates),
    };
    format!("the {kind} `{}`", quantities.get(row).map_or("?", |quantity| quantity.name))
}

fn argument(description: &Description, direction: Direction) -> String {
    let (kind, quantities, k) = match direction {
        Direction::Coordinate(k) => ("", description.coordinates, k),
        Direction::Velocity(k) => ("the velocity of ", description.coordinates, k),
        Direction::Acceleration(k) => ("the acceleration of ", description.coordinates, k),
        Direction::Multiplier(k) => ("the multiplier of ", description.constraints, k),
        Direction::Input(k) => ("the input ", description.inputs, k),
        Direction::Time => return "the time".to_owned(),
    };
    format!("{kind}`{}`", quantities.get(k).map_or("?", |quantity| quantity.name))
}
