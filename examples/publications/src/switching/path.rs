//! The exact solution with given switching times: states, adjoint variables and cost.

use nalgebra::{DMatrix, DVector, DVectorView};

use super::error::SwitchingError;
use super::flow::Flow;
use super::problem::{Bound, SwitchingProblem};
use costate_numerics::linalg::MatrixFault;

/// State, adjoint variables and input at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct PathPoint {
    /// Time in s.
    pub time: f64,
    /// z (n).
    pub state: DVector<f64>,
    /// p (n).
    pub adjoint: DVector<f64>,
    /// u; at a switching time that of the interval before it.
    pub input: f64,
    /// s = p^T b.
    pub switching_function: f64,
    /// H = h + p^T (A z + b u + c), the same at all times where the switching conditions hold.
    pub hamiltonian: f64,
}

/// The solution of the state equations forward and the adjoint ones backward in time.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub intervals: Vec<Interval>,
    /// e = (z, 1) at the start of every interval, and at the end.
    pub states: Vec<DVector<f64>>,
    /// p at the same times, with a component more that belongs to the 1.
    pub adjoints: Vec<DVector<f64>>,
    pub cost: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Interval {
    pub start: f64,
    pub end: f64,
    pub bound: Bound,
    pub matrix: DMatrix<f64>,
    pub flow: Flow,
}

impl Path {
    /// With `multipliers` p_k(T) of the end conditions.
    pub fn new(
        problem: &SwitchingProblem,
        first: Bound,
        times: &[f64],
        multipliers: &[f64],
    ) -> Result<Self, SwitchingError> {
        problem.check_times(times)?;
        let starts = std::iter::once(0.0).chain(times.iter().copied());
        let ends = times.iter().copied().chain([problem.end]);
        let bounds = SwitchingProblem::bounds_from(first, times.len() + 1);
        let mut intervals = Vec::new();
        let mut states = vec![problem.initial.clone()];
        let mut cost = 0.0;
        for ((start, end), bound) in starts.zip(ends).zip(bounds) {
            let matrix = problem.matrix(bound);
            let flow = Flow::new(&matrix, &problem.weight, end - start);
            flow.check()?;
            if let Some(state) = states.last() {
                cost += flow.cost(state);
                let next = flow.forward(state);
                states.push(next);
            }
            intervals.push(Interval { start, end, bound, matrix, flow });
        }
        let mut last = DVector::zeros(problem.states() + 1);
        for (&k, &multiplier) in problem.end_conditions.iter().zip(multipliers) {
            last[k] = multiplier;
        }
        let mut adjoints = vec![last];
        for (interval, state) in intervals.iter().zip(&states).rev() {
            let next = adjoints.last().map(|adjoint| interval.flow.backward(adjoint, state));
            adjoints.extend(next);
        }
        adjoints.reverse();
        if !cost.is_finite() || !adjoints.iter().all(|adjoint| adjoint.iter().all(|p| p.is_finite())) {
            return Err(SwitchingError::Overflow);
        }
        Ok(Self { intervals, states, adjoints, cost })
    }

    /// s at every switching time.
    pub fn switching_conditions(&self, problem: &SwitchingProblem) -> DVector<f64> {
        let n = self.intervals.len() - 1;
        DVector::from_fn(n, |i, _| problem.input.dot(&self.adjoints[i + 1]))
    }

    /// The derivatives of all states and adjoint variables with respect to switching time `k`, from 0, and of the
    /// adjoint variables with respect to the multipliers' change `at_end`.
    pub fn derivative(
        &self,
        problem: &SwitchingProblem,
        k: Option<usize>,
        at_end: DVector<f64>,
    ) -> (Vec<DVector<f64>>, Vec<DVector<f64>>) {
        // the interval before the switching time becomes longer, the one after it shorter
        let change = |i: usize| f64::from(i8::from(k == Some(i)) - i8::from(k.is_some_and(|k| k + 1 == i)));
        let mut states = vec![DVector::zeros(problem.initial.len())];
        for (i, interval) in self.intervals.iter().enumerate() {
            let mut next = interval.flow.forward(&states[i]);
            next.gemv(change(i), &interval.matrix, &self.states[i + 1], 1.0);
            states.push(next);
        }
        let mut adjoints = vec![at_end];
        for (i, interval) in self.intervals.iter().enumerate().rev() {
            let mut end = adjoints[adjoints.len() - 1].clone();
            // Phi' = F Phi = Phi F, G' = Phi^T W Phi
            end.gemv_tr(change(i), &interval.matrix, &self.adjoints[i + 1], 1.0);
            end.gemv(-change(i), &problem.weight, &self.states[i + 1], 1.0);
            adjoints.push(interval.flow.backward(&end, &states[i]));
        }
        adjoints.reverse();
        (states, adjoints)
    }

