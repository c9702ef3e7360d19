//! All tests of one channel.

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::channel::Residuals;
use crate::residuals::coherence::{Coherence, coherence};
use crate::residuals::cross_correlation::{CrossCorrelation, cross_correlation};
use crate::residuals::error::{ResidualError, check_probability};
use crate::residuals::fit::{fit_percent, root_mean_square};
use crate::residuals::holm::either;
use crate::residuals::outliers::{Outliers, outliers};
use crate::residuals::resolution::resolution_of;
use crate::residuals::size::Size;
use crate::residuals::spectrum::{Spectrum, spectrum};
use crate::residuals::verdict::VerdictLevels;
use crate::residuals::whiteness::{Whiteness, whiteness};

/// Settings of the tests of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestSettings {
    /// Largest lag of correlations; `None` for [`default_lags`](crate::residuals::default_lags).
    pub lags: Option<usize>,
    /// Number of fitted parameters of a model of the noise, which reduce the degrees of freedom of
    /// [`whiteness`](crate::residuals::whiteness()).
    pub noise_parameters: usize,
    /// Samples of a segment of spectra; `None` for the default of [`spectrum`](crate::residuals::spectrum()).
    pub segment: Option<usize>,
    /// Probability that white, independent residuals of a channel have a significant band, 1e-3.
    pub band_level: f64,
}

impl Default for TestSettings {
    fn default() -> Self {
        Self { lags: None, noise_parameters: 0, segment: None, band_level: 1e-3 }
    }
}

/// Results of all tests of the residuals of one channel. A statistic that does not exist for the samples is
/// replaced by the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChannelAssessment {
    /// Name of the channel.
    pub channel: String,
    /// Name of the experiment; `None` if it was not given.
    pub experiment: Option<String>,
    /// Number of residuals.
    pub samples: usize,
    /// Root of the mean square of the residuals, in the channel's unit.
    pub root_mean_square: f64,
    /// Largest deviation from equidistant times, relative to their interval, where tests have taken the samples
    /// in their order; `None` for equidistant ones.
    pub irregular: Option<f64>,
    /// Result of [`fit_percent`](crate::residuals::fit_percent()).
    pub fit_percent: Option<f64>,
    /// The size of the residuals against standard deviations that were given; `None` where they were not, or errors are
    /// dependent.
    pub size: Option<Size>,
    /// Residuals far beyond the others; `None` without any, and where a robust loss has been used, which expects them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outliers: Option<Outliers>,
    /// The autocorrelation.
    pub whiteness: Result<Whiteness, Absent>,
    /// The spectrum.
    pub spectrum: Result<Spectrum, Absent>,
    /// Dependence of the residuals on each of the inputs.
    pub inputs: Vec<InputAssessment>,
}

/// Dependence of the residuals on an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputAssessment {
    /// Name of the input.
    pub input: String,
    /// The cross-correlation.
    pub cross_correlation: Result<CrossCorrelation, Absent>,
    /// The coherence.
    pub coherence: Result<Coherence, Absent>,
}

/// Makes all tests of a channel.
///
/// # Errors
/// [`ResidualError::OutOfRange`]: a level that is not between 0 and 1.
pub fn assess(residuals: &Residuals, settings: &TestSettings) -> Result<ChannelAssessment, ResidualError> {
    let TestSettings { lags, noise_parameters, segment, band_level } = *settings;
    check_probability("level of bands", band_level)?;
    let input = |input: &crate::residuals::channel::Input| InputAssessment {
        input: input.name().to_owned(),
        cross_correlation: cross_correlation(residuals, input.values(), lags),
        coherence: coherence(residuals, input.values(), segment, band_level),
    };
    let assessment = ChannelAssessment {
        channel: residuals.channel().to_owned(),
        experiment: residuals.experiment().map(str::to_owned),
        samples: residuals.values().len(),
        root_mean_square: root_mean_square(residuals.values()),
        irregular: residuals.irregular(),
        fit_percent: fit_percent(residuals),
        size: None,
        outliers: outliers(residuals),
        whiteness: whiteness(residuals, lags, noise_parameters),
        spectrum: spectrum(residuals, segment, band_level),
        inputs: residuals.inputs().iter().map(input).collect(),
    };
    Ok(assessment.but_for_rounding(residuals))
}

impl ChannelAssessment {
    /// Leaves out tests that contradict the model, where the rounding of the measured values is all that is left.
    fn but_for_rounding(mut self, residuals: &Residuals) -> Self {
        let level = VerdictLevels::default().doubtful;
        let white = self.white_probability();
        let of_inputs = self.inputs.iter().filter_map(|input| input.independent_probability(true));
        if white.into_iter().chain(of_inputs).all(|probability| probability >= level) {
            return self;
        }
        if let Some(resolution) = resolution_of(residuals) {
            let reason = Absent::Rounding { resolution };
            (self.whiteness, self.spectrum) = (Err(reason.clone()), Err(reason));
            self.inputs.clear();
        }
        self
    }

    /// Returns the probability of such residuals if they are white, by partial autocorrelations and spectrum
    /// together (Bonferroni); `None` where neither exists.
    pub fn white_probability(&self) -> Option<f64> {
        let of_spectrum = self.spectrum.as_ref().ok().map(|spectrum| spectrum.p_value);
        either(self.whiteness.as_ref().ok().map(|whiteness| whiteness.partial_p_value), of_spectrum)
    }
}

impl InputAssessment {
    /// Returns the probability of such residuals if they do not depend on the input, by cross-correlation and
    /// coherence together (Bonferroni), or by the coherence alone where residuals are not `white`; `None` where
    /// neither exists.
    pub fn independent_probability(&self, white: bool) -> Option<f64> {
        let of_lags = self.cross_correlation.as_ref().ok().map(|correlation| correlation.p_value);
        let of_coherence = self.coherence.as_ref().ok().map(|coherence| coherence.p_value);
        either(of_lags.filter(|_| white), of_coherence)
    }
}
