//! The model's functions at the start of a run.

use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::{Scalar, Vector, lift_into, real_part};
use costate_system::model::{Argument, Block, Description, Function, Functions, Group, Groups};
use costate_system::problem::{GivenStart, Problem};
use costate_system::system::{Equations, Instant, StateVectors};

use crate::equations::ModelEquations;
use crate::run::constants_of;
use crate::step::order_of_library;

/// A model at the start with its inputs there: values in the number type S, matrices with plain numbers.
pub(crate) struct StartSystem<'a, S> {
    equations: &'a dyn Equations<S>,
    real: &'a dyn Equations<f64>,
    pub parameters: &'a [f64],
    inputs: &'a [S],
    real_inputs: &'a [f64],
    /// Time of the start in s.
    pub time: f64,
    /// The start of a part of a run; `None` for that of the model.
    pub given: Option<&'a GivenStart>,
}

/// Plain numbers in another type.
pub(super) fn lifted<S: Scalar>(plain: &[f64]) -> Vec<S> {
    let mut numbers = vec![S::default(); plain.len()];
    lift_into(plain, &mut numbers);
    numbers
}

/// Does `work` on the equations of the model `M` with these parameters.
pub(crate) fn with_start_system<M: Functions, S: Scalar, T>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
    work: impl FnOnce(&StartSystem<'_, S>) -> T,
) -> T {
    let (start, mut inputs) = (problem.moment(0), M::Inputs::<S>::zeros(M::lengths(program).inputs));
    start.lift_inputs(&mut inputs);
    let real_parameters: M::Parameters<f64> = real_part::<S, _, _>(parameters);
    let constants = constants_of::<M, S>(program, problem, parameters);
    let real_constants = constants_of::<M, f64>(program, problem, &real_parameters);
    work(&StartSystem {
        equations: &ModelEquations::<M, S>(&constants),
        real: &ModelEquations::<M, f64>(&real_constants),
        parameters: real_parameters.as_ref(),
        inputs: inputs.as_ref(),
        real_inputs: start.inputs,
        time: start.time,
        given: problem.given_start(),
    })
}

