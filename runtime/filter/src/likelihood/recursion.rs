//! The extended Kalman filter in any numbers, with covariances in Joseph's form.

use std::f64::consts::TAU;

use costate_numerics::scalar::{Dual, Scalar};
use costate_system::state_space::{Divergence, DivergenceReason, FilterError, ModelFailure, check_size};

use super::matrices::{add_product_transposed, cholesky, congruence, product, solve_lower, solve_upper};

/// A process with measurements and their matrices in numbers S, whatever it depends on included: where S carries
/// derivatives, all results carry those in the direction of parameters, variances or the start.
///
/// Matrices are stored by rows; all entries are to be filled.
pub trait LinearizedProcess<S: Scalar> {
    /// Returns the number of states n.
    fn states(&self) -> usize;
    /// Returns the number of measured signals m.
    fn measurements(&self) -> usize;
    /// Returns the time of a sample in s, for messages.
    fn time(&self, sample: usize) -> f64;
    /// Writes mean and covariance (n x n) of the state at sample 0.
    fn start(&mut self, mean: &mut [S], covariance: &mut [S]);
    /// Advances the mean to sample i > 0, and writes F = dx_i/dx_{i-1} and the covariances of the noise before and
    /// after the step (n x n), so that P_i- = F (P_{i-1} + before) F^T + after.
    ///
    /// # Errors
    /// `ModelFailure` if the model has no solution there.
    fn predict(
        &mut self,
        sample: usize,
        mean: &mut [S],
        transition: &mut [S],
        noise: [&mut [S]; 2],
    ) -> Result<(), ModelFailure>;
    /// Writes the measurements h(x), H = dh/dx (m x n), and the variances of their errors, which are independent.
    ///
    /// # Errors
    /// As [`predict`](Self::predict).
    fn measure(
        &mut self,
        sample: usize,
        mean: &[S],
        measured: &mut [S],
        matrix: &mut [S],
        variances: &mut [S],
    ) -> Result<(), ModelFailure>;
    /// Projects a corrected mean onto the constraints, and writes the projection of deviations (n x n); returns false
    /// if there are none.
    ///
    /// # Errors
    /// As [`predict`](Self::predict).
    fn admit(&mut self, _sample: usize, _mean: &mut [S], _projection: &mut [S]) -> Result<bool, ModelFailure> {
        Ok(false)
    }
}

/// -2 log L and what it is made of, in numbers S.
#[derive(Debug, Clone)]
pub struct InnovationsIn<S> {
    /// -2 log L.
    pub deviance: S,
    /// e_i, m numbers for each sample; NaN where nothing was measured.
    pub innovations: Vec<S>,
    /// The variances of e_i, m numbers for each sample; NaN where nothing was measured.
    pub variances: Vec<S>,
    /// e_i^T S_i^-1 e_i of every sample; 0 where nothing was measured.
    pub squares: Vec<S>,
    /// The columns by which derivatives make the information: L_i^-1 de_i, and L_i^-1 dS_i L_i^-T / sqrt 2 by rows,
    /// with S_i = L_i L_i^T, one sample after the other. The product of those of two directions is their entry of
    /// the expected information of the innovations. Zeros in plain numbers.
    pub information: Vec<f64>,
}

