//! Statistics of residuals, fitted minus measured values, by channel and together: whether a fit explains the data.
//!
//! The residuals of a right model with the found parameters are the noise of the sensors: they depend neither on each
//! other ([`whiteness()`], [`spectrum()`]) nor on the inputs ([`cross_correlation()`], [`coherence()`]). Where they do,
//! the model is incomplete, and the frequencies of the dependence show in which band. [`assess`] makes these tests of
//! one channel, [`judge`] combines those of all channels to a verdict:
//!
//! ```
//! use costate_cost::residuals::{Residuals, TestSettings, VerdictLevels, Judgement, assess, judge};
//!
//! // A fit that leaves an oscillation of 100 Hz in the residuals, beside noise.
//! let times: Vec<f64> = (0..2000).map(|j| f64::from(j) * 1e-3).collect();
//! let mut state = 1_u64;
//! let mut noise = || {
//!     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
//!     (state >> 40) as f64 / (1 << 24) as f64 - 0.5
//! };
//! let oscillation = |t: &f64| 0.3 * (std::f64::consts::TAU * 100.0 * t).sin();
//! let residuals: Vec<f64> = times.iter().map(|t| oscillation(t) + noise()).collect();
//! let measured: Vec<f64> = times.iter().map(|t| 10.0 * (20.0 * t).sin()).collect();
//!
//! let residuals = Residuals::new("acceleration", &times, &residuals, &measured)?.in_experiment("sweep up");
//! let assessment = assess(&residuals, &TestSettings::default())?;
//! let verdict = judge(&[assessment], VerdictLevels::default())?;
//! assert_eq!(verdict.judgement, Judgement::Insufficient);
//! let text = verdict.to_string();
//! let beginning = "residuals of `acceleration` in `sweep up` are not white noise between 95.7 and 102 Hz";
//! assert!(text.contains(beginning), "{text}");
//! # Ok::<(), costate_cost::residuals::ResidualError>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | how much of the signal is explained | [`fit_percent()`] |
//! | whether residuals are as small as known deviations make them | [`size()`] |
//! | which of several models to prefer | [`log_likelihood`], [`information_criteria`] |
//! | whether scale, sign, offset and phase are right | [`agreement()`] |
//! | whether there are outliers, and what to do about them | [`outliers()`], [`Loss`], [`normalised_mad`] |
//! | how many tests go together | [`holm()`] |
//! | what coloured noise is like, and residuals without its colour | [`Autoregression`] |
//! | how estimates scatter, whatever the noise is like | [`block_resample`], [`block_length()`] |
//!
//! Samples may be missing: what neighbouring samples are needed for is computed over the equidistant parts between gaps
//! ([`Sampling`]). A statistic that does not exist for some samples is an [`Absent`] with the reason, samples and
//! settings that are wrong are a [`ResidualError`].

mod absent;
mod agreement;
mod assessment;
mod autoregression;
mod band;
mod block_length;
mod bootstrap;
mod channel;
mod coherence;
mod cross_correlation;
mod digits;
mod distribution;
mod efficiency;
mod error;
mod fit;
mod holm;
mod information;
mod lag;
mod loss;
mod mad;
mod noise_error;
mod outliers;
mod projection;
mod resolution;
mod sampling;
mod size;
mod spectrum;
mod suspicion;
mod verdict;
mod welch;
mod whiteness;
mod words;

pub use absent::Absent;
pub use agreement::{Agreement, Phase, Regression, Shift, agreement, mean_period};
pub use assessment::{ChannelAssessment, InputAssessment, TestSettings, assess};
pub use autoregression::{Autoregression, AutoregressionOrder, OrderCriterion};
pub use band::Band;
pub use block_length::block_length;
pub use bootstrap::{block_indices, block_resample};
pub use channel::{Input, Residuals};
pub use coherence::{Coherence, coherence};
pub use cross_correlation::{CrossCorrelation, cross_correlation};
pub use distribution::student_quantile;
pub use error::ResidualError;
pub use fit::{fit_percent, root_mean_square};
pub use holm::holm;
pub use information::{Deviation, InformationCriteria, information_criteria, log_likelihood};
pub use lag::{Lag, default_lags};
pub use loss::Loss;
pub use mad::normalised_mad;
pub use noise_error::NoiseError;
pub use outliers::{Outliers, outliers};
pub use sampling::{EQUIDISTANCE, FEWEST_SAMPLES, GAP, Sampling};
pub use size::{Size, size};
pub use spectrum::{Confidence, Spectrum, spectrum};
pub use suspicion::{Cause, ResponseChange, Suspicion};
pub use verdict::{Contradiction, Finding, Judgement, Untested, Verdict, VerdictLevels, judge};
pub use welch::SHORTEST_SEGMENT;
pub use whiteness::{Whiteness, whiteness};
