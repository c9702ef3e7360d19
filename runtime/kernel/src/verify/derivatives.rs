//! Every emitted derivative against dual numbers.

use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Dual, Scalar, Vector};
use costate_system::model::{Argument, Block, Description, Function, Functions, Group, Weights};
use costate_system::system::{Equations, Instant, StateVectors};

use super::points::CheckPoint;
use super::report::{DerivativeReport, EmittedBlock};
use super::scales::Scales;
use super::solution;
use crate::equations::{ModelEquations, filled};
use crate::evaluate;
use crate::step::State;

/// Compares every emitted derivative of the model with dual numbers at every point, and checks that the emitted factors
/// of the Newton matrix solve with it. Entries that differ by more than `tolerance` times the largest entry of their
/// matrix are listed; 1e-12 is what rounding leaves. Differences within the rounding of the largest terms of the
/// function's row do not count: they are the rest of larger numbers.
///
/// At a kink (`abs` and `sign` at 0, `min`, `max` and `if` where they switch) derivatives are those of the side whose
/// value is taken, with 0 for `abs` at 0, in emitted functions and in dual numbers alike.
///
/// Structural zeros are compared too: a dependence that an emitted matrix leaves out is a mismatch.
#[inline(never)]
pub fn check_derivatives<M: Functions>(points: &[CheckPoint<M>], tolerance: f64) -> DerivativeReport {
    let weights = Weights {
        accelerations: 0.9,
        coordinates: 0.3,
        velocities: 0.6,
        step: 0.8,
        previous: -0.1,
        ..Weights::default()
    };
    let mut report = DerivativeReport::default();
    for point in points {
        let check = Check { point, weights };
        let described = check.description();
        let mut scales = Scales::default();
        let mut derivatives = Vec::new();
        for group in Group::ALL {
            for (function, argument) in derivatives_of(described, group) {
                let exact = check.derivative(function, argument);
                scales.take(function, &exact, check.argument(argument));
                derivatives.push((group, function, argument, exact));
            }
        }
        let emitted = Group::ALL.map(|group| (group, check.emitted(group)));
        for (group, function, argument, exact) in &derivatives {
            let values = emitted.iter().find(|(other, _)| other == group).map_or(&[][..], |(_, values)| values);
            let rounding = scales.rounding(*function, Some((*argument, check.argument(*argument))));
            let stored = find(described.groups.of(*group), *function, Some(*argument));
            let block = Block { function: *function, argument: Some(*argument), ..*stored };
            let block = EmittedBlock { described, group: *group, block: &block, values };
            report.compare(&block, exact, tolerance, &rounding);
        }
        check.lookups(&mut report, &scales, tolerance);
        check.time_derivatives(&mut report, &scales, tolerance);
        check.forces(&mut report, &scales, tolerance);
        check.solution(&mut report, tolerance);
    }
    report
}

/// The derivatives that a group has to have, also where all entries are structural zeros.
fn derivatives_of(described: &Description, group: Group) -> impl Iterator<Item = (Function, Argument)> {
    let eliminates = group == Group::Adjoint && described.elimination.is_some();
    let derivatives = group.contents().iter().filter_map(|&(function, argument)| Some((function, argument?)));
    // lookups are no numbers that can be varied: `Check::lookups` varies the tables
    derivatives.filter(move |(function, argument)| {
        !(eliminates && *function == Function::Step) && *argument != Argument::Lookups
    })
}

/// A point in another number type.
pub(super) struct Lifted<M: Functions, S: Scalar> {
    time: S,
    state: State<M, S>,
    inputs: M::Inputs<S>,
    parameters: M::Parameters<S>,
}

/// One point, with the weights of the step matrix.
pub(super) struct Check<'a, M: Functions> {
    pub point: &'a CheckPoint<M>,
    pub weights: Weights,
}

