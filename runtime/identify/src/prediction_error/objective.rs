//! -2 log L of the innovations as a function of the unknowns, with its exact gradient.

use costate_filter::{InnovationsIn, deviance};
use costate_numerics::scalar::{Dual, Scalar};
use costate_optimize::{Failure, Objective};
use costate_system::identifiers::{Input, Output};
use costate_system::state_space::FilterError;
use costate_system::system::{DualEquations, Equations};
use nalgebra::DMatrix;
use rayon::prelude::*;

use super::process::{ModelProcess, ProcessChannel};
use super::record::FilteredRecord;
use super::sensors::{Delayed, Drift, SensedProcess};
use crate::estimation::layout::Value;
use crate::estimation::priors::Priors;

/// -2 log L of all experiments. The vector z has the unknowns of the identification, then those of the noise.
pub(super) struct Likelihood<'a> {
    pub records: Vec<FilteredRecord<'a>>,
    pub dual: &'a dyn DualEquations,
    pub priors: &'a Priors,
    /// Number of unknowns of the identification.
    pub own: usize,
    /// Coordinates whose velocities are driven, inputs, outputs, and outputs that drift, with their deviations.
    pub velocities: Vec<(usize, Value)>,
    pub inputs: Vec<(Input, Value)>,
    pub outputs: Vec<(Output, Value)>,
    pub drifts: Vec<(Output, Value)>,
    /// Deviations of q and v at the start.
    pub start_deviations: Vec<f64>,
    /// Factor of the deviations of the process noise.
    pub factor: f64,
}

/// The start of an experiment, and its derivatives by the unknown parameters.
struct Start {
    state: Vec<f64>,
    derivatives: DMatrix<f64>,
}

