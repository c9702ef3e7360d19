//! Newton's method for the coefficients of a motion.

use crate::harmonic::balance::{Balance, Evaluation, Fault, Motion};
use crate::harmonic::layout::Kind;

/// Largest correction, relative to the size of each function, after which a motion is found: the next would be its
/// square.
const CORRECTION_TOLERANCE: f64 = 1e-10;

/// Largest correction that is accepted where rounding prevents smaller ones.
const CORRECTION_ROUNDING: f64 = 1e-7;

/// The quantity that changes along a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parameter {
    Omega,
    Amplitude,
}

impl Parameter {
    pub fn of(self, motion: &Motion) -> f64 {
        match self {
            Self::Omega => motion.omega,
            Self::Amplitude => motion.amplitude,
        }
    }

    pub fn of_mut(self, motion: &mut Motion) -> &mut f64 {
        match self {
            Self::Omega => &mut motion.omega,
            Self::Amplitude => &mut motion.amplitude,
        }
    }

    pub fn column(self, evaluation: &Evaluation) -> &[f64] {
        match self {
            Self::Omega => &evaluation.by_omega,
            Self::Amplitude => &evaluation.by_amplitude,
        }
    }
}

/// A motion that was found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub motion: Motion,
    /// Derivatives at the last motion but one, which differs by the last correction.
    pub evaluation: Evaluation,
    pub iterations: usize,
}

/// The reason why no motion was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Failure {
    Fault(Fault),
    /// Corrections that do not become small; the last one, relative to the motion.
    Slow(f64),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Returns the size of every function: its largest coefficient from the order `first` on (0 for the mean), but not less
/// than a part of the largest one of the same unit, and of that with which its term would be as large as the others of
/// an equation: rounding errors of a function that is zero are no motion.
pub(crate) fn sizes(
    balance: &Balance<'_>,
    (coefficients, first): (&[f64], usize),
    (evaluation, omega): (&Evaluation, f64),
) -> Vec<f64> {
    /// Size of a function, relative to the largest one of its unit, below which its corrections are compared with the
    /// latter.
    const MIN_SIZE_RATIO: f64 = 1e-3;
    let functions = balance.layout.functions();
    let own: Vec<f64> = (0..functions)
        .map(|function| {
            let own = balance.coefficients(coefficients, function);
            own.iter().skip(first).map(|value| value.abs()).fold(0.0, f64::max)
        })
        .collect();
    let factor = |kind| match kind {
        Kind::Value => 1.0,
        Kind::Rate => omega,
        Kind::SecondRate => omega * omega,
    };
    let entries: Vec<(usize, usize, f64)> = balance
        .layout
        .slots
        .iter()
        .zip(&evaluation.slots)
        .map(|(slot, values)| {
            let largest = values.iter().map(|value| value.abs()).fold(0.0, f64::max);
            (slot.row, slot.column, factor(slot.kind) * largest)
        })
        .collect();
    let mut terms = vec![0.0f64; functions];
    for &(row, column, entry) in &entries {
        if let (Some(term), Some(size)) = (terms.get_mut(row), own.get(column)) {
            *term = term.max(entry * size);
        }
    }
    let of_unit = |function: usize| {
        let unit = balance.layout.unit(function);
        let same = (0..functions).filter(|&other| balance.layout.unit(other) == unit);
        same.filter_map(|other| own.get(other)).copied().fold(0.0, f64::max)
    };
    let of_terms = |function: usize| {
        let column = entries.iter().filter(|(_, column, entry)| *column == function && *entry > 0.0);
        column.filter_map(|(row, _, entry)| Some(terms.get(*row)? / entry)).fold(0.0, f64::max)
    };
    let sizes = own.iter().enumerate();
    sizes.map(|(function, size)| size.max(MIN_SIZE_RATIO * of_unit(function).max(of_terms(function)))).collect()
}

/// Returns the largest change of a function, relative to its size.
pub(crate) fn relative(balance: &Balance<'_>, change: &[f64], sizes: &[f64]) -> f64 {
    let of_function = |(function, size): (usize, &f64)| {
        let largest = balance.coefficients(change, function).iter().map(|x| x.abs()).fold(0.0, f64::max);
        if largest == 0.0 { 0.0 } else { largest / size.max(f64::MIN_POSITIVE) }
    };
    sizes.iter().enumerate().map(of_function).fold(0.0, f64::max)
}

