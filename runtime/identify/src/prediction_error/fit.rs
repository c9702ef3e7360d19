//! The minimisation of -2 log L, in stages, and its result.

use costate_cost::residuals::{Residuals, whiteness};
use costate_filter::InnovationsIn;
use costate_numerics::linalg::dense::inverse;
use costate_optimize::{Method, OptimizeError, OptimizerState, Scaling, Variable, minimize};
use costate_system::interrupt::{Interrupted, InterruptedWork};
use costate_system::state_space::{Divergence, DivergenceReason, FilterError};
use costate_system::system::DualEquations;

use super::error::PredictionErrorFault;
use super::noise::{NoiseDeviation, NoiseSettings};
use super::objective::{Likelihood, Minimised};
use super::record::{FilteredRecord, noise_level};
use super::result::{ChannelInnovations, EstimatedNumber, PredictionErrorFit, PredictionErrorStage};
use crate::definition::Definition;
use crate::definition::digits::significant;
use crate::definition::error::{IdentificationError, SpecificationError};
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::layout::Value;

/// Factors of the process noise where it vanishes (KE 1.14).
const VANISHING: [f64; 6] = [1.0, 0.3, 0.1, 0.03, 0.01, 0.0];

/// Largest factor by which a deviation may change from its start, in either direction.
const MAX_FACTOR: f64 = 1e6;

/// Increase of -2 log L without a noise that is significant: the 95 % quantile of a variance at its bound, half of
/// chi-squared with one degree of freedom (Self, Liang, J. Amer. Statist. Assoc. 82, 1987).
const SIGNIFICANT: f64 = 2.71;

/// Probability of white innovations below which they are called correlated.
const LEAST_PROBABILITY: f64 = 1e-3;

/// The way in which a noise acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActsOn {
    /// Drives the model.
    Model,
    /// Moves the offset of an output.
    Offset,
    /// Changes the samples of an output.
    Samples,
}

impl ActsOn {
    /// Returns true if a simulation is without this noise.
    fn vanishes(self) -> bool {
        self != Self::Samples
    }
}

/// A deviation of the noise.
struct Named {
    name: String,
    unit: String,
    deviation: NoiseDeviation,
    value: Value,
    acts: ActsOn,
}

/// The unknowns of the noise, while they are collected.
struct Deviations {
    named: Vec<Named>,
    variables: Vec<Variable>,
}

impl Deviations {
    /// Adds a deviation, and returns its place in z.
    fn add(
        &mut self,
        name: String,
        unit: String,
        deviation: NoiseDeviation,
        acts: ActsOn,
    ) -> Result<Value, PredictionErrorFault> {
        let start = deviation.value();
        if !(start > 0.0 && start.is_finite()) {
            return Err(PredictionErrorFault::Deviation { of: name, value: start });
        }
        let value = match deviation {
            NoiseDeviation::Known(known) => Value::Known(known),
            NoiseDeviation::Unknown(_) => {
                let variable = Variable::new(&name, start).scaled(Scaling::Logarithmic);
                self.variables.push(variable.within(start / MAX_FACTOR, start * MAX_FACTOR));
                Value::Unknown(self.variables.len() - 1)
            }
        };
        self.named.push(Named { name, unit, deviation, value, acts });
        Ok(value)
    }
}

