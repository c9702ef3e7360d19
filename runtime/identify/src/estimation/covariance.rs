//! The covariance of the unknowns that follows from measurements.

use std::ops::Range;

use costate_cost::residuals::Loss;
use nalgebra::{DMatrix, DMatrixViewMut, DVector};

use costate_numerics::linalg::NormalEquations;
use costate_optimize::{LinearResiduals, tall_factor};

use crate::thresholds::NEGLIGIBLE_SHARE;

/// Residuals of one channel or of one further cost, with their derivatives.
#[derive(Debug, Clone)]
pub(crate) struct ChannelRows {
    /// ds(tau_j)/dx, one row per sample, one column per unknown.
    pub sensitivities: DMatrix<f64>,
    /// W_j = w_c Delta_j.
    pub weights: Vec<f64>,
    /// s(tau_j) - measured_j.
    pub residuals: Vec<f64>,
    /// Standard deviation of the measured values, if given.
    pub deviation: Option<f64>,
    /// Loss as a function of the residual in units of the standard deviation.
    pub loss: Loss,
}

impl ChannelRows {
    /// Returns the rows of a cost without residuals: one row of NaN, so that no unknown is determined.
    pub fn unknown(unknowns: usize) -> Self {
        Self {
            sensitivities: DMatrix::from_element(1, unknowns, f64::NAN),
            weights: vec![1.0],
            residuals: vec![f64::NAN],
            deviation: None,
            loss: Loss::Squares,
        }
    }

    /// Changes the units of the unknowns: multiplies the derivatives by each unknown by its `scale`.
    pub fn scale(&mut self, scales: &[f64]) {
        for (mut column, scale) in self.sensitivities.column_iter_mut().zip(scales) {
            column *= *scale;
        }
    }

    /// Returns the mean of f of the residuals in units of the standard deviation; 1 for squares, where it does not
    /// matter.
    fn mean(&self, f: impl Fn(f64) -> f64) -> f64 {
        match self.deviation {
            Some(unit) if self.loss != Loss::Squares && !self.residuals.is_empty() => {
                let sum: f64 = self.residuals.iter().map(|residual| f(residual / unit)).sum();
                sum / self.residuals.len() as f64
            }
            _ => 1.0,
        }
    }

    /// Returns the mean of rho''.
    pub fn curvature(&self) -> f64 {
        self.mean(|x| self.loss.psi_prime(x)).max(0.0)
    }

    /// Returns the root of the mean of rho'^2.
    pub fn spread(&self) -> f64 {
        self.mean(|x| self.loss.psi(x).powi(2)).sqrt()
    }

    /// Returns the weight of all rows if they have the same weight.
    fn common_weight(&self) -> Option<f64> {
        let first = *self.weights.first()?;
        // division by a curvature of zero is not possible
        (self.curvature() > 0.0 && self.weights.iter().all(|weight| *weight == first)).then_some(first)
    }

    /// Returns the triangular factor of the rows, each multiplied by `factor` of its weight; `None` where a number is
    /// not finite.
    pub fn factor(&self, unknowns: usize, factor: impl Fn(f64) -> f64) -> Option<DMatrix<f64>> {
        let factors: Vec<f64> = self.weights.iter().map(|weight| factor(*weight)).collect();
        let fill = |rows: Range<usize>, mut matrix: DMatrixViewMut<'_, f64>| {
            let of_rows = self.sensitivities.rows_range(rows.clone());
            for (mut to, from) in matrix.column_iter_mut().zip(of_rows.column_iter()) {
                let entries = to.iter_mut().zip(&from).zip(&factors[rows.clone()]);
                entries.for_each(|((entry, value), factor)| *entry = value * factor);
            }
        };
        tall_factor(self.weights.len(), unknowns, &fill)
    }

    /// Returns the Gauss-Newton matrix of the cost, with the mean curvature of the loss; `None` where a number is not
    /// finite.
    pub fn gram(&self, unknowns: usize) -> Option<DMatrix<f64>> {
        let factor = weighted(self, unknowns)?;
        Some(factor.tr_mul(&factor))
    }

    /// Returns the gradient of the cost.
    pub fn slope(&self) -> DVector<f64> {
        self.slope_of(&self.residuals)
    }

    /// Returns the gradient of the cost with these residuals in place of its own.
    pub fn slope_of(&self, residuals: &[f64]) -> DVector<f64> {
        let counted = self.weights.iter().zip(residuals).map(|(weight, &residual)| match self.deviation {
            Some(unit) if self.loss != Loss::Squares => weight * unit * self.loss.psi(residual / unit),
            _ => weight * residual,
        });
        self.sensitivities.tr_mul(&DVector::from_iterator(self.weights.len(), counted))
    }

    /// Adds residuals whose half sum of squares is the cost: sqrt(w) r, or the signed root of another loss, with the
    /// derivatives by every unknown.
    pub fn add_linear(&self, linear: &mut LinearResiduals) {
        linear.derivatives.resize(self.sensitivities.ncols(), Vec::new());
        let mut slopes = Vec::with_capacity(self.weights.len());
        for (&weight, &residual) in self.weights.iter().zip(&self.residuals) {
            let root = weight.sqrt();
            let (value, slope) = match self.deviation {
                Some(unit) if self.loss != Loss::Squares => {
                    let x = residual / unit;
                    (self.loss.signed_root(x) * unit, self.loss.signed_root_derivative(x))
                }
                _ => (residual, 1.0),
            };
            linear.values.push(root * value);
            slopes.push(root * slope);
        }
        for (column, derivatives) in self.sensitivities.column_iter().zip(&mut linear.derivatives) {
            derivatives.extend(column.iter().zip(&slopes).map(|(value, slope)| slope * value));
        }
    }
}

