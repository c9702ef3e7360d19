//! The joint probability of measurements and unknowns, for samplers.

use std::fmt;

use costate_cost::residuals::Loss;
use costate_optimize::{Failure, Method, Scaling, Variable};
use costate_system::gradient::GradientMethod;
use costate_system::identifiers::Output;
use costate_system::state_file::Description;

use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::prior::Prior;
use super::definition::weighting::Weighting;
use super::estimation::evaluation::Evaluation;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::observed::Observed;
use super::result::fit::Fit;
use super::solved::Solved;

/// The posterior density of the unknowns of an identification, up to a constant factor: the likelihood of the
/// measurements under normal errors, times the priors.
///
/// Unknowns without a prior are uniform between their bounds, in their own unit; those with logarithmic scaling are
/// positive. The standard deviation of a channel for which none is given is an unknown as well, after all others.
/// The prior of such a deviation is uniform in its logarithm unless [`deviation_prior`](Self::deviation_prior) sets
/// another.
///
/// Made by [`Identification::density`](crate::Identification::density); sampled by the crate `costate-posterior`.
pub struct JointDensity {
    estimation: EstimationProblem,
    method: Method,
    gradient_method: GradientMethod,
    /// Description of everything in the identification that the density depends on.
    description: Description,
    unknowns: Vec<DensityUnknown>,
    deviations: Vec<UnknownDeviation>,
}

impl fmt::Debug for JointDensity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JointDensity")
            .field("model", &self.estimation.description().name)
            .field("unknowns", &self.unknowns)
            .finish_non_exhaustive()
    }
}

/// One of the unknowns of a [`JointDensity`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DensityUnknown {
    /// Name of the unknown, such as `preload [low]`, or `deviation of acceleration`.
    pub name: String,
    /// Unit of the unknown.
    pub unit: &'static str,
    /// Start value of the identification; for a deviation, the deviation of the residuals at the start values.
    pub start: f64,
    /// The density is 0 at this value and below; -infinity if there is no such value.
    pub lower: f64,
    /// The density is 0 at this value and above; infinity if there is no such value.
    pub upper: f64,
    /// A typical change, above 0.
    pub typical: f64,
    /// True if the unknown has a prior beyond its bounds.
    pub has_prior: bool,
}

/// A channel whose standard deviation is unknown.
#[derive(Debug, Clone)]
struct UnknownDeviation {
    /// Index among the channels of all experiments.
    channel: usize,
    /// Index of the output.
    output: usize,
    /// Number of samples that count.
    samples: f64,
    /// Prior of the deviation; `None` if uniform in the logarithm.
    prior: Option<Prior>,
}

impl Definition {
    /// Returns the density of the unknowns, which begins at the start values or at these unknowns.
    pub(super) fn density(mut self, start: Option<&[f64]>) -> Result<JointDensity, IdentificationError> {
        let fitted = || self.fitted_experiments().into_iter();
        let has_weights =
            fitted().any(|experiment| experiment.measurements.iter().any(|one| one.data.weight.is_some()));
        if self.weighting == Weighting::Automatic && !has_weights {
            self.weighting = Weighting::Likelihood;
        }
        self.check_density()?;
        let mut estimation = self.prepare()?;
        if let Some(start) = start {
            estimation.begin_at(start)?;
        }
        estimation.check_density()?;
        self.check_start(&estimation)?;
        let deviations: Vec<UnknownDeviation> = estimation.unknown_deviations();
        let unknowns = estimation.unknowns.iter().enumerate().map(|(index, unknown)| DensityUnknown {
            has_prior: estimation.priors.have(index),
            ..DensityUnknown::of(&unknown.variable, unknown.unit)
        });
        let unknowns = unknowns.collect();
        let mut density = JointDensity {
            description: self.description(&estimation),
            method: self.optimizer.method,
            gradient_method: self.gradient_method,
            estimation,
            unknowns,
            deviations,
        };
        let start = density.estimation.state.parameters();
        let at_start = density.deviations_at(&start)?;
        for ((deviation, name), start) in density.deviations.iter().zip(density.deviation_names()).zip(at_start) {
            let unit = density.estimation.description().outputs[deviation.output].unit;
            density.unknowns.push(DensityUnknown {
                name,
                unit,
                start,
                lower: 0.0,
                upper: f64::INFINITY,
                typical: start,
                has_prior: true,
            });
        }
        Ok(density)
    }

