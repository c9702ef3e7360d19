//! The matrices of the equations of motion at one step of a run.

use nalgebra::DMatrix;

use costate_kernel::run::Trajectory;
use costate_numerics::linalg::Singular;
use costate_numerics::linalg::block::{Products, find};
use costate_system::model::{Argument, Block, Description, Function, Group};
use costate_system::problem::{Problem, SimulationError};
use costate_system::step::{StepError, Unknown};
use costate_system::system::{Equations, Instant, StateVectors};

/// Blocks of the group `linearization`: the matrices of the equations of motion.
pub(super) struct MotionBlocks {
    pub mass: &'static Block,
    pub inertia_q: &'static Block,
    pub inertia_p: &'static Block,
    pub force_q: &'static Block,
    pub force_v: &'static Block,
    pub force_p: &'static Block,
    pub constraint_force_q: &'static Block,
    pub constraint_force_p: &'static Block,
    pub constraint_q: &'static Block,
    pub constraint_p: &'static Block,
}

impl MotionBlocks {
    pub fn of(model: &Description) -> Self {
        use Argument::{Accelerations, Coordinates, Parameters, Velocities};
        let block = |function, argument| find(model.groups.linearization, function, Some(argument));
        Self {
            mass: block(Function::Inertia, Accelerations),
            inertia_q: block(Function::Inertia, Coordinates),
            inertia_p: block(Function::Inertia, Parameters),
            force_q: block(Function::Force, Coordinates),
            force_v: block(Function::Force, Velocities),
            force_p: block(Function::Force, Parameters),
            constraint_force_q: block(Function::ConstraintForce, Coordinates),
            constraint_force_p: block(Function::ConstraintForce, Parameters),
            constraint_q: block(Function::Constraint, Coordinates),
            constraint_p: block(Function::Constraint, Parameters),
        }
    }
}

/// The matrices of a stored run, step by step.
pub(super) struct Matrices<'a> {
    problem: &'a Problem,
    trajectory: &'a Trajectory,
    equations: &'a dyn Equations<f64>,
    blocks: MotionBlocks,
    state: StateVectors<f64>,
    linearization: Vec<f64>,
    outputs: Vec<f64>,
}

impl<'a> Matrices<'a> {
    pub fn new(problem: &'a Problem, trajectory: &'a Trajectory, equations: &'a dyn Equations<f64>) -> Self {
        let model = problem.description();
        Self {
            problem,
            trajectory,
            equations,
            blocks: MotionBlocks::of(model),
            state: StateVectors::zeros(model.coordinates.len(), model.constraints.len()),
            linearization: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// Evaluates everything at step i.
    pub fn evaluate(&mut self, i: usize) {
        let n = self.problem.description().coordinates.len();
        self.state = StateVectors::of_stored(n, self.trajectory.stored(i));
        self.linearization = self.group(i, Group::Linearization);
        self.outputs = self.group(i, Group::OutputDerivatives);
    }

    /// The array of a group at step i, which was evaluated last.
    fn group(&self, i: usize, group: Group) -> Vec<f64> {
        let (time, inputs) = (self.trajectory.time(i), self.problem.inputs().row(i));
        self.equations.group(group, Instant { time, state: &self.state, inputs })
    }

    /// The array of the group `linearization`.
    pub fn linearization(&self) -> &[f64] {
        &self.linearization
    }

    /// The array of the group `output_derivatives`.
    pub fn outputs(&self) -> &[f64] {
        &self.outputs
    }

    /// M w
    pub fn mass_times(&self, w: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; w.len()];
        self.blocks.mass.add_product(&self.linearization, 1.0, w, &mut product);
        product
    }

    /// `y += A w`
    pub fn add_stiffness(&self, w: &[f64], y: &mut [f64]) {
        let blocks = &self.blocks;
        blocks.inertia_q.add_transposed_product(&self.linearization, 1.0, w, y);
        blocks.constraint_force_q.add_transposed_product(&self.linearization, 1.0, w, y);
        blocks.force_q.add_transposed_product(&self.linearization, -1.0, w, y);
    }

    /// `y += B w`
    pub fn add_damping(&self, w: &[f64], y: &mut [f64]) {
        self.blocks.force_v.add_transposed_product(&self.linearization, 1.0, w, y);
    }

    /// `y -= weight (M w, C_q w)`
    pub fn subtract_products(&self, weight: f64, w: &[f64], y: &mut [f64]) {
        let (motion, constraints) = y.split_at_mut(w.len());
        self.blocks.mass.add_product(&self.linearization, -weight, w, motion);
        self.blocks.constraint_q.add_product(&self.linearization, -weight, w, constraints);
    }

    /// `y += C_q^T mu`
    pub fn add_constraint_forces(&self, mu: &[f64], y: &mut [f64]) {
        self.blocks.constraint_q.add_transposed_product(&self.linearization, 1.0, mu, y);
    }

    /// `gradient += weight [(M a)_p + (C_q^T lambda)_p - f_p]^T w`
    pub fn add_parameters(&self, weight: f64, w: &[f64], gradient: &mut [f64]) {
        let blocks = &self.blocks;
        blocks.inertia_p.add_transposed_product(&self.linearization, weight, w, gradient);
        blocks.constraint_force_p.add_transposed_product(&self.linearization, weight, w, gradient);
        blocks.force_p.add_transposed_product(&self.linearization, -weight, w, gradient);
    }

    /// `gradient += weight C_p^T mu`
    pub fn add_constraint_parameters(&self, weight: f64, mu: &[f64], gradient: &mut [f64]) {
        self.blocks.constraint_p.add_transposed_product(&self.linearization, weight, mu, gradient);
    }

    /// `p -= (C_q v + C_t)_q^T xi` (OB 3.44), and the same with respect to the parameters into the gradient.
    pub fn add_velocity_constraint(&self, i: usize, xi: &[f64], p: &mut [f64], gradient: &mut [f64]) {
        let group = self.group(i, Group::KinematicsDerivatives);
        let all = self.problem.description().groups.kinematics_derivatives;
        let block = |argument| find(all, Function::ConstraintVelocity, Some(argument));
        block(Argument::Coordinates).add_transposed_product(&group, -1.0, xi, p);
        block(Argument::Parameters).add_transposed_product(&group, 1.0, xi, gradient);
    }

    /// dx_0/dp, see [`Problem::initial_derivatives`].
    pub fn initial_derivatives(&self, unknown: &[usize]) -> Result<DMatrix<f64>, SimulationError> {
        let parameters = self.trajectory.parameters();
        Ok(self.problem.system().initial_derivatives(self.problem, parameters, unknown)?)
    }

    /// The error of a factorisation at step i.
    pub fn singular(&self, i: usize, singular: Singular) -> StepError {
        StepError::Singular {
            time: self.trajectory.time(i),
            step: i,
            unknown: Unknown::at(self.problem.description(), singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        }
    }
}
