//! The mass matrix in the form that the history term of a step needs.

use costate_numerics::scalar::{CollectVec, LANES, Lanes, Scalar, Vector};
use costate_system::model::{Functions, Weights};

/// The mass matrix as the history term needs it, times alpha/(1+alpha)^2.
pub(super) enum Mass<M: Functions, S: Scalar> {
    /// Depends on the coordinates.
    Varying,
    /// Constant, and zero off the diagonal.
    Diagonal(M::Coordinates<S>),
    /// Constant: (row, column, value).
    Full(Vec<(usize, usize, S)>),
}

impl<M: Functions, S: Scalar> Mass<M, S> {
    pub fn constant(program: M::Program, entries: impl Iterator<Item = (usize, usize, S)>, weights: &Weights) -> Self {
        let scale = weights.previous * weights.accelerations;
        let entries: Vec<_> = entries.map(|(row, column, value)| (row, column, value * scale)).collect_vec();
        if entries.iter().any(|&(row, column, _)| row != column) {
            return Mass::Full(entries);
        }
        let mut diagonal = M::Coordinates::zeros(M::lengths(program).coordinates);
        entries.iter().for_each(|&(row, _, value)| diagonal.as_mut()[row] = value);
        Mass::Diagonal(diagonal)
    }
}

impl<M: Functions> Mass<M, Lanes> {
    /// The mass matrices of four runs of one model side by side.
    pub fn in_lanes(masses: [&Mass<M, f64>; LANES]) -> Self {
        let diagonals = masses.map(|mass| match mass {
            Mass::Diagonal(diagonal) => Some(diagonal.as_ref()),
            _ => None,
        });
        if let [Some(a), Some(b), Some(c), Some(d)] = diagonals {
            let mut diagonal = M::Coordinates::<Lanes>::zeros(a.len());
            for (j, entry) in diagonal.as_mut().iter_mut().enumerate() {
                *entry = Lanes::of([a[j], b[j], c[j], d[j]]);
            }
            return Mass::Diagonal(diagonal);
        }
        let [Mass::Full(a), Mass::Full(b), Mass::Full(c), Mass::Full(d)] = masses else {
            return Mass::Varying;
        };
        let entries = a.iter().zip(b).zip(c.iter().zip(d));
        let side_by_side =
            |((a, b), (c, d)): ((&Entry, &Entry), (&Entry, &Entry))| (a.0, a.1, Lanes::of([a.2, b.2, c.2, d.2]));
        Mass::Full(entries.map(side_by_side).collect_vec())
    }
}

type Entry = (usize, usize, f64);