    /// Refuses settings of the identification without a likelihood.
    fn check_density(&self) -> Result<(), SpecificationError> {
        let refused = |what, remedy| Err(SpecificationError::NoPosterior { what, remedy });
        match () {
            () if self.weighting != Weighting::Likelihood => refused(
                "weights of measurements that do not follow from standard deviations",
                "write `.weighting(Weighting::Likelihood)`, and give standard deviations in their place where they \
                     are known",
            ),
            () if self.loss != Loss::Squares => {
                refused("a loss other than squares", "leave out `.loss(..)`, and outliers by `Measurement::without`")
            }
            () if self.state_file.is_some() => {
                refused("a state file", "leave out `.state_file(..)`; chains are kept in the folder of an ensemble")
            }
            () => Ok(()),
        }
    }
}

impl<M> Fit<M> {
    /// Returns the posterior of the unknowns, for samplers, which begin at the found values. Residuals are weighed by
    /// their likelihood; adaptive steps are those of the start of the fit.
    ///
    /// # Errors
    /// [`SpecificationError::NoPosterior`] for settings without a likelihood, such as given weights, further costs
    /// and losses other than squares.
    pub fn density(&self) -> Result<JointDensity, IdentificationError> {
        let Solved { definition, unknowns, .. } = &*self.solved;
        Definition { state_file: None, ..definition.clone() }.density(Some(unknowns))
    }
}

impl DensityUnknown {
    fn of(variable: &Variable, unit: &'static str) -> Self {
        let (lower, upper) = variable.bounds();
        let (lower, typical) = match variable.scaling() {
            Scaling::Logarithmic => (lower.max(0.0), variable.start()),
            Scaling::Linear { typical } => (lower, typical),
        };
        Self {
            name: variable.name().to_owned(),
            unit,
            start: variable.start(),
            lower,
            upper,
            typical,
            has_prior: false,
        }
    }
}

impl EstimationProblem {
    /// Refuses costs, noise and priors of the experiments without a likelihood.
    fn check_density(&self) -> Result<(), SpecificationError> {
        let refused = |what, remedy| Err(SpecificationError::NoPosterior { what, remedy });
        if self.experiments.iter().any(|one| one.comparison.costs.terms().len() > 0) {
            return refused("a further cost", "leave out `.cost(..)`, and measure the output instead");
        }
        if self.channels().any(|channel| channel.noise.as_ref().is_some_and(|noise| noise.is_estimated())) {
            return refused(
                "coloured noise that is estimated from the residuals",
                "give the noise model that a fit has found, `MeasuredOutput::noise`",
            );
        }
        let of_predictions = self.predictions.iter().flat_map(|predicted| &predicted.comparison.channels);
        if of_predictions.into_iter().any(|channel| channel.given_deviation.is_none()) {
            return refused(
                "a prediction whose standard deviations are estimated from the residuals",
                "give them with `MeasuredNumbers::deviation`, such as those that a fit has found",
            );
        }
        if self.priors.combined.iter().any(|prior| prior.is_estimated) {
            return refused(
                "a prior of an input or a table whose standard deviation is estimated from the data",
                "give the deviation",
            );
        }
        Ok(())
    }

    /// Returns the channels whose standard deviation is not given.
    fn unknown_deviations(&self) -> Vec<UnknownDeviation> {
        let is_unknown = |channel: &Observed| channel.noise.is_none() && channel.given_deviation.is_none();
        let channels = self.channels().enumerate().filter(|(_, channel)| is_unknown(channel));
        let of_channel = |(number, channel): (usize, &Observed)| UnknownDeviation {
            channel: number,
            output: channel.output,
            samples: channel.counted() as f64,
            prior: None,
        };
        channels.map(of_channel).collect()
    }

    /// Weighs the residuals of these channels by these deviations.
    fn set_deviations(&mut self, deviations: &[UnknownDeviation], values: &[f64]) {
        let mut channels: Vec<&mut Observed> = self.channels_mut().collect();
        for (deviation, value) in deviations.iter().zip(values) {
            if let Some(channel) = channels.get_mut(deviation.channel) {
                channel.deviation = Some(*value);
            }
        }
    }
}

