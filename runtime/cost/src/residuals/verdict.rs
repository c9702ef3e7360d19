//! The verdict on a fit by the tests of all channels together.

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::assessment::ChannelAssessment;
use crate::residuals::band::Band;
use crate::residuals::error::{ResidualError, check_probability};
use crate::residuals::holm::holm;
use crate::residuals::outliers::Outliers;
use crate::residuals::suspicion::Suspicion;

/// Probabilities with which a right model may be found insufficient or doubtful, over all channels and tests together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct VerdictLevels {
    /// Probability of finding a right model insufficient, 1e-3.
    pub insufficient: f64,
    /// Probability of finding a right model doubtful or insufficient, 1e-2.
    pub doubtful: f64,
}

impl Default for VerdictLevels {
    fn default() -> Self {
        Self { insufficient: 1e-3, doubtful: 1e-2 }
    }
}

/// Judgement of whether a fit explains the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Judgement {
    /// No test contradicts the model.
    Sufficient,
    /// The residuals have a property that is rarely due to chance, or a channel could not be tested.
    Doubtful,
    /// The residuals have a property that is not due to chance.
    Insufficient,
}

/// Property of the residuals that contradicts the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Contradiction {
    /// Residuals are not white.
    NotWhite,
    /// Residuals are larger than their standard deviations, which were given.
    TooLarge,
    /// Residuals are not normal: some are far beyond all others.
    NotNormal,
    /// Residuals depend on an input.
    FollowInput {
        /// Name of the input.
        input: String,
    },
}

/// A test that contradicts the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Name of the channel.
    pub channel: String,
    /// Name of the experiment; `None` if it was not given.
    pub experiment: Option<String>,
    /// Property of the residuals that was found.
    pub contradiction: Contradiction,
    /// True if the finding makes the model insufficient, not only doubtful.
    pub certain: bool,
    /// Probability of such residuals if the model is right.
    pub p_value: f64,
    /// The probability `p_value`, adjusted for the number of tests (Holm).
    pub adjusted: f64,
    /// The outliers of [`Contradiction::NotNormal`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outliers: Option<Outliers>,
    /// Frequency bands of the contradiction, by the level of the channel's tests; empty where no line is significant.
    pub bands: Vec<Band>,
}

/// A channel that could not be tested.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Untested {
    /// Name of the channel.
    pub channel: String,
    /// Name of the experiment; `None` if it was not given.
    pub experiment: Option<String>,
    /// Reason why there is no test.
    pub reason: Absent,
}

/// Judgement of whether a fit explains the data, with the reasons; `Display` writes it in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The judgement.
    pub judgement: Judgement,
    /// Likely causes of the residuals other than an incomplete model. With any, deviations of found values mean
    /// nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suspicions: Vec<Suspicion>,
    /// Contradictions of the model, in the order of the channels.
    pub findings: Vec<Finding>,
    /// Channels that could not be tested, except those whose residuals are all zero.
    pub untested: Vec<Untested>,
    /// Number of channels.
    pub channels: usize,
    /// Number of tested hypotheses: that a channel is white, that it is as small as its deviations say, and that it
    /// does not depend on an input.
    pub tests: usize,
    /// The levels of significance.
    pub levels: VerdictLevels,
}

impl Verdict {
    /// Returns false if there is a [suspicion](Self::suspicions), with which deviations of found values mean nothing.
    pub fn explains_deviations(&self) -> bool {
        self.suspicions.is_empty()
    }
}

