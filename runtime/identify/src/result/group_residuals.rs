//! Residuals of the groups of predictions, and which tests of them are possible.

use costate_cost::residuals::{
    Absent, ChannelAssessment, FEWEST_SAMPLES, Loss, Residuals, TestSettings, assess, root_mean_square, size,
};

use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::observed::Observed;
use crate::estimation::predicted::{ComparedGroup, PredictedProblem};

/// Residuals below this part of the measured values are rounding errors, and the tolerance of the minimisation.
pub(super) const MAX_EXPLAINED_RESIDUAL: f64 = 1e-6;

impl PredictedProblem {
    /// Returns the name of a group with that of the prediction.
    pub(crate) fn channel_name(&self, compared: &ComparedGroup) -> String {
        let name = self.prediction.name();
        let group = self.prediction.groups().get(compared.index);
        with_prediction(name, group.map_or(name, |group| &group.name))
    }
}

/// Returns the name of a group with that of its prediction before it, unless it begins with that.
pub(super) fn with_prediction(prediction: &str, group: &str) -> String {
    match group.strip_prefix(prediction) {
        Some(rest) if rest.is_empty() || rest.starts_with(':') => group.to_owned(),
        _ => format!("{prediction}: {group}"),
    }
}

/// Residuals of one group, and what is needed to judge them.
pub(super) struct GroupResiduals<'a> {
    pub name: String,
    pub experiment: Option<&'a str>,
    pub channel: &'a Observed,
    pub compared: &'a ComparedGroup,
    pub rows: &'a ChannelRows,
    /// Number of parameters that the group determines in the fit.
    pub determined: f64,
}

impl GroupResiduals<'_> {
    /// Tests the residuals: for their size where deviations were given, and for whiteness along the abscissa where
    /// errors are independent and there are enough of them. There is no spectrum, and no input to be correlated with.
    /// `None` where residuals are rounding errors, or no test is possible.
    pub fn assessed(&self) -> Option<ChannelAssessment> {
        let Self { channel, rows, .. } = self;
        let measured = channel.counted_values();
        if root_mean_square(&rows.residuals) <= MAX_EXPLAINED_RESIDUAL * root_mean_square(&measured) {
            return None;
        }
        let order: Vec<f64> = (0..rows.residuals.len()).map(|place| place as f64).collect();
        let mut residuals = Residuals::new(self.name.as_str(), &order, &rows.residuals, &measured).ok()?;
        if let Some(experiment) = self.experiment {
            residuals = residuals.in_experiment(experiment);
        }
        let mut assessment = assess(&residuals, &TestSettings::default()).ok()?;
        assessment.spectrum = Err(Absent::NotInTime);
        // single numbers have deviations of their own, and no times
        assessment.outliers = None;
        assessment.size = self.size();
        if let Some(reason) = self.without_whiteness() {
            assessment.whiteness = Err(reason);
        }
        (assessment.size.is_some() || assessment.whiteness.is_ok()).then_some(assessment)
    }

    fn size(&self) -> Option<costate_cost::residuals::Size> {
        let has_size = self.channel.given_deviation.is_some()
            && self.channel.loss == Loss::Squares
            && self.compared.are_independent;
        has_size.then(|| size(&self.rows.residuals, self.determined)).flatten()
    }

    fn without_whiteness(&self) -> Option<Absent> {
        /// Fewest residuals of a test for whiteness, for each of the parameters that they determine: these make right
        /// residuals dependent.
        const RESIDUALS_PER_PARAMETER: f64 = 10.0;
        let (residuals, parameters) = (self.rows.residuals.len(), self.determined);
        let needed = ((RESIDUALS_PER_PARAMETER * parameters).ceil() as usize).max(FEWEST_SAMPLES);
        match () {
            () if !self.compared.are_independent => Some(Absent::DependentErrors),
            () if residuals < needed => Some(Absent::FewBesideParameters { residuals, parameters, needed }),
            () => None,
        }
    }

    /// Lists the tests that were left out, each with the reason.
    pub fn left_out(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.size().is_none() {
            let reason = match () {
                () if self.channel.given_deviation.is_none() => {
                    "the standard deviations are estimated from the residuals"
                }
                () if self.channel.loss != Loss::Squares => "outliers are expected by the loss",
                () if !self.compared.are_independent => "the errors of neighbouring numbers depend on each other",
                () => "the numbers are all needed for the parameters",
            };
            all.push(format!("size: {reason}"));
        }
        all.extend(self.without_whiteness().map(|reason| format!("whiteness: {reason}")));
        all.push("spectrum: the residuals are no function of the time".to_owned());
        all.push("dependence on inputs: a prediction has none".to_owned());
        all
    }

    /// Returns a remark if residuals are much smaller than their given deviations.
    pub fn remark(&self) -> Option<String> {
        /// Probability below which residuals are remarked to be too small for their given deviations.
        const MIN_PROBABILITY: f64 = 1e-3;
        let size = self.size()?;
        if 1.0 - size.p_value > MIN_PROBABILITY {
            return None;
        }
        let experiment = self.experiment.map_or(String::new(), |name| format!("{name}: "));
        Some(format!(
            "{experiment}residuals of `{}` are smaller than their given standard deviations (chi squared {:.3} with \
                 {:.1} degrees of freedom): the given deviations are too large, and so are those of the unknowns, or \
                 the measured numbers are smoothed",
            self.name, size.chi_squared, size.degrees_of_freedom
        ))
    }
}

/// Returns the remarks on the size of residuals of all predictions.
pub(super) fn remarks(estimation: &EstimationProblem, rows: &[ChannelRows], determined: &[f64]) -> Vec<String> {
    let groups = estimation.predictions.iter().flat_map(|predicted| {
        let channels = predicted.groups.iter().zip(&predicted.comparison.channels);
        channels.map(move |(compared, channel)| (predicted, compared, channel))
    });
    let of_runs = estimation.run_channels();
    let numbers = rows.iter().zip(determined).skip(of_runs);
    let remark = |((predicted, compared, channel), (rows, determined)): (
        (&PredictedProblem, &ComparedGroup, &Observed),
        (&ChannelRows, &f64),
    )| {
        let experiment = estimation.name_of(predicted.number);
        let (name, determined) = (predicted.channel_name(compared), *determined);
        GroupResiduals { name, experiment, channel, compared, rows, determined }.remark()
    };
    groups.zip(numbers).filter_map(remark).collect()
}
