//! Errors of sampling.

use std::path::PathBuf;

use costate::identify::IdentificationError;
use costate_ensemble::EnsembleError;

/// Sampling that ended without a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SamplingError {
    /// The density has no coordinates.
    #[error("the density has no coordinates; give it at least one name")]
    NoCoordinates,
    /// A setting is out of range.
    #[error("`{field}` is {value}, and must be {limit}", value = costate_contract::shown::Shown(*value))]
    Setting { field: &'static str, value: f64, limit: &'static str },
    /// The mean or the covariance is for another number of coordinates.
    #[error("`Sampler::around` has {given} {what} where the density has {coordinates} coordinates; give as many")]
    Around { what: &'static str, given: usize, coordinates: usize },
    /// The covariance is not symmetric and positive definite.
    #[error(
        "the covariance of `Sampler::around` is not symmetric and positive definite with finite entries; give the one \
             of a fit whose unknowns are all determined, or its diagonal"
    )]
    Covariance,
    /// The density reports another number of values than it has names.
    #[error("the density reports {values} values under {names} names; give one name for each")]
    Reported { values: usize, names: usize },
    /// No chain has ended well.
    #[error("all {chains} chains failed; the error of the first one: {first}")]
    EveryChain { chains: usize, first: String },
    /// The interrupt has stopped sampling.
    #[error("sampling was interrupted when {done} of {chains} chains had ended{}", kept(.folder))]
    Interrupted {
        done: usize,
        chains: usize,
        /// Folder in which the ended chains are kept; `None` if they are not.
        folder: Option<PathBuf>,
    },
    /// The chains cannot be drawn as tasks, or some of them are missing.
    #[error(transparent)]
    Ensemble(#[from] EnsembleError),
    /// A file cannot be written.
    #[error("`{path}` cannot be written")]
    Write {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

/// Reason why a posterior cannot be made or sampled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum PosteriorError {
    /// The identification does not define a posterior.
    #[error(transparent)]
    Identification(#[from] IdentificationError),
    /// The fit is one of other unknowns.
    #[error("the fit has no unknown `{unknown}`, which the posterior has; give a fit of the same identification")]
    OtherFit { unknown: String },
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
