//! Check that the input minimises the Hamiltonian at all times, OB (5.21), (5.22).

use nalgebra::{DMatrix, DVector, RowDVector};

use super::error::SwitchingError;
use super::flow::Flow;
use super::path::{Interval, Path};
use super::problem::{Bound, SwitchingProblem};

/// Number of pieces that an interval is divided into at first.
const PIECES: usize = 64;

/// Largest number of halvings of a piece.
const MAX_HALVINGS: usize = 24;

/// Rounding error of the switching function, relative to the size of its terms.
const SWITCHING_ROUNDING: f64 = 1e-11;

/// Result of the check that u minimises the Hamiltonian: s = p^T b is not positive where u is the upper bound,
/// and not negative where u is the lower one. The check covers whole intervals by bounds of the derivatives of s,
/// not only single times.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Pontryagin {
    /// u minimises the Hamiltonian, and s is zero at the switching times alone.
    Satisfied,
    /// u does not minimise the Hamiltonian: another input is better from `time` on.
    Violated {
        /// A time in s at which s has the wrong sign.
        time: f64,
        /// Value of s at that time.
        switching_function: f64,
    },
    /// s and its derivative are zero within rounding between switching times: s touches zero, or vanishes for a
    /// while. On such a singular arc the principle does not determine the input.
    Undecided {
        /// The first such time in s.
        time: f64,
        /// Value of s at that time.
        switching_function: f64,
    },
}

impl Pontryagin {
    /// Checks whether the principle is satisfied.
    pub fn is_satisfied(self) -> bool {
        self == Self::Satisfied
    }
}

impl std::fmt::Display for Pontryagin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Satisfied => write!(f, "Pontryagin's principle is satisfied"),
            Self::Violated { time, switching_function } => {
                write!(f, "Pontryagin's principle is violated at {time:.6} s (p^T b = {switching_function:.3e})")
            }
            Self::Undecided { time, switching_function } => write!(
                f,
                "Pontryagin's principle does not determine the input at {time:.6} s (p^T b = {switching_function:.3e})"
            ),
        }
    }
}

pub(super) fn check(problem: &SwitchingProblem, path: &Path) -> Result<Pontryagin, SwitchingError> {
    let sampled = path.intervals.iter().zip(&path.states).zip(&path.adjoints[1..]);
    let samples = sampled
        .map(|((interval, state), adjoint)| Samples::new(problem, interval, state, adjoint))
        .collect::<Result<Vec<_>, _>>()?;
    let mut largest = DVector::zeros(2 * problem.initial.len());
    for interval in &samples {
        for (state, adjoint) in interval.states.iter().zip(&interval.adjoints) {
            largest = largest.sup(&sizes((state, adjoint)));
        }
    }
    for (interval, samples) in path.intervals.iter().zip(&samples) {
        let found = Check::new(problem, interval, &largest).interval(samples)?;
        if found != Pontryagin::Satisfied {
            return Ok(found);
        }
    }
    Ok(Pontryagin::Satisfied)
}

/// Returns the input that the switching function of a path demands: the bound at the beginning, and the sign
/// changes between samples.
pub(super) fn demanded(problem: &SwitchingProblem, path: &Path) -> Result<(Bound, Vec<f64>), SwitchingError> {
    let mut values = Vec::new();
    for ((interval, state), adjoint) in path.intervals.iter().zip(&path.states).zip(&path.adjoints[1..]) {
        let samples = Samples::new(problem, interval, state, adjoint)?;
        let length = (interval.end - interval.start) / PIECES as f64;
        let s = samples.adjoints.iter().map(|adjoint| problem.input.dot(adjoint));
        values.extend(s.enumerate().map(|(k, s)| (interval.start + k as f64 * length, s)));
    }
    let rounding = SWITCHING_ROUNDING * values.iter().map(|(_, s)| s.abs()).fold(0.0, f64::max);
    values.retain(|(_, s)| s.abs() > rounding);
    let first = values.first().map_or(Bound::Upper, |(_, s)| if *s > 0.0 { Bound::Lower } else { Bound::Upper });
    let roots = values.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0).map(|pair| {
        let ((t, s), (later, other)) = (pair[0], pair[1]);
        t + (later - t) * s / (s - other)
    });
    Ok((first, roots.collect()))
}

