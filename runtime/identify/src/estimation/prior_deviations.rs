//! The deviations of priors that the data tell, as the smoothness of unknown tables.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use costate_numerics::linalg::NormalEquations;

use super::covariance::{ChannelRows, weighted};
use super::priors::{MAX_DEVIATION_FACTOR, Priors};
use crate::definition::weighting::SETTLED_CHANGE;

/// An estimated prior in the linearised problem: half of `constant + 2 slope^T x + x^T gram x`, over the square of its
/// deviation.
struct Estimated {
    gram: DMatrix<f64>,
    slope: DVector<f64>,
    constant: f64,
    rank: f64,
    deviation: f64,
    /// The deviation that it begins with.
    start: f64,
}

impl Priors {
    /// The deviations of combined priors that the data tell, where these have the rows `of_data` at these unknowns:
    /// those of the largest evidence for given curvature of the cost (MacKay, Bayesian interpolation, Neural
    /// Computation 4, 1992), iterated on the linearised problem. Unknowns that are `held` by their bounds stay there.
    pub fn estimated(&self, of_data: &[ChannelRows], unknowns: &[f64], held: &[bool]) -> Vec<f64> {
        let current = |priors: &Self| {
            let estimated = priors.combined.iter().filter(|prior| prior.is_estimated);
            estimated.map(|prior| prior.deviation).collect::<Vec<_>>()
        };
        let found = current(self);
        if found.is_empty() {
            return found;
        }
        self.iterated(of_data, unknowns, held).unwrap_or(found)
    }

    fn iterated(&self, of_data: &[ChannelRows], unknowns: &[f64], held: &[bool]) -> Option<Vec<f64>> {
        /// The most iterations, and the relative change of deviations at which they end.
        const MAX_ITERATIONS: usize = 60;
        let count = unknowns.len();
        let (mut known, mut slope) = (DMatrix::zeros(count, count), DVector::zeros(count));
        let mut estimated = Vec::new();
        let of_priors = self.rows(unknowns);
        let (single, combined) = of_priors.split_at(of_priors.len() - self.combined.len());
        let given = combined.iter().zip(&self.combined).filter(|(_, prior)| !prior.is_estimated);
        for rows in of_data.iter().chain(single).chain(given.map(|(rows, _)| rows)) {
            known += rows.gram(count)?;
            slope += rows.slope();
        }
        for (rows, prior) in combined.iter().zip(&self.combined).filter(|(_, prior)| prior.is_estimated) {
            // rows are in units of the deviation
            let square = prior.deviation * prior.deviation;
            estimated.push(Estimated {
                gram: rows.gram(count)? * square,
                slope: rows.slope() * square,
                constant: rows.residuals.iter().map(|residual| residual * residual).sum::<f64>() * square,
                rank: NormalEquations::new(weighted(rows, count)?).rank() as f64,
                deviation: prior.deviation,
                start: prior.deviation,
            });
        }
        for iteration in 0..MAX_ITERATIONS {
            let (mut matrix, mut right) = (known.clone(), slope.clone());
            for prior in &estimated {
                let weight = prior.deviation.powi(-2);
                matrix += &prior.gram * weight;
                right += &prior.slope * weight;
            }
            let (change, inverse) = solved(matrix, &right, held)?;
            let mut moved = 0.0_f64;
            for prior in &mut estimated {
                let next = prior.next(&change, &inverse, iteration == 0)?;
                moved = moved.max((next / prior.deviation - 1.0).abs());
                prior.deviation = next;
            }
            if moved <= SETTLED_CHANGE {
                break;
            }
        }
        Some(estimated.into_iter().map(|prior| prior.deviation).collect())
    }
}

impl Estimated {
    /// The deviation of the values that have changed like this, with this inverse of the curvature, which `is_fitted`
    /// to the present values.
    fn next(&self, change: &DVector<f64>, inverse: &DMatrix<f64>, is_fitted: bool) -> Option<f64> {
        /// The number of values determined by the data below which a smaller deviation changes nothing: the deviation
        /// would fall without end, and goes to its limit.
        const MIN_USEFUL: f64 = 0.05;
        /// The least number of values that the data may tell.
        const MIN_DETERMINED: f64 = 1e-3;
        /// The most by which a deviation moves before the model is linearised again, as a factor either way.
        const MAX_FACTOR: f64 = 4.0;
        let told_by_prior = self.gram.dot(inverse) / (self.deviation * self.deviation);
        let told = (self.rank - told_by_prior).max(MIN_DETERMINED);
        if told < MIN_USEFUL {
            return Some(if is_fitted { 1.0 / MAX_DEVIATION_FACTOR } else { self.deviation });
        }
        let squares = self.constant + 2.0 * self.slope.dot(change) + (&self.gram * change).dot(change);
        let found = (squares.max(0.0) / told).sqrt();
        let near = found.clamp(self.start / MAX_FACTOR, self.start * MAX_FACTOR);
        near.is_finite().then(|| near.clamp(1.0 / MAX_DEVIATION_FACTOR, MAX_DEVIATION_FACTOR))
    }
}

/// The change that ends at the minimum, and the inverse of the matrix, which is symmetric; unknowns that are `held`
/// have none.
fn solved(mut matrix: DMatrix<f64>, slope: &DVector<f64>, held: &[bool]) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let mut right = -slope;
    for (k, _) in held.iter().enumerate().filter(|(_, held)| **held) {
        matrix.row_mut(k).fill(0.0);
        matrix.column_mut(k).fill(0.0);
        matrix[(k, k)] = 1.0;
        right[k] = 0.0;
    }
    let scale = matrix.diagonal().map(|entry| if entry > 0.0 { entry.sqrt().recip() } else { 1.0 });
    for (k, factor) in scale.iter().enumerate() {
        matrix.row_mut(k).scale_mut(*factor);
        matrix.column_mut(k).scale_mut(*factor);
        // what nothing determines stays where it is
        matrix[(k, k)] += 1e-12;
    }
    let factor: Cholesky<f64, Dyn> = Cholesky::new(matrix)?;
    let mut inverse = factor.inverse();
    for (k, factor) in scale.iter().enumerate() {
        inverse.row_mut(k).scale_mut(*factor);
        inverse.column_mut(k).scale_mut(*factor);
    }
    for (k, _) in held.iter().enumerate().filter(|(_, held)| **held) {
        inverse[(k, k)] = 0.0;
    }
    let change = &inverse * right;
    change.iter().all(|entry| entry.is_finite()).then_some((change, inverse))
}
