//! The motion at a state of independent coordinates.

use nalgebra::DMatrix;

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::block::find;

use crate::system::{Equations, Instant, StateVectors};

use super::dependence::{Arithmetic, Dependence, Numbers};
use super::{IndependentError, IndependentMotion};

/// Most iterations for positions or velocities: Newton's iteration needs three to five from the state before.
const MAX_ITERATIONS: usize = 50;

/// The largest relative change after which the next one would be rounding, since the iteration converges quadratically.
const CONVERGED: f64 = 1e-9;

/// The smallest pivot, relative to the largest, with which rounding leaves half of the digits.
const MIN_PIVOT_RATIO: f64 = 1e-8;

impl IndependentMotion {
    /// Computes q, v, a and lambda of the independent positions and velocities `x`, from `near`, a state from which the
    /// dependent coordinates are continued.
    ///
    /// # Errors
    /// [`IndependentError`].
    pub fn evaluate(
        &self,
        equations: &dyn Equations<f64>,
        (time, inputs): (f64, &[f64]),
        x: &[f64],
        near: &StateVectors<f64>,
    ) -> Result<StateVectors<f64>, IndependentError> {
        let mut here = Here { motion: self, equations, time, inputs, state: near.clone() };
        let (positions, velocities) = x.split_at(self.positions.len().min(x.len()));
        self.positions.iter().zip(positions).for_each(|(&index, &value)| here.state.coordinates[index] = value);
        self.velocities.iter().zip(velocities).for_each(|(&index, &value)| here.state.velocities[index] = value);
        let jacobian = here.close_positions()?;
        let dependence = here.dependence(&jacobian)?;
        here.find_velocities(&dependence)?;
        here.find_accelerations(&dependence)?;
        Ok(here.state)
    }

    /// Returns the error of a position in which the independent coordinates do not determine the others.
    pub(super) fn singular(&self, equations: &dyn Equations<f64>, time: f64, pivot: f64) -> IndependentError {
        let name = |&index: &usize| format!("`{}`", equations.description().coordinates[index].name);
        let names: Vec<String> = self.positions.iter().map(name).collect();
        IndependentError::Singular { time, coordinates: names.join(", ").into(), pivot }
    }
}

/// The state that is being completed.
struct Here<'a> {
    motion: &'a IndependentMotion,
    equations: &'a dyn Equations<f64>,
    time: f64,
    inputs: &'a [f64],
    state: StateVectors<f64>,
}

impl<'a> Here<'a> {
    fn group(&self, group: Group) -> Vec<f64> {
        self.equations.group(group, Instant { time: self.time, state: &self.state, inputs: self.inputs })
    }

    /// Takes a function (one column) or one of its derivatives with respect to coordinates from the values of a group.
    fn part(&self, group: Group, values: &[f64], function: Function, argument: Option<Argument>) -> DMatrix<f64> {
        let model = self.equations.description();
        let columns = argument.map_or(1, |_| model.coordinates.len());
        let mut part = DMatrix::zeros(model.rows(function).len(), columns);
        let block = find(model.groups.of(group), function, argument);
        block.iter(values).for_each(|(row, column, value)| part[(row, column)] = value);
        part
    }

    fn value(&self, group: Group, function: Function) -> DMatrix<f64> {
        self.part(group, &self.group(group), function, None)
    }

    /// Makes the positions satisfy the constraints, and returns C_q there.
    fn close_positions(&mut self) -> Result<DMatrix<f64>, IndependentError> {
        let (mut change, mut worst) = (0.0, 0);
        for round in 0..=MAX_ITERATIONS {
            let linear = self.group(Group::Linearization);
            let jacobian = self.part(Group::Linearization, &linear, Function::Constraint, Some(Argument::Coordinates));
            if self.motion.dependent.is_empty() || round > 0 && change <= CONVERGED {
                return Ok(jacobian);
            }
            let constraint = self.value(Group::Residual, Function::Constraint);
            let update = self.dependence(&jacobian)?.closing(&constraint);
            let update = self.solved(update)?;
            change = 0.0;
            for &index in &self.motion.dependent {
                let step = update[index];
                self.state.coordinates[index] += step;
                (change, worst) = larger((change, worst), (step, self.state.coordinates[index]), index);
            }
        }
        Err(self.not_closed("positions", worst, change))
    }

