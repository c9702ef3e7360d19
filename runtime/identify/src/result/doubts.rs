//! The doubts that a reader of a fit should know before the numbers.

use costate_cost::residuals::Judgement;

use super::report::title_of;
use super::summary::{FitSummary, Validation};

impl FitSummary {
    /// Collects the doubts about the fit, each in a sentence: unknowns that are not determined, were left unchanged or
    /// are at a bound, steps that are too long, remarks, validation experiments that cannot be simulated or contradict
    /// the model.
    #[doc(hidden)]
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        if !self.undetermined.is_empty() {
            doubts.push(
                "The measurement does not determine all unknowns: the text output lists what is open.".to_owned(),
            );
        }
        if !self.flat.is_empty() {
            doubts.push(
                "Unknowns, or combinations of them, were left unchanged, as the data do not determine them: the text \
                     output lists them."
                    .to_owned(),
            );
        }
        let at_bound: Vec<_> = self.parameters.iter().filter(|one| one.at_bound).map(|one| one.name.as_str()).collect();
        if !at_bound.is_empty() {
            doubts.push(format!("At a bound, where standard deviations are not meaningful: {}.", at_bound.join(", ")));
        }
        for measured in &self.measurements {
            if let Some(error) = measured.step_error.filter(|error| *error > measured.standard_deviation) {
                doubts.push(format!(
                    "The step size causes an error of up to {error:.2e} {} in {}, more than the standard deviation of \
                         a measured value, {:.2e}: take a shorter step.",
                    measured.unit,
                    title_of(measured),
                    measured.standard_deviation
                ));
            }
        }
        doubts.extend(self.remarks.iter().cloned());
        if let Some(failed) = self.validation.iter().find(|validation| validation.failed.is_some()) {
            doubts.push(format!("The validation experiment `{}` cannot be simulated.", failed.experiment));
        }
        let contradicts = |validation: &&Validation| {
            validation.verdict.as_ref().is_some_and(|verdict| verdict.judgement == Judgement::Insufficient)
        };
        doubts.extend(self.validation.iter().filter(contradicts).map(|validation| {
            format!("The validation experiment `{}` is not predicted within its noise.", validation.experiment)
        }));
        doubts
    }
}