/// Computes -2 log L of the innovations of the extended Kalman filter; `measurements` hold m numbers for each sample,
/// NaN where nothing was measured. The derivatives of its result are those of the computed number.
///
/// # Errors
/// [`FilterError::Length`]; [`FilterError::Diverged`] with the sample at which a state has grown without bound, the
/// innovations have no positive definite covariance, or the model has no solution.
pub fn deviance<S: Scalar>(
    process: &mut dyn LinearizedProcess<S>,
    measurements: &[f64],
) -> Result<InnovationsIn<S>, FilterError> {
    let (n, m) = (process.states(), process.measurements());
    check_size("measurements", measurements.len() % m.max(1), 0)?;
    let samples = measurements.len() / m.max(1);
    let zeros = |length: usize| vec![S::default(); length];
    let nothing = S::constant(f64::NAN);
    let mut found = InnovationsIn {
        deviance: S::default(),
        innovations: vec![nothing; samples * m],
        variances: vec![nothing; samples * m],
        squares: zeros(samples),
        information: Vec::new(),
    };
    let (mut mean, mut p) = (zeros(n), zeros(n * n));
    let (mut matrix, mut work, mut next) = (zeros(n * n), zeros(n * n), zeros(n * n));
    let (mut before, mut after) = (zeros(n * n), zeros(n * n));
    let (mut predicted, mut h, mut r) = (zeros(m), zeros(m * n), zeros(m));
    process.start(&mut mean, &mut p);
    for i in 0..samples {
        let diverged = |reason| FilterError::Diverged(Divergence { sample: i, time: f64::NAN, reason });
        let step = |process: &mut dyn LinearizedProcess<S>, found: &mut InnovationsIn<S>| {
            if i > 0 {
                let noise = [&mut before[..], &mut after[..]];
                process.predict(i, &mut mean, &mut matrix, noise).map_err(DivergenceReason::Model)?;
                p.iter_mut().zip(&before).for_each(|(entry, noise)| *entry += *noise);
                congruence(&matrix, &p, (n, n), &mut work, &mut next);
                p.iter_mut().zip(next.iter().zip(&after)).for_each(|(entry, (next, noise))| *entry = *next + *noise);
            }
            let measured = &measurements[i * m..(i + 1) * m];
            let present: Vec<usize> = (0..m).filter(|&j| !measured[j].is_nan()).collect();
            let count = present.len();
            if count > 0 {
                process.measure(i, &mean, &mut predicted, &mut h, &mut r).map_err(DivergenceReason::Model)?;
                let rows: Vec<S> = present.iter().flat_map(|&j| &h[j * n..(j + 1) * n]).copied().collect();
                // (H P) by rows, and S
                let (mut hp, mut s) = (zeros(count * n), zeros(count * count));
                congruence(&rows, &p, (count, n), &mut hp, &mut s);
                for (a, &j) in present.iter().enumerate() {
                    s[a * count + a] += r[j];
                    found.variances[i * m + j] = s[a * count + a];
                }
                let mut factor = s.clone();
                cholesky(&mut factor, count)
                    .map_err(|row| DivergenceReason::NotDefinite { field: "the innovations", row })?;
                let innovation: Vec<S> =
                    present.iter().map(|&j| S::constant(measured[j]) - predicted[j]).collect();
                let mut whitened = innovation.clone();
                solve_lower(&factor, count, &mut whitened);
                for (a, &j) in present.iter().enumerate() {
                    found.innovations[i * m + j] = innovation[a];
                    found.squares[i] += whitened[a] * whitened[a];
                    found.deviance += factor[a * count + a].ln() * 2.0 + TAU.ln();
                }
                found.deviance += found.squares[i];
                if S::COMPONENTS > 1 {
                    add_information(&innovation, &s, &factor, &mut found.information);
                }
                // K^T = S^-1 H P, column by column
                let mut gain = zeros(n * count);
                for k in 0..n {
                    let column = &mut gain[k * count..(k + 1) * count];
                    (0..count).for_each(|a| column[a] = hp[a * n + k]);
                    solve_lower(&factor, count, column);
                    solve_upper(&factor, count, column);
                    column.iter().zip(&innovation).for_each(|(gain, e)| mean[k] += *gain * *e);
                }
                // (1 - K H) P (1 - K H)^T + K R K^T
                product(&gain, &rows, (n, count, n), &mut matrix);
                for (place, entry) in matrix.iter_mut().enumerate() {
                    *entry = S::constant(f64::from(u8::from(place % (n + 1) == 0))) - *entry;
                }
                congruence(&matrix, &p, (n, n), &mut work, &mut next);
                let scaled = gain.iter().enumerate().map(|(place, gain)| *gain * r[present[place % count]]);
                add_product_transposed(&scaled.collect::<Vec<_>>(), &gain, (n, count, n), &mut next);
                std::mem::swap(&mut p, &mut next);
                if process.admit(i, &mut mean, &mut matrix).map_err(DivergenceReason::Model)? {
                    congruence(&matrix, &p, (n, n), &mut work, &mut next);
                    std::mem::swap(&mut p, &mut next);
                }
            }
            match (0..n).find(|&k| !(mean[k].real().is_finite() && p[k * n + k].real().is_finite())) {
                None => Ok(()),
                Some(state) => Err(DivergenceReason::NotFinite { state, value: mean[state].real() }),
            }
        };
        let mut step = step;
        step(process, &mut found).map_err(diverged).map_err(|error| at_time(error, process.time(i)))?;
    }
    Ok(found)
}

fn at_time(error: FilterError, time: f64) -> FilterError {
    match error {
        FilterError::Diverged(divergence) => FilterError::Diverged(Divergence { time, ..divergence }),
        other => other,
    }
}

/// Adds L^-1 de and L^-1 dS L^-T / sqrt 2 of a sample, with the derivatives that the numbers carry.
fn add_information<S: Scalar>(innovation: &[S], covariance: &[S], factor: &[S], information: &mut Vec<f64>) {
    let count = innovation.len();
    let of_part = |numbers: &[S], part: usize| numbers.iter().map(|number| number.component(part)).collect::<Vec<_>>();
    let (lower, mut derivative) = (of_part(factor, 0), of_part(innovation, 1));
    solve_lower(&lower, count, &mut derivative);
    information.extend(derivative);
    let mut middle = of_part(covariance, 1);
    for _ in 0..2 {
        // L^-1 A by columns, which are the rows of the symmetric A; transposed, once more
        middle.chunks_exact_mut(count).for_each(|row| solve_lower(&lower, count, row));
        let transposed = (0..count * count).map(|place| middle[place % count * count + place / count]);
        middle = transposed.collect();
    }
    information.extend(middle.iter().map(|entry| entry * std::f64::consts::FRAC_1_SQRT_2));
}

/// The derivative of -2 log L in the direction of dual numbers.
impl InnovationsIn<Dual> {
    /// Returns d(-2 log L).
    pub fn derivative(&self) -> f64 {
        self.deviance.derivative
    }
}
