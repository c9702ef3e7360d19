//! Effects of noise on measured inputs on the found values, by adding the noise once more.

use std::f64::consts::TAU;
use std::fmt;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use costate_system::causes::with_causes;
use costate_system::identifiers::Input;

use super::conditional_minimum::minimum;
use super::definition::digits::significant;
use super::definition::error::{IdentificationError, RequestError};
use super::estimation::experiment_problem::EstimationProblem;
use super::result::columns::write_columns;
use super::result::fit::Fit;
use super::solved::Solved;
use super::thresholds::NOTICEABLE_SHIFT;

/// Noise of a measured input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct InputNoise {
    /// Standard deviation of the errors of single samples, in the unit of the input.
    pub deviation: f64,
    /// Distance of the samples in s; between them, errors are interpolated as the signal is.
    pub interval: f64,
}

/// Effect of the noise of an input on the unknowns; [`Display`](std::fmt::Display) prints a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InputNoiseEffects {
    /// Name of the input.
    pub input: &'static str,
    /// The noise.
    pub noise: InputNoise,
    /// The unknowns, in the order of [`FitSummary::parameters`](super::FitSummary::parameters).
    pub unknowns: Vec<InputNoiseEffect>,
    /// Number of repetitions that count.
    pub repetitions: usize,
    /// Repetitions that failed, with the reason.
    pub failed: Vec<String>,
}

/// Effect of the noise of an input on one unknown, in its unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct InputNoiseEffect {
    /// Name of the unknown.
    pub name: String,
    /// Found value.
    pub found: f64,
    /// Bias of the found value by the noise, to first order in the square of its deviation: found minus bias is nearer
    /// to the truth.
    pub bias: f64,
    /// Standard deviation of the bias, from the number of repetitions.
    pub of_bias: f64,
    /// Standard deviation of the found value by the noise of the input.
    pub deviation: f64,
    /// Standard deviation of the found value by the fit, which takes inputs as exact.
    pub of_fit: f64,
}