/// The covariance of the unknowns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Covariance {
    /// Infinite on the diagonal and NaN elsewhere for unknowns that are not determined.
    pub matrix: DMatrix<f64>,
    /// Combinations of changes of the unknowns that leave the outputs as they are; largest coefficient 1.
    pub undetermined: Vec<Vec<f64>>,
    /// Standard deviation of the measured values per channel.
    pub deviations: Vec<f64>,
    /// Part of the information about every unknown that each channel contributes; the parts add up to 1.
    pub shares: Vec<Vec<f64>>,
}

/// Covariance of the weighted least-squares estimate,
///
/// ```text
/// (S^T W S)^-1 S^T W Sigma W S (S^T W S)^-1
/// ```
///
/// with S = ds/dx over all samples, W diagonal, and Sigma = sigma_c^2 for the samples of channel c, independent of
/// each other (Seber, Wild, Nonlinear Regression, section 2.8). Where sigma_c is not given it follows from the
/// residuals, sigma_c^2 = (sum_j r_j^2 / n_c) n/(n - rank) with n samples altogether. The second derivatives of the
/// outputs are left out (Gauss-Newton), which is right for small residuals.
///
/// With a loss rho other than squares, of residuals in units of sigma_c, the outer W are multiplied by the mean of
/// rho'' over the channel's residuals and the inner Sigma by that of rho'^2 (Huber, Ronchetti, Robust Statistics, 2nd
/// ed., section 7.6).
pub(crate) fn covariance(channels: &[ChannelRows], unknowns: usize) -> Covariance {
    let curved = |channel: &ChannelRows| {
        let curvature = channel.curvature();
        channel.factor(unknowns, |weight| (weight * curvature).sqrt())
    };
    let Some(factors) = channels.iter().map(curved).collect::<Option<Vec<_>>>() else {
        return unknown(channels, unknowns);
    };
    let normal = NormalEquations::new(stacked(&factors, unknowns));
    let found = deviations(channels, samples_of(channels), normal.rank()).into_iter().zip(channels);
    let deviations: Vec<_> = found.map(|(found, channel)| channel.deviation.unwrap_or(found)).collect();
    let mut spread = DMatrix::zeros(unknowns, unknowns);
    let mut shares = Vec::with_capacity(channels.len());
    for ((channel, deviation), own) in channels.iter().zip(&deviations).zip(factors) {
        let own = normal.scaled(own);
        let products = own.transpose() * own;
        shares.push(normal.spread(&products).diagonal().as_slice().to_vec());
        let scale = deviation * channel.spread();
        match channel.common_weight() {
            Some(weight) => spread += products * (weight * scale * scale / channel.curvature()),
            None => {
                let Some(rows) = channel.factor(unknowns, |weight| weight * scale) else {
                    return unknown(channels, unknowns);
                };
                let rows = normal.scaled(rows);
                spread += rows.transpose() * rows;
            }
        }
    }
    let mut matrix = normal.spread(&spread);
    // Without spare samples nothing is known of the errors.
    if deviations.iter().any(|deviation| !deviation.is_finite()) {
        matrix.fill(f64::NAN);
        matrix.fill_diagonal(f64::INFINITY);
    }
    for unknown in 0..unknowns {
        let total: f64 = shares.iter().map(|of_channel| of_channel[unknown]).sum();
        shares.iter_mut().for_each(|of_channel| of_channel[unknown] /= total);
    }
    Covariance { matrix, undetermined: normal.undetermined(), deviations, shares }
}

