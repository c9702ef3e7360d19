//! Preparation of the priors of parameters and inputs.

use crate::definition::Definition;
use crate::definition::error::SpecificationError;
use crate::definition::experiment::ExperimentDefinition;
use crate::definition::unknown_input::curvatures;
use crate::estimation::driven::DrivenInputs;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::layout::Layout;
use crate::estimation::priors::{Combination, CombinedPrior, Priors};

impl Definition {
    /// Collects the priors; that of a parameter applies to all unknowns of this parameter.
    pub(crate) fn priors_of(
        &self,
        layout: &Layout,
        experiments: &[&ExperimentDefinition],
        prepared: &[ExperimentProblem],
    ) -> Result<Priors, SpecificationError> {
        let mut priors = Vec::new();
        for (parameter, prior) in &self.priors {
            let before = priors.len();
            for (index, unknown) in layout.unknowns.iter().enumerate() {
                if unknown.parameter == Some(parameter.index()) {
                    prior.check(&unknown.variable)?;
                    priors.push((index, *prior));
                }
            }
            if priors.len() == before {
                return Err(SpecificationError::PriorOfKnown { parameter: parameter.name() });
            }
        }
        let fitted = experiments.iter().filter(|experiment| !experiment.validates && experiment.has_run());
        let of_experiment = |(experiment, prepared): (&&ExperimentDefinition, &ExperimentProblem)| {
            of_inputs(experiment, &prepared.driven)
        };
        let combined = fitted.zip(prepared).flat_map(of_experiment).collect();
        let of_inertias = layout.priors_of_inertias(&self.inertias);
        Ok(Priors { of_unknowns: priors, of_inertias, combined })
    }
}

/// Returns the priors of unknown inputs.
fn of_inputs(experiment: &ExperimentDefinition, driven: &DrivenInputs) -> Vec<CombinedPrior> {
    let mut all = Vec::new();
    for (unknown, of_knots) in experiment.unknown_inputs.iter().zip(&driven.of_knots) {
        let numbered = |terms: &[(usize, f64)]| {
            let terms = terms.iter().map(|(knot, part)| (of_knots.first + knot, *part));
            Combination { constant: 0.0, terms: terms.collect() }
        };
        if let Some(deviation) = unknown.deviation {
            let each = (0..of_knots.knots).map(|knot| numbered(&[(knot, 1.0 / deviation)]));
            all.push(CombinedPrior::given(each.collect()));
        }
        if let Some(curvature) = unknown.curvature {
            let sums = curvatures(unknown.interval, of_knots.knots, curvature);
            all.push(CombinedPrior::given(sums.iter().map(|sum| numbered(sum)).collect()));
        }
    }
    all
}
