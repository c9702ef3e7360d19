//! Normalised errors of estimates relative to a reference, independent of units (KE appendix B).

use super::error::RestoringForceError;
use costate_numerics::scalar::out_of_range::OutOfRange;

/// Normalised errors of one or several signals.
///
/// ```
/// use costate::restoring_force::SeriesError;
///
/// # fn main() -> Result<(), costate::restoring_force::RestoringForceError> {
/// let error = SeriesError::new(&[1.1, -0.9, 1.1, -0.9], &[1.0, -1.0, 1.0, -1.0])?;
/// assert!((error.percent() - 10.0).abs() < 1e-9 && (error.mean_percent() - 10.0).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesError {
    /// e_MS, the mean square of the difference over the variance of the reference (KE B.1); 1 - R^2.
    pub mean_square: f64,
    /// e_M, the size of the mean difference over the standard deviation of the reference (KE B.5): the part of the
    /// error that is bias.
    pub mean: f64,
}

impl SeriesError {
    /// Computes the errors of the signal `estimates` relative to `reference`; samples at which the reference is NaN
    /// do not count.
    ///
    /// # Errors
    /// As [`of_rows`](Self::of_rows).
    pub fn new(estimates: &[f64], reference: &[f64]) -> Result<Self, RestoringForceError> {
        Self::of_rows(estimates, reference, 1)
    }

    /// Computes the errors of `signals` signals whose samples are rows, one after another: the average over the
    /// signals, each normalised by itself, so that units may differ.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`] for no signal, lengths that differ or incomplete rows;
    /// [`RestoringForceError::Signal`] for an estimate that is not finite where the reference is known, and for an
    /// infinite reference; [`RestoringForceError::OutOfRange`] for a constant reference, for which an absolute error
    /// is appropriate.
    pub fn of_rows(estimates: &[f64], reference: &[f64], signals: usize) -> Result<Self, RestoringForceError> {
        let size = |field, given, expected| Err(RestoringForceError::Size { field, given, expected });
        if signals == 0 {
            return size("signals", 0, 1);
        }
        if estimates.len() != reference.len() {
            return size("estimates", estimates.len(), reference.len());
        }
        if !reference.len().is_multiple_of(signals) {
            return size("reference", reference.len(), reference.len().div_ceil(signals) * signals);
        }
        let (mut mean_square, mut mean) = (0.0, 0.0);
        for j in 0..signals {
            let of_signal = Self::of_signal(estimates, reference, j, signals)?;
            mean_square += of_signal.mean_square / signals as f64;
            mean += of_signal.mean / signals as f64;
        }
        Ok(Self { mean_square, mean })
    }

    fn of_signal(estimates: &[f64], reference: &[f64], j: usize, signals: usize) -> Result<Self, RestoringForceError> {
        let pairs = || estimates.iter().zip(reference).skip(j).step_by(signals).enumerate();
        let known = || pairs().filter(|(_, (_, x))| !x.is_nan());
        let bad = |name: &str, sample, value| {
            let (field, remedy) = (format!("{name} {}", j + 1), "errors are those of finite values");
            Err(RestoringForceError::Signal { field, sample, value, remedy })
        };
        for (sample, (&y, &x)) in known() {
            if !x.is_finite() {
                return bad("reference", sample, x);
            }
            if !y.is_finite() {
                return bad("estimate", sample, y);
            }
        }
        let count = known().count() as f64;
        let average = known().map(|(_, (_, x))| x).sum::<f64>() / count;
        let (mut squares, mut sum, mut variance) = (0.0, 0.0, 0.0);
        for (_, (y, x)) in known() {
            squares += (x - y) * (x - y) / count;
            sum += (x - y) / count;
            variance += (x - average) * (x - average) / count;
        }
        if variance.is_nan() || variance <= 0.0 {
            let (field, limit) = ("variance of the reference", "positive: a constant has no normalised error");
            return Err(OutOfRange { field, value: variance, limit }.into());
        }
        Ok(Self { mean_square: squares / variance, mean: (sum / variance.sqrt()).abs() })
    }

    /// Returns e_RMS, the root of e_MS (KE B.3).
    pub fn root_mean_square(&self) -> f64 {
        self.mean_square.sqrt()
    }

    /// Returns e_RMS% (KE B.3).
    pub fn percent(&self) -> f64 {
        100.0 * self.root_mean_square()
    }

    /// Returns e_M% (KE B.6).
    pub fn mean_percent(&self) -> f64 {
        100.0 * self.mean
    }
}

/// Returns e_RS, the error of one number relative to `reference` (KE B.4); 100 times that is e_RS%.
///
/// # Errors
/// [`RestoringForceError::OutOfRange`] for numbers that are not finite, and a reference of 0.
pub fn number_error(estimate: f64, reference: f64) -> Result<f64, RestoringForceError> {
    let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
    if !estimate.is_finite() {
        return out_of_range("estimate", estimate, "finite");
    }
    if !reference.is_finite() || reference == 0.0 {
        return out_of_range("reference", reference, "finite and not 0: nothing is relative to 0");
    }
    Ok(((reference - estimate) / reference).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_and_variance_are_told_apart() {
        // variance 1, bias 0.3, deviations of 0.4 around it
        let reference = [1.0, 1.0, -1.0, -1.0];
        let estimates = [1.7, 0.9, -0.3, -1.1];
        let error = SeriesError::new(&estimates, &reference).unwrap();
        assert!((error.percent() - 50.0).abs() < 1e-12, "{error:?}");
        assert!((error.mean_percent() - 30.0).abs() < 1e-12, "{error:?}");
        // the second signal in other units, without error; a gap in the reference does not count
        let rows = [1.7, 1e6, 0.9, 2e6, -0.3, 1e6, -1.1, 2e6, 7.0, f64::NAN];
        let exact = [1.0, 1e6, 1.0, 2e6, -1.0, 1e6, -1.0, 2e6, f64::NAN, f64::NAN];
        let both = SeriesError::of_rows(&rows, &exact, 2).unwrap();
        assert!((both.mean_square - 0.125).abs() < 1e-12 && (both.mean - 0.15).abs() < 1e-12, "{both:?}");
        assert!((number_error(1.9, 2.0).unwrap() - 0.05).abs() < 1e-12);
    }

    #[test]
    fn what_has_no_error_is_refused() {
        let size = |result| matches!(result, Err(RestoringForceError::Size { .. }));
        assert!(size(SeriesError::new(&[1.0], &[1.0, 2.0])));
        assert!(size(SeriesError::of_rows(&[1.0; 3], &[1.0; 3], 2)));
        assert!(size(SeriesError::of_rows(&[], &[], 0)));
        let error = SeriesError::new(&[1.0, f64::NAN], &[1.0, 2.0]).unwrap_err();
        assert!(matches!(error, RestoringForceError::Signal { sample: 1, .. }), "{error}");
        for constant in [vec![2.0, 2.0], vec![], vec![f64::NAN, f64::NAN]] {
            let error = SeriesError::new(&vec![1.0; constant.len()], &constant).unwrap_err();
            assert!(matches!(error, RestoringForceError::OutOfRange(..)), "{error}");
        }
        assert!(number_error(1.0, 0.0).is_err() && number_error(f64::NAN, 1.0).is_err());
    }
}