/// Judges a fit by all its channels, in all experiments.
///
/// Every channel has one hypothesis of white residuals, one on their [size](crate::residuals::size()) where their
/// deviations were given, and one for every input that residuals do not depend on it. Their probabilities are judged
/// together by Holm's procedure, so that a right model is found insufficient with the probability `levels.insufficient`
/// at most, however many channels there are. Outliers make it doubtful, by the bound of their probability times the
/// number of channels. Where whiteness is rejected at that level, the dependence on inputs is judged by coherence
/// alone, which does not need white residuals.
///
/// # Errors
/// [`ResidualError::OutOfRange`]: a level that is not between 0 and 1.
pub fn judge(channels: &[ChannelAssessment], levels: VerdictLevels) -> Result<Verdict, ResidualError> {
    check_probability("level of insufficient models", levels.insufficient)?;
    check_probability("level of doubtful models", levels.doubtful)?;
    let mut findings = Vec::new();
    let mut untested = Vec::new();
    for channel in channels {
        add_hypotheses(channel, levels, &mut findings, &mut untested);
    }
    let adjusted = holm(&findings.iter().map(|finding: &Finding| finding.p_value).collect::<Vec<f64>>());
    let tests = findings.len();
    for (finding, adjusted) in findings.iter_mut().zip(adjusted) {
        finding.adjusted = adjusted;
        finding.certain = adjusted < levels.insufficient;
    }
    findings.retain(|finding| finding.certain || finding.adjusted < levels.doubtful);
    let not_normal = channels.iter().filter_map(|channel| not_normal(channel, channels.len()));
    findings.extend(not_normal.filter(|finding| finding.adjusted < levels.insufficient));
    let judgement = if findings.iter().any(|finding| finding.certain) {
        Judgement::Insufficient
    } else if !findings.is_empty() || !untested.is_empty() || channels.is_empty() {
        Judgement::Doubtful
    } else {
        Judgement::Sufficient
    };
    let suspicions = Vec::new();
    Ok(Verdict { judgement, suspicions, findings, untested, channels: channels.len(), tests, levels })
}

/// Returns a finding on the outliers of a channel, if there are any. They make a fit doubtful, whatever the model is.
fn not_normal(channel: &ChannelAssessment, channels: usize) -> Option<Finding> {
    let outliers = channel.outliers.clone()?;
    Some(Finding {
        channel: channel.channel.clone(),
        experiment: channel.experiment.clone(),
        contradiction: Contradiction::NotNormal,
        certain: false,
        p_value: outliers.p_value,
        adjusted: (channels as f64 * outliers.p_value).min(1.0),
        outliers: Some(outliers),
        bands: Vec::new(),
    })
}

/// Adds a finding for every hypothesis of a channel, whatever its probability; a channel without any is added to
/// `untested`.
fn add_hypotheses(
    channel: &ChannelAssessment,
    levels: VerdictLevels,
    findings: &mut Vec<Finding>,
    untested: &mut Vec<Untested>,
) {
    let finding = |contradiction, p_value, bands: Option<&Vec<Band>>| Finding {
        channel: channel.channel.clone(),
        experiment: channel.experiment.clone(),
        contradiction,
        certain: false,
        p_value,
        adjusted: 1.0,
        outliers: None,
        bands: bands.cloned().unwrap_or_default(),
    };
    let size = channel.size.as_ref();
    findings.extend(size.map(|size| finding(Contradiction::TooLarge, size.p_value, None)));
    let Some(white) = channel.white_probability() else {
        if size.is_none()
            && let Err(reason) = &channel.whiteness
            && *reason != Absent::ZeroResiduals
        {
            let (channel, experiment) = (channel.channel.clone(), channel.experiment.clone());
            untested.push(Untested { channel, experiment, reason: reason.clone() });
        }
        return;
    };
    let bands = channel.spectrum.as_ref().ok().map(|spectrum| &spectrum.bands);
    findings.push(finding(Contradiction::NotWhite, white, bands));
    for input in &channel.inputs {
        if let Some(p_value) = input.independent_probability(white >= levels.insufficient) {
            let bands = input.coherence.as_ref().ok().map(|coherence| &coherence.bands);
            let contradiction = Contradiction::FollowInput { input: input.input.clone() };
            findings.push(finding(contradiction, p_value, bands));
        }
    }
}
