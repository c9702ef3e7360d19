//! Messages by which processes agree on a joint cost before they evaluate it.

use serde::{Deserialize, Serialize};

use costate_system::state_file::Description;

use crate::build::channels::Weighing;
use crate::definition::error::{DataError, DistributedError, IdentificationError, SpecificationError};
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::priors::CombinedPrior;

use super::messages::Head;

/// Message of one process before its experiments are prepared.
#[derive(Serialize, Deserialize)]
pub(super) struct Hello {
    /// Description of everything that must be the same in all processes.
    pub common: Description,
    pub heads: Vec<Head>,
    pub weighing: Weighing,
}

/// Message of one process about its prepared experiments.
#[derive(Serialize, Deserialize)]
pub(super) struct Offer {
    /// Description of the experiments.
    pub experiments: Description,
    /// Priors of the unknown inputs of the experiments.
    pub priors: Vec<CombinedPrior>,
    /// Indices of the unknowns on which each fitted experiment depends.
    pub depends: Vec<Vec<usize>>,
    /// Number of samples of the fitted experiments.
    pub samples: usize,
    /// Number of measured channels, and true if the deviation of one of them is estimated from residuals.
    pub channels: usize,
    pub are_estimated: bool,
    /// True if a channel has hardly more samples than there are unknowns.
    pub has_few_samples: bool,
    /// True if an experiment has a further cost.
    pub has_costs: bool,
    /// True if all costs have residuals.
    pub has_residuals: bool,
    pub simulation_bytes: u64,
    pub sample_bytes: u64,
    pub available_bytes: Option<u64>,
}

impl Offer {
    /// Checks that experiments have unknowns in common, and that there are enough data.
    pub fn check(all: &[Self], estimation: &EstimationProblem) -> Result<(), IdentificationError> {
        let has_costs = all.iter().any(|offer| offer.has_costs);
        if has_costs && all.iter().any(|offer| offer.are_estimated) {
            return Err(DistributedError::NotDistributed {
                what: "a further cost, together with standard deviations that are estimated from the residuals,",
                remedy: "give every measurement its standard deviation with `Measurement::standard_deviation`",
            }
            .into());
        }
        let (unknowns, mut users) = (estimation.unknowns.len(), vec![0_usize; estimation.unknowns.len()]);
        let depends = || all.iter().flat_map(|offer| &offer.depends);
        let used = depends().flatten();
        used.for_each(|&unknown| {
            if let Some(users) = users.get_mut(unknown) {
                *users += 1;
            }
        });
        let experiments = depends().count();
        if experiments > 1 && users.iter().all(|users| *users < 2) {
            return Err(SpecificationError::NothingInCommon { experiments }.into());
        }
        let samples = all.iter().map(|offer| offer.samples).sum::<usize>() + estimation.priors.count();
        match samples < unknowns && !has_costs {
            true => Err(DataError::TooFewSamples { samples, unknowns }.into()),
            false => Ok(()),
        }
    }

    /// Returns the bytes of the residuals of all experiments as triangular factors: each experiment has one row more
    /// than it has unknowns, and one column more than there are unknowns in all.
    pub fn factor_bytes(all: &[Self], unknowns: usize) -> u64 {
        let rows: u64 = all.iter().flat_map(|offer| &offer.depends).map(|depends| depends.len() as u64 + 1).sum();
        let row = (unknowns as u64 + 1).saturating_mul(size_of::<f64>() as u64);
        rows.saturating_mul(row)
    }
}

/// Checks that all processes have the same settings.
pub(super) fn check_alike(all: &[Hello]) -> Result<(), DistributedError> {
    let Some(root) = all.first() else { return Ok(()) };
    for (process, said) in all.iter().enumerate() {
        if let Some(first) = root.common.differences(&said.common).first() {
            let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            return Err(DistributedError::ProcessesDiffer {
                process,
                what: first.what.clone(),
                there: text(&first.given),
                root: text(&first.stored),
            });
        }
    }
    Ok(())
}