impl Definition {
    /// Fits by the innovations of a filter.
    pub(crate) fn prediction_error(
        &self,
        noise: &NoiseSettings,
        dual: &dyn DualEquations,
    ) -> Result<PredictionErrorFit, IdentificationError> {
        if self.has_adaptive_steps() {
            let what = "adaptive steps".to_owned();
            let remedy = "choose constant steps";
            return Err(PredictionErrorFault::Refused { what, remedy }.into());
        }
        let estimation = self.prepare()?;
        if !estimation.predictions.is_empty() {
            let (what, remedy) =
                ("numbers that are predicted without a run".to_owned(), "remove them, or fit output errors");
            return Err(PredictionErrorFault::Refused { what, remedy }.into());
        }
        let mut deviations = Deviations { named: Vec::new(), variables: estimation.state.variables().to_vec() };
        let mut likelihood = self.likelihood(&estimation, noise, dual, &mut deviations)?;
        let Deviations { named, variables } = deviations;
        let settings = self.optimizer.clone().with_method(Method::Bfgs).with_cost_tolerance(
            // differences of -2 log L below a millionth say nothing
            self.optimizer.cost_tolerance.max(1e-10),
        );
        let vanishes = |k: usize| named.iter().any(|one| one.acts.vanishes() && one.value == Value::Unknown(k));
        let mut z: Vec<f64> = variables.iter().map(Variable::start).collect();
        let (mut stages, mut evaluations) = (Vec::new(), 0);
        let mut free: Vec<usize> = (0..z.len()).collect();
        for factor in if noise.vanishes { &VANISHING[..] } else { &VANISHING[..1] } {
            likelihood.factor = *factor;
            if *factor < 1.0 {
                free.retain(|k| !vanishes(*k));
            }
            if stages.is_empty() {
                check_influence(&likelihood, &z, &free, &variables)?;
            }
            let of_stage = free.iter().map(|&k| variables[k].starting_with(z[k])).collect();
            let mut state = OptimizerState::new(of_stage, settings.clone())?;
            let interrupt = &self.run.interrupt;
            let mut objective = Minimised { likelihood: &likelihood, z: z.clone(), free: &free, evaluations };
            let ended = minimize(&mut objective, &mut state, |_| match interrupt.is_triggered() {
                true => Err(stopped()),
                false => Ok(()),
            });
            evaluations = objective.evaluations;
            if interrupt.is_triggered() {
                let work = InterruptedWork::Identification { iterations: state.iterations() };
                return Err(IdentificationError::Interrupted(Interrupted::without_trace(work)));
            }
            ended.map_err(|error| match error {
                OptimizeError::Start { source } => PredictionErrorFault::Diverged { source },
                source => PredictionErrorFault::Minimisation { source: Box::new(source) },
            })?;
            objective.take(&state.parameters());
            z = objective.z;
            stages.push(PredictionErrorStage {
                factor: *factor,
                deviance: 2.0 * state.cost(),
                iterations: state.iterations(),
            });
        }
        let ended = Ended { z, free, stages, evaluations };
        conclude(&estimation, &mut likelihood, (&named, &variables), ended)
    }

    /// Collects the noise and the records.
    fn likelihood<'a>(
        &self,
        estimation: &'a EstimationProblem,
        noise: &NoiseSettings,
        dual: &'a dyn DualEquations,
        deviations: &mut Deviations,
    ) -> Result<Likelihood<'a>, IdentificationError> {
        let model = self.model.description();
        let records = estimation.experiments.iter().map(|prepared| {
            FilteredRecord::new(prepared, estimation.state.variables())
                .map_err(|error| estimation.in_experiment(prepared.number, error))
        });
        let records = records.collect::<Result<Vec<_>, _>>()?;
        if records.is_empty() {
            return Err(SpecificationError::NoMeasurement { model: self.model.name() }.into());
        }
        let mut start_deviations = vec![0.0; 2 * model.coordinates.len()];
        for (coordinate, given) in &noise.start {
            coordinate.check_model(model)?;
            for (level, value) in given.iter().enumerate() {
                if !(*value >= 0.0 && value.is_finite()) {
                    let of = format!("the start of `{}`", coordinate.name());
                    return Err(PredictionErrorFault::Deviation { of, value: *value }.into());
                }
                start_deviations[level * model.coordinates.len() + coordinate.index()] = *value;
            }
        }
        let (mut velocities, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for (coordinate, deviation) in &noise.velocities {
            coordinate.check_model(model)?;
            let name = format!("noise of dot({})", coordinate.name());
            let unit = format!("{}/s^1.5", coordinate.quantity().unit);
            velocities.push((coordinate.index(), deviations.add(name, unit, *deviation, ActsOn::Model)?));
        }
        for (input, deviation) in &noise.inputs {
            input.check_model(model)?;
            let (name, unit) = (format!("noise of {}", input.name()), input.quantity().unit.to_owned());
            inputs.push((*input, deviations.add(name, unit, *deviation, ActsOn::Model)?));
        }
        let channels = || records.iter().flat_map(|record| &record.prepared.comparison.channels);
        for (output, _) in noise.outputs.iter().chain(&noise.drifts) {
            output.check_model(model)?;
            if channels().all(|channel| channel.output != output.index()) {
                return Err(PredictionErrorFault::NotMeasured { output: output.name() }.into());
            }
        }
        let mut drifts = Vec::new();
        for (output, deviation) in &noise.drifts {
            let (name, unit) = (format!("drift of {}", output.name()), format!("{}/s^0.5", output.quantity().unit));
            drifts.push((*output, deviations.add(name, unit, *deviation, ActsOn::Offset)?));
        }
        for output in costate_system::identifiers::Output::each_of(model) {
            let Some(channel) = channels().find(|channel| channel.output == output.index()) else { continue };
            let given = noise.outputs.iter().rev().find(|(given, _)| *given == output);
            let deviation = match (given, channel.given_deviation) {
                (Some((_, deviation)), _) => *deviation,
                (None, Some(known)) => NoiseDeviation::Known(known),
                (None, None) => NoiseDeviation::Unknown(noise_level(channel)),
            };
            let (name, unit) = (format!("noise of {}", output.name()), output.quantity().unit.to_owned());
            outputs.push((output, deviations.add(name, unit, deviation, ActsOn::Samples)?));
        }
        let (priors, own) = (&estimation.priors, estimation.unknowns.len());
        Ok(Likelihood {
            records,
            dual,
            priors,
            own,
            velocities,
            inputs,
            outputs,
            drifts,
            start_deviations,
            factor: 1.0,
        })
    }
}

