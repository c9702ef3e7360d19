//! Stability of periodic motions by Floquet multipliers.
//!
//! Perturbations satisfy the linearised equations, M a + D v + K q + C_q^T lambda = 0 and C_q q = 0, with matrices of
//! the motion's period. Steps of Radau IIA, of order 5, carry all positions and velocities through one period. The
//! scheme satisfies constraints at the end of each step, so that motions which constraints forbid end within three
//! steps: their multipliers are zero, and so are those of coordinates without mass. Steps are halved until the largest
//! multiplier is settled.

use std::f64::consts::PI;

use costate_system::system::StateVectors;
use nalgebra::{Complex, DMatrix, Schur};

use crate::harmonic::balance::{Balance, Motion};
use crate::harmonic::basis::derivative;
use crate::harmonic::layout::Kind;

/// Steps per period at first and at most.
const STEPS: [usize; 2] = [16, 1024];

/// The answer to small perturbations of a periodic motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Perturbations decay.
    Stable,
    /// A perturbation grows.
    Unstable,
    /// A perturbation neither decays nor grows, within 1e-6 per period.
    Limit,
    /// The multipliers did not settle with 1024 steps per period.
    Unsettled,
}

/// Stability of a periodic motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Stability {
    /// The judgement by the largest multiplier.
    pub verdict: Verdict,
    /// Factors by which perturbations change in one period, the largest first; those below 1e-9 are left out. Motions
    /// that are faster than the steps that were needed count as decayed.
    pub multipliers: Vec<Complex<f64>>,
    /// Steps per period that were needed.
    pub steps: usize,
}

/// Judges a motion.
pub(crate) fn stability(balance: &Balance<'_>, motion: &Motion) -> Stability {
    /// Distance of the largest multiplier from 1 within which a motion is at the limit of stability.
    const NEUTRAL_MARGIN: f64 = 1e-6;
    let unsettled = |multipliers| Stability { verdict: Verdict::Unsettled, multipliers, steps: STEPS[1] };
    let mut steps = STEPS[0];
    let mut before: Option<f64> = None;
    let mut multipliers = Vec::new();
    while steps <= STEPS[1] {
        let Some(found) = period(balance, motion, steps).and_then(eigenvalues) else {
            return unsettled(Vec::new());
        };
        multipliers = found;
        let largest = multipliers.first().map_or(0.0, |multiplier| multiplier.norm());
        let margin = (largest - 1.0).abs();
        let change = before.map(|before| (largest - before).abs());
        if change.is_some_and(|change| change <= 0.02 * margin || change <= 0.01 * NEUTRAL_MARGIN) {
            let verdict = match largest {
                _ if margin <= NEUTRAL_MARGIN => Verdict::Limit,
                largest if largest > 1.0 => Verdict::Unstable,
                _ => Verdict::Stable,
            };
            return Stability { verdict, multipliers, steps };
        }
        before = Some(largest);
        steps *= 2;
    }
    unsettled(multipliers)
}

/// The eigenvalues that have not vanished, the largest first.
fn eigenvalues(matrix: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    /// Multipliers below this size belong to motions that end within the period, or that do not exist.
    const VANISHED_MULTIPLIER: f64 = 1e-9;
    if !matrix.iter().all(|value| value.is_finite()) {
        return None;
    }
    let size = matrix.nrows();
    let schur = Schur::try_new(matrix, f64::EPSILON, 100 * size.max(1))?;
    let mut eigenvalues: Vec<_> = schur.complex_eigenvalues().iter().copied().collect();
    eigenvalues.retain(|eigenvalue| eigenvalue.norm() > VANISHED_MULTIPLIER);
    eigenvalues.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
    Some(eigenvalues)
}

/// The matrix that takes (q, h v) through a period; `None` if a step has no solution.
///
/// The unknowns of a step are h^2 a, lambda and the drive of each stage.
fn period(balance: &Balance<'_>, motion: &Motion, steps: usize) -> Option<DMatrix<f64>> {
    let (n, functions) = (balance.layout.n, balance.layout.functions());
    let scheme = Scheme::new(2.0 * PI / motion.omega / steps as f64);
    let series = Series::of(balance, motion);
    let mut map = DMatrix::identity(2 * n, 2 * n);
    for step in 0..steps {
        let mut matrix = DMatrix::<f64>::zeros(3 * functions, 3 * functions);
        let mut right = DMatrix::<f64>::zeros(3 * functions, 2 * n);
        for (i, c) in scheme.c.iter().enumerate() {
            let theta = 2.0 * PI * (step as f64 + c) / steps as f64;
            let (state, inputs) = series.at(balance, motion, theta);
            scheme.add_stage(balance, (i, *c), (&state, &inputs), (&mut matrix, &mut right));
        }
        equilibrated(&mut matrix, &mut right);
        // found for unit vectors, and then applied to the motions so far
        let stages = matrix.lu().solve(&right)?;
        let mut ends = DMatrix::<f64>::identity(2 * n, 2 * n);
        for row in 0..n {
            ends[(row, n + row)] += 1.0;
            for column in 0..2 * n {
                for j in 0..3 {
                    let stage = stages[(j * functions + row, column)];
                    ends[(row, column)] += at(&scheme.b, 2, j) * stage;
                    ends[(n + row, column)] += at(&scheme.a, 2, j) * stage;
                }
            }
        }
        map = ends * map;
    }
    Some(map)
}

