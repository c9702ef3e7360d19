//! The model's functions at the start of a run.

use crate::block::find;
use crate::evaluate;
use crate::linalg::SparseMatrix;
use crate::model::lookups::array_length;
use crate::model::{Argument, Block, Function, Groups, Model, Point};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector, real_part};
use crate::step::{Moment, State};

/// Evaluates the model at t = 0: values in the number type S, matrices with plain numbers.
pub(super) struct System<M: Model, S: Scalar> {
    pub parameters: M::Parameters<f64>,
    constants: M::Constants<S>,
    real_constants: M::Constants<f64>,
    inputs: M::Inputs<S>,
    real_inputs: M::Inputs<f64>,
}

impl<M: Model, S: Scalar> System<M, S> {
    /// Number of coordinates, constraints.
    pub const N: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;
    pub const M: usize = <M::Multipliers<S> as Vector<S>>::LENGTH;
    const GROUPS: Groups = M::DESCRIPTION.groups;

    /// With these parameters.
    pub fn new(problem: &Problem<M>, parameters: &M::Parameters<S>) -> Self {
        let inputs = problem.inputs().first().cloned().unwrap_or_else(Vector::zeros);
        let changes = problem.input_changes().and_then(|changes| changes.first());
        let mut lifted = M::Inputs::<S>::zeros();
        Moment::<M> { step: 0, time: 0.0, inputs: &inputs, changes }.lift_inputs(&mut lifted);
        let real_parameters: M::Parameters<f64> = real_part::<S, _, _>(parameters);
        Self {
            constants: problem.constants(parameters),
            real_constants: problem.constants(&real_parameters),
            parameters: real_parameters,
            inputs: lifted,
            real_inputs: inputs,
        }
    }

    /// The model's constants.
    pub fn constants(&self) -> &M::Constants<S> {
        &self.constants
    }

    /// Where the model's functions are evaluated.
    pub fn point<'a>(&'a self, at: &'a State<M, S>) -> Point<'a, M, S> {
        at.point(0.0, &self.inputs, &self.constants)
    }

    /// The specified positions and velocities; where they are open, what they are near to, and zero.
    pub fn specified(&self) -> State<M, S> {
        let mut group = M::Initial::<S>::zeros();
        M::initial(&self.constants, &mut group);
        let mut state = State::<M, S>::zeros();
        let take = |function, to: &mut [S]| {
            for (row, _, value) in find(Self::GROUPS.initial, function, None).iter(group.as_ref()) {
                to[row] = value;
            }
        };
        take(Function::InitialCoordinates, state.coordinates.as_mut());
        take(Function::InitialVelocities, state.velocities.as_mut());
        state
    }

    /// C (m).
    pub fn constraint(&self, at: &State<M, S>) -> Vec<S> {
        let mut group = M::Residual::<S>::zeros();
        evaluate::residual(&self.point(at), &mut group);
        find(Self::GROUPS.residual, Function::Constraint, None).values(group.as_ref()).to_vec()
    }

    /// M a + C_q^T lambda - f (n).
    pub fn motion(&self, at: &State<M, S>) -> Vec<S> {
        let mut group = M::Residual::<S>::zeros();
        evaluate::residual(&self.point(at), &mut group);
        let inertia = find(Self::GROUPS.residual, Function::Inertia, None).values(group.as_ref());
        let rest = find(Self::GROUPS.residual, Function::ForceResidual, None).values(group.as_ref());
        inertia.iter().zip(rest).map(|(&inertia, &rest)| inertia + rest).collect()
    }

    /// The constraints at velocity or acceleration level (m).
    pub fn kinematics(&self, function: Function, at: &State<M, S>) -> Vec<S> {
        let mut group = M::Kinematics::<S>::zeros();
        evaluate::kinematics(&self.point(at), &mut group);
        find(Self::GROUPS.kinematics, function, None).values(group.as_ref()).to_vec()
    }

