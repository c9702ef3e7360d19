//! Newton's method for the switching times.

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::dense;

use super::error::SwitchingError;
use super::path::Path;
use super::pontryagin::{Pontryagin, check};
use super::problem::{Bound, SwitchingProblem};
use super::scaled_inverse::{RANK_TOLERANCE, ScaledInverse};

/// Largest number of iterations.
const MAX_ITERATIONS: usize = 100;

/// Change of the switching times, relative to the end time, below which they have converged.
const CONVERGED_CHANGE: f64 = 1e-13;

/// Change of the switching times below which they have converged if rounding does not permit less.
const ACCEPTED_CHANGE: f64 = 1e-9;

/// The smallest part of a Newton step.
const MIN_STEP_PART: f64 = 1e-4;

/// Part of the way to its neighbour that a switching time may move in one step.
const MAX_APPROACH: f64 = 0.9;

/// Switching times that satisfy the switching conditions s(t_i) = 0 and the end conditions: J is stationary there.
#[derive(Debug, Clone, PartialEq)]
pub struct Extremal {
    /// The bound at which the input begins.
    pub first: Bound,
    /// The switching times in s, ascending.
    pub switching_times: Vec<f64>,
    /// The adjoint variables p_k(T) of the end conditions, in their order.
    pub multipliers: Vec<f64>,
    /// J.
    pub cost: f64,
    /// The smallest eigenvalue of the second derivatives of J with respect to the switching times, over changes
    /// that keep the end conditions: positive at a minimum among inputs with as many switching times. `None` if
    /// there are no such changes.
    pub curvature: Option<f64>,
    /// Result of the check that u minimises the Hamiltonian at all times.
    pub pontryagin: Pontryagin,
    /// Iterations of Newton's method.
    pub iterations: usize,
}

impl Extremal {
    /// Checks whether this is a local minimum among inputs with as many switching times, and satisfies
    /// Pontryagin's principle.
    pub fn is_minimum(&self) -> bool {
        self.pontryagin.is_satisfied() && self.curvature.is_none_or(|curvature| curvature > 0.0)
    }
}

impl std::fmt::Display for Extremal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let first = match self.first {
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        };
        let times: Vec<_> = self.switching_times.iter().map(|time| format!("{time:.12}")).collect();
        write!(f, "from the {first} bound, {} switching times", times.len())?;
        if !times.is_empty() {
            write!(f, " at {} s", times.join(", "))?;
        }
        write!(f, ": J = {:.12e}, {}", self.cost, self.pontryagin)
    }
}

impl SwitchingProblem {
    /// Finds the switching times near `start`, in s and ascending, for an input that begins at the bound `first`;
    /// `start` is empty for a constant input. The exact Jacobian is computed with the exponentials of all intervals.
    ///
    /// The result is stationary; [`Extremal::pontryagin`] and [`Extremal::curvature`] show whether it is a minimum.
    ///
    /// # Errors
    /// [`SwitchingError::Order`], [`SwitchingError::Overflow`], [`SwitchingError::Singular`],
    /// [`SwitchingError::NotConverged`].
    pub fn extremal(&self, first: Bound, start: &[f64]) -> Result<Extremal, SwitchingError> {
        self.check_times(start)?;
        let mut iterate = Iterate::start(self, first, start)?;
        let mut iterations = 0;
        while !start.is_empty() || !self.end_conditions.is_empty() {
            let (step, inverse) = iterate.newton_step(self, iterations)?;
            let change = iterate.size(self, &step);
            if change <= CONVERGED_CHANGE {
                break;
            }
            if iterations == MAX_ITERATIONS || !iterate.improve(self, &step, &inverse)? {
                if change <= ACCEPTED_CHANGE {
                    break;
                }
                let change = change * self.end;
                return Err(SwitchingError::NotConverged { switches: start.len(), iterations, change });
            }
            iterations += 1;
        }
        let curvature = iterate.curvature(self);
        let pontryagin = check(self, &iterate.path)?;
        Ok(Extremal {
            first,
            cost: iterate.path.cost,
            switching_times: iterate.times,
            multipliers: iterate.multipliers,
            curvature,
            pontryagin,
            iterations,
        })
    }
}