/// e and p at both ends of every piece of an interval.
struct Samples {
    states: Vec<DVector<f64>>,
    adjoints: Vec<DVector<f64>>,
}

impl Samples {
    /// Computes the samples from e at the start and p at the end.
    fn new(
        problem: &SwitchingProblem,
        interval: &Interval,
        state: &DVector<f64>,
        adjoint: &DVector<f64>,
    ) -> Result<Self, SwitchingError> {
        let length = (interval.end - interval.start) / PIECES as f64;
        let flow = Flow::new(&interval.matrix, &problem.weight, length);
        flow.check()?;
        let mut states = vec![state.clone()];
        for _ in 0..PIECES {
            states.push(flow.forward(&states[states.len() - 1]));
        }
        let mut adjoints = vec![adjoint.clone()];
        for state in states[..PIECES].iter().rev() {
            adjoints.push(flow.backward(&adjoints[adjoints.len() - 1], state));
        }
        adjoints.reverse();
        Ok(Self { states, adjoints })
    }
}

/// One interval. With y = (e, p) and y' = Y y the derivatives of s are rows times y: s' = b^T p' = b^T (W e - F^T p).
struct Check<'a> {
    problem: &'a SwitchingProblem,
    interval: &'a Interval,
    /// -1 where s must not be positive.
    sign: f64,
    /// b^T Y^k, k = 0, 1, ...
    rows: Vec<RowDVector<f64>>,
    /// Rounding errors of the derivatives of s: the largest |y| of the whole path contributes to every p.
    roundings: Vec<f64>,
    /// Y with absolute values.
    absolute: DMatrix<f64>,
    levels: Vec<Level>,
}

/// Data that pieces of one length share.
struct Level {
    flow: Flow,
    /// |b^T Y| exp(|Y| d/2) and |b^T Y^2| exp(|Y| d/2): times |y| in the middle they bound |s'| and |s''| on the piece.
    bounds: [RowDVector<f64>; 2],
}

/// e and p at one time.
type Place<'a> = (&'a DVector<f64>, &'a DVector<f64>);

/// A part of an interval with its ends.
#[derive(Clone, Copy)]
struct Piece<'a> {
    start: f64,
    length: f64,
    first: Place<'a>,
    last: Place<'a>,
}

impl<'a> Check<'a> {
    fn new(problem: &'a SwitchingProblem, interval: &'a Interval, largest: &DVector<f64>) -> Self {
        let n = problem.initial.len();
        let mut matrix = DMatrix::zeros(2 * n, 2 * n);
        matrix.view_mut((0, 0), (n, n)).copy_from(&interval.matrix);
        matrix.view_mut((n, 0), (n, n)).copy_from(&problem.weight);
        matrix.view_mut((n, n), (n, n)).copy_from(&-interval.matrix.transpose());
        let mut row = RowDVector::zeros(2 * n);
        row.columns_mut(n, n).copy_from(&problem.input.transpose());
        // a zero of s has at most as many vanishing derivatives as Y has rows
        let mut rows = vec![row];
        for k in 0..=2 * n {
            rows.push(&rows[k] * &matrix);
        }
        let sign = if interval.bound == Bound::Upper { -1.0 } else { 1.0 };
        let absolute = matrix.abs();
        let roundings = rows.iter().map(|row| SWITCHING_ROUNDING * (row.abs() * largest)[0]).collect();
        Self { problem, interval, sign, rows, roundings, absolute, levels: Vec::new() }
    }

    fn interval(mut self, samples: &Samples) -> Result<Pontryagin, SwitchingError> {
        let length = (self.interval.end - self.interval.start) / PIECES as f64;
        if length == 0.0 {
            return Ok(Pontryagin::Satisfied);
        }
        let Samples { states, adjoints } = samples;
        for k in 0..PIECES {
            let piece = Piece {
                start: self.interval.start + k as f64 * length,
                length,
                first: (&states[k], &adjoints[k]),
                last: (&states[k + 1], &adjoints[k + 1]),
            };
            let found = self.piece(&piece, 0)?;
            if found != Pontryagin::Satisfied {
                return Ok(found);
            }
        }
        Ok(Pontryagin::Satisfied)
    }