/// Converts a direction of scaled variables, of which a change by 1 changes the unknowns by `scales`, to changes of the
/// unknowns in their units; the largest is 1.
pub(crate) fn in_units(direction: &[f64], scales: &[f64]) -> Vec<f64> {
    let changes: Vec<f64> = direction.iter().zip(scales).map(|(change, scale)| change * scale).collect();
    let largest = changes.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    match largest != 0.0 && largest.is_finite() {
        true => changes.into_iter().map(|change| change / largest).collect(),
        false => changes,
    }
}

impl Covariance {
    /// Takes the deviations of these channels as not known, and with them those of all unknowns about which the
    /// channels have information.
    pub fn without_deviations(mut self, channels: impl Iterator<Item = usize>) -> Self {
        for channel in channels {
            if let Some(deviation) = self.deviations.get_mut(channel) {
                *deviation = f64::INFINITY;
            }
            for (unknown, share) in self.shares.get(channel).into_iter().flatten().enumerate() {
                // without any information the share is 0/0
                if share.is_nan() || *share > NEGLIGIBLE_SHARE {
                    self.matrix.column_mut(unknown).fill(f64::NAN);
                    self.matrix.row_mut(unknown).fill(f64::NAN);
                    self.matrix[(unknown, unknown)] = f64::INFINITY;
                }
            }
        }
        self
    }
}

/// Returns an infinite covariance, for sensitivities that overflow.
fn unknown(channels: &[ChannelRows], unknowns: usize) -> Covariance {
    let mut matrix = DMatrix::from_element(unknowns, unknowns, f64::NAN);
    matrix.fill_diagonal(f64::INFINITY);
    let deviations = channels.iter().map(|channel| channel.deviation.unwrap_or(f64::INFINITY)).collect();
    let shares = vec![vec![f64::NAN; unknowns]; channels.len()];
    Covariance { matrix, undetermined: Vec::new(), deviations, shares }
}

/// Stacks several triangular factors as rows of one matrix.
fn stacked(factors: &[DMatrix<f64>], unknowns: usize) -> DMatrix<f64> {
    let mut stacked = DMatrix::zeros(factors.len() * unknowns, unknowns);
    for (number, factor) in factors.iter().enumerate() {
        stacked.rows_mut(number * unknowns, unknowns).copy_from(factor);
    }
    stacked
}

/// Returns the triangular factor of the rows of a channel, each multiplied by the root of its weight in the curvature
/// of the cost; `None` where a number is not finite.
pub(crate) fn weighted(channel: &ChannelRows, unknowns: usize) -> Option<DMatrix<f64>> {
    let curvature = channel.curvature();
    channel.factor(unknowns, |weight| (weight * curvature).sqrt())
}

/// Returns the normal equations of several channels, from their [`weighted`] rows.
pub(crate) fn normal_equations(factors: &[DMatrix<f64>], unknowns: usize) -> NormalEquations {
    NormalEquations::new(stacked(factors, unknowns))
}

/// Returns the number of unknowns that each of the channels determines; unknowns that `priors` determine do not count
/// for a channel.
pub fn degrees_of_freedom(channels: &[ChannelRows], priors: &[ChannelRows], unknowns: usize) -> Vec<f64> {
    let factors = channels.iter().chain(priors).map(|channel| weighted(channel, unknowns));
    let Some(factors) = factors.collect::<Option<Vec<_>>>() else { return vec![0.0; channels.len()] };
    let normal = normal_equations(&factors, unknowns);
    let of_channel = |factor| normal.determined_by(&normal.scaled(factor));
    factors.into_iter().take(channels.len()).map(of_channel).collect()
}

/// Estimates standard deviations from the residuals of channels, each of which determines so many `degrees` of
/// unknowns.
pub(crate) fn deviations_beside_priors(channels: &[ChannelRows], degrees: &[f64]) -> Vec<f64> {
    let deviation = |(channel, degrees): (&ChannelRows, &f64)| {
        let squares: f64 = channel.residuals.iter().map(|residual| residual * residual).sum();
        let spare = channel.residuals.len() as f64 - degrees;
        // rounding leaves a small number where every sample is explained
        if spare > 1e-6 * channel.residuals.len() as f64 { (squares / spare).sqrt() } else { f64::INFINITY }
    };
    channels.iter().zip(degrees).map(deviation).collect()
}

/// Returns the number of samples of several channels.
pub(crate) fn samples_of(channels: &[ChannelRows]) -> usize {
    channels.iter().map(|channel| channel.weights.len()).sum()
}

