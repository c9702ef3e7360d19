//! Choosing q_s, q_d and q_p by the convergence plot (KE 2.2.4): as high as the filter stays stable.

use costate_numerics::scalar::out_of_range::OutOfRange;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

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
    /// By how much q_d lies below q_s; smaller values than q_s suit both curves (KE 3.1.1).
    pub damping_below: f64,
    /// A filter counts as unstable when the number of its good samples (e_s <= e_m/2) falls by more than this part
    /// below the largest one found so far.
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
    /// The reason why the filter was stopped, if it was.
    pub stopped: Option<String>,
}

impl TuningSearch {
    /// Raises q_s from `low` until e_s falls below e_m, and further until the filter is no longer stable; the last
    /// stable run is the result, with all trials.
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
            return Err(OutOfRange { field, value: self.step, limit }.into());
        }
        let (mut best, mut most) = (None, 0.0_f64);
        let mut trials = Vec::new();
        let inertia = identification.tuning().inertia;
        let steps = ((self.high - self.low) / self.step + 1e-9) as usize;
        for k in 0..=steps {
            let stiffness = self.low + k as f64 * self.step;
            let exponents = Exponents { stiffness, damping: stiffness - self.damping_below, inertia };
            let found = identification.clone().exponents(exponents).run(inputs, measurements)?;
            let trial = TuningTrial::of(&found);
            let good_part = trial.good_part;
            let unstable = trial.stopped.is_some() || good_part < (1.0 - self.loss) * most;
            trials.push(trial);
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
                reason: trials
                    .iter()
                    .find_map(|trial| trial.stopped.clone())
                    .unwrap_or_else(|| "e_s stays above half of e_m; look at the model, or raise `high`".to_owned()),
            }),
        }
    }
}

impl TuningTrial {
    fn of(found: &RestoringForces) -> Self {
        let stopped = found.run().stopped().map(ToString::to_string);
        let errors = &found.convergence().synchronisation_errors;
        let finite = errors.iter().filter(|error| error.is_finite());
        let synchronisation_error = finite.clone().sum::<f64>() / finite.count().max(1) as f64;
        let good_part = if stopped.is_some() { 0.0 } else { found.convergence().good_part() };
        Self { exponents: found.exponents(), good_part, synchronisation_error, stopped }
    }

    fn sum(&self) -> f64 {
        self.exponents.stiffness + self.exponents.damping + self.exponents.inertia
    }
}

/// A search over all combinations of exponents, where a [`TuningSearch`] goes along one line: for forces whose damping
/// changes faster than their stiffness, and for unknown inertia.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningPlane {
    /// Values of q_s.
    pub stiffness: Vec<f64>,
    /// Values of q_d.
    pub damping: Vec<f64>,
    /// Values of q_p; one, such as the usual -4, where all inertia is known.
    pub inertia: Vec<f64>,
    /// A filter counts as stable when the number of its good samples (e_s <= e_m/2) is at most this part below the
    /// largest one of all combinations.
    pub loss: f64,
}

impl Default for TuningPlane {
    fn default() -> Self {
        let values: Vec<f64> = (0..=4).map(f64::from).collect();
        Self { stiffness: values.clone(), damping: values, inertia: vec![-4.0], loss: 0.1 }
    }
}

impl TuningPlane {
    /// Runs a filter for every combination, on all cores. The result is the one of the stable combinations whose
    /// exponents are the highest together, and among these the one with the most good samples; with all trials, q_p
    /// changing fastest and q_s slowest.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for a list that is empty or not finite and for the loss,
    /// [`RestoringForceError::NoStableTuning`], and those of the identification.
    pub fn run(
        &self,
        identification: &RestoringForceIdentification,
        inputs: &[f64],
        measurements: &[f64],
    ) -> Result<(RestoringForces, Vec<TuningTrial>), RestoringForceError> {
        let combinations = self.combinations()?;
        let trials = combinations
            .into_par_iter()
            .map(|exponents| {
                let found = identification.clone().exponents(exponents).run(inputs, measurements)?;
                Ok(TuningTrial::of(&found))
            })
            .collect::<Result<Vec<_>, RestoringForceError>>()?;
        let most = trials.iter().fold(0.0_f64, |most, trial| most.max(trial.good_part));
        let is_stable = |trial: &&TuningTrial| trial.good_part > 0.0 && trial.good_part >= (1.0 - self.loss) * most;
        let order =
            |a: &&TuningTrial, b: &&TuningTrial| a.sum().total_cmp(&b.sum()).then(a.good_part.total_cmp(&b.good_part));
        let Some(best) = trials.iter().filter(is_stable).max_by(order) else {
            let ends = |fold: fn(f64, f64) -> f64, start| self.stiffness.iter().copied().fold(start, fold);
            return Err(RestoringForceError::NoStableTuning {
                low: ends(f64::min, f64::INFINITY),
                high: ends(f64::max, f64::NEG_INFINITY),
                reason: trials.iter().find_map(|trial| trial.stopped.clone()).unwrap_or_else(|| {
                    "e_s stays above half of e_m; look at the model, or take other exponents".to_owned()
                }),
            });
        };
        // once more, as the results of all would take much memory
        let found = identification.clone().exponents(best.exponents).run(inputs, measurements)?;
        Ok((found, trials))
    }

    fn combinations(&self) -> Result<Vec<Exponents>, RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        for (field, values) in
            [("values of q_s", &self.stiffness), ("values of q_d", &self.damping), ("values of q_p", &self.inertia)]
        {
            if values.is_empty() {
                return out_of_range(field, f64::NAN, "one at least");
            }
            if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
                return out_of_range(field, value, "finite");
            }
        }
        if !(0.0..1.0).contains(&self.loss) {
            return out_of_range("loss", self.loss, "from 0 to below 1");
        }
        let mut all = Vec::with_capacity(self.stiffness.len() * self.damping.len() * self.inertia.len());
        for &stiffness in &self.stiffness {
            for &damping in &self.damping {
                all.extend(self.inertia.iter().map(|&inertia| Exponents { stiffness, damping, inertia }));
            }
        }
        Ok(all)
    }
}
