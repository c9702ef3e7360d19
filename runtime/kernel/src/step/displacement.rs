//! The distance of velocities, along the constraints, from those of the motion where steps restart.
//!
//! Steps that satisfy the constraints in positions alone leave velocities a lasting distance from C_q v + C_t = 0, C_q
//! h^2 a' in the directions of the constraints, with the scheme's C_q of [`Scheme::truncation`](super::Scheme).
//! Accelerations and multipliers are of second order from the first step on if velocities begin there (Arnold, Bruels
//! and Cardona 2015). The distance Delta is found by
//!
//! ```text
//! M Delta + C_q^T kappa = 0
//! C_q (v + Delta) + C_t = C_q h^2 r,    r = -[Phi(t + tau) - Phi(t)]/tau = C_q a'
//! ```
//!
//! where Phi are the constraints at acceleration level, with the accelerations that are known and with the positions
//! and velocities that go on with these for a short time tau: kinematics alone, no force is evaluated ahead. Motions
//! that the constraints admit do not feel Delta, which is orthogonal to them in the mass matrix. The first step has s =
//! Delta/h ([`Scheme::start_weights`](super::Scheme)).

mod derivatives;

use costate_numerics::linalg::SparseLu;
use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::{CollectVec, Scalar, real_into};
use costate_system::model::{Argument, Block, Description, Function, Group, Groups, Weights};
use costate_system::system::{Equations, Instant, StateVectors};

use super::acceleration_matrix::AccelerationMatrix;
pub use derivatives::{DisplacedLookups, Worth};

/// Delta at a state, and its derivatives.
pub struct Displacement<S: Scalar> {
    model: &'static Description,
    blocks: Blocks,
    matrix: AccelerationMatrix,
    /// True if the constraints are independent of each other; else nothing is displaced.
    is_regular: bool,
    /// C_q h^2, h and tau.
    weight: f64,
    step: f64,
    ahead: f64,
    /// Delta and kappa (n + m).
    solution: Vec<S>,
    /// M and C_q at the state, and C_q at the time tau later.
    here: Vec<S>,
    later: Vec<S>,
    /// The derivatives of M Delta and C_q^T kappa.
    displaced: Vec<S>,
    /// The derivatives of the constraints at velocity level with v + Delta, and at acceleration level here and later.
    velocity_level: Vec<S>,
    level_here: Vec<S>,
    level_later: Vec<S>,
    no_inputs: Vec<S>,
    /// The state with Delta and kappa for accelerations and multipliers, and the state at the time tau later.
    at_displaced: StateVectors<S>,
    at_later: StateVectors<S>,
}