/// Estimates the standard deviations of the channels from their residuals, where `unknowns` of all `samples`, those of
/// other channels too, determine the unknowns.
pub(crate) fn deviations(channels: &[ChannelRows], samples: usize, unknowns: usize) -> Vec<f64> {
    let spare = samples as f64 - unknowns as f64;
    let deviation = |channel: &ChannelRows| {
        if spare <= 0.0 {
            return f64::INFINITY;
        }
        let squares: f64 = channel.residuals.iter().map(|residual| residual * residual).sum();
        (squares / channel.residuals.len() as f64 * samples as f64 / spare).sqrt()
    };
    channels.iter().map(deviation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(times: usize, functions: &[fn(f64) -> f64], weight: f64, deviation: Option<f64>) -> ChannelRows {
        let t = |j: usize| j as f64 / times as f64;
        ChannelRows {
            sensitivities: DMatrix::from_fn(times, functions.len(), |j, k| functions[k](t(j))),
            weights: vec![weight; times],
            residuals: (0..times).map(|j| if j % 2 == 0 { 0.1 } else { -0.1 }).collect(),
            deviation,
            loss: Loss::Squares,
        }
    }

    #[test]
    fn a_mean_has_the_deviation_of_the_mean() {
        let rows = channel(100, &[|_| 1.0], 0.37, Some(2.0));
        let result = covariance(&[rows], 1);
        assert!((result.matrix[(0, 0)] - 4.0 / 100.0).abs() < 1e-15);
        let rows = channel(100, &[|_| 1.0], 0.37, None);
        let result = covariance(&[rows], 1);
        assert!((result.matrix[(0, 0)] - 0.01 / 99.0).abs() < 1e-15);
        assert!((result.deviations[0] - 0.1 * (100.0_f64 / 99.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_line_has_the_textbook_covariance() {
        let rows = channel(50, &[|_| 1.0, |t| 1e6 * t], 1.0, Some(0.5));
        let s = rows.sensitivities.clone();
        let expected = (s.transpose() * s).try_inverse().unwrap() * 0.25;
        let result = covariance(&[rows], 2);
        for (value, expected) in result.matrix.iter().zip(&expected) {
            assert!((value / expected - 1.0).abs() < 1e-9, "{value} {expected}");
        }
        assert!(result.undetermined.is_empty());
    }

    #[test]
    fn wrong_weights_are_accounted_for() {
        // Two channels of one constant with deviations 1 and 2 and equal weights: (n 1 + n 4)/(2 n)^2.
        let rows = [channel(40, &[|_| 1.0], 1.0, Some(1.0)), channel(40, &[|_| 1.0], 1.0, Some(2.0))];
        assert!((covariance(&rows, 1).matrix[(0, 0)] - 5.0 / 160.0).abs() < 1e-15);
    }

    #[test]
    fn what_is_not_determined_is_named() {
        // Columns 0 and 1 differ by a factor: only x_0 + 2 x_1 is determined; column 2 is.
        let rows = channel(30, &[|_| 1.0, |_| 2.0, |t| t - 29.0 / 60.0], 1.0, Some(1.0));
        let result = covariance(&[rows], 3);
        assert_eq!(result.undetermined.len(), 1);
        let v = &result.undetermined[0];
        assert!((v[0] - 1.0).abs() < 1e-9 && (v[1] + 0.5).abs() < 1e-9 && v[2] == 0.0, "{v:?}");
        assert_eq!(result.matrix[(0, 0)], f64::INFINITY);
        assert_eq!(result.matrix[(1, 1)], f64::INFINITY);
        assert!(result.matrix[(0, 2)].is_nan());
        assert!(result.matrix[(2, 2)].is_finite());

        let rows = channel(30, &[|_| 1.0, |_| 0.0], 1.0, Some(1.0));
        let result = covariance(&[rows], 2);
        assert_eq!(result.undetermined, [vec![0.0, 1.0]]);
        assert!((result.matrix[(0, 0)] - 1.0 / 30.0).abs() < 1e-15);
    }

    #[test]
    fn overflowing_sensitivities_give_infinite_deviations() {
        let result = covariance(&[channel(9, &[|_| 1.0, |t| 1.0 / t], 1.0, None)], 2);
        assert_eq!((result.matrix[(0, 0)], result.matrix[(1, 1)]), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn too_few_samples_give_infinite_deviations() {
        let result = covariance(&[channel(2, &[|_| 1.0, |t| t], 1.0, None)], 2);
        assert_eq!(result.matrix[(0, 0)], f64::INFINITY);
        let result = covariance(&[channel(1, &[|_| 1.0, |_| 1.0], 1.0, Some(1.0))], 2);
        assert_eq!(result.undetermined.len(), 1);
        assert_eq!(result.matrix[(1, 1)], f64::INFINITY);
    }
}
