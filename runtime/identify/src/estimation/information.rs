//! Information of channels about the unknowns, in numbers whose count does not grow with the samples: for covariances
//! of experiments that are distributed over processes.

use nalgebra::DMatrix;

use costate_numerics::linalg::NormalEquations;

use super::covariance::ChannelRows;

/// Information of one channel about the unknowns on which it depends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChannelInformation {
    /// Indices of the unknowns of the columns.
    unknowns: Vec<usize>,
    /// Triangular factor of the rows, each multiplied by the root of its weight in the curvature of the cost.
    curved: DMatrix<f64>,
    /// Triangular factor of the rows, each multiplied by its weight and the root of the mean square slope of the
    /// loss, for the scatter by errors of deviation 1.
    scattered: DMatrix<f64>,
    samples: usize,
    /// The sum of the squares of the residuals.
    squares: f64,
    /// Standard deviation of the errors; `None` if not given.
    deviation: Option<f64>,
}

impl ChannelInformation {
    /// Condenses the rows of a channel; `None` where a number is not finite.
    pub fn of(rows: ChannelRows) -> Option<Self> {
        let is_used = |k: &usize| rows.sensitivities.column(*k).iter().any(|entry| *entry != 0.0);
        let unknowns: Vec<usize> = (0..rows.sensitivities.ncols()).filter(is_used).collect();
        let rows = ChannelRows { sensitivities: rows.sensitivities.select_columns(&unknowns), ..rows };
        let (curvature, spread) = (rows.curvature(), rows.spread());
        Some(Self {
            curved: rows.factor(unknowns.len(), |weight| (weight * curvature).sqrt())?,
            scattered: rows.factor(unknowns.len(), |weight| weight * spread)?,
            unknowns,
            samples: rows.residuals.len(),
            squares: rows.residuals.iter().map(|residual| residual * residual).sum(),
            deviation: rows.deviation,
        })
    }

    /// Returns the information as numbers; the first is how many follow.
    pub fn numbers(&self) -> Vec<f64> {
        let columns = self.unknowns.len();
        let mut numbers = vec![
            (4 + columns + 2 * columns * columns) as f64,
            self.samples as f64,
            self.squares,
            self.deviation.unwrap_or(f64::NAN),
            columns as f64,
        ];
        numbers.extend(self.unknowns.iter().map(|unknown| *unknown as f64));
        numbers.extend(self.curved.iter().chain(&self.scattered));
        numbers
    }

    /// Reads the next information from several [`numbers`](Self::numbers) one after another; `None` at the end.
    pub fn next(numbers: &mut &[f64]) -> Option<Self> {
        let (count, rest) = numbers.split_first()?;
        let (own, rest) = rest.split_at_checked(*count as usize)?;
        *numbers = rest;
        let [samples, squares, deviation, columns, own @ ..] = own else { return None };
        let columns = *columns as usize;
        let (unknowns, factors) = own.split_at_checked(columns)?;
        let (curved, scattered) = factors.split_at_checked(columns * columns)?;
        let is_whole = scattered.len() == columns * columns;
        let matrix = |entries: &[f64]| DMatrix::from_column_slice(columns, columns, entries);
        is_whole.then(|| Self {
            unknowns: unknowns.iter().map(|unknown| *unknown as usize).collect(),
            curved: matrix(curved),
            scattered: matrix(scattered),
            samples: *samples as usize,
            squares: *squares,
            deviation: (!deviation.is_nan()).then_some(*deviation),
        })
    }

    /// Returns the number of unknowns that the channel determines, given the normal equations of all.
    pub fn determined_of(&self, normal: &NormalEquations, unknowns: usize) -> f64 {
        normal.determined_by(&normal.scaled(self.widened(&self.curved, unknowns)))
    }