/// The error by which a minimisation is stopped from outside.
fn stopped() -> FilterError {
    FilterError::Diverged(Divergence { sample: 0, time: 0.0, reason: DivergenceReason::Interrupted })
}

/// Checks that every unknown changes some innovation or its covariance at the start.
fn check_influence(
    likelihood: &Likelihood<'_>,
    z: &[f64],
    free: &[usize],
    variables: &[Variable],
) -> Result<(), PredictionErrorFault> {
    let information = likelihood.information(z, free).map_err(|source| PredictionErrorFault::Diverged { source })?;
    let without = free.iter().enumerate().filter(|(i, _)| information[(*i, *i)] == 0.0);
    let names: Vec<String> = without.map(|(_, &k)| variables[k].name().to_owned()).collect();
    if names.is_empty() { Ok(()) } else { Err(PredictionErrorFault::NoInfluence { names }) }
}

/// The end of the last stage.
struct Ended {
    z: Vec<f64>,
    free: Vec<usize>,
    stages: Vec<PredictionErrorStage>,
    evaluations: usize,
}

fn conclude(
    estimation: &EstimationProblem,
    likelihood: &mut Likelihood<'_>,
    (named, variables): (&[Named], &[Variable]),
    Ended { z, free, stages, evaluations }: Ended,
) -> Result<PredictionErrorFit, IdentificationError> {
    let diverged = |source| PredictionErrorFault::Diverged { source };
    let found = likelihood.innovations(&z).map_err(diverged)?;
    let deviance: f64 = found.iter().map(|found| found.deviance).sum();
    let mut information = likelihood.information(&z, &free).map_err(diverged)?;
    let roots: Vec<f64> = information.diagonal().iter().map(|entry| entry.sqrt()).collect();
    for i in 0..free.len() {
        for k in 0..free.len() {
            information[(i, k)] /= roots[i] * roots[k];
        }
    }
    let covariance = inverse(information);
    let deviation_of = |unknown: usize| {
        let place = free.iter().position(|k| *k == unknown)?;
        let scaled = covariance.as_ref().map_or(f64::INFINITY, |covariance| covariance[(place, place)]);
        let deviation = scaled.sqrt() / roots[place];
        Some(if deviation.is_finite() { deviation } else { f64::INFINITY })
    };
    let parameters = estimation.unknowns.iter().enumerate().map(|(k, unknown)| EstimatedNumber {
        name: unknown.name().to_owned(),
        unit: unknown.unit.to_owned(),
        start: variables[k].start(),
        value: z[k],
        deviation: deviation_of(k),
    });
    let factor = likelihood.factor;
    let noise = named.iter().map(|one| EstimatedNumber {
        name: one.name.clone(),
        unit: one.unit.clone(),
        start: one.deviation.value(),
        value: one.value.of(&z) * if one.acts.vanishes() { factor } else { 1.0 },
        deviation: match one.value {
            Value::Unknown(k) => deviation_of(k),
            Value::Known(_) => None,
        },
    });
    let (parameters, noise) = (parameters.collect(), noise.collect());
    let samples: usize = likelihood.records.iter().map(|record| record.count).sum();
    let squares: f64 = found.iter().flat_map(|found| &found.squares).sum();
    let noise_parameters = named.iter().filter(|one| one.acts.vanishes() && !one.value.is_known()).count();
    let mut channels = Vec::new();
    for (record, found) in likelihood.records.iter().zip(&found) {
        channels.extend(channels_of(record, found, if factor > 0.0 { noise_parameters } else { 0 }));
    }
    let is_at_bound = |(variable, value): &(&Variable, &f64)| {
        let (lower, upper) = variable.bounds();
        **value <= lower || **value >= upper
    };
    let own = variables.iter().zip(&z).take(estimation.unknowns.len());
    let mut remarks: Vec<String> = own
        .filter(is_at_bound)
        .map(|(variable, _)| {
            let name = variable.name();
            format!("`{name}` is at its bound: widen the bound, or find out why the minimum is beyond it")
        })
        .collect();
    for one in named {
        let Value::Unknown(k) = one.value else { continue };
        if factor == 0.0 && one.acts.vanishes() {
            continue;
        }
        let mut without = z.clone();
        without[k] = 0.0;
        let own = stages.last().map_or(f64::NAN, |stage| stage.deviance);
        if likelihood.value(&without).is_ok_and(|value| value - own < SIGNIFICANT) {
            let name = &one.name;
            remarks.push(match one.acts {
                ActsOn::Model => format!(
                    "the process noise `{name}` is 0 as far as the record says: an output error fit will do without it"
                ),
                ActsOn::Offset => format!("the `{name}` is 0 as far as the record says: leave it out"),
                ActsOn::Samples => format!(
                    "the `{name}` is 0 as far as the record says, as the other noise explains all of its errors: give \
                     its deviation, or the deviation of the other noise, if it is known"
                ),
            });
        }
    }
    for channel in &channels {
        if let Some(whiteness) = channel.whiteness.as_ref().filter(|one| one.partial_p_value < LEAST_PROBABILITY) {
            remarks.push(format!(
                "the innovations of `{}` are correlated (p = {}): the deviations of the unknowns are too small; \
                 complete the model, or add noise where it acts",
                channel.output,
                significant(whiteness.partial_p_value, 2)
            ));
        }
    }
    let mean_square = squares / samples.max(1) as f64;
    Ok(PredictionErrorFit { parameters, noise, deviance, samples, mean_square, channels, stages, evaluations, remarks })
}