/// Radau IIA with three stages.
struct Scheme {
    /// Length of a step in s.
    h: f64,
    a: [[f64; 3]; 3],
    /// The square of a.
    b: [[f64; 3]; 3],
    /// Times of the stages.
    c: [f64; 3],
}

impl Scheme {
    fn new(h: f64) -> Self {
        let root = 6f64.sqrt();
        let a = [
            [(88.0 - 7.0 * root) / 360.0, (296.0 - 169.0 * root) / 1800.0, (-2.0 + 3.0 * root) / 225.0],
            [(296.0 + 169.0 * root) / 1800.0, (88.0 + 7.0 * root) / 360.0, (-2.0 - 3.0 * root) / 225.0],
            [(16.0 - root) / 36.0, (16.0 + root) / 36.0, 1.0 / 9.0],
        ];
        let square = |i: usize, j: usize| -> f64 { (0..3).map(|k| at(&a, i, k) * at(&a, k, j)).sum() };
        let b = [0, 1, 2].map(|i| [0, 1, 2].map(|j| square(i, j)));
        Self { h, a, b, c: [(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0] }
    }

    /// Adds the equations of stage i at the time c.
    fn add_stage(
        &self,
        balance: &Balance<'_>,
        (i, c): (usize, f64),
        (state, inputs): (&StateVectors<f64>, &[f64]),
        (matrix, right): (&mut DMatrix<f64>, &mut DMatrix<f64>),
    ) {
        let (n, functions, h) = (balance.layout.n, balance.layout.functions(), self.h);
        balance.slots_at(state, inputs, |slot, value| {
            let Some(slot) = balance.layout.slots.get(slot).filter(|slot| slot.column < functions) else {
                return;
            };
            let row = i * functions + slot.row;
            if slot.column >= n {
                matrix[(row, i * functions + slot.column)] += value;
                return;
            }
            for j in 0..3 {
                let weight = match slot.kind {
                    Kind::Value => at(&self.b, i, j),
                    Kind::Rate => at(&self.a, i, j) / h,
                    Kind::SecondRate => f64::from(u8::from(i == j)) / (h * h),
                };
                matrix[(row, j * functions + slot.column)] += value * weight;
            }
            match slot.kind {
                Kind::Value => {
                    right[(row, slot.column)] -= value;
                    right[(row, n + slot.column)] -= value * c;
                }
                Kind::Rate => right[(row, n + slot.column)] -= value / h,
                Kind::SecondRate => {}
            }
        });
    }
}

fn at(matrix: &[[f64; 3]; 3], row: usize, column: usize) -> f64 {
    matrix.get(row).and_then(|row| row.get(column)).copied().unwrap_or(0.0)
}

/// Divides every row by its largest entry.
fn equilibrated(matrix: &mut DMatrix<f64>, right: &mut DMatrix<f64>) {
    for (mut row, mut right) in matrix.row_iter_mut().zip(right.row_iter_mut()) {
        let largest = row.amax();
        if largest > 0.0 && largest.is_finite() {
            row /= largest;
            right /= largest;
        }
    }
}

/// The series of all functions of time and of their derivatives with respect to theta.
struct Series {
    values: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    second_rates: Vec<Vec<f64>>,
}

impl Series {
    fn of(balance: &Balance<'_>, motion: &Motion) -> Self {
        let derived = |series: &Vec<f64>| {
            let mut result = vec![0.0; series.len()];
            derivative(series, &mut result);
            result
        };
        let values: Vec<Vec<f64>> =
            motion.coefficients.chunks_exact(balance.basis.width()).map(<[f64]>::to_vec).collect();
        let rates: Vec<Vec<f64>> = values.iter().take(balance.layout.n).map(derived).collect();
        let second_rates = rates.iter().map(derived).collect();
        Self { values, rates, second_rates }
    }

    fn at(&self, balance: &Balance<'_>, motion: &Motion, theta: f64) -> (StateVectors<f64>, Vec<f64>) {
        let (n, m) = (balance.layout.n, balance.layout.m);
        let mut functions = vec![1.0];
        for k in 1..=balance.basis.harmonics {
            let (sin, cos) = (k as f64 * theta).sin_cos();
            functions.extend([cos, sin]);
        }
        let value = |series: &Vec<f64>| series.iter().zip(&functions).map(|(a, b)| a * b).sum::<f64>();
        let of = |series: &[Vec<f64>], factor: f64| -> Vec<f64> {
            series.iter().map(|series| factor * value(series)).collect()
        };
        let values = of(&self.values, 1.0);
        let part = |from: usize, to: usize| values.get(from..to).unwrap_or_default().to_vec();
        let state = StateVectors {
            coordinates: part(0, n),
            velocities: of(&self.rates, motion.omega),
            accelerations: of(&self.second_rates, motion.omega * motion.omega),
            multipliers: part(n, n + m),
        };
        let mut inputs = balance.excitation.inputs.clone();
        if let Some(input) = inputs.get_mut(balance.layout.drive) {
            match values.get(n + m) {
                Some(drive) => *input = *drive,
                None => *input += motion.amplitude * theta.cos(),
            }
        }
        (state, inputs)
    }
}
