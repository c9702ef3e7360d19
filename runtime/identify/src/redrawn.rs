//! Data that are drawn again, and campaigns with these data or without some of them.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use costate_cost::residuals::{EQUIDISTANCE, NoiseError, Sampling, block_length, block_resample};
use costate_optimize::Method;
use costate_system::gradient::GradientMethod;

use super::definition::error::{DataError, IdentificationError, RequestError};
use super::estimation::evaluation::Evaluation;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::observed::Observed;
use super::estimation::predicted::{ComparedGroup, PredictedProblem};
use super::input_noise::normal;
use super::resampling::Resampling;

/// Errors that are drawn for one channel, and added to its fitted values.
pub(super) struct Blocks {
    fitted: Vec<f64>,
    drawn: Drawn,
}

enum Drawn {
    /// Measured minus fitted values in blocks.
    InBlocks { sampling: Sampling, errors: Vec<f64>, length: usize },
    /// Errors in units of the standard deviations of the samples, in blocks or one by one, and these deviations.
    InUnits { blocks: Option<(Sampling, usize)>, errors: Vec<f64>, deviations: Vec<f64> },
    /// Normal errors with these standard deviations.
    Normal { deviations: Vec<f64> },
}

impl Drawn {
    fn errors(&self, seed: u64) -> Result<Vec<f64>, IdentificationError> {
        let scaled = |numbers: Vec<f64>, deviations: &[f64]| -> Vec<f64> {
            numbers.iter().zip(deviations).map(|(error, deviation)| error * deviation).collect()
        };
        Ok(match self {
            Self::InBlocks { sampling, errors, length } => block_resample(sampling, errors, *length, seed)?,
            Self::InUnits { blocks: Some((sampling, length)), errors, deviations } => {
                scaled(block_resample(sampling, errors, *length, seed)?, deviations)
            }
            Self::InUnits { blocks: None, errors, deviations } => {
                let mut random = SmallRng::seed_from_u64(seed);
                let drawn = errors.iter().filter_map(|_| errors.choose(&mut random).copied());
                scaled(drawn.collect(), deviations)
            }
            Self::Normal { deviations } => {
                let mut random = SmallRng::seed_from_u64(seed);
                let drawn = deviations.iter().map(|_| normal(&mut random));
                scaled(drawn.collect(), deviations)
            }
        })
    }
}

impl EstimationProblem {
    /// Returns what is drawn for all channels in turn.
    pub(super) fn blocks(&self, unknowns: &[f64], resampling: Resampling) -> Result<Vec<Blocks>, IdentificationError> {
        let mut all = Vec::new();
        for prepared in &self.experiments {
            let simulated = prepared.simulated(unknowns);
            let LinearizedRun { outputs, .. } =
                simulated.map_err(|error| self.in_experiment(prepared.number, error.into()))?;
            for (channel, taken) in prepared.comparison.channels.iter().zip(&prepared.channels) {
                let fitted = channel.fitted(&outputs, unknowns);
                if resampling == Resampling::Normal {
                    let output = prepared.output_name(channel);
                    let drawn = normal_errors(channel, output)?;
                    all.push(Blocks { fitted, drawn });
                    continue;
                }
                let errors: Vec<f64> = channel.values.iter().zip(&fitted).map(|(y, s)| y - s).collect();
                let blocks = blocks(channel, fitted, errors).map_err(|source| {
                    let output = prepared.output_name(channel);
                    let error = DataError::Noise { output, record: taken.record.to_owned(), source }.into();
                    self.in_experiment(prepared.number, error)
                });
                all.push(blocks?);
            }
        }
        let degrees = match self.predictions.is_empty() {
            true => return Ok(all),
            false => self.degrees_at(unknowns)?,
        };
        let mut degrees = degrees.into_iter().skip(self.run_channels());
        for predicted in &self.predictions {
            let outputs = predicted.outputs(unknowns);
            let outputs = outputs.map_err(|error| self.in_experiment(predicted.number, error.into()))?;
            for (compared, channel) in predicted.groups.iter().zip(&predicted.comparison.channels) {
                let fitted = channel.fitted(&outputs, unknowns);
                let (name, determined) = (predicted.channel_name(compared), degrees.next().unwrap_or(0.0));
                let drawn = match resampling {
                    Resampling::Normal => normal_errors(channel, &name)?,
                    _ => residuals_of(channel, compared, &fitted, (name, determined))?,
                };
                all.push(Blocks { fitted, drawn });
            }
        }
        Ok(all)
    }

    /// Returns the number of unknowns that each channel determines.
    fn degrees_at(&self, unknowns: &[f64]) -> Result<Vec<f64>, IdentificationError> {
        let mut evaluation = Evaluation::new(self, Method::LevenbergMarquardt, GradientMethod::default());
        let found = evaluation.sensitivities(unknowns)?;
        Ok(self.degrees_of_freedom(&self.channel_rows(&found, unknowns), unknowns))
    }