impl<'a, S: Scalar> StartSystem<'a, S> {
    /// Names, units, patterns and sizes.
    #[doc(hidden)]
    pub fn description(&self) -> &'static Description {
        self.equations.description()
    }

    /// The order of pivots in which the Newton matrix of steps is factorised; empty without.
    pub fn order(&self) -> &'static [(u32, u32)] {
        order_of_library(self.description())
    }

    /// Number of coordinates.
    pub fn n(&self) -> usize {
        self.description().coordinates.len()
    }

    /// Number of constraints.
    pub fn m(&self) -> usize {
        self.description().constraints.len()
    }

    /// The model's functions.
    pub fn equations(&self) -> &'a dyn Equations<S> {
        self.equations
    }

    /// The inputs at the start.
    pub fn inputs(&self) -> &'a [S] {
        self.inputs
    }

    /// Returns the start in plain numbers.
    pub fn plain(&self) -> StartSystem<'a, f64> {
        StartSystem {
            equations: self.real,
            real: self.real,
            parameters: self.parameters,
            inputs: self.real_inputs,
            real_inputs: self.real_inputs,
            time: self.time,
            given: self.given,
        }
    }

    fn groups(&self) -> Groups {
        self.description().groups
    }

    /// The array of a group.
    pub fn evaluate(&self, group: Group, state: &StateVectors<S>) -> Vec<S> {
        self.equations.group(group, Instant { time: self.time, state, inputs: self.inputs })
    }

    /// The matrices of a group at the real part of the state.
    pub fn matrices(&self, group: Group, state: &StateVectors<S>) -> Matrices {
        let at = Instant { time: self.time, state: &state.real(), inputs: self.real_inputs };
        Matrices { layout: self.groups().of(group), group: self.real.group(group, at), sizes: self.sizes() }
    }

    fn sizes(&self) -> [usize; 4] {
        let description = self.description();
        [self.n(), self.m(), description.parameters.len(), description.lookups.len()]
    }

    /// Zeros.
    pub fn zero_state(&self) -> StateVectors<S> {
        StateVectors::zeros(self.n(), self.m())
    }

    /// Returns true for each position that is specified (n).
    pub fn specified_coordinates(&self) -> &'a [bool] {
        self.given.map_or(self.description().specified_coordinates, |given| &given.kept_coordinates)
    }

    /// Returns true for each velocity that is specified (n).
    pub fn specified_velocities(&self) -> &'a [bool] {
        self.given.map_or(self.description().specified_velocities, |given| &given.kept_velocities)
    }

    /// Returns true if the start is an equilibrium.
    pub fn is_at_rest(&self) -> bool {
        self.description().equilibrium && self.given.is_none()
    }

    /// The specified positions and velocities; where they are open, what they are near to, and zero.
    pub fn specified(&self) -> StateVectors<S> {
        let mut state = self.zero_state();
        if let Some(given) = self.given {
            (state.coordinates, state.velocities) = (lifted(&given.coordinates), lifted(&given.velocities));
            return state;
        }
        let group = self.evaluate(Group::Initial, &state);
        let take = |function, to: &mut [S]| {
            for (row, _, value) in find(self.groups().initial, function, None).iter(&group) {
                to[row] = value;
            }
        };
        take(Function::InitialCoordinates, &mut state.coordinates);
        take(Function::InitialVelocities, &mut state.velocities);
        state
    }

    /// C (m).
    pub fn constraint(&self, at: &StateVectors<S>) -> Vec<S> {
        let group = self.evaluate(Group::Residual, at);
        find(self.groups().residual, Function::Constraint, None).values(&group).to_vec()
    }

    /// M a + C_q^T lambda - f (n).
    pub fn motion(&self, at: &StateVectors<S>) -> Vec<S> {
        let group = self.evaluate(Group::Residual, at);
        let inertia = find(self.groups().residual, Function::Inertia, None).values(&group);
        let rest = find(self.groups().residual, Function::ForceResidual, None).values(&group);
        inertia.iter().zip(rest).map(|(&inertia, &rest)| inertia + rest).collect()
    }

    /// f and C_q^T lambda, in no order.
    pub fn motion_terms(&self, at: &StateVectors<S>) -> Vec<S> {
        let group = self.evaluate(Group::Linearization, at);
        let values = |function| find(self.groups().linearization, function, None).values(&group);
        [values(Function::Force), values(Function::ConstraintForce)].concat()
    }

    /// The constraints at velocity or acceleration level (m).
    pub fn kinematics(&self, function: Function, at: &StateVectors<S>) -> Vec<S> {
        let group = self.evaluate(Group::Kinematics, at);
        find(self.groups().kinematics, function, None).values(&group).to_vec()
    }

    /// f or C_q^T lambda (n).
    pub fn force(&self, function: Function, at: &StateVectors<S>) -> Vec<S> {
        self.force_in(function, &self.evaluate(Group::Linearization, at))
    }

    /// f or C_q^T lambda (n) in an array of the group `linearization`.
    pub fn force_in(&self, function: Function, linearization: &[S]) -> Vec<S> {
        find(self.groups().linearization, function, None).values(linearization).to_vec()
    }

    /// The matrices of an array of the group `linearization`.
    pub fn matrices_of(&self, linearization: &[S]) -> Matrices {
        let group = linearization.iter().map(|value| value.real()).collect();
        Matrices { layout: self.groups().linearization, group, sizes: self.sizes() }
    }
}

/// An evaluated group, taken apart into matrices.
pub(super) struct Matrices {
    layout: &'static [Block],
    group: Vec<f64>,
    sizes: [usize; 4],
}

impl Matrices {
    /// A function's value.
    pub fn values(&self, function: Function) -> Vec<f64> {
        find(self.layout, function, None).values(&self.group).to_vec()
    }

    /// The derivative of a function with respect to q, v, a, p or lookups; without entries where the group has no such
    /// block.
    pub fn matrix(&self, function: Function, argument: Argument) -> SparseMatrix {
        let [n, m, parameters, lookups] = self.sizes;
        let rows = match function {
            Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => m,
            _ => n,
        };
        let columns = match argument {
            Argument::Parameters => parameters,
            Argument::Lookups => lookups,
            _ => n,
        };
        SparseMatrix::of_block(find(self.layout, function, Some(argument)), &self.group, rows, columns)
    }
}
