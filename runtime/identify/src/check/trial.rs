//! Trials of unknowns whose derivatives vanish: derivatives do not show an unknown that acts by jumps alone.

use crate::estimation::experiment_problem::EstimationProblem;
use crate::thresholds::ROUNDING_OF_DECIMALS;

/// Changes of the scaled unknown that are tried in both directions.
const CHANGES: [f64; 3] = [0.01, 0.1, 0.5];

impl EstimationProblem {
    /// Returns true if the cost changes with unknown k, whose derivative is zero, at values nearby.
    pub(crate) fn acts_nearby(&self, unknowns: &[f64], k: usize) -> bool {
        let cost = |unknowns: &[f64]| -> Option<f64> {
            let outputs = self.outputs(unknowns).ok()?;
            let of_experiments = self.experiments.iter().zip(&outputs);
            let of_experiments = of_experiments.map(|(prepared, outputs)| prepared.comparison.value(outputs, unknowns));
            let of_predictions = self
                .predictions
                .iter()
                .map(|predicted| Some(predicted.comparison.value(&predicted.outputs(unknowns).ok()?, unknowns)));
            let of_predictions: f64 = of_predictions.collect::<Option<Vec<f64>>>()?.into_iter().sum();
            Some(of_experiments.sum::<f64>() + of_predictions)
        };
        let Some(own) = cost(unknowns) else { return false };
        let variable = self.state.variables()[k].starting_with(unknowns[k]);
        CHANGES.iter().flat_map(|change| [*change, -change]).any(|change| {
            let mut tried = unknowns.to_vec();
            tried[k] = variable.physical(change);
            cost(&tried).is_some_and(|cost| (cost - own).abs() > ROUNDING_OF_DECIMALS * own.abs())
        })
    }
}
