//! The response of the adapted model, the structure with the identified curves, compared with the record.

use costate::restoring_force::{
    AdaptedModel, Mode, Response, RestoringForceCurve, RestoringForceError, RestoringForceIdentification,
    RestoringForces, SeriesError, Warning,
};
use costate::table::Curve;
use nalgebra::DMatrix;

use super::samples::Samples;
use super::tables::Curves;

/// Largest error of a response in percent, above which curves do not explain a record: those of the published examples
/// are up to 40 %.
const MAX_ERROR: f64 = 50.0;

/// Largest error of a response in percent whose size says something.
const MAX_SHOWN: f64 = 1000.0;

/// The response of the adapted model to the excitation of the record.
#[derive(Debug)]
pub struct Adapted {
    /// The response; `None` if the model cannot be simulated.
    pub response: Option<Response>,
    /// e_RMS% of every sensor; `None` for a sensor whose signal is constant.
    pub percent: Vec<Option<f64>>,
    /// The initial state in words.
    pub start: &'static str,
    /// Reasons to doubt the response.
    pub warnings: Vec<String>,
}

impl Adapted {
    /// Simulates the motion from rest or, if that is closer to the record, from the initial state found by a
    /// smoother (KE 4.2).
    ///
    /// # Errors
    /// Curves that are no tables.
    pub fn to(
        identification: &RestoringForceIdentification,
        samples: &Samples,
        curves: &Curves,
    ) -> Result<Self, RestoringForceError> {
        let tables = |curves: &[RestoringForceCurve]| -> Result<Vec<Curve>, RestoringForceError> {
            curves.iter().map(RestoringForceCurve::table).collect()
        };
        let at_rest = identification.model().adapted(&tables(&curves.elastic)?, &tables(&curves.dissipative)?)?;
        let starts =
            [("from rest", Ok(at_rest.clone())), ("from a smoothed start", smoothed(identification, at_rest, samples))];
        let (mut best, mut faults) = (None::<(f64, Self)>, Vec::new());
        for (start, model) in starts {
            match model.and_then(|model| model.respond(&samples.inputs, samples.count(), samples.interval)) {
                Ok(response) => {
                    let found = Self::of(response, start, samples);
                    let error = found.error();
                    if best.as_ref().is_none_or(|(least, _)| error < *least) {
                        best = Some((error, found));
                    }
                }
                Err(error) => faults.push(format!("no response {start}: {error}")),
            }
        }
        let none = Self { response: None, percent: Vec::new(), start: "", warnings: faults };
        Ok(best.map_or(none, |(_, best)| best))
    }

    fn of(response: Response, start: &'static str, samples: &Samples) -> Self {
        let error = |j: usize| SeriesError::new(&response.signal(j), &samples.signal(j)).ok();
        let percent = (0..response.moved.len()).map(|j| Some(error(j)?.percent())).collect();
        let mut found = Self { response: None, percent, start, warnings: Vec::new() };
        let exceeds = |most: f64| found.percent.iter().flatten().any(|percent| percent.is_nan() || *percent > most);
        let mut warnings = Vec::new();
        if exceeds(MAX_ERROR) {
            warnings.push(format!(
                "the response with the curves is {}: they do not explain the record; look at masses, units of the \
                     channels and the guess of the stiffness",
                found.in_words()
            ));
        }
        if !exceeds(MAX_SHOWN) {
            let others = response.warnings().into_iter().filter(is_doubtful);
            warnings.extend(others.map(|warning| warning.to_string()));
        }
        found.warnings = warnings;
        found.response = Some(response);
        found
    }

    /// Returns the mean of the errors of the signals; infinite without a response.
    pub fn error(&self) -> f64 {
        let errors: Vec<f64> = self.percent.iter().flatten().copied().collect();
        if errors.is_empty() { f64::INFINITY } else { errors.iter().sum::<f64>() / errors.len() as f64 }
    }

    /// Describes the error of every signal.
    pub fn in_words(&self) -> String {
        let percent = |percent: &Option<f64>| match percent {
            None => "-".to_owned(),
            Some(percent) if *percent <= MAX_SHOWN => format!("{percent:.1}"),
            Some(_) => format!("more than {MAX_SHOWN}"),
        };
        let errors: Vec<String> = self.percent.iter().map(percent).collect();
        match errors.is_empty() {
            false => format!("{} % off, {}", errors.join(", "), self.start),
            true => "none".to_owned(),
        }
    }
}

/// Returns false for a response that leaves a curve where its ends were trimmed.
fn is_doubtful(warning: &Warning) -> bool {
    /// Part of the time beyond a curve and distance from it, in its lengths, that trimmed ends cause.
    const MAX_BEYOND: [f64; 2] = [0.05, 0.1];
    match warning {
        Warning::BeyondCurve { part, farthest, .. } => *part > MAX_BEYOND[0] || *farthest > MAX_BEYOND[1],
        _ => true,
    }
}

/// Sets the initial state that filter and smoother find from the beginning of the record, in eight passes.
fn smoothed(
    identification: &RestoringForceIdentification,
    model: AdaptedModel,
    samples: &Samples,
) -> Result<AdaptedModel, RestoringForceError> {
    let beginning = samples.count().min(600);
    let part = |values: &[f64]| values[..values.len() / samples.count().max(1) * beginning].to_vec();
    let (inputs, measured) = (part(&samples.inputs), part(&samples.measured));
    let estimates = identification.iterate_initial_state(&inputs, &measured, 8)?;
    let n = identification.model().elements();
    let at = |j: usize| estimates.last().map_or((0.0, 0.0), |last| (last.mean[j], last.mean[n + j]));
    model.start(&(0..n).map(at).collect::<Vec<_>>())
}

/// All results.
#[derive(Debug)]
pub struct Found {
    pub forces: RestoringForces,
    pub curves: Curves,
    pub modes: Vec<Mode>,
    /// M^-1, if entries of it were unknown.
    pub inverse_inertia: Option<DMatrix<f64>>,
    pub adapted: Adapted,
}

impl Found {
    /// Lists reasons to doubt the results.
    pub fn warnings(&self) -> Vec<String> {
        let of_filter = self.forces.warnings().iter().map(ToString::to_string);
        of_filter.chain(self.adapted.warnings.iter().cloned()).collect()
    }
}