/// Switching times and multipliers with their solution.
struct Iterate {
    first: Bound,
    times: Vec<f64>,
    multipliers: Vec<f64>,
    path: Path,
}

impl Iterate {
    /// Starts with the multipliers that minimise the switching conditions.
    fn start(problem: &SwitchingProblem, first: Bound, times: &[f64]) -> Result<Self, SwitchingError> {
        let mut multipliers = vec![0.0; problem.end_conditions.len()];
        let path = Path::new(problem, first, times, &multipliers)?;
        if !multipliers.is_empty() && !times.is_empty() {
            let conditions = path.switching_conditions(problem);
            let slopes = multiplier_columns(problem, &path);
            let solution = dense::svd(slopes, true, true).solve(&-conditions, f64::EPSILON);
            multipliers = solution.map(|found| found.as_slice().to_vec()).unwrap_or(multipliers);
        }
        let path = Path::new(problem, first, times, &multipliers)?;
        Ok(Self { first, times: times.to_vec(), multipliers, path })
    }

    /// Returns the Jacobian of (s(t_i), z_k(T)) with respect to switching times and multipliers, and (s(t_i), z_k(T)).
    fn system(&self, problem: &SwitchingProblem) -> (DMatrix<f64>, DVector<f64>) {
        let (n, m) = (self.times.len(), self.multipliers.len());
        let mut jacobian = DMatrix::zeros(n + m, n + m);
        let mut residual = DVector::zeros(n + m);
        residual.rows_mut(0, n).copy_from(&self.path.switching_conditions(problem));
        for k in 0..n {
            let at_end = DVector::zeros(problem.initial.len());
            let (states, adjoints) = self.path.derivative(problem, Some(k), at_end);
            for i in 0..n {
                jacobian[(i, k)] = problem.input.dot(&adjoints[i + 1]);
            }
            for (j, &condition) in problem.end_conditions.iter().enumerate() {
                jacobian[(n + j, k)] = states[n + 1][condition];
            }
        }
        jacobian.view_mut((0, n), (n, m)).copy_from(&multiplier_columns(problem, &self.path));
        for (j, &condition) in problem.end_conditions.iter().enumerate() {
            residual[n + j] = self.path.states[n + 1][condition];
        }
        (jacobian, residual)
    }

    /// Computes -J^-1 F, and the inverse for a simplified step with the same Jacobian.
    fn newton_step(
        &self,
        problem: &SwitchingProblem,
        iteration: usize,
    ) -> Result<(DVector<f64>, ScaledInverse), SwitchingError> {
        let (jacobian, residual) = self.system(problem);
        let singular =
            SwitchingError::Singular { switches: self.times.len(), end_conditions: self.multipliers.len(), iteration };
        let inverse = ScaledInverse::new(jacobian).ok_or_else(|| singular.clone())?;
        let step = inverse.solve_vector(&-residual).ok_or(singular)?;
        Ok((step, inverse))
    }

    /// Returns the size of a change: of switching times relative to the end time, of multipliers relative to the
    /// largest of them.
    fn size(&self, problem: &SwitchingProblem, change: &DVector<f64>) -> f64 {
        let n = self.times.len();
        let times = change.rows(0, n).amax() / problem.end;
        let largest = self.multipliers.iter().map(|p| p.abs()).fold(0.0, f64::max);
        let multipliers = change.rows(n, self.multipliers.len()).amax();
        times.max(if multipliers > 0.0 { multipliers / largest.max(multipliers) } else { 0.0 })
    }