impl Likelihood<'_> {
    fn start(&self, record: &FilteredRecord<'_>, z: &[f64], with_derivatives: bool) -> Result<Start, FilterError> {
        let prepared = record.prepared;
        let parameters = prepared.parameters(&z[..self.own]);
        let mut state = prepared.model.initial_state(&prepared.problem, &parameters).map_err(FilterError::of_model)?;
        let states = 2 * prepared.problem.description().coordinates.len();
        state.truncate(states);
        let selected = &prepared.selection.parameters;
        let derivatives = match with_derivatives && !selected.is_empty() {
            true => prepared
                .model
                .initial_derivatives(&prepared.problem, &parameters, selected)
                .map_err(FilterError::of_model)?
                .rows(0, states)
                .into_owned(),
            false => DMatrix::zeros(states, 0),
        };
        Ok(Start { state, derivatives })
    }

    /// Makes the process of an experiment of the model's functions with the parameters in `z`, and filters.
    fn filter<S: Scalar>(
        &self,
        equations: &dyn Equations<S>,
        record: &FilteredRecord<'_>,
        z: &[S],
        start: &Start,
    ) -> Result<InnovationsIn<S>, FilterError> {
        let prepared = record.prepared;
        let mut state: Vec<S> = start.state.iter().map(|value| S::constant(*value)).collect();
        for (column, &unknown) in start.derivatives.column_iter().zip(&prepared.selection.unknowns) {
            let varied = z[unknown] - S::constant(z[unknown].real());
            state.iter_mut().zip(column.iter()).for_each(|(to, by)| *to += varied * *by);
        }
        let scaled = |value: &Value| value.of(z) * self.factor;
        let channels = prepared.comparison.channels.iter().zip(&record.roots).map(|(channel, roots)| {
            let deviation = self.outputs.iter().find(|(output, _)| output.index() == channel.output);
            let deviation = deviation.map_or(S::constant(1.0), |(_, value)| value.of(z));
            ProcessChannel {
                output: channel.output,
                gain: channel.gain.of(z),
                offset: channel.offset.of(z),
                variance: deviation * deviation,
                roots,
            }
        });
        let mut model = ModelProcess {
            equations,
            problem: &prepared.problem,
            middle_inputs: &record.middle_inputs,
            start: state,
            start_deviations: &self.start_deviations,
            velocity_noise: self.velocities.iter().map(|(index, value)| (*index, scaled(value))).collect(),
            input_noise: self.inputs.iter().map(|(input, value)| (input.index(), scaled(value))).collect(),
            channels: channels.collect(),
        };
        let channels = || prepared.comparison.channels.iter().enumerate();
        let drifts = channels().filter_map(|(channel, observed)| {
            let (_, value) = self.drifts.iter().find(|(output, _)| output.index() == observed.output)?;
            let ahead = record.lags[channel].map_or(0, |lag| lag.ahead);
            Some(Drift { channel, deviation: scaled(value), ahead })
        });
        let delays = channels().filter_map(|(channel, observed)| {
            Some(Delayed { channel, delay: observed.delay.of(z), lag: record.lags[channel]? })
        });
        let (drifts, delays): (Vec<_>, Vec<_>) = (drifts.collect(), delays.collect());
        match drifts.is_empty() && delays.is_empty() {
            true => deviance(&mut model, &record.measurements),
            false => deviance(&mut SensedProcess { model, drifts, delays }, &record.measurements),
        }
    }

    /// Filters every experiment in plain numbers.
    pub fn innovations(&self, z: &[f64]) -> Result<Vec<InnovationsIn<f64>>, FilterError> {
        let one = |record: &FilteredRecord<'_>| {
            let (start, parameters) = (self.start(record, z, false)?, record.prepared.parameters(&z[..self.own]));
            let mut found = Ok(InnovationsIn::default());
            record.prepared.model.with_equations(&record.prepared.problem, &parameters, &mut |equations| {
                found = self.filter(equations, record, z, &start);
            });
            found
        };
        self.records.par_iter().map(one).collect()
    }

    /// Filters every experiment in dual numbers, in the directions of these unknowns; a list of experiments for each.
    pub fn derivatives(&self, z: &[f64], free: &[usize]) -> Result<Vec<Vec<InnovationsIn<Dual>>>, FilterError> {
        let starts = self.records.iter().map(|record| self.start(record, z, true)).collect::<Result<Vec<_>, _>>()?;
        let one = |(place, direction): (usize, usize)| {
            let (record, start) = (&self.records[place], &starts[place]);
            let lifted =
                |(k, value): (usize, &f64)| Dual { value: *value, derivative: f64::from(u8::from(k == direction)) };
            let z: Vec<Dual> = z.iter().enumerate().map(lifted).collect();
            let prepared = record.prepared;
            let mut parameters: Vec<Dual> = prepared.known.iter().map(|value| Dual::constant(*value)).collect();
            for (&index, &unknown) in prepared.selection.parameters.iter().zip(&prepared.selection.unknowns) {
                parameters[index] = z[unknown];
            }
            let mut found = Ok(InnovationsIn::default());
            self.dual.with_dual_equations(&prepared.problem, &parameters, &mut |equations| {
                found = self.filter(equations, record, &z, start);
            });
            found
        };
        let count = self.records.len();
        let all: Vec<_> = (0..free.len() * count)
            .into_par_iter()
            .map(|task| one((task % count, free[task / count])))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(all.chunks(count.max(1)).map(<[_]>::to_vec).collect())
    }

    /// -2 log L, and twice the cost of the priors.
    pub fn value(&self, z: &[f64]) -> Result<f64, FilterError> {
        let of_data: f64 = self.innovations(z)?.iter().map(|found| found.deviance).sum();
        Ok(of_data + 2.0 * self.priors.cost(&z[..self.own]))
    }

    /// The derivatives of [`value`](Self::value) by the unknowns `free`.
    pub fn gradient(&self, z: &[f64], free: &[usize]) -> Result<Vec<f64>, FilterError> {
        let mut of_priors = vec![0.0; self.own];
        self.priors.add_gradient(&z[..self.own], &mut of_priors);
        let found = self.derivatives(z, free)?;
        let total = |(unknown, found): (&usize, &Vec<InnovationsIn<Dual>>)| {
            let of_data: f64 = found.iter().map(InnovationsIn::derivative).sum();
            of_data + 2.0 * of_priors.get(*unknown).copied().unwrap_or(0.0)
        };
        Ok(free.iter().zip(&found).map(total).collect())
    }

    /// The expected information of innovations and priors about the unknowns `free`.
    pub fn information(&self, z: &[f64], free: &[usize]) -> Result<DMatrix<f64>, FilterError> {
        let found = self.derivatives(z, free)?;
        let product = |one: &[InnovationsIn<Dual>], other: &[InnovationsIn<Dual>]| -> f64 {
            let pairs = one.iter().zip(other);
            pairs.flat_map(|(a, b)| a.information.iter().zip(&b.information)).map(|(a, b)| a * b).sum()
        };
        let mut information =
            DMatrix::from_fn(free.len(), free.len(), |i, k| product(&found[i.min(k)], &found[i.max(k)]));
        for rows in self.priors.rows(&z[..self.own]) {
            for (i, &row) in free.iter().enumerate().filter(|(_, k)| **k < self.own) {
                for (k, &column) in free.iter().enumerate().filter(|(_, k)| **k < self.own) {
                    information[(i, k)] += rows.sensitivities.column(row).dot(&rows.sensitivities.column(column));
                }
            }
        }
        Ok(information)
    }
}

/// Half of [`Likelihood::value`] as a function of the unknowns that are free.
pub(super) struct Minimised<'a> {
    pub likelihood: &'a Likelihood<'a>,
    pub z: Vec<f64>,
    pub free: &'a [usize],
    pub evaluations: usize,
}

impl Minimised<'_> {
    /// Writes the values of the free unknowns into z.
    pub fn take(&mut self, free: &[f64]) {
        self.free.iter().zip(free).for_each(|(&k, value)| self.z[k] = *value);
    }
}

impl Objective for Minimised<'_> {
    type Error = FilterError;

    fn cost(&mut self, free: &[f64]) -> Result<f64, Failure<FilterError>> {
        self.take(free);
        self.evaluations += 1;
        self.likelihood.value(&self.z).map(|value| 0.5 * value).map_err(Failure::Here)
    }

    fn gradient(&mut self, free: &[f64], gradient: &mut [f64]) -> Result<(), Failure<FilterError>> {
        self.take(free);
        let found = self.likelihood.gradient(&self.z, self.free).map_err(Failure::Here)?;
        gradient.iter_mut().zip(found).for_each(|(to, by)| *to = 0.5 * by);
        Ok(())
    }
}
