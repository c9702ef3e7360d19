//! Random states that satisfy the constraints of a model.

use nalgebra::{DMatrix, DVector};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::block::find;
use costate_numerics::linalg::dense;
use costate_system::system::{Equations, Instant, StateVectors};

use super::error::BaseParameterError;

/// The seed of the states: the same model has the same ones.
const SEED: u64 = 65;

/// A state with random positions, velocities, accelerations and inputs, and its projector.
#[derive(Debug, Clone)]
pub(super) struct RandomState {
    pub time: f64,
    /// q, v and a; the multipliers are random in constraints and 0 in drives.
    pub state: StateVectors<f64>,
    pub inputs: Vec<f64>,
    /// The directions that C_q takes, by columns: the forces of constraints are combinations of them.
    pub held: DMatrix<f64>,
}

/// C_q, taken apart: its pseudoinverse is held * inverse.
struct Parts {
    held: DMatrix<f64>,
    inverse: DMatrix<f64>,
}

impl Parts {
    /// Returns the least change with this change of the constraints.
    fn least(&self, rest: &DVector<f64>) -> DVector<f64> {
        &self.held * (&self.inverse * rest)
    }
}

/// Makes the states, by a walk from the initial positions.
pub(super) struct Sampler<'a> {
    equations: &'a dyn Equations<f64>,
    /// The latest positions.
    start: StateVectors<f64>,
    random: SmallRng,
    /// Constraints that the time does not move.
    kept: Vec<usize>,
}

impl<'a> Sampler<'a> {
    pub fn new(equations: &'a dyn Equations<f64>, start: StateVectors<f64>) -> Self {
        let mut new = Self { equations, start, random: SmallRng::seed_from_u64(SEED), kept: Vec::new() };
        new.kept = new.unmoved();
        new
    }

    /// Returns the constraints that the time does not move: C_t = 0. The others are drives.
    fn unmoved(&mut self) -> Vec<usize> {
        /// Times at which a drive would have to stand still to be taken for a constraint.
        const TIMES: usize = 8;
        let mut moves = vec![false; self.equations.description().constraints.len()];
        for _ in 0..TIMES {
            let mut at = self.drawn(0.5);
            at.state.velocities.fill(0.0);
            let rates = self.all(&at, Group::Kinematics, Function::ConstraintVelocity);
            moves.iter_mut().zip(rates.iter()).for_each(|(moves, rate)| *moves |= *rate != 0.0);
        }
        (0..moves.len()).filter(|&row| !moves[row]).collect()
    }

