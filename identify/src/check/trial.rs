//! Trials of unknowns whose derivatives vanish: of what acts by jumps alone, derivatives say nothing.

use crate::campaign::prepared::Campaign;

/// Changes of the scaled unknown that are tried in both directions.
const CHANGES: [f64; 3] = [0.01, 0.1, 0.5];

/// The least change of the cost, as a part of it, that is none of rounding.
const LEAST: f64 = 1e-9;

impl Campaign<'_> {
    /// Whether the cost depends on unknown k, whose derivative there is zero: it does at values nearby.
    pub(crate) fn acts_nearby(&self, unknowns: &[f64], k: usize) -> bool {
        let cost = |unknowns: &[f64]| -> Option<f64> {
            let outputs = self.outputs(unknowns).ok()?;
            let of_experiments = self.experiments.iter().zip(&outputs);
            Some(of_experiments.map(|(prepared, outputs)| prepared.comparison.value(outputs, unknowns)).sum())
        };
        let Some(own) = cost(unknowns) else { return false };
        let variable = self.state.variables()[k].starting_with(unknowns[k]);
        CHANGES.iter().flat_map(|change| [*change, -change]).any(|change| {
            let mut tried = unknowns.to_vec();
            tried[k] = variable.physical(change);
            cost(&tried).is_some_and(|cost| (cost - own).abs() > LEAST * own.abs())
        })
    }
}