    /// Extends the columns of a factor to all unknowns.
    fn widened(&self, factor: &DMatrix<f64>, unknowns: usize) -> DMatrix<f64> {
        let mut wide = DMatrix::zeros(factor.nrows(), unknowns);
        for (place, unknown) in self.unknowns.iter().enumerate() {
            wide.set_column(*unknown, &factor.column(place));
        }
        wide
    }
}

/// Returns the normal equations of all channels.
pub(crate) fn normal_equations(channels: &[ChannelInformation], unknowns: usize) -> NormalEquations {
    let rows: usize = channels.iter().map(|channel| channel.curved.nrows()).sum();
    let (mut stacked, mut first) = (DMatrix::zeros(rows, unknowns), 0);
    for channel in channels {
        let wide = channel.widened(&channel.curved, unknowns);
        stacked.rows_mut(first, wide.nrows()).copy_from(&wide);
        first += wide.nrows();
    }
    NormalEquations::new(stacked)
}

/// Returns the variances of the unknowns, the diagonal of the [`covariance`](super::covariance::covariance) of the
/// same channels; a deviation that is not given is estimated from the residuals. Infinite for unknowns that are not
/// determined.
pub(crate) fn variances(channels: &[ChannelInformation], unknowns: usize) -> Vec<f64> {
    let normal = normal_equations(channels, unknowns);
    let samples: usize = channels.iter().map(|channel| channel.samples).sum();
    let spare = samples as f64 - normal.rank() as f64;
    let mut middle = DMatrix::zeros(unknowns, unknowns);
    for channel in channels {
        let found = channel.squares / channel.samples as f64 * samples as f64 / spare;
        let variance = match channel.deviation {
            Some(deviation) => deviation * deviation,
            // without spare samples the errors cannot be estimated
            None if spare <= 0.0 => return vec![f64::INFINITY; unknowns],
            None => found,
        };
        let own = normal.scaled(channel.widened(&channel.scattered, unknowns));
        middle += own.transpose() * own * variance;
    }
    normal.spread(&middle).diagonal().as_slice().to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::covariance::covariance;
    use super::*;
    use costate_cost::residuals::Loss;

    fn channel(loss: Loss, deviation: Option<f64>, seed: usize) -> ChannelRows {
        let place = |j: usize, k: usize| (1.3 * (j * (k + 1) + seed) as f64).sin();
        let is_used = |k: usize| k != seed % 4;
        ChannelRows {
            sensitivities: DMatrix::from_fn(40, 4, |j, k| if is_used(k) { place(j, k) } else { 0.0 }),
            weights: (0..40).map(|j| 1.0 + (j % (seed + 1)) as f64).collect(),
            residuals: (0..40).map(|j| 0.3 * place(j, 7)).collect(),
            deviation,
            loss,
        }
    }

    #[test]
    fn variances_are_those_of_the_covariance() {
        let huber = Loss::Huber { threshold: 1.3 };
        let channels = [
            channel(Loss::Squares, Some(0.2), 0),
            channel(huber, Some(0.1), 1),
            channel(Loss::Squares, None, 2),
            channel(Loss::Squares, None, 3),
        ];
        let told: Vec<f64> = channels
            .iter()
            .flat_map(|rows| ChannelInformation::of(rows.clone()).map_or(Vec::new(), |told| told.numbers()))
            .collect();
        let mut numbers = &told[..];
        let informed: Vec<_> = std::iter::from_fn(|| ChannelInformation::next(&mut numbers)).collect();
        assert_eq!(informed.len(), channels.len());
        let expected = covariance(&channels, 4).matrix;
        for (k, variance) in variances(&informed, 4).into_iter().enumerate() {
            assert!((variance / expected[(k, k)] - 1.0).abs() < 1e-12, "{variance} {}", expected[(k, k)]);
        }
        // an unknown on which no channel depends
        let lone = ChannelInformation::of(channel(Loss::Squares, Some(0.2), 0));
        let lone: Vec<_> = lone.into_iter().collect();
        assert!(variances(&lone, 4)[0].is_infinite());
        assert!(variances(&lone, 4)[1].is_finite());
    }
}
