//! Choosing q_s and q_d by the convergence plot (KE 2.2.4): as high as the filter stays stable.

use super::error::RestoringForceError;
use super::identification::RestoringForceIdentification;
use super::result::RestoringForces;
use super::tuning::Exponents;

/// A search for the exponents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuningSearch {
    /// The lowest q_s.
    pub low: f64,
    /// The highest q_s.
    pub high: f64,
    /// Step of q_s.
    pub step: f64,
    /// By how much q_d lies below q_s; smaller values than q_s serve both curves (KE 3.1.1).
    pub damping_below: f64,
    /// A filter counts as unstable when the number of its good samples (e_s <= e_m/2) falls by more than this part below
    /// the largest one found so far.
    pub loss: f64,
}

impl Default for TuningSearch {
    fn default() -> Self {
        Self { low: 0.0, high: 5.0, step: 0.5, damping_below: 2.0, loss: 0.1 }
    }
}

/// One pair of exponents that was tried.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningTrial {
    /// The exponents.
    pub exponents: Exponents,
    /// Part of the samples with e_s <= e_m/2; 0 if the filter was stopped.
    pub good_part: f64,
    /// Mean of e_s over the samples.
    pub synchronisation_error: f64,
    /// Why the filter was stopped, if it was.
    pub stopped: Option<String>,
}

impl TuningSearch {
    /// Raises q_s from `low` until e_s falls below e_m, and further until the filter is no longer stable; the last stable
    /// run is the result, with all trials.
    ///
    /// # Errors
    /// [`RestoringForceError::NoStableTuning`], and those of the identification.
    pub fn run(
        &self,
        identification: &RestoringForceIdentification,
        inputs: &[f64],
        measurements: &[f64],
    ) -> Result<(RestoringForces, Vec<TuningTrial>), RestoringForceError> {
        if !(self.step > 0.0 && self.low <= self.high && self.high.is_finite() && self.low.is_finite()) {
            let (field, limit) = ("step of the search", "positive, and `low` at most `high`, both finite");
            return Err(RestoringForceError::OutOfRange { field, value: self.step, limit });
        }
        let (mut best, mut most) = (None, 0.0_f64);
        let mut trials = Vec::new();
        let inertia = identification.tuning().inertia;
        let steps = ((self.high - self.low) / self.step + 1e-9) as usize;
        for k in 0..=steps {
            let stiffness = self.low + k as f64 * self.step;
            let exponents = Exponents { stiffness, damping: stiffness - self.damping_below, inertia };
            let found = identification.clone().exponents(exponents).run(inputs, measurements)?;
            let stopped = found.run().stopped().map(ToString::to_string);
            let errors = &found.convergence().synchronisation_errors;
            let finite = errors.iter().filter(|error| error.is_finite());
            let synchronisation_error = finite.clone().sum::<f64>() / finite.count().max(1) as f64;
            let good_part = if stopped.is_some() { 0.0 } else { found.convergence().good_part() };
            let unstable = stopped.is_some() || good_part < (1.0 - self.loss) * most;
            trials.push(TuningTrial { exponents, good_part, synchronisation_error, stopped });
            if unstable {
                break;
            }
            most = good_part.max(most);
            if good_part > 0.0 {
                best = Some(found);
            }
        }
        match best {
            Some(best) => Ok((best, trials)),
            None => Err(RestoringForceError::NoStableTuning {
                low: self.low,
                high: self.high,
                reason: trials.iter().find_map(|trial| trial.stopped.clone()).unwrap_or_else(|| {
                    "e_s stays above half of e_m; look at the model, or raise `high`".to_owned()
                }),
            }),
        }
    }
}