    /// f or C_q^T lambda (n).
    pub fn force(&self, function: Function, at: &State<M, S>) -> Vec<S> {
        find(Self::GROUPS.linearization, function, None).values(&self.linearization(at)).to_vec()
    }

    /// The array of the group `linearization`.
    pub fn linearization(&self, at: &State<M, S>) -> Vec<S> {
        let mut group = M::Linearization::<S>::zeros();
        evaluate::linearization(&self.point(at), &mut group);
        group.as_ref().to_vec()
    }

    /// The array of the group `kinematics_derivatives`.
    pub fn kinematics_derivatives_in(&self, at: &State<M, S>) -> Vec<S> {
        let mut group = M::KinematicsDerivatives::<S>::zeros();
        M::kinematics_derivatives(&self.point(at), &mut group);
        group.as_ref().to_vec()
    }

    /// The matrices of the group `linearization` at the real part of the state.
    pub fn linearize(&self, at: &State<M, S>) -> Matrices<M::Linearization<f64>> {
        let mut real = State::<M, f64>::zeros();
        at.real_into(&mut real);
        let mut group = M::Linearization::<f64>::zeros();
        evaluate::linearization(&real.point(0.0, &self.real_inputs, &self.real_constants), &mut group);
        Matrices::new(Self::GROUPS.linearization, group, Self::sizes())
    }

    /// The matrices of the group `kinematics_derivatives` at the real part of the state.
    pub fn kinematics_derivatives(&self, at: &State<M, S>) -> Matrices<M::KinematicsDerivatives<f64>> {
        let mut real = State::<M, f64>::zeros();
        at.real_into(&mut real);
        let mut group = M::KinematicsDerivatives::<f64>::zeros();
        M::kinematics_derivatives(&real.point(0.0, &self.real_inputs, &self.real_constants), &mut group);
        Matrices::new(Self::GROUPS.kinematics_derivatives, group, Self::sizes())
    }

    /// The matrices of the group `initial_lookups` at the real part of the state.
    pub fn lookups(&self, at: &State<M, S>) -> Matrices<Vec<f64>> {
        let mut real = State::<M, f64>::zeros();
        at.real_into(&mut real);
        let mut group = vec![0.0; array_length(Self::GROUPS.initial_lookups)];
        M::initial_lookups(&real.point(0.0, &self.real_inputs, &self.real_constants), &mut group);
        Matrices::new(Self::GROUPS.initial_lookups, group, Self::sizes())
    }

    /// The matrices of the group `initial_derivatives`.
    pub fn initial_derivatives(&self) -> Matrices<M::InitialDerivatives<f64>> {
        let mut group = M::InitialDerivatives::<f64>::zeros();
        M::initial_derivatives(&self.real_constants, &mut group);
        Matrices::new(Self::GROUPS.initial_derivatives, group, Self::sizes())
    }

    /// Numbers of coordinates, constraints, parameters and lookups.
    fn sizes() -> [usize; 4] {
        [Self::N, Self::M, <M::Parameters<S> as Vector<S>>::LENGTH, M::DESCRIPTION.lookups.len()]
    }
}

/// An evaluated group, taken apart into matrices.
pub(super) struct Matrices<G> {
    layout: &'static [Block],
    group: G,
    sizes: [usize; 4],
}

impl<G: AsRef<[f64]>> Matrices<G> {
    fn new(layout: &'static [Block], group: G, sizes: [usize; 4]) -> Self {
        Self { layout, group, sizes }
    }

    /// A function's value.
    pub fn values(&self, function: Function) -> Vec<f64> {
        find(self.layout, function, None).values(self.group.as_ref()).to_vec()
    }

    /// The derivative of a function with respect to q, v, a, p or lookups; without entries where the group has no such block.
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
        SparseMatrix::of_block(
            find(self.layout, function, Some(argument)),
            self.group.as_ref(),
            rows,
            columns,
        )
    }
}
