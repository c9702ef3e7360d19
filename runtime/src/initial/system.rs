//! The model's functions at the start of a run.

use crate::block::find;
use crate::evaluate;
use crate::linalg::SparseMatrix;
use crate::model::lookups::array_length;
use crate::model::{Argument, Block, Function, Groups, Model, Point};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector, real_part};
use crate::step::{Moment, State};

/// Evaluates the model at t = 0 or shortly after it: values in the number type S, matrices with plain numbers.
pub(super) struct System<M: Model, S: Scalar> {
    pub parameters: M::Parameters<f64>,
    time: f64,
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

    /// At t = 0.
    pub fn new(problem: &Problem<M>, parameters: &M::Parameters<S>) -> Self {
        Self::later(problem, parameters, 0.0)
    }

    /// At `part` of the first step.
    pub fn later(problem: &Problem<M>, parameters: &M::Parameters<S>, part: f64) -> Self {
        let inputs = interpolated::<M>(problem.inputs(), part);
        let changes = problem.input_changes().map(|changes| interpolated::<M>(changes, part));
        let time = part * problem.first_step();
        let mut lifted = M::Inputs::<S>::zeros();
        Moment::<M> { step: 0, time, inputs: &inputs, changes: changes.as_ref() }.lift_inputs(&mut lifted);
        let real_parameters: M::Parameters<f64> = real_part::<S, _, _>(parameters);
        Self {
            constants: problem.constants(parameters),
            real_constants: problem.constants(&real_parameters),
            parameters: real_parameters,
            time,
            inputs: lifted,
            real_inputs: inputs,
        }
    }

    /// Where the model's functions are evaluated.
    pub fn point<'a>(&'a self, at: &'a State<M, S>) -> Point<'a, M, S> {
        at.point(self.time, &self.inputs, &self.constants)
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
        evaluate::linearization(&real.point(self.time, &self.real_inputs, &self.real_constants), &mut group);
        Matrices::new(Self::GROUPS.linearization, group, Self::sizes())
    }

    /// The matrices of the group `kinematics_derivatives` at the real part of the state.
    pub fn kinematics_derivatives(&self, at: &State<M, S>) -> Matrices<M::KinematicsDerivatives<f64>> {
        let mut real = State::<M, f64>::zeros();
        at.real_into(&mut real);
        let mut group = M::KinematicsDerivatives::<f64>::zeros();
        M::kinematics_derivatives(
            &real.point(self.time, &self.real_inputs, &self.real_constants),
            &mut group,
        );
        Matrices::new(Self::GROUPS.kinematics_derivatives, group, Self::sizes())
    }

    /// The matrices of the group `initial_lookups` at the real part of the state.
    pub fn lookups(&self, at: &State<M, S>) -> Matrices<Vec<f64>> {
        let mut real = State::<M, f64>::zeros();
        at.real_into(&mut real);
        let mut group = vec![0.0; array_length(Self::GROUPS.initial_lookups)];
        M::initial_lookups(&real.point(self.time, &self.real_inputs, &self.real_constants), &mut group);
        Matrices::new(Self::GROUPS.initial_lookups, group, Self::sizes())
    }

    /// Whether this is at t = 0.
    pub fn is_start(&self) -> bool {
        self.time == 0.0
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

/// Inputs at `part` of the first step.
fn interpolated<M: Model>(samples: &[M::Inputs<f64>], part: f64) -> M::Inputs<f64> {
    let mut inputs = samples.first().cloned().unwrap_or_else(Vector::zeros);
    if part > 0.0
        && let Some(next) = samples.get(1)
    {
        for (input, next) in inputs.as_mut().iter_mut().zip(next.as_ref()) {
            *input += (next - *input) * part;
        }
    }
    inputs
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