    /// Returns a variant without one group of a prediction, and the prediction with this group alone.
    pub(super) fn without_group(&self, number: usize, place: usize) -> (Self, Option<PredictedProblem>) {
        let mut others = self.variant();
        let mut alone = self.predictions.get(number).cloned();
        if let Some(alone) = &mut alone {
            let is_it = |index: usize| index == place;
            alone.groups =
                alone.groups.iter().enumerate().filter(|(k, _)| is_it(*k)).map(|(_, group)| group.clone()).collect();
            let channels = &alone.comparison.channels;
            alone.comparison.channels =
                channels.iter().enumerate().filter(|(k, _)| is_it(*k)).map(|(_, channel)| channel.clone()).collect();
        }
        if let Some(other) = others.predictions.get_mut(number) {
            if place < other.groups.len() {
                other.groups.remove(place);
                other.comparison.channels.remove(place);
            }
            if other.groups.is_empty() {
                others.predictions.remove(number);
            }
        }
        (others, alone)
    }

    /// Returns a variant with residuals drawn again in blocks.
    pub(super) fn with_residuals_drawn(&self, blocks: &[Blocks], seed: u64) -> Result<Self, IdentificationError> {
        let mut other = self.variant();
        for ((channel, blocks), number) in other.channels_mut().zip(blocks).zip(1..) {
            let seed = seed.rotate_left(17).wrapping_add(number);
            let drawn = blocks.drawn.errors(seed)?;
            channel.values = blocks.fitted.iter().zip(drawn).map(|(s, error)| s + error).collect();
        }
        Ok(other)
    }

    /// Returns a variant with as many experiments as there are, drawn with replacement.
    pub(super) fn with_experiments_drawn(&self, seed: u64) -> Self {
        let mut other = self.variant();
        let mut random = SmallRng::seed_from_u64(seed);
        let numbers: Vec<usize> = (0..self.experiments.len() + self.predictions.len()).collect();
        let mut times = vec![0_u32; numbers.len()];
        for _ in &numbers {
            if let Some(&number) = numbers.choose(&mut random) {
                times[number] += 1;
            }
        }
        let comparisons = other.experiments.iter_mut().map(|prepared| &mut prepared.comparison);
        let of_predictions = other.predictions.iter_mut().map(|predicted| &mut predicted.comparison);
        for (comparison, times) in comparisons.chain(of_predictions).zip(&times) {
            comparison.multiplicity = f64::from(*times);
        }
        other.predictions.retain(|predicted| predicted.comparison.multiplicity > 0.0);
        other.experiments.retain(|prepared| prepared.comparison.multiplicity > 0.0);
        other
    }
}

fn blocks(channel: &Observed, fitted: Vec<f64>, errors: Vec<f64>) -> Result<Blocks, NoiseError> {
    let sampling = Sampling::of_times(&channel.times, EQUIDISTANCE)?;
    let length = block_length(&sampling, &errors)?;
    Ok(Blocks { fitted, drawn: Drawn::InBlocks { sampling, errors, length } })
}

/// Returns the standard deviations of the samples of a channel: their common one over the roots of their precisions.
fn deviations_of(channel: &Observed) -> Vec<f64> {
    let common = channel.deviation.or(channel.given_deviation).unwrap_or(1.0);
    let of_sample = |sample: usize| channel.roots.as_ref().map_or(common, |roots| common / roots[sample]);
    (0..channel.values.len()).map(of_sample).collect()
}

/// Returns normal errors of a channel with white noise of known deviation.
fn normal_errors(channel: &Observed, name: &str) -> Result<Drawn, RequestError> {
    let is_white = channel.noise.is_none() && channel.filter.is_none();
    match is_white && channel.deviation.or(channel.given_deviation).is_some() {
        true => Ok(Drawn::Normal { deviations: deviations_of(channel) }),
        false => Err(RequestError::NotNormal { channel: name.to_owned() }),
    }
}

/// Returns the residuals of a group of a prediction, which `determined` parameters have made smaller.
fn residuals_of(
    channel: &Observed,
    compared: &ComparedGroup,
    fitted: &[f64],
    (group, determined): (String, f64),
) -> Result<Drawn, IdentificationError> {
    /// Fewest residuals of a group, beyond the parameters that it determines, from which errors are drawn.
    const MIN_SPARE: f64 = 8.0;
    let numbers = channel.values.len();
    let spare = numbers as f64 - determined;
    if spare < MIN_SPARE {
        return Err(RequestError::TooFewNumbers { group, numbers, determined }.into());
    }
    let deviations = deviations_of(channel);
    let enlarged = (numbers as f64 / spare).sqrt();
    let errors = channel.values.iter().zip(fitted).zip(&deviations);
    let errors: Vec<f64> = errors.map(|((y, s), deviation)| enlarged * (y - s) / deviation).collect();
    let in_blocks = || -> Result<(Sampling, usize), NoiseError> {
        let order: Vec<f64> = (0..numbers).map(|place| place as f64).collect();
        let sampling = Sampling::of_times(&order, EQUIDISTANCE)?;
        let length = block_length(&sampling, &errors)?;
        Ok((sampling, length))
    };
    let blocks = match compared.are_independent {
        true => None,
        false => Some(in_blocks().map_err(|_| RequestError::TooFewNumbers { group, numbers, determined })?),
    };
    Ok(Drawn::InUnits { blocks, errors, deviations })
}