    fn dependence<'d>(&self, jacobian: &'d DMatrix<f64>) -> Result<Dependence<'d, Numbers>, IndependentError>
    where
        'a: 'd,
    {
        let dependence = Dependence::new(jacobian, &self.motion.dependent);
        let pivot = dependence.ratio();
        // also a pivot that is not a number
        if pivot > MIN_PIVOT_RATIO {
            Ok(dependence)
        } else {
            Err(self.motion.singular(self.equations, self.time, pivot))
        }
    }

    /// Computes the velocities of dependent coordinates, and of those whose velocities balance forces.
    fn find_velocities(&mut self, dependence: &Dependence<'_, Numbers>) -> Result<(), IndependentError> {
        let motion = self.motion;
        let motions = self.solved(dependence.motions(&motion.massless))?;
        let (mut change, mut worst) = (0.0, 0);
        for round in 0..=MAX_ITERATIONS {
            motion.dependent.iter().for_each(|&index| self.state.velocities[index] = 0.0);
            let rates = self.value(Group::Kinematics, Function::ConstraintVelocity);
            let dependent = self.solved(dependence.closing(&rates))?;
            motion.dependent.iter().for_each(|&index| self.state.velocities[index] = dependent[index]);
            if motion.massless.is_empty() || round > 0 && change <= CONVERGED {
                return Ok(());
            }
            let linear = self.group(Group::Linearization);
            let part = |function, argument| self.part(Group::Linearization, &linear, function, argument);
            let damping = motions.tr_mul(&(part(Function::Force, Some(Argument::Velocities)) * &motions));
            let balance = motions.tr_mul(&part(Function::Force, None));
            let Some(update) = Numbers::solve(&Numbers::factor(damping), &balance) else {
                return Err(self.undetermined("velocity", &motion.massless, "damping"));
            };
            change = 0.0;
            for (&index, step) in motion.massless.iter().zip(update.iter()) {
                self.state.velocities[index] -= step;
                (change, worst) = larger((change, worst), (*step, self.state.velocities[index]), index);
            }
        }
        Err(self.not_closed("velocities", worst, change))
    }

    /// Computes accelerations and multipliers; accelerations of coordinates that move no mass are left 0.
    fn find_accelerations(&mut self, dependence: &Dependence<'_, Numbers>) -> Result<(), IndependentError> {
        self.state.accelerations.fill(0.0);
        self.state.multipliers.fill(0.0);
        let rates = self.value(Group::Kinematics, Function::ConstraintAcceleration);
        let particular = self.solved(dependence.closing(&rates))?;
        let motions = self.solved(dependence.motions(&self.motion.velocities))?;
        let linear = self.group(Group::Linearization);
        let forces = self.part(Group::Linearization, &linear, Function::Force, None);
        let mass = self.part(Group::Linearization, &linear, Function::Inertia, Some(Argument::Accelerations));
        if let Some((index, value)) = forces.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            return Err(self.not_finite(index, *value));
        }
        let right = motions.tr_mul(&(&forces - &mass * &particular));
        let own = motions.tr_mul(&(&mass * &motions));
        let Some(independent) = Numbers::solve(&Numbers::factor(own), &right) else {
            return Err(self.undetermined("acceleration", &self.motion.velocities, "mass"));
        };
        let all = motions * independent + particular;
        let multipliers = self.solved(dependence.reactions())?.tr_mul(&(forces - mass * &all));
        self.state.accelerations.copy_from_slice(all.as_slice());
        self.state.multipliers.copy_from_slice(multipliers.as_slice());
        Ok(())
    }

    fn solved(&self, solution: Option<DMatrix<f64>>) -> Result<DMatrix<f64>, IndependentError> {
        solution.ok_or_else(|| self.motion.singular(self.equations, self.time, 0.0))
    }

    fn name(&self, index: usize) -> &'static str {
        self.equations.description().coordinates[index].name
    }

    fn not_finite(&self, index: usize, value: f64) -> IndependentError {
        IndependentError::NotFinite { name: self.name(index), value, time: self.time }
    }

    fn not_closed(&self, level: &'static str, index: usize, change: f64) -> IndependentError {
        let (name, time) = (self.name(index), self.time);
        IndependentError::NotClosed { level, name, time, iterations: MAX_ITERATIONS, change }
    }

    fn undetermined(&self, level: &'static str, of: &[usize], remedy: &'static str) -> IndependentError {
        let coordinate = of.first().map_or("?", |&index| self.name(index));
        IndependentError::Undetermined { level, coordinate, time: self.time, remedy }
    }
}

/// Returns the larger of two relative changes, with its coordinate.
fn larger((change, worst): (f64, usize), (step, value): (f64, f64), index: usize) -> (f64, usize) {
    let relative = step.abs() / (1.0 + value.abs());
    if relative <= change { (change, worst) } else { (relative, index) }
}
