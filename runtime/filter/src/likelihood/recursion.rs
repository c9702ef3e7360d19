//! The extended Kalman filter in any numbers, with covariances in Joseph's form.

use std::f64::consts::TAU;

use costate_numerics::scalar::{Dual, Scalar};
use costate_system::state_space::{Divergence, DivergenceReason, FilterError, ModelFailure, check_size};

use costate_numerics::linalg::small::{
    add_product_transposed, cholesky, congruence, solve_lower, solve_upper, write_product,
};

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
    ///
    /// # Errors
    /// `ModelFailure` if the model has no solution there.
    fn start(&mut self, mean: &mut [S], covariance: &mut [S]) -> Result<(), ModelFailure>;
    /// Advances the mean to sample i > 0, and writes F = dx_i/dx_{i-1} and the covariances of the noise before and
    /// after the step (n x n), so that P_i- = F (P_{i-1} + before) F^T + after.
    ///
    /// # Errors
    /// As [`start`](Self::start).
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
    /// As [`start`](Self::start).
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
    /// As [`start`](Self::start).
    fn admit(&mut self, _sample: usize, _mean: &mut [S], _projection: &mut [S]) -> Result<bool, ModelFailure> {
        Ok(false)
    }
}

/// -2 log L and what it is made of, in numbers S.
#[derive(Debug, Clone, Default)]
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
    let nothing = S::constant(f64::NAN);
    let mut found = InnovationsIn {
        deviance: S::default(),
        innovations: vec![nothing; samples * m],
        variances: vec![nothing; samples * m],
        squares: vec![S::default(); samples],
        information: Vec::new(),
    };
    let mut estimate = Estimate::new(n, m);
    for (i, measured) in measurements.chunks_exact(m.max(1)).enumerate() {
        let stepped = match i {
            0 => process.start(&mut estimate.mean, &mut estimate.covariance).map_err(DivergenceReason::Model),
            _ => estimate.predict(process, i),
        };
        let corrected = stepped.and_then(|()| estimate.correct(process, (i, measured), &mut found));
        corrected
            .and_then(|()| estimate.check())
            .map_err(|reason| FilterError::Diverged(Divergence { sample: i, time: process.time(i), reason }))?;
    }
    Ok(found)
}

/// The estimate of the state, with working memory.
struct Estimate<S> {
    n: usize,
    mean: Vec<S>,
    covariance: Vec<S>,
    matrix: Vec<S>,
    work: Vec<S>,
    next: Vec<S>,
    noise: [Vec<S>; 2],
    /// h(x), H and the variances of the errors.
    predicted: Vec<S>,
    measurement: Vec<S>,
    variances: Vec<S>,
}

impl<S: Scalar> Estimate<S> {
    fn new(n: usize, m: usize) -> Self {
        let zeros = |length: usize| vec![S::default(); length];
        Self {
            n,
            mean: zeros(n),
            covariance: zeros(n * n),
            matrix: zeros(n * n),
            work: zeros(n * n),
            next: zeros(n * n),
            noise: [zeros(n * n), zeros(n * n)],
            predicted: zeros(m),
            measurement: zeros(m * n),
            variances: zeros(m),
        }
    }

    /// Computes x- and P- at sample i.
    fn predict(&mut self, process: &mut dyn LinearizedProcess<S>, i: usize) -> Result<(), DivergenceReason> {
        let noise = self.noise.each_mut().map(|noise| &mut noise[..]);
        process.predict(i, &mut self.mean, &mut self.matrix, noise).map_err(DivergenceReason::Model)?;
        self.covariance.iter_mut().zip(&self.noise[0]).for_each(|(entry, noise)| *entry += *noise);
        self.transform();
        self.covariance.iter_mut().zip(&self.noise[1]).for_each(|(entry, noise)| *entry += *noise);
        Ok(())
    }

    /// Replaces P by A P A^T, with the matrix A.
    fn transform(&mut self) {
        congruence(&self.matrix, &self.covariance, (self.n, self.n), &mut self.work, &mut self.next);
        std::mem::swap(&mut self.covariance, &mut self.next);
    }

    /// Corrects by the measurements of sample i, and adds its part of -2 log L.
    fn correct(
        &mut self,
        process: &mut dyn LinearizedProcess<S>,
        (i, measured): (usize, &[f64]),
        found: &mut InnovationsIn<S>,
    ) -> Result<(), DivergenceReason> {
        let (n, m) = (self.n, measured.len());
        let present: Vec<usize> = (0..m).filter(|&j| !measured[j].is_nan()).collect();
        let count = present.len();
        if count == 0 {
            return Ok(());
        }
        process
            .measure(i, &self.mean, &mut self.predicted, &mut self.measurement, &mut self.variances)
            .map_err(DivergenceReason::Model)?;
        let rows: Vec<S> = present.iter().flat_map(|&j| &self.measurement[j * n..(j + 1) * n]).copied().collect();
        // H P by rows, and S
        let (mut hp, mut s) = (vec![S::default(); count * n], vec![S::default(); count * count]);
        congruence(&rows, &self.covariance, (count, n), &mut hp, &mut s);
        for (a, &j) in present.iter().enumerate() {
            s[a * count + a] += self.variances[j];
            found.variances[i * m + j] = s[a * count + a];
        }
        let mut factor = s.clone();
        cholesky(&mut factor, count).map_err(|row| DivergenceReason::NotDefinite { field: "the innovations", row })?;
        let innovation: Vec<S> = present.iter().map(|&j| S::constant(measured[j]) - self.predicted[j]).collect();
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
        let mut gain = vec![S::default(); n * count];
        for (k, column) in gain.chunks_exact_mut(count).enumerate() {
            (0..count).for_each(|a| column[a] = hp[a * n + k]);
            solve_lower(&factor, count, column);
            solve_upper(&factor, count, column);
            column.iter().zip(&innovation).for_each(|(gain, e)| self.mean[k] += *gain * *e);
        }
        // (1 - K H) P (1 - K H)^T + K R K^T
        write_product(&gain, &rows, (n, count, n), &mut self.matrix);
        for (place, entry) in self.matrix.iter_mut().enumerate() {
            *entry = S::constant(f64::from(u8::from(place % (n + 1) == 0))) - *entry;
        }
        self.transform();
        let scaled: Vec<S> =
            gain.iter().enumerate().map(|(place, gain)| *gain * self.variances[present[place % count]]).collect();
        add_product_transposed(&scaled, &gain, (n, count, n), &mut self.covariance);
        if process.admit(i, &mut self.mean, &mut self.matrix).map_err(DivergenceReason::Model)? {
            self.transform();
        }
        Ok(())
    }

    /// Checks that mean and variances are finite.
    fn check(&self) -> Result<(), DivergenceReason> {
        let is_finite =
            |k: usize| self.mean[k].real().is_finite() && self.covariance[k * (self.n + 1)].real().is_finite();
        match (0..self.n).find(|&k| !is_finite(k)) {
            None => Ok(()),
            Some(state) => Err(DivergenceReason::NotFinite { state, value: self.mean[state].real() }),
        }
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