/// Returns the innovations of the channels of an experiment, with their tests.
fn channels_of(
    record: &FilteredRecord<'_>,
    found: &InnovationsIn<f64>,
    noise_parameters: usize,
) -> Vec<ChannelInnovations> {
    let (prepared, m) = (record.prepared, record.prepared.comparison.channels.len());
    let one = |(c, observed): (usize, &crate::estimation::observed::Observed)| {
        let places = (c..found.innovations.len()).step_by(m).filter(|&place| !found.innovations[place].is_nan());
        let ahead = record.lags[c].map_or(0, |lag| lag.ahead);
        let (mut times, mut innovations, mut deviations) = (Vec::new(), Vec::new(), Vec::new());
        for place in places {
            let step = (place / m).saturating_add_signed(-ahead);
            times.push(prepared.problem.time(step));
            innovations.push(found.innovations[place]);
            deviations.push(found.variances[place].sqrt());
        }
        let output = prepared.output_name(observed);
        let normalised: Vec<f64> = innovations.iter().zip(&deviations).map(|(e, deviation)| -e / deviation).collect();
        let residuals = Residuals::new(output, &times, &normalised, &innovations);
        let whiteness = residuals.ok().and_then(|residuals| whiteness(&residuals, None, noise_parameters).ok());
        ChannelInnovations { output, experiment: prepared.name.clone(), times, innovations, deviations, whiteness }
    };
    prepared.comparison.channels.iter().enumerate().map(one).collect()
}

/// Access for tests of gradients.
#[cfg(test)]
pub(super) mod tests_of_gradients {
    use super::*;

    /// Calls `work` with the likelihood of a definition, and its unknowns.
    pub fn with_likelihood(
        definition: &Definition,
        noise: &NoiseSettings,
        dual: &dyn DualEquations,
        work: impl FnOnce(&Likelihood<'_>, &[Variable]),
    ) {
        let estimation = definition.prepare().unwrap();
        let mut deviations = Deviations { named: Vec::new(), variables: estimation.state.variables().to_vec() };
        let likelihood = definition.likelihood(&estimation, noise, dual, &mut deviations).unwrap();
        work(&likelihood, &deviations.variables);
    }
}
