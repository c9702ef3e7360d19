//! Check of an identification before anything is minimised.
//!
//! The check uses the derivatives at the start values, and the data alone. This module examines a campaign;
//! `checked.rs` has the result, `data.rs` the properties of single channels, `length.rs` the benefit of longer
//! records.

mod checked;
mod data;
mod length;
mod trial;

use super::definition::Definition;
use super::definition::error::{IdentificationError, StartValuesError};
use super::estimation::covariance::{ChannelRows, covariance, samples_of};
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::linearized_run::LinearizedRun;
use super::estimation::observed::Observed;
use super::search::at_start;

use checked::Influence;
pub(super) use checked::StepErrors;
pub use checked::{CheckedUnknown, Determination, IdentificationCheck};
use data::Shape;

impl Definition {
    pub(super) fn check(&self) -> Result<IdentificationCheck, IdentificationError> {
        let (mut definition, mut estimation) = (self.clone(), self.prepare()?);
        definition.choose_steps(&mut estimation)?;
        definition.check_start(&estimation)?;
        let start = estimation.state.parameters();
        if !estimation.has_residuals {
            return Ok(IdentificationCheck::without_residuals(&estimation.unknowns, &start));
        }
        let found = self.evaluation(&estimation, None).sensitivities(&start);
        let found = found.map_err(at_start)?;
        estimation.check_parameters(&found, &start)?;
        if estimation.by_likelihood {
            let rows = estimation.channel_rows(&found, &start);
            let errors = estimation.first_errors(&rows, samples_of(&rows));
            estimation.set_errors(&errors);
        }
        let mut check = estimation.checked(&found, &start, Some(&definition).filter(|own| own.choice.is_none()));
        check.remarks.extend(definition.chosen_steps(&estimation).map(|chosen| chosen.to_string()));
        check.remarks.extend(estimation.ratios_at_start(&found, &start).iter().map(ToString::to_string));
        Ok(check)
    }
}

impl EstimationProblem {
    /// Evaluates the derivatives at the start, and the data. Where steps are too long, runs of order 4 of the
    /// definition are tried, if there is one.
    pub(super) fn checked(
        &self,
        found: &[LinearizedRun],
        start: &[f64],
        definition: Option<&Definition>,
    ) -> IdentificationCheck {
        let mut rows = self.channel_rows(found, start);
        let (mut remarks, mut of_data, mut long) = (Vec::new(), Vec::new(), Vec::new());
        let mut channels = rows.iter_mut();
        for (prepared, found) in self.experiments.iter().zip(found) {
            let named = prepared.comparison.channels.iter().zip(&prepared.channels);
            for (channel, ((observed, taken), rows)) in named.zip(&mut channels).enumerate() {
                let shape = Shape::of(&observed.values);
                let name = match self.name_of(prepared.number) {
                    Some(experiment) => format!("{experiment}: `{}`", taken.name),
                    None => format!("`{}`", taken.name),
                };
                let of_channel = shape.remark(&name);
                of_data.extend(of_channel.clone());
                remarks.extend(of_channel);
                let (noise, is_known) = noise_of(observed, &rows.residuals);
                rows.deviation.get_or_insert(noise);
                let unit = prepared.problem.description().outputs[observed.output].unit;
                let step_error = found.step_error(observed, start);
                if let Some(error) = step_error.filter(|_| is_known) {
                    let (experiment, step) = (prepared.number, prepared.problem.settings().step);
                    let order = LinearizedRun::order_of(std::slice::from_ref(found));
                    long.push(StepErrors { experiment, channel, name, unit, step, error, noise, order });
                }
            }
        }
        long.retain(|one| one.error > one.limit());
        let shortest = long.iter().map(StepErrors::advised_part).reduce(f64::min);
        let order_four = definition.zip(shortest);
        let order_four = order_four.and_then(|(one, part)| one.order_for_channels(self, start, &long, part));
        remarks.extend(long.iter().map(|one| one.remark(order_four)));
        for (observed, rows) in self.channels().skip(self.run_channels()).zip(&mut channels) {
            let noise = || Shape::of(&observed.counted_values()).noise(&rows.residuals);
            let noise = observed.given_deviation.unwrap_or_else(noise);
            rows.deviation.get_or_insert(noise);
        }
        let (count, channels) = (start.len(), self.run_channels());
        for (prepared, found) in self.experiments.iter().zip(found) {
            let of_costs = prepared.comparison.cost_rows(&found.outputs, &found.derivatives, count);
            rows.extend(of_costs.into_iter().flatten());
        }
        rows.extend(self.priors.rows(start));
        let scales = self.scales(start);
        rows.iter_mut().for_each(|rows| rows.scale(&scales));
        let influence = (0..count).map(|k| match rows.iter().any(|rows| acts(rows, k)) {
            true => Influence::Derivative,
            false if self.acts_nearby(start, k) => Influence::Jumps,
            false => Influence::None,
        });
        let influence = influence.collect();
        let covariance = covariance(&rows, count);
        let mut check = IdentificationCheck::new(&self.unknowns, (start, &scales), influence, &covariance, remarks);
        let unknowns = check.unknowns.iter().enumerate().filter(|(_, unknown)| unknown.part_of.is_none());
        let of_length: Vec<_> =
            unknowns.filter_map(|(k, unknown)| length::remark(unknown, k, &rows[..channels])).collect();
        check.remarks.extend(of_length);
        check.of_data = of_data;
        check
    }

    /// Checks that residuals and derivatives at the start are finite.
    pub(super) fn check_parameters(&self, found: &[LinearizedRun], start: &[f64]) -> Result<(), IdentificationError> {
        let rows = self.channel_rows(found, start);
        let channels = self.experiments.iter().flat_map(|prepared| {
            let named = prepared.comparison.channels.iter();
            named.map(move |observed| (prepared, observed))
        });
        for ((prepared, observed), rows) in channels.zip(&rows) {
            let (number, output) = (prepared.number, prepared.output_name(observed));
            let not_finite = |time: f64, by: Option<usize>| {
                let by = by.map(|unknown| self.unknowns[unknown].name().to_owned());
                Err(self.in_experiment(number, StartValuesError::NotFinite { output, time, by }.into()))
            };
            for (sample, residual) in rows.residuals.iter().enumerate() {
                if !residual.is_finite() {
                    return not_finite(observed.times[sample], None);
                }
            }
            for (unknown, column) in rows.sensitivities.column_iter().enumerate() {
                if let Some(sample) = column.iter().position(|entry| !entry.is_finite()) {
                    return not_finite(observed.times[sample], Some(unknown));
                }
            }
        }
        Ok(())
    }
}

/// Returns the standard deviation of the noise of a channel, as given or as its samples show it, and whether these
/// show any.
pub(super) fn noise_of(observed: &Observed, residuals: &[f64]) -> (f64, bool) {
    let shape = Shape::of(&observed.values);
    let noise = observed.given_deviation.unwrap_or_else(|| shape.noise(residuals));
    let is_shown = observed.given_deviation.is_some() || observed.filter.is_none() && shape.shows_noise();
    (noise, is_shown && noise > 0.0)
}

/// Returns true if residuals depend on an unknown.
fn acts(rows: &ChannelRows, unknown: usize) -> bool {
    rows.sensitivities.column(unknown).iter().any(|entry| *entry != 0.0)
}