impl<M: Functions> Check<'_, M> {
    pub fn description(&self) -> &'static Description {
        M::description(self.point.program)
    }

    /// The group's array at the point.
    pub fn emitted(&self, group: Group) -> Vec<f64> {
        let lifted = self.lift::<f64>();
        let constants =
            evaluate::constants::<M, _>(self.point.program, &lifted.parameters, &self.weights, &self.point.tables);
        let mut at = lifted.state.point(0.0, &lifted.inputs, &constants);
        at.time = lifted.time;
        let lengths = M::lengths(self.point.program);
        let length = lengths.group(group);
        match group {
            Group::Newton => filled(length, |out| M::newton(&at, out)),
            Group::Adjoint => {
                let mut factors = M::Factors::<f64>::zeros(lengths.factors);
                filled(length, |out| M::adjoint(&at, out, &mut factors))
            }
            Group::InputDerivatives => filled(length, |out| M::input_derivatives(&at, out)),
            Group::Lookups => filled(length, |out: &mut Vec<f64>| M::lookups(&at, out)),
            _ => {
                let (state, inputs) = (&StateVectors::of(&lifted.state), lifted.inputs.as_ref());
                ModelEquations::<M, f64>(&constants).group(group, Instant { time: lifted.time, state, inputs })
            }
        }
    }

    /// The array of a [group of values](group_of_value) in another number type, after `seed` has put derivatives into
    /// it. No other function is compiled for dual numbers: derivatives are most of the code of a model.
    fn values<S: Scalar>(&self, group: Group, seed: impl FnOnce(Lifted<M, S>) -> Lifted<M, S>) -> Vec<S> {
        let lifted = seed(self.lift());
        let constants =
            evaluate::constants::<M, _>(self.point.program, &lifted.parameters, &self.weights, &self.point.tables);
        let mut at = lifted.state.point(0.0, &lifted.inputs, &constants);
        at.time = lifted.time;
        let length = M::lengths(self.point.program).group(group);
        match group {
            Group::Initial => filled(length, |out: &mut M::Initial<S>| M::initial(&constants, out)),
            Group::Residual => filled(length, |out| M::residual(&at, out)),
            Group::Kinematics => filled(length, |out| M::kinematics(&at, out)),
            _ => filled(length, |out| M::outputs(&at, out)),
        }
    }

    fn lift<S: Scalar>(&self) -> Lifted<M, S> {
        let mut state = State::<M, S>::zeros_of(self.point.program);
        lift(self.point.state.coordinates.as_ref(), state.coordinates.as_mut());
        lift(self.point.state.velocities.as_ref(), state.velocities.as_mut());
        lift(self.point.state.accelerations.as_ref(), state.accelerations.as_mut());
        lift(self.point.state.multipliers.as_ref(), state.multipliers.as_mut());
        let lengths = M::lengths(self.point.program);
        let mut inputs = M::Inputs::<S>::zeros(lengths.inputs);
        let mut parameters = M::Parameters::<S>::zeros(lengths.parameters);
        lift(self.point.inputs.as_ref(), inputs.as_mut());
        lift(self.point.parameters.as_ref(), parameters.as_mut());
        Lifted { time: S::constant(self.point.time), state, inputs, parameters }
    }

    /// The numbers that a function is differentiated by.
    fn argument(&self, argument: Argument) -> &[f64] {
        let state = &self.point.state;
        match argument {
            Argument::Coordinates => state.coordinates.as_ref(),
            Argument::Velocities => state.velocities.as_ref(),
            Argument::Accelerations => state.accelerations.as_ref(),
            Argument::Multipliers => state.multipliers.as_ref(),
            Argument::Parameters => self.point.parameters.as_ref(),
            Argument::Inputs => self.point.inputs.as_ref(),
            Argument::Lookups => &[],
        }
    }

    /// The dense derivative by dual numbers, by columns.
    fn derivative(&self, function: Function, argument: Argument) -> Vec<Vec<f64>> {
        let columns = (0..self.description().columns(argument).len()).map(|column| {
            let weights = self.weights;
            self.directional(function, |mut lifted| {
                let seed = |values: &mut [Dual], derivative| values[column].derivative = derivative;
                match argument {
                    Argument::Coordinates => seed(lifted.state.coordinates.as_mut(), 1.0),
                    Argument::Velocities => seed(lifted.state.velocities.as_mut(), 1.0),
                    Argument::Accelerations => seed(lifted.state.accelerations.as_mut(), 1.0),
                    Argument::Multipliers => seed(lifted.state.multipliers.as_mut(), 1.0),
                    Argument::Parameters => seed(lifted.parameters.as_mut(), 1.0),
                    Argument::Inputs => seed(lifted.inputs.as_mut(), 1.0),
                    Argument::Lookups => (),
                }
                if function == Function::Step {
                    // In a step, positions and velocities follow the acceleration.
                    seed(lifted.state.coordinates.as_mut(), weights.coordinates);
                    seed(lifted.state.velocities.as_mut(), weights.velocities);
                }
                lifted
            })
        });
        columns.collect()
    }

    /// The derivative of a function in the direction of the seeds.
    pub fn directional(&self, function: Function, seed: impl Fn(Lifted<M, Dual>) -> Lifted<M, Dual>) -> Vec<f64> {
        let derivatives = |function, multipliers: f64| {
            let scaled = |lifted| scale_multipliers(seed(lifted), multipliers);
            self.part::<Dual>(function, scaled).iter().map(|value| value.derivative).collect::<Vec<f64>>()
        };
        match function {
            Function::Step => combine(
                (self.weights.accelerations, derivatives(Function::Inertia, 1.0)),
                (1.0, derivatives(Function::ForceResidual, 1.0)),
            ),
            Function::Force => force(|multipliers| derivatives(Function::ForceResidual, multipliers)),
            Function::ConstraintForce => {
                constraint_force(|multipliers| derivatives(Function::ForceResidual, multipliers))
            }
            _ => derivatives(function, 1.0),
        }
    }

    /// The value of a function.
    fn part<S: Scalar>(&self, function: Function, seed: impl FnOnce(Lifted<M, S>) -> Lifted<M, S>) -> Vec<S> {
        let group = group_of_value(function);
        let values = self.values(group, seed);
        find(self.description().groups.of(group), function, None).values(&values).to_vec()
    }

    /// The forces that are emitted with their derivatives are those of the residual.
    fn forces(&self, report: &mut DerivativeReport, scales: &Scales, tolerance: f64) {
        let emitted = self.emitted(Group::Linearization);
        let residual =
            |multipliers| self.part::<f64>(Function::ForceResidual, |lifted| scale_multipliers(lifted, multipliers));
        for (function, exact) in
            [(Function::Force, force(residual)), (Function::ConstraintForce, constraint_force(residual))]
        {
            let block = find(self.description().groups.linearization, function, None);
            let rounding = scales.rounding(function, None);
            let block =
                EmittedBlock { described: self.description(), group: Group::Linearization, block, values: &emitted };
            report.compare(&block, &[exact], tolerance, &rounding);
        }
    }

    /// The emitted solution with the Newton matrix, for a right-hand side of the point's own numbers.
    fn solution(&self, report: &mut DerivativeReport, tolerance: f64) {
        let point = self.point;
        let constants =
            evaluate::constants::<M, _>(self.point.program, &point.parameters, &self.weights, &point.tables);
        let at = point.state.point(point.time, &point.inputs, &constants);
        let mut given = M::Unknowns::<f64>::zeros(M::lengths(self.point.program).unknowns);
        let numbers = point.state.velocities.as_ref().iter().chain(point.state.multipliers.as_ref());
        for (to, from) in given.as_mut().iter_mut().zip(numbers) {
            *to = *from;
        }
        solution::check(report, &at, &self.weights, &given, tolerance);
    }

    /// C_q v + C_t is the time derivative of C, and the constraint at acceleration level that of it.
    fn time_derivatives(&self, report: &mut DerivativeReport, scales: &Scales, tolerance: f64) {
        let moving = |mut lifted: Lifted<M, Dual>| {
            lifted.time.derivative = 1.0;
            let state = &self.point.state;
            let rates = [
                (lifted.state.coordinates.as_mut(), state.velocities.as_ref()),
                (lifted.state.velocities.as_mut(), state.accelerations.as_ref()),
            ];
            for (values, rate) in rates {
                for (value, rate) in values.iter_mut().zip(rate) {
                    value.derivative = *rate;
                }
            }
            lifted
        };
        let emitted = self.emitted(Group::Kinematics);
        for (function, of) in [
            (Function::ConstraintVelocity, Function::Constraint),
            (Function::ConstraintAcceleration, Function::ConstraintVelocity),
        ] {
            let block = find(self.description().groups.kinematics, function, None);
            let exact = vec![self.directional(of, moving)];
            let rounding = scales.rounding(function, None);
            let block =
                EmittedBlock { described: self.description(), group: Group::Kinematics, block, values: &emitted };
            report.compare(&block, &exact, tolerance, &rounding);
        }
    }
}