impl JointDensity {
    /// Sets the prior of the standard deviation of an output, wherever that deviation is unknown.
    ///
    /// # Errors
    /// [`SpecificationError::NoPosterior`] where the deviation is given for every channel of this output, or where
    /// the output is not measured; [`SpecificationError::Prior`].
    pub fn deviation_prior<M>(mut self, output: Output<M>, prior: Prior) -> Result<Self, IdentificationError> {
        output.erased().check_model(self.estimation.description())?;
        let index = output.index();
        let first = self.estimation.unknowns.len();
        let mut is_known = true;
        for (deviation, unknown) in self.deviations.iter_mut().zip(&self.unknowns[first..]) {
            if deviation.output == index {
                prior.check(&Variable::new(&unknown.name, unknown.start).within(0.0, f64::INFINITY))?;
                deviation.prior = Some(prior);
                is_known = false;
            }
        }
        match is_known {
            true => Err(SpecificationError::NoPosterior {
                what: "the prior of a standard deviation that is not unknown",
                remedy: "leave out `.deviation_prior(..)`, or `Measurement::standard_deviation`",
            }
            .into()),
            false => Ok(self),
        }
    }

    /// Returns the unknowns, in the order of all vectors of unknowns: those of a fit, and then the deviations.
    pub fn unknowns(&self) -> &[DensityUnknown] {
        &self.unknowns
    }

    /// Returns the most likely standard deviations of the residuals at these values of the other unknowns, for the
    /// channels whose deviation is unknown.
    ///
    /// # Errors
    /// [`IdentificationError`] of a simulation that fails there.
    pub fn deviations_at(&self, unknowns: &[f64]) -> Result<Vec<f64>, IdentificationError> {
        let mut estimation = self.estimation.variant();
        estimation.set_deviations(&self.deviations, &vec![1.0; self.deviations.len()]);
        let found = Evaluation::new(&estimation, self.method, self.gradient_method).channel_costs(unknowns);
        let costs = found.map_err(|(number, error)| self.estimation.in_experiment(number, error.into()))?;
        let deviation = |deviation: &UnknownDeviation| {
            let squares = 2.0 * costs.get(deviation.channel).copied().unwrap_or(f64::NAN);
            let found = (squares / deviation.samples).sqrt();
            // data that are met up to rounding
            if found > 0.0 { found } else { f64::MIN_POSITIVE.sqrt() }
        };
        Ok(self.deviations.iter().map(deviation).collect())
    }

    /// Returns the number of samples of each channel with an unknown deviation.
    pub fn samples_of_deviations(&self) -> Vec<f64> {
        self.deviations.iter().map(|deviation| deviation.samples).collect()
    }

    /// Creates an evaluator of the density with memory of its own: one for each thread.
    pub fn evaluator(&self) -> JointDensityEvaluator<'_> {
        JointDensityEvaluator { density: self, estimation: self.estimation.variant() }
    }

    /// Describes everything that the density depends on.
    pub fn description(&self) -> Description {
        let mut description = self.description.clone();
        for (deviation, unknown) in self.deviations.iter().zip(&self.unknowns[self.estimation.unknowns.len()..]) {
            description.serialised(format!("the prior of the {}", unknown.name), &deviation.prior);
        }
        description
    }

    fn deviation_names(&self) -> Vec<String> {
        let of_channel = |deviation: &UnknownDeviation| {
            let mut rest = deviation.channel;
            let output = self.estimation.description().outputs[deviation.output].name;
            for prepared in &self.estimation.experiments {
                match rest.checked_sub(prepared.comparison.channels.len()) {
                    Some(left) => rest = left,
                    None => {
                        let of = self.estimation.name_of(prepared.number);
                        return of
                            .map_or(format!("deviation of {output}"), |of| format!("deviation of {output} [{of}]"));
                    }
                }
            }
            format!("deviation of {output}")
        };
        self.deviations.iter().map(of_channel).collect()
    }
}

/// Evaluates a [`JointDensity`].
pub struct JointDensityEvaluator<'e> {
    density: &'e JointDensity,
    estimation: EstimationProblem,
}