    /// Checks the last piece where s and its first derivatives vanish at the end of the experiment, as they do
    /// where p(T) = 0: s = s^(k)(t') (t - T)^k/k! with the first derivative that does not vanish, if that has one
    /// sign. `None` for other pieces, and for those that are too long to decide.
    fn end(&self, piece: &Piece<'_>) -> Option<Pontryagin> {
        if piece.start + 1.5 * piece.length < self.problem.end {
            return None;
        }
        let time = piece.start;
        let derivative = |k: usize| self.value(k, piece.last);
        let order = (0..self.rows.len() - 1).find(|&k| {
            let (value, rounding) = derivative(k);
            value.abs() > rounding
        });
        let Some(order) = order else {
            return Some(Pontryagin::Undecided { time, switching_function: derivative(0).0 });
        };
        if order == 0 {
            return None;
        }
        let (value, rounding) = derivative(order);
        let growth = (&self.absolute * piece.length).exp();
        let size = sizes(piece.last);
        let change = (self.rows[order + 1].abs() * growth * size)[0] * piece.length;
        if value.abs() - rounding <= change {
            return None;
        }
        let at_start = if order % 2 == 0 { value } else { -value };
        let (switching_function, _) = self.value(0, piece.first);
        Some(match self.sign * at_start > 0.0 {
            true => Pontryagin::Satisfied,
            false => Pontryagin::Violated { time, switching_function },
        })
    }

    fn piece(&mut self, piece: &Piece<'_>, depth: usize) -> Result<Pontryagin, SwitchingError> {
        if let Some(found) = self.end(piece) {
            return Ok(found);
        }
        for (time, place) in [(piece.start, piece.first), (piece.start + piece.length, piece.last)] {
            let (s, rounding) = self.value(0, place);
            if self.sign * s < -rounding {
                return Ok(Pontryagin::Violated { time, switching_function: s });
            }
        }
        let half = 0.5 * piece.length;
        let flow = self.level(depth + 1)?.flow.clone();
        let state = flow.forward(piece.first.0);
        let adjoint = flow.backward(piece.last.1, &state);
        let middle = (&state, &adjoint);
        let (s, rounding) = self.value(0, middle);
        let time = piece.start + half;
        if self.sign * s < -rounding {
            return Ok(Pontryagin::Violated { time, switching_function: s });
        }
        let [slope, bend] = self.level(depth)?.bounds.clone();
        let size = sizes(middle);
        if self.sign * s - rounding > (&slope * &size)[0] * half {
            return Ok(Pontryagin::Satisfied);
        }
        // with a slope of one sign s lies between its values at the ends, which have been checked
        let (rate, noise) = self.value(1, middle);
        if rate.abs() - noise > (&bend * &size)[0] * half {
            return Ok(Pontryagin::Satisfied);
        }
        if depth == MAX_HALVINGS || (rate.abs() <= noise && s.abs() <= rounding) {
            return Ok(Pontryagin::Undecided { time, switching_function: s });
        }
        let found = self.piece(&Piece { length: half, last: middle, ..*piece }, depth + 1)?;
        if found != Pontryagin::Satisfied {
            return Ok(found);
        }
        self.piece(&Piece { start: time, length: half, first: middle, ..*piece }, depth + 1)
    }

    /// Returns the k-th derivative of s, and its rounding error.
    fn value(&self, k: usize, (state, adjoint): Place<'_>) -> (f64, f64) {
        let y = state.iter().chain(adjoint.iter());
        (self.rows[k].iter().zip(y).map(|(factor, y)| factor * y).sum(), self.roundings[k])
    }

    /// Returns the shared data of pieces after `depth` halvings.
    fn level(&mut self, depth: usize) -> Result<&Level, SwitchingError> {
        while self.levels.len() <= depth {
            let pieces = PIECES as f64 * 2.0_f64.powi(self.levels.len() as i32);
            let length = (self.interval.end - self.interval.start) / pieces;
            let flow = Flow::new(&self.interval.matrix, &self.problem.weight, length);
            flow.check()?;
            let growth = (&self.absolute * (0.5 * length)).exp();
            let bounds = [1, 2].map(|k: usize| self.rows[k].abs() * &growth);
            self.levels.push(Level { flow, bounds });
        }
        Ok(&self.levels[depth])
    }
}

/// Returns |y|.
fn sizes((state, adjoint): Place<'_>) -> DVector<f64> {
    let n = state.len();
    DVector::from_fn(2 * n, |k, _| if k < n { state[k].abs() } else { adjoint[k - n].abs() })
}