/// Finds the motion with the parameters of `start`.
pub(crate) fn at_fixed(balance: &mut Balance<'_>, start: Motion, iterations: usize) -> Result<Found, Failure> {
    iterate(balance, start, None, iterations)
}

/// Finds the motion on the plane through `start` with the normal `row` (coefficients, then the parameter).
pub(crate) fn on_plane(
    balance: &mut Balance<'_>,
    start: Motion,
    (parameter, row): (Parameter, &[f64]),
    iterations: usize,
) -> Result<Found, Failure> {
    iterate(balance, start, Some((parameter, row)), iterations)
}

fn iterate(
    balance: &mut Balance<'_>,
    start: Motion,
    plane: Option<(Parameter, &[f64])>,
    limit: usize,
) -> Result<Found, Failure> {
    let mut motion = start;
    let mut last = f64::INFINITY;
    for iteration in 1..=limit {
        let evaluation = balance.evaluate(&motion)?;
        let border = plane.map(|(parameter, row)| (parameter.column(&evaluation), row));
        balance.factor(&evaluation, motion.omega, border)?;
        let mut change: Vec<f64> = evaluation.residual.iter().map(|value| -value).collect();
        if plane.is_some() {
            change.push(0.0);
        }
        balance.solve(plane.is_some(), &mut change);
        if !change.iter().all(|value| value.is_finite()) {
            return Err(Fault::NotFinite.into());
        }
        motion.coefficients.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
        let mut correction =
            relative(balance, &change, &sizes(balance, (&motion.coefficients, 0), (&evaluation, motion.omega)));
        if let Some((parameter, _)) = plane
            && let Some(change) = change.last()
        {
            let own = parameter.of_mut(&mut motion);
            *own += change;
            correction = correction.max(change.abs() / own.abs().max(f64::MIN_POSITIVE));
        }
        if correction <= CORRECTION_TOLERANCE || (correction <= CORRECTION_ROUNDING && correction > 0.5 * last) {
            return Ok(Found { motion, evaluation, iterations: iteration });
        }
        // corrections of a path that grow lead elsewhere
        if iteration > 3 && correction > 2.0 * last {
            return Err(Failure::Slow(correction));
        }
        last = correction;
    }
    Err(Failure::Slow(last))
}

/// Finds a motion from afar: corrections are shortened until the next one, with the same factors, would be smaller.
pub(crate) fn from_afar(balance: &mut Balance<'_>, start: Motion, limit: usize) -> Result<Found, Failure> {
    let mut motion = start;
    let mut last = f64::INFINITY;
    for iteration in 1..=limit {
        let evaluation = balance.evaluate(&motion)?;
        balance.factor(&evaluation, motion.omega, None)?;
        let mut change: Vec<f64> = evaluation.residual.iter().map(|value| -value).collect();
        balance.solve(false, &mut change);
        let full = Motion { coefficients: moved(&motion, &change, 1.0), ..motion };
        let size = sizes(balance, (&full.coefficients, 0), (&evaluation, motion.omega));
        let correction = relative(balance, &change, &size);
        if !correction.is_finite() {
            return Err(Fault::NotFinite.into());
        }
        if correction <= CORRECTION_TOLERANCE || (correction <= CORRECTION_ROUNDING && correction > 0.5 * last) {
            return Ok(Found { motion: full, evaluation, iterations: iteration });
        }
        let mut part = 1.0;
        motion = loop {
            let next = Motion { coefficients: moved(&motion, &change, part), ..motion };
            if let Ok(evaluation) = balance.evaluate(&next) {
                let mut further: Vec<f64> = evaluation.residual.iter().map(|value| -value).collect();
                balance.solve(false, &mut further);
                let next_correction = relative(balance, &further, &size);
                if next_correction <= (1.0 - 0.25 * part) * correction || next_correction <= CORRECTION_ROUNDING {
                    break next;
                }
            }
            part *= 0.5;
            if part < 1e-4 {
                return Err(Failure::Slow(correction));
            }
        };
        last = correction;
    }
    Err(Failure::Slow(last))
}

fn moved(motion: &Motion, change: &[f64], part: f64) -> Vec<f64> {
    motion.coefficients.iter().zip(change).map(|(own, change)| own + part * change).collect()
}