struct Blocks {
    mass: &'static Block,
    jacobian: &'static Block,
    inertia: [&'static Block; 2],
    constraint_force: [&'static Block; 2],
    velocity: [&'static Block; 2],
    acceleration: [&'static Block; 3],
    velocity_value: &'static Block,
    acceleration_value: &'static Block,
}

impl Blocks {
    fn of(groups: &Groups) -> Self {
        let linear = |function, argument| find(groups.linearization, function, Some(argument));
        let level = |function, argument| find(groups.kinematics_derivatives, function, Some(argument));
        let (q, v, p) = (Argument::Coordinates, Argument::Velocities, Argument::Parameters);
        Self {
            mass: linear(Function::Inertia, Argument::Accelerations),
            jacobian: linear(Function::Constraint, q),
            inertia: [q, p].map(|argument| linear(Function::Inertia, argument)),
            constraint_force: [q, p].map(|argument| linear(Function::ConstraintForce, argument)),
            velocity: [q, p].map(|argument| level(Function::ConstraintVelocity, argument)),
            acceleration: [q, v, p].map(|argument| level(Function::ConstraintAcceleration, argument)),
            velocity_value: find(groups.kinematics, Function::ConstraintVelocity, None),
            acceleration_value: find(groups.kinematics, Function::ConstraintAcceleration, None),
        }
    }
}

impl<S: Scalar> Displacement<S> {
    fn n(&self) -> usize {
        self.model.coordinates.len()
    }

    fn m(&self) -> usize {
        self.model.constraints.len()
    }

    /// Creates the displacement of a model, before its first state.
    pub fn new(model: &'static Description) -> Self {
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        Self {
            model,
            blocks: Blocks::of(&model.groups),
            matrix: AccelerationMatrix::new(model).in_order(model),
            is_regular: false,
            weight: 0.0,
            step: 1.0,
            ahead: 1.0,
            solution: vec![S::default(); n + m],
            here: Vec::new(),
            later: Vec::new(),
            displaced: Vec::new(),
            velocity_level: Vec::new(),
            level_here: Vec::new(),
            level_later: Vec::new(),
            no_inputs: vec![S::default(); model.inputs.len()],
            at_displaced: StateVectors::zeros(n, m),
            at_later: StateVectors::zeros(n, m),
        }
    }

    /// Evaluates the array of a group at a state.
    fn group(&self, equations: &dyn Equations<S>, group: Group, time: f64, state: &StateVectors<S>) -> Vec<S> {
        equations.group(group, Instant { time, state, inputs: &self.no_inputs })
    }

    /// Computes Delta at a state, for steps with these weights from there. The matrix of accelerations at the state is
    /// factorised if its `factors` are not given.
    pub fn find(
        &mut self,
        equations: &dyn Equations<S>,
        weights: &Weights,
        time: f64,
        state: &StateVectors<S>,
        factors: Option<&SparseLu>,
    ) {
        /// tau as a fraction of the step.
        const FRACTION: f64 = 0.0625;
        self.is_regular = false;
        (self.step, self.ahead) = (weights.step, FRACTION * weights.step);
        self.weight = weights.displacement * weights.step;
        self.solution.fill(S::default());
        if self.m() == 0 || self.weight == 0.0 {
            return;
        }
        let tau = self.ahead;
        self.at_later.clone_from(state);
        self.at_displaced.clone_from(state);
        for j in 0..self.n() {
            let (v, a) = (state.velocities[j], state.accelerations[j]);
            self.at_later.coordinates[j] += v * tau + a * (0.5 * tau * tau);
            self.at_later.velocities[j] += a * tau;
        }
        self.here = self.group(equations, Group::Linearization, time, state);
        let mut real = vec![0.0; self.here.len()];
        real_into(&self.here, &mut real);
        self.is_regular = match factors {
            Some(factors) => {
                self.matrix.take(&real, factors);
                true
            }
            None => self.matrix.factor(&real),
        };
        if !self.is_regular {
            return;
        }
        let later = self.group(equations, Group::Kinematics, time + tau, &self.at_later);
        let blocks = &self.blocks;
        let mut level = blocks.acceleration_value.values(&later).to_vec();
        let kinematics = self.group(equations, Group::Kinematics, time, state);
        let here = blocks.acceleration_value.values(&kinematics);
        let velocity = blocks.velocity_value.values(&kinematics);
        for (level, (here, velocity)) in level.iter_mut().zip(here.iter().zip(velocity)) {
            *level = (*level - *here) * (self.weight / tau) + *velocity;
        }
        let right: Vec<S> = std::iter::repeat_n(S::default(), self.n()).chain(level).collect_vec();
        let n = self.n();
        self.solution = self.solve(&right);
        let Self { at_displaced, solution, .. } = self;
        let (delta, kappa) = solution.split_at(n);
        for (v, delta) in at_displaced.velocities.iter_mut().zip(delta) {
            *v += *delta;
        }
        at_displaced.accelerations.copy_from_slice(delta);
        at_displaced.multipliers.copy_from_slice(kappa);
    }

    /// Returns s = Delta/h (n).
    pub fn auxiliary(&self) -> Vec<S> {
        self.solution[..self.n()].iter().map(|delta| *delta * (1.0 / self.step)).collect_vec()
    }

    /// Evaluates the derivatives of the equations where Delta was found.
    pub fn differentiate(&mut self, equations: &dyn Equations<S>, time: f64, state: &StateVectors<S>) {
        if !self.is_regular {
            return;
        }
        let later = time + self.ahead;
        self.displaced = self.group(equations, Group::Linearization, time, &self.at_displaced);
        self.velocity_level = self.group(equations, Group::KinematicsDerivatives, time, &self.at_displaced);
        self.level_here = self.group(equations, Group::KinematicsDerivatives, time, state);
        self.later = self.group(equations, Group::Linearization, later, &self.at_later);
        self.level_later = self.group(equations, Group::KinematicsDerivatives, later, &self.at_later);
    }

    /// Returns the x for which [M, C_q^T; C_q, 0] x + `right` vanishes, with M Delta = 0 for free
    /// coordinates.
    fn solve(&self, right: &[S]) -> Vec<S> {
        let (mass, jacobian, group) = (self.blocks.mass, self.blocks.jacobian, &self.here[..]);
        let mut x = vec![S::default(); right.len()];
        let mut update = vec![0.0; right.len()];
        // one round for every component, and one for rounding
        for _ in 0..=S::COMPONENTS {
            let mut rest = right.to_vec();
            let (motion, constraints) = rest.split_at_mut(self.n());
            let (delta, kappa) = x.split_at(self.n());
            mass.add_product(group, 1.0, delta, motion);
            jacobian.add_transposed_product(group, 1.0, kappa, motion);
            jacobian.add_product(group, 1.0, delta, constraints);
            for component in 0..S::COMPONENTS {
                for (update, rest) in update.iter_mut().zip(&rest) {
                    *update = rest.component(component);
                }
                self.matrix.solve(&mut update);
                for (x, update) in x.iter_mut().zip(&update) {
                    x.set_component(component, x.component(component) - update);
                }
            }
        }
        x
    }
}