impl<M> Fit<M> {
    /// Estimates what noise on a measured input does to the found values. The fit takes inputs as exact; their noise
    /// attenuates gains and shifts dampings, whatever the number of samples, and adds to the deviations. Noise of the
    /// same size is added to the input once more, at random with `seed`, and all unknowns are found again, on all
    /// cores: the mean change is the bias that the noise has made already, to first order in its square, and the
    /// scatter is the deviation that it makes.
    ///
    /// `signal::noise_level` estimates the deviation from the record. Noise that is correlated, such as that of a
    /// filtered input, has other effects.
    ///
    /// # Errors
    /// [`RequestError::Repetitions`] for fewer than two repetitions, [`RequestError::InputNoise`] for a noise that is
    /// not positive and finite, an input of another model, or one whose delay is unknown or given; errors of fits are
    /// in [`InputNoiseEffects::failed`], unless all fail.
    pub fn input_noise(
        &self,
        input: Input<M>,
        noise: InputNoise,
        repetitions: usize,
        seed: u64,
    ) -> Result<InputNoiseEffects, IdentificationError> {
        let Solved { definition, estimation, unknowns: start, .. } = self.simulated("the effect of noise")?;
        let refused = |what| Err(RequestError::InputNoise { input: input.name(), what }.into());
        if repetitions < 2 {
            return Err(RequestError::Repetitions { repetitions }.into());
        }
        let is_size = |value: f64| value > 0.0 && value.is_finite();
        if !is_size(noise.deviation) || !is_size(noise.interval) {
            return refused(
                "has a noise whose deviation and interval are not positive and finite; give both numbers of its record",
            );
        }
        input.erased().check_model(definition.model.description())?;
        let delayed = |prepared: &super::estimation::experiment_problem::ExperimentProblem| {
            prepared.driven.delayed.iter().any(|delayed| delayed.input == input.index())
        };
        if estimation.experiments.iter().any(delayed) {
            return refused(
                "has a delay, which replaces the signal; move the record by `signal::advanced` before the fit instead",
            );
        }
        let repeat = |repetition: usize| {
            let seed = seed.wrapping_add((repetition as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let other = estimation.with_noise_on(input.index(), noise, seed)?;
            minimum(&other, (definition.gradient_method, &definition.run.interrupt), None, start)
                .map(|(_, found)| found)
        };
        let outcomes: Vec<Result<Vec<f64>, IdentificationError>> =
            (0..repetitions).into_par_iter().map(repeat).collect();
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for outcome in outcomes {
            match outcome {
                Ok(unknowns) => found.push(unknowns),
                Err(error @ IdentificationError::Interrupted(_)) => return Err(error),
                Err(error) => failed.push(with_causes(&error)),
            }
        }
        if found.len() < 2 {
            return refused(
                "leaves no fit with more of its noise; its deviation may be in another unit than the input",
            );
        }
        let count = found.len() as f64;
        let effect = |(k, fitted): (usize, &super::FittedParameter)| {
            let values = || found.iter().filter_map(move |unknowns| unknowns.get(k));
            let mean = values().sum::<f64>() / count;
            let scatter = (values().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0)).sqrt();
            InputNoiseEffect {
                name: fitted.name.clone(),
                found: fitted.found,
                bias: mean - fitted.found,
                of_bias: scatter / count.sqrt(),
                deviation: scatter,
                of_fit: fitted.standard_deviation,
            }
        };
        let unknowns = self.summary().parameters.iter().enumerate().map(effect).collect();
        Ok(InputNoiseEffects { input: input.name(), noise, unknowns, repetitions: found.len(), failed })
    }
}

impl EstimationProblem {
    /// Returns a variant whose input has further errors at its samples, between which they are straight.
    fn with_noise_on(&self, input: usize, noise: InputNoise, seed: u64) -> Result<Self, IdentificationError> {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut other = self.variant();
        for prepared in &mut other.experiments {
            let problem = &prepared.problem;
            let mut inputs = problem.inputs().clone();
            let (mut sample, mut before, mut behind) = (0_u64, normal(&mut random), normal(&mut random));
            for i in 0..inputs.len() {
                let place = problem.time(i) / noise.interval;
                while place > (sample + 1) as f64 * (1.0 + 1e-12) {
                    (sample, before, behind) = (sample + 1, behind, normal(&mut random));
                }
                let error = before + (behind - before) * (place - sample as f64).min(1.0);
                if let Some(value) = inputs.row_mut(i).get_mut(input) {
                    *value += noise.deviation * error;
                }
            }
            let noisy = problem.clone().with_inputs(inputs.rows());
            prepared.problem = noisy.map_err(|error| self.in_experiment(prepared.number, error.into()))?;
        }
        Ok(other)
    }
}

/// Draws a number of the standard normal distribution, by Box and Muller.
pub(super) fn normal(random: &mut SmallRng) -> f64 {
    let [size, turn]: [f64; 2] = [random.random(), random.random()];
    (-2.0 * (1.0 - size).ln()).sqrt() * (TAU * turn).cos()
}

impl fmt::Display for InputNoiseEffects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = ["unknown", "found", "bias by the input's noise", "+/-", "deviation by it", "that of the fit"];
        let mut lines = vec![headings.map(str::to_owned).to_vec()];
        for effect in &self.unknowns {
            let numbers =
                [effect.bias, effect.of_bias, effect.deviation, effect.of_fit].map(|number| significant(number, 2));
            lines.push([effect.name.clone(), significant(effect.found, 6)].into_iter().chain(numbers).collect());
        }
        write_columns(f, &lines)?;
        let Self { input, noise, repetitions, failed, .. } = self;
        write!(
            f,
            "\n`{input}` with errors of {} once more, {repetitions} repetitions",
            significant(noise.deviation, 3)
        )?;
        let noticeable = |effect: &&InputNoiseEffect| {
            let is_bias =
                effect.bias.abs() > NOTICEABLE_SHIFT * effect.of_fit && effect.bias.abs() > 2.0 * effect.of_bias;
            is_bias || effect.deviation > NOTICEABLE_SHIFT * effect.of_fit
        };
        let names: Vec<&str> = self.unknowns.iter().filter(noticeable).map(|effect| effect.name.as_str()).collect();
        if !names.is_empty() {
            write!(
                f,
                "\nthe noise of `{input}` matters for {}: subtract the bias, and add the squares of the deviations",
                names.join(", ")
            )?;
        }
        match failed.first() {
            Some(first) => write!(f, "\n{} repetitions failed, the first one: {first}", failed.len()),
            None => Ok(()),
        }
    }
}