    /// The solution at a time from 0 to the end.
    pub fn at(&self, problem: &SwitchingProblem, time: f64) -> Result<PathPoint, SwitchingError> {
        let within = self.intervals.iter().position(|interval| time <= interval.end);
        let i = within.unwrap_or(self.intervals.len() - 1);
        let interval = &self.intervals[i];
        let part = |duration: f64| -> Result<Flow, SwitchingError> {
            let flow = Flow::new(&interval.matrix, &problem.weight, duration);
            flow.check().map(|()| flow)
        };
        let state = part((time - interval.start).max(0.0))?.forward(&self.states[i]);
        let adjoint = part((interval.end - time).max(0.0))?.backward(&self.adjoints[i + 1], &state);
        let n = problem.states();
        let h = -0.5 * state.dot(&(&problem.weight * &state));
        // the component of p that belongs to the 1 does not count: the last row of F is zero
        let hamiltonian = h + adjoint.dot(&(&interval.matrix * &state));
        Ok(PathPoint {
            time,
            switching_function: problem.input.dot(&adjoint),
            hamiltonian,
            input: problem.value(interval.bound),
            state: state.rows(0, n).into_owned(),
            adjoint: adjoint.rows(0, n).into_owned(),
        })
    }
}

impl SwitchingProblem {
    /// J with these switching times, whether they are the best or not.
    ///
    /// # Errors
    /// [`SwitchingError::Order`], [`SwitchingError::Overflow`].
    pub fn cost(&self, first: Bound, times: &[f64]) -> Result<f64, SwitchingError> {
        Ok(Path::new(self, first, times, &vec![0.0; self.end_conditions.len()])?.cost)
    }

    /// s = p^T b at the switching times, f(t_1) of OB (5.27), with `multipliers` p_k(T) of the end conditions. The
    /// derivative of J (and of the multipliers' products with z_k(T)) with respect to switching time i is
    /// s_i (u before - u after).
    ///
    /// # Errors
    /// As [`cost`](Self::cost); [`SwitchingError::Matrix`] for another number of multipliers.
    pub fn switching_conditions(
        &self,
        first: Bound,
        times: &[f64],
        multipliers: &[f64],
    ) -> Result<DVector<f64>, SwitchingError> {
        self.check_multipliers(multipliers)?;
        Ok(Path::new(self, first, times, multipliers)?.switching_conditions(self))
    }

    /// The exact solution at `times` from 0 to T, for figures.
    ///
    /// # Errors
    /// As [`switching_conditions`](Self::switching_conditions), also for a time outside.
    pub fn path(
        &self,
        first: Bound,
        switching_times: &[f64],
        multipliers: &[f64],
        times: &[f64],
    ) -> Result<Vec<PathPoint>, SwitchingError> {
        self.check_multipliers(multipliers)?;
        if let Some(index) = times.iter().position(|time| !(0.0..=self.end).contains(time)) {
            return Err(SwitchingError::Order { index, time: times[index], end: self.end });
        }
        let path = Path::new(self, first, switching_times, multipliers)?;
        times.iter().map(|&time| path.at(self, time)).collect()
    }

    fn check_multipliers(&self, multipliers: &[f64]) -> Result<(), SwitchingError> {
        let size = (self.end_conditions.len(), 1);
        MatrixFault::check_size(&DVectorView::from_slice(multipliers, multipliers.len()), size)
            .map_err(|fault| SwitchingError::Matrix { field: "multipliers", fault })
    }
}
