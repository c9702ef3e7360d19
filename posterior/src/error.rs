//! What can go wrong.

use std::path::PathBuf;

use costate::identify::IdentificationError;
use costate_ensemble::EnsembleError;

/// Sampling that ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplingError {
    /// Nothing to sample.
    #[error("the density has no coordinates; give it at least one name")]
    NoCoordinates,
    /// A setting that is out of range.
    #[error("`{field}` is {value}, but has to be {limit}", value = costate_contract::shown::Shown(*value))]
    Setting {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        limit: &'static str,
    },
    /// A mean or a covariance for another number of coordinates.
    #[error(
        "`Sampler::around` has {given} {what} where the density has {coordinates} coordinates; give as many"
    )]
    Around {
        /// What does not fit.
        what: &'static str,
        /// How many there are.
        given: usize,
        /// How many there have to be.
        coordinates: usize,
    },
    /// A covariance that is none.
    #[error(
        "the covariance of `Sampler::around` is not symmetric and positive definite with finite entries; give the one of a fit whose unknowns are all determined, or its diagonal"
    )]
    Covariance,
    /// A density that reports another number of values than it has names.
    #[error("the density reports {values} values under {names} names; give one name for each")]
    Reported {
        /// Number of values.
        values: usize,
        /// Number of names.
        names: usize,
    },
    /// No chain has ended well.
    #[error("none of the {chains} chains has come to an end; the first one: {first}")]
    EveryChain {
        /// Number of chains.
        chains: usize,
        /// Why the first of them failed.
        first: String,
    },
    /// Stopped by the interrupt.
    #[error("sampling was interrupted when {done} of {chains} chains had ended{}", kept(.folder))]
    Interrupted {
        /// Chains that have ended.
        done: usize,
        /// All of them.
        chains: usize,
        /// Where those that have ended are kept.
        folder: Option<PathBuf>,
    },
    /// The chains cannot be drawn as tasks, or are not all there yet.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// A file that cannot be written.
    #[error("`{path}` cannot be written")]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
}

/// A posterior that cannot be made or sampled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PosteriorError {
    /// The identification makes no posterior.
    #[error(transparent)]
    Identification(#[from] IdentificationError),
    /// A fit of other unknowns.
    #[error(
        "the fit has no unknown `{unknown}`, which the posterior has; give a fit of the same identification"
    )]
    OtherFit {
        /// The unknown.
        unknown: String,
    },
    /// The posterior cannot be sampled.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
}

fn kept(folder: &Option<PathBuf>) -> String {
    match folder {
        Some(folder) => {
            format!("; they are kept in `{}`, run the same again for the others", folder.display())
        }
        None => "; with `Sampler::ensemble` and a folder they would be kept".to_owned(),
    }
}
