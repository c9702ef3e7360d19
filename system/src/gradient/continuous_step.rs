//! The matrices of the continuous adjoint at one step, and its linear systems.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use crate::linalg::block::{Products, find};
use crate::linalg::{Singular, SparseLu};
use crate::model::{Argument, Block, Description, Function, Group};
use crate::problem::{Problem, SimulationError};
use crate::run::Trajectory;
use crate::step::{StepError, Unknown};
use crate::system::{Equations, Instant, StateVectors};

/// Where the group `linearization` holds the matrices of the equations of motion.
struct MotionBlocks {
    mass: &'static Block,
    inertia_q: &'static Block,
    inertia_p: &'static Block,
    force_q: &'static Block,
    force_v: &'static Block,
    force_p: &'static Block,
    constraint_force_q: &'static Block,
    constraint_force_p: &'static Block,
    constraint_q: &'static Block,
    constraint_p: &'static Block,
}

impl MotionBlocks {
    fn of(model: &Description) -> Self {
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

    fn singular(&self, i: usize, singular: Singular) -> StepError {
        StepError::Singular {
            time: self.trajectory.time(i),
            step: i,
            unknown: Unknown::at(self.problem.description(), singular.column),
            pivot: singular.pivot,
            limit: singular.limit,
        }
    }
}

/// One term of the adjoint's matrix.
#[derive(Clone, Copy, PartialEq)]
enum Term {
    /// alpha_0^2 M
    Mass,
    /// h^2 (M a)_q^T or h^2 (C_q^T lambda)_q^T
    Stiffness,
    /// -h^2 f_q^T
    Force,
    /// -alpha_0 h f_v^T
    Damping,
    /// C_q and C_q^T; the unknown is h^2 mu.
    Constraint,
}

/// The system [alpha_0^2 M + h^2 A - alpha_0 h B, C_q^T; C_q, 0] for (w, h^2 mu) (OB 3.52), sparse.
pub(super) struct AdjointStep {
    values: Vec<f64>,
    factors: SparseLu,
    /// Position in the group's array, position in `values`, kind.
    scatter: Vec<(usize, usize, Term)>,
}

impl AdjointStep {
    pub fn new(model: &Description) -> Self {
        let (blocks, n) = (MotionBlocks::of(model), model.coordinates.len());
        let mut positions: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let mut scatter = Vec::new();
        let mut add = |block: &Block, term: Term, place: &dyn Fn(u32, u32) -> (u32, u32)| {
            for (k, &(row, column)) in block.entries.iter().enumerate() {
                let next = positions.len();
                let position = *positions.entry(place(row, column)).or_insert(next);
                scatter.push((block.offset + k, position, term));
            }
        };
        let transposed = |row, column| (column, row);
        add(blocks.mass, Term::Mass, &|row, column| (row, column));
        add(blocks.inertia_q, Term::Stiffness, &transposed);
        add(blocks.constraint_force_q, Term::Stiffness, &transposed);
        add(blocks.force_q, Term::Force, &transposed);
        add(blocks.force_v, Term::Damping, &transposed);
        add(blocks.constraint_q, Term::Constraint, &|row, column| (n as u32 + row, column));
        add(blocks.constraint_q, Term::Constraint, &|row, column| (column, n as u32 + row));
        let mut pattern = vec![(0, 0); positions.len()];
        for (entry, position) in positions {
            pattern[position] = entry;
        }
        let size = n + model.constraints.len();
        Self { values: vec![0.0; pattern.len()], factors: SparseLu::new(&pattern, size), scatter }
    }

    /// Solves for w and h^2 mu at step i; `right` is the right-hand side before.
    pub fn solve(
        &mut self,
        matrices: &Matrices<'_>,
        i: usize,
        (alpha, h): (f64, f64),
        right: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.assemble(&matrices.linearization, |term| match term {
            Term::Mass => alpha * alpha,
            Term::Stiffness => h * h,
            Term::Force => -h * h,
            Term::Damping => -alpha * h,
            Term::Constraint => 1.0,
        });
        self.factors.factor(&self.values).map_err(|singular| matrices.singular(i, singular))?;
        self.factors.solve(right);
        Ok(())
    }

    /// Solves [M, C_q^T; C_q, 0] (w, xi) = right at the end of the run (OB 3.43).
    pub fn solve_end(
        &mut self,
        matrices: &Matrices<'_>,
        i: usize,
        right: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.assemble(&matrices.linearization, |term| {
            if matches!(term, Term::Mass | Term::Constraint) { 1.0 } else { 0.0 }
        });
        self.factors.factor(&self.values).map_err(|singular| matrices.singular(i, singular))?;
        self.factors.solve(right);
        Ok(())
    }

    fn assemble(&mut self, group: &[f64], weight: impl Fn(Term) -> f64) {
        self.values.fill(0.0);
        for &(from, to, term) in &self.scatter {
            self.values[to] += weight(term) * group[from];
        }
    }
}