/// Factor of the multipliers with which constraint forces are so much larger than the others that these do not count.
const MAGNIFICATION: f64 = (1_u64 << 40) as f64;

/// The group that holds the function's value, or that of a function that it follows from.
fn group_of_value(function: Function) -> Group {
    match function {
        Function::InitialCoordinates | Function::InitialVelocities => Group::Initial,
        Function::Inertia
        | Function::ForceResidual
        | Function::Force
        | Function::ConstraintForce
        | Function::Constraint
        | Function::Step => Group::Residual,
        Function::ConstraintVelocity | Function::ConstraintAcceleration => Group::Kinematics,
        Function::Output | Function::LookupArguments => Group::Outputs,
    }
}

/// f of the residual C_q^T lambda - f, which is a function of the factor of lambda.
fn force(residual: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    residual(0.0).iter().map(|value| -value).collect()
}

/// C_q^T lambda of the same residual.
fn constraint_force(residual: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    combine((1.0 / MAGNIFICATION, residual(MAGNIFICATION)), (-1.0 / MAGNIFICATION, residual(0.0)))
}

fn combine((a, left): (f64, Vec<f64>), (b, right): (f64, Vec<f64>)) -> Vec<f64> {
    left.iter().zip(&right).map(|(left, right)| a * left + b * right).collect()
}

fn scale_multipliers<M: Functions, S: Scalar>(mut lifted: Lifted<M, S>, factor: f64) -> Lifted<M, S> {
    for multiplier in lifted.state.multipliers.as_mut() {
        *multiplier = *multiplier * S::constant(factor);
    }
    lifted
}

fn lift<S: Scalar>(from: &[f64], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::constant(*from);
    }
}