    /// Returns the names of the drives.
    pub fn drives(&self) -> Vec<&'static str> {
        let all = self.equations.description().constraints.iter().enumerate();
        all.filter(|(row, _)| !self.kept.contains(row)).map(|(_, constraint)| constraint.name).collect()
    }

    /// Returns the indices of the constraints that are no drives.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Returns a state some steps away from the one before.
    pub fn next(&mut self) -> Result<RandomState, BaseParameterError> {
        /// Steps between states: fewer make states that are too much alike.
        const STEPS: usize = 3;
        for _ in 0..STEPS {
            self.walk()?;
        }
        let mut at = self.drawn(0.0);
        let complete = self.taken_apart(&at).filter(|parts| {
            let multipliers = at.state.multipliers.iter_mut().enumerate();
            let drives = multipliers.filter(|(row, _)| !self.kept.contains(row));
            drives.for_each(|(_, multiplier)| *multiplier = 0.0);
            let change = parts.least(&self.value(&at, Group::Kinematics, Function::ConstraintVelocity));
            at.state.velocities.iter_mut().zip(&change).for_each(|(v, change)| *v -= change);
            let change = parts.least(&self.value(&at, Group::Kinematics, Function::ConstraintAcceleration));
            at.state.accelerations.iter_mut().zip(&change).for_each(|(a, change)| *a -= change);
            at.state.stored().iter().all(|number| number.is_finite())
        });
        at.held = complete.ok_or_else(|| self.no_state())?.held;
        Ok(at)
    }

    fn no_state(&self) -> BaseParameterError {
        BaseParameterError::NoState { model: self.equations.description().name }
    }

    /// Moves the positions a step along the constraints, so short that they stay on their branch: a hinge has a second
    /// one, on which its axes are opposite.
    fn walk(&mut self) -> Result<(), BaseParameterError> {
        /// Largest change of a coordinate in a step, in its unit.
        const LARGEST: f64 = 0.5;
        /// Trials, each half as long as the one before.
        const TRIALS: i32 = 16;
        /// Part of a step by which constraints may correct it.
        const MAX_CORRECTION: f64 = 0.3;
        let here = self.drawn(0.0);
        let parts = self.taken_apart(&here).ok_or_else(|| self.no_state())?;
        let wanted = self.drawn(LARGEST).state.coordinates;
        let step = DVector::from_vec(wanted) - DVector::from_column_slice(&here.state.coordinates);
        let step = &step - &parts.held * parts.held.tr_mul(&step);
        for trial in 0..TRIALS {
            let along = &step * 0.5_f64.powi(trial);
            let mut at = here.clone();
            at.state.coordinates.iter_mut().zip(&along).for_each(|(q, change)| *q += change);
            if self.close(&mut at).is_some_and(|moved| moved <= MAX_CORRECTION * along.norm()) {
                self.start.coordinates = at.state.coordinates;
                return Ok(());
            }
        }
        Err(self.no_state())
    }

    fn drawn(&mut self, spread: f64) -> RandomState {
        let random = &mut self.random;
        let (inputs, mut state) = (self.equations.description().inputs.len(), self.start.clone());
        let mut draw = || random.random_range(-1.0..1.0);
        state.coordinates.iter_mut().for_each(|q| *q += spread * draw());
        let others = state.velocities.iter_mut().chain(&mut state.accelerations).chain(&mut state.multipliers);
        others.for_each(|number| *number = draw());
        let inputs = (0..inputs).map(|_| draw()).collect();
        RandomState { time: 0.5 + 0.5 * draw(), state, inputs, held: DMatrix::zeros(0, 0) }
    }

    /// Moves the positions so that they satisfy the constraints, and returns how far; `None` where that fails.
    fn close(&self, at: &mut RandomState) -> Option<f64> {
        /// Most steps of Newton's method, which takes three to six.
        const MAX_STEPS: usize = 20;
        /// Change of all coordinates, in their units, at which the next one is rounding.
        const CONVERGED: f64 = 1e-9;
        let before = DVector::from_column_slice(&at.state.coordinates);
        for _ in 0..MAX_STEPS {
            let change = self.taken_apart(at)?.least(&self.value(at, Group::Residual, Function::Constraint));
            at.state.coordinates.iter_mut().zip(&change).for_each(|(q, change)| *q -= change);
            if change.norm() <= CONVERGED {
                return Some((DVector::from_column_slice(&at.state.coordinates) - before).norm());
            }
        }
        None
    }

    /// Takes C_q apart; `None` where it is not finite.
    fn taken_apart(&self, at: &RandomState) -> Option<Parts> {
        /// Singular values of C_q below this part of the largest one belong to repeated constraints.
        const MIN_RATIO: f64 = 1e-9;
        let jacobian = self.jacobian(at);
        let (rows, columns) = jacobian.shape();
        if rows == 0 {
            return Some(Parts { held: DMatrix::zeros(columns, 0), inverse: DMatrix::zeros(0, rows) });
        }
        if !jacobian.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let parts = dense::svd(jacobian, true, true);
        let (left, right) = (parts.u?, parts.v_t?);
        let largest = parts.singular_values.max();
        let counted = parts.singular_values.iter().filter(|&&value| value > MIN_RATIO * largest).count();
        let mut inverse = left.columns(0, counted).transpose();
        inverse.row_iter_mut().zip(&parts.singular_values).for_each(|(mut row, value)| row /= *value);
        Some(Parts { held: right.rows(0, counted).transpose(), inverse })
    }

    /// Evaluates all constraints.
    fn all(&self, at: &RandomState, group: Group, function: Function) -> DVector<f64> {
        let model = self.equations.description();
        let values = self.equations.group(group, instant(at));
        let mut all = DVector::zeros(model.constraints.len());
        find(model.groups.of(group), function, None).iter(&values).for_each(|(row, _, value)| all[row] = value);
        all
    }

    /// Evaluates the constraints that are no drives.
    fn value(&self, at: &RandomState, group: Group, function: Function) -> DVector<f64> {
        self.all(at, group, function).select_rows(&self.kept)
    }

    /// Evaluates C_q of the constraints that are no drives.
    fn jacobian(&self, at: &RandomState) -> DMatrix<f64> {
        let model = self.equations.description();
        let values = self.equations.group(Group::Linearization, instant(at));
        let mut all = DMatrix::zeros(model.constraints.len(), model.coordinates.len());
        let block = find(model.groups.linearization, Function::Constraint, Some(Argument::Coordinates));
        block.iter(&values).for_each(|(row, column, value)| all[(row, column)] = value);
        all.select_rows(&self.kept)
    }
}

/// Returns the point at which functions are evaluated.
pub(super) fn instant(at: &RandomState) -> Instant<'_, f64> {
    Instant { time: at.time, state: &at.state, inputs: &at.inputs }
}
