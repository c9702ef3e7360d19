//! The derivatives of the initial state with respect to the inputs u_0, by the implicit function theorem.
//!
//! Positions and velocities are specified or follow from the constraints, which know no inputs; but free coordinates have
//! the velocity at which their force vanishes, and accelerations and multipliers solve the equations of motion.

use super::error::InitialStateError;
use super::project::component_matrix;
use super::system::System;
use super::{acceleration_lu, free_coordinates, free_indices, free_lu};
use crate::block::find;
use crate::integrator::state::State;
use crate::linalg::LuFactors;
use crate::model::{Argument, Block, Function, Model};
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};

/// dx_0/du_0: for every input the derivatives of q0, v0, a0, lambda0 (3n + m), in the number type of the run that begins
/// with `state`.
pub(crate) fn initial_input_derivatives<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
    state: &[S],
) -> Result<Vec<Vec<S>>, InitialStateError> {
    let system = System::<M, S>::new(problem, parameters);
    let mut at = State::zeros();
    at.load(state);
    let free = free_coordinates(&system, &at);
    let accelerations = acceleration_lu(&system, &free, &at)?;
    let free = free_indices(&free);
    let damping = match free.is_empty() {
        true => None,
        false => {
            let damping = system.linearize(&at).matrix(Function::Force, Argument::Velocities);
            Some(free_lu::<M>(&damping.select(&free), &free)?)
        }
    };
    let matrices = Matrices::new(&system, &at);
    let (n, m) = (System::<M, S>::N, System::<M, S>::M);
    let zeros = |length| vec![S::default(); length];
    let column = |input: usize| {
        let (mut velocities, mut unknowns) = (zeros(n), zeros(n + m));
        if let Some(damping) = &damping {
            let mut of_free = zeros(free.len());
            solve(damping, &mut of_free, |of_free| {
                free.iter().zip(of_free).for_each(|(&j, value)| velocities[j] = *value);
                let force = matrices.force(input, &velocities);
                free.iter().map(|&j| force[j]).collect()
            });
            free.iter().zip(of_free).for_each(|(&j, value)| velocities[j] = value);
        }
        solve(&accelerations, &mut unknowns, |unknowns| {
            let mut rows = matrices.motion(input, &velocities, unknowns);
            free.iter().for_each(|&j| rows[j] = unknowns[j]);
            rows
        });
        [zeros(n), velocities, unknowns].concat()
    };
    Ok((0..<M::Inputs<S> as Vector<S>>::LENGTH).map(column).collect())
}

/// Solves the linear system `residual(x) = 0` with the factors of its real part, from x = 0: one round for every component
/// of the number type, and one for rounding.
fn solve<S: Scalar>(factors: &LuFactors, x: &mut [S], mut residual: impl FnMut(&[S]) -> Vec<S>) {
    for _ in 0..=S::COMPONENTS {
        let update = factors.solve(&component_matrix(&residual(x)));
        for (row, x) in x.iter_mut().enumerate() {
            for component in 0..S::COMPONENTS {
                x.set_component(component, x.component(component) - update[(row, component)]);
            }
        }
    }
}

/// What is needed of the emitted matrices, in the number type S.
struct Matrices<S> {
    linearization: Vec<S>,
    kinematics: Vec<S>,
    mass: &'static Block,
    jacobian: &'static Block,
    force_v: &'static Block,
    force_u: &'static Block,
    acceleration_v: &'static Block,
    n: usize,
    m: usize,
}

impl<S: Scalar> Matrices<S> {
    fn new<M: Model>(system: &System<M, S>, at: &State<M, S>) -> Self {
        let groups = M::DESCRIPTION.groups;
        let linear = |function, argument| find(groups.linearization, function, Some(argument));
        let level = Function::ConstraintAcceleration;
        Self {
            linearization: system.linearization(at),
            kinematics: system.kinematics_derivatives_in(at),
            mass: linear(Function::Inertia, Argument::Accelerations),
            jacobian: linear(Function::Constraint, Argument::Coordinates),
            force_v: linear(Function::Force, Argument::Velocities),
            force_u: linear(Function::Force, Argument::Inputs),
            acceleration_v: find(groups.kinematics_derivatives, level, Some(Argument::Velocities)),
            n: System::<M, S>::N,
            m: System::<M, S>::M,
        }
    }

    /// df/du + f_v dv/du (n).
    fn force(&self, input: usize, velocities: &[S]) -> Vec<S> {
        let mut force = vec![S::default(); self.n];
        self.force_u.add_column(&self.linearization, 1.0, input, &mut force);
        self.force_v.add_product(&self.linearization, 1.0, velocities, &mut force);
        force
    }

    /// The derivative of M a + C_q^T lambda - f and of the constraints at acceleration level (n + m), from those of v and of
    /// (a, lambda).
    fn motion(&self, input: usize, velocities: &[S], unknowns: &[S]) -> Vec<S> {
        let mut motion: Vec<S> = self.force(input, velocities).iter().map(|force| -*force).collect();
        let mut constraints = vec![S::default(); self.m];
        let (a, lambda) = unknowns.split_at(self.n);
        self.mass.add_product(&self.linearization, 1.0, a, &mut motion);
        self.jacobian.add_transposed_product(&self.linearization, 1.0, lambda, &mut motion);
        self.jacobian.add_product(&self.linearization, 1.0, a, &mut constraints);
        self.acceleration_v.add_product(&self.kinematics, 1.0, velocities, &mut constraints);
        motion.append(&mut constraints);
        motion
    }
}