    /// Moves along `step` until the simplified Newton step becomes smaller (natural monotonicity test of
    /// Deuflhard, Newton Methods for Nonlinear Problems, section 3.3, which does not depend on units). Returns
    /// whether that succeeded.
    fn improve(
        &mut self,
        problem: &SwitchingProblem,
        step: &DVector<f64>,
        inverse: &ScaledInverse,
    ) -> Result<bool, SwitchingError> {
        let size = self.size(problem, step);
        let mut part = self.longest_step(problem, step);
        while part >= MIN_STEP_PART {
            let n = self.times.len();
            let times: Vec<_> = self.times.iter().zip(step).map(|(time, change)| time + part * change).collect();
            let changes = step.iter().skip(n);
            let multipliers: Vec<_> =
                self.multipliers.iter().zip(changes).map(|(p, change)| p + part * change).collect();
            let path = Path::new(problem, self.first, &times, &multipliers)?;
            let trial = Self { first: self.first, times, multipliers, path };
            let (_, residual) = trial.system(problem);
            let simplified = inverse.solve_vector(&-residual).map(|change| self.size(problem, &change));
            // close to convergence both sizes are rounding
            if simplified.is_some_and(|next| next <= (1.0 - 0.25 * part) * size || next <= CONVERGED_CHANGE) {
                *self = trial;
                return Ok(true);
            }
            part *= 0.5;
        }
        Ok(false)
    }

    /// Returns the largest part of a step, up to 1, that keeps the switching times in order.
    fn longest_step(&self, problem: &SwitchingProblem, step: &DVector<f64>) -> f64 {
        let mut part: f64 = 1.0;
        let n = self.times.len();
        for i in 0..=n {
            let (before, moved) = if i == 0 { (0.0, 0.0) } else { (self.times[i - 1], step[i - 1]) };
            let (after, moving) = if i == n { (problem.end, 0.0) } else { (self.times[i], step[i]) };
            let closing = moved - moving;
            if closing > 0.0 {
                part = part.min(MAX_APPROACH * (after - before) / closing);
            }
        }
        part
    }

    /// Returns the smallest eigenvalue of the second derivatives of J + sum p_k z_k(T) over the changes that the
    /// end conditions permit.
    fn curvature(&self, problem: &SwitchingProblem) -> Option<f64> {
        let (n, m) = (self.times.len(), self.multipliers.len());
        let (jacobian, _) = self.system(problem);
        let bounds: Vec<_> = self.path.intervals.iter().map(|interval| problem.value(interval.bound)).collect();
        let hessian = DMatrix::from_fn(n, n, |i, k| jacobian[(i, k)] * (bounds[i] - bounds[i + 1]));
        let hessian = (&hessian + hessian.transpose()) * 0.5;
        let conditions = jacobian.view((n, 0), (m, n)).into_owned();
        let free = null_space(conditions, n);
        if free.ncols() == 0 {
            return None;
        }
        Some(dense::symmetric_eigen(free.transpose() * hessian * free).eigenvalues.min())
    }
}

/// Computes ds_i/dp_k(T) (n x m).
fn multiplier_columns(problem: &SwitchingProblem, path: &Path) -> DMatrix<f64> {
    let n = path.intervals.len() - 1;
    let mut columns = DMatrix::zeros(n, problem.end_conditions.len());
    for (j, &condition) in problem.end_conditions.iter().enumerate() {
        let mut unit = DVector::zeros(problem.initial.len());
        unit[condition] = 1.0;
        let (_, adjoints) = path.derivative(problem, None, unit);
        for i in 0..n {
            columns[(i, j)] = problem.input.dot(&adjoints[i + 1]);
        }
    }
    columns
}

/// Returns an orthonormal basis of the null space of the rows, scaled to norm 1 (n x free).
fn null_space(rows: DMatrix<f64>, n: usize) -> DMatrix<f64> {
    if n == 0 {
        return DMatrix::zeros(0, 0);
    }
    let rank_at_most = rows.nrows().max(n);
    let mut square = rows.resize_vertically(rank_at_most, 0.0);
    for mut row in square.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    let svd = dense::svd(square, false, true);
    let largest = svd.singular_values.iter().copied().fold(0.0, f64::max);
    let Some(v_t) = svd.v_t else { return DMatrix::zeros(n, 0) };
    let free: Vec<_> = (0..v_t.nrows()).filter(|&k| svd.singular_values[k] <= RANK_TOLERANCE * largest).collect();
    v_t.select_rows(&free).transpose()
}
