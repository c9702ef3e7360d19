//! Reasons to doubt draws.

use serde::Serialize;

use crate::samples::Samples;
use crate::summary_row::SummaryRow;

/// R-hat above which chains do not agree.
const MAX_R_HAT: f64 = 1.01;

/// Effective number of draws below which errors are not reliable.
const MIN_EFFECTIVE: f64 = 400.0;

/// Energy fraction below which the tails are hardly reached.
const MIN_ENERGY_FRACTION: f64 = 0.3;

/// A reason to doubt draws.
///
/// `chain` is counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum Warning {
    /// The chains do not agree.
    #[error(
        "the chains do not agree on `{name}` (R-hat {r_hat:.3}, more than 1.01): use a longer warm-up and more draws, \
             or check whether the density has several maxima"
    )]
    Disagreement { name: String, r_hat: f64 },
    /// A single chain cannot be compared with others.
    #[error("convergence cannot be checked with a single chain: draw at least two, preferably four")]
    SingleChain,
    /// There are few effective draws.
    #[error(
        "`{name}` has an effective sample size of {bulk:.0} (bulk) and {tail:.0} (tails), less than 400: draw more"
    )]
    FewEffective { name: String, bulk: f64, tail: f64 },
    /// All draws of an unknown are the same.
    #[error("all draws of `{name}` are the same")]
    Constant { name: String },
    /// Some trajectories did not conserve their energy, or came to points without a density.
    #[error(
        "{count} of {draws} trajectories diverged, so that draws of this region are missing: increase \
             `Sampler::target_acceptance`, to 0.95 say, or transform the unknowns"
    )]
    Divergences { count: usize, draws: usize },
    /// Some points had no density.
    #[error("the density could not be evaluated at {count} points; the error at the last one: {last}")]
    Failed { count: usize, last: String },
    /// The energies of a chain hardly change from draw to draw.
    #[error(
        "the energy of chain {chain} changes little from draw to draw (E-BFMI {fraction:.2}, less than 0.3), so that \
             the tails are sampled poorly: transform the unknowns, by logarithms say, or use stronger priors"
    )]
    Energy {
        chain: usize,
        /// The energy fraction.
        fraction: f64,
    },
    /// Some trajectories were ended by the limit of doublings.
    #[error(
        "{count} of {draws} trajectories reached the maximum tree depth: start from a fit with `Sampler::around`, or \
             raise the limit with `Sampler::maximum_depth`"
    )]
    Depth { count: usize, draws: usize },
    /// Some chains have failed.
    #[error("{count} chains failed; the error of the first one: {first}")]
    FailedChains { count: usize, first: String },
    /// A doubt about the density that was known before sampling.
    #[error("{0}")]
    Doubt(String),
}

impl Warning {
    /// Lists all reasons to doubt these draws.
    pub(crate) fn all(samples: &Samples, rows: &[SummaryRow], energy_fractions: &[f64]) -> Vec<Self> {
        let chains = samples.chains();
        let mut all: Vec<Self> = samples.doubts().iter().cloned().map(Self::Doubt).collect();
        if let Some(first) = samples.failed_chains().first() {
            all.push(Self::FailedChains { count: samples.failed_chains().len(), first: first.clone() });
        }
        if chains.len() == 1 {
            all.push(Self::SingleChain);
        }
        for row in rows {
            let name = || row.name.clone();
            // ranks of equal draws have no meaning
            let has_spread = row.standard_deviation > 0.0;
            if !has_spread {
                all.push(Self::Constant { name: name() });
                continue;
            }
            if row.r_hat > MAX_R_HAT {
                all.push(Self::Disagreement { name: name(), r_hat: row.r_hat });
            }
            if !(row.bulk >= MIN_EFFECTIVE && row.tail >= MIN_EFFECTIVE) {
                all.push(Self::FewEffective { name: name(), bulk: row.bulk, tail: row.tail });
            }
        }
        let draws = chains.len() * chains.first().map_or(0, |chain| chain.draws.len());
        let count = chains.iter().map(|chain| chain.divergences()).sum();
        if count > 0 {
            all.push(Self::Divergences { count, draws });
        }
        if let Some(failed) = samples.failed() {
            all.push(Self::Failed { count: failed.count, last: failed.last });
        }
        for (chain, &fraction) in energy_fractions.iter().enumerate() {
            if fraction < MIN_ENERGY_FRACTION {
                all.push(Self::Energy { chain, fraction });
            }
        }
        let reached = chains.iter().flat_map(|chain| &chain.statistics.reached_maximum_depth);
        let count = reached.filter(|reached| **reached).count();
        if count > 0 {
            all.push(Self::Depth { count, draws });
        }
        all
    }
}