impl fmt::Debug for JointDensityEvaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JointDensityEvaluator").field("density", &self.density).finish_non_exhaustive()
    }
}

impl JointDensityEvaluator<'_> {
    /// Returns the logarithm of the density, up to a constant, at one value for each of the
    /// [unknowns](JointDensity::unknowns), and writes its derivatives with respect to these to `gradient`, of the
    /// same length.
    ///
    /// # Errors
    /// [`Failure::Here`] where a simulation fails at these unknowns alone, [`Failure::Stop`] where none succeeds.
    pub fn evaluate(&mut self, unknowns: &[f64], gradient: &mut [f64]) -> Result<f64, Failure<IdentificationError>> {
        self.evaluate_with(unknowns, Some(gradient))
    }

    /// Returns the logarithm of the density alone.
    ///
    /// # Errors
    /// Those of [`evaluate`](Self::evaluate).
    pub fn value(&mut self, unknowns: &[f64]) -> Result<f64, Failure<IdentificationError>> {
        self.evaluate_with(unknowns, None)
    }

    fn evaluate_with(
        &mut self,
        unknowns: &[f64],
        gradient: Option<&mut [f64]>,
    ) -> Result<f64, Failure<IdentificationError>> {
        let density = self.density;
        let (unknowns, deviations) = unknowns.split_at(self.estimation.unknowns.len().min(unknowns.len()));
        self.estimation.set_deviations(&density.deviations, deviations);
        let mut evaluation = Evaluation::new(&self.estimation, density.method, density.gradient_method);
        let evaluated = evaluation.value(unknowns).and_then(|value| {
            let by_unknowns = match gradient {
                Some(_) => evaluation.differentiate(unknowns)?,
                None => Vec::new(),
            };
            let of_channels = match (&gradient, density.deviations.is_empty()) {
                (Some(_), false) => evaluation.channel_costs(unknowns)?,
                _ => Vec::new(),
            };
            Ok((value, by_unknowns, of_channels))
        });
        let (cost, by_unknowns, of_channels) = evaluated.map_err(|failed| evaluation.failure(failed))?;
        if let Some(gradient) = gradient {
            let (first, rest) = gradient.split_at_mut(by_unknowns.len().min(gradient.len()));
            first.iter_mut().zip(by_unknowns).for_each(|(to, derivative)| *to = -derivative);
            for (unknown, x) in self.logarithmic(unknowns) {
                if let Some(to) = first.get_mut(unknown) {
                    *to -= 1.0 / x;
                }
            }
            for ((deviation, sigma), to) in density.deviations.iter().zip(deviations).zip(rest) {
                let cost = of_channels.get(deviation.channel).copied().unwrap_or(f64::NAN);
                *to = (2.0 * cost - deviation.samples) / sigma + deviation.prior_with_slope(*sigma).1;
            }
        }
        let of_logarithms: f64 = self.logarithmic(unknowns).map(|(_, x)| x.ln()).sum();
        let of_deviations = density
            .deviations
            .iter()
            .zip(deviations)
            .map(|(deviation, sigma)| deviation.prior_with_slope(*sigma).0 - deviation.samples * sigma.ln());
        Ok(of_deviations.sum::<f64>() - cost - of_logarithms)
    }

    /// Returns the unknowns with log-normal priors, with their values: J contains only the squares of such priors, so
    /// that the factor 1/x of their density is missing.
    fn logarithmic(&self, unknowns: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let priors = self.estimation.priors.of_unknowns.iter();
        let logarithmic = priors.filter(|(_, prior)| matches!(prior, Prior::LogNormal { .. }));
        logarithmic.filter_map(|(unknown, _)| unknowns.get(*unknown).map(|x| (*unknown, *x)))
    }
}

impl UnknownDeviation {
    /// Returns the logarithm of the prior, and its derivative.
    fn prior_with_slope(&self, sigma: f64) -> (f64, f64) {
        let (residual, slope) = self.prior.map_or((0.0, 0.0), |prior| prior.residual(sigma));
        let normal = (-0.5 * residual * residual, -residual * slope);
        match self.prior {
            Some(Prior::Normal { .. }) => normal,
            _ => (normal.0 - sigma.ln(), normal.1 - 1.0 / sigma),
        }
    }
}
