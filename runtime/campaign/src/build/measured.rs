//! Measured outputs of an experiment.

use costate_cost::residuals::{Autoregression, AutoregressionOrder};
use costate_identify::{Correction, Measurement};
use costate_measure::record::Record;
use costate_system::identifiers::Output;

use super::records::{channels, continued};
use super::{Builder, names};
use crate::error::{CampaignError, Fault};
use crate::place::{Located, Place};
use crate::reading::since_begin;
use crate::seen::Seen;
use crate::values::{Pair, Time};
use crate::{CorrectionEntry, ExperimentEntry, MeasuredEntry, Named, NoiseEntry};

/// A measured output with the channel that measures it.
#[derive(Debug)]
pub struct MeasuredOutput {
    /// The output.
    pub output: Output,
    /// The measurement with which the output is compared.
    pub entry: MeasuredEntry,
    /// The record of the channel.
    pub record: Record,
    /// The name of the channel.
    pub channel: String,
}

impl Builder<'_> {
    /// Returns the measured outputs of an experiment: those that are named, or else all that are channels of its
    /// record. Samples before the run and after its given end do not count.
    ///
    /// # Errors
    /// Names that the model or the record do not have, units that do not fit, [`Fault::NothingMeasured`] and
    /// [`Fault::NotMeasured`].
    pub fn measured(&mut self, entry: &ExperimentEntry) -> Result<Vec<MeasuredOutput>, CampaignError> {
        let (campaign, description) = (self.campaign, self.loaded.system.description());
        let Some(of_experiment) = &entry.record else {
            // what all experiments have in common is for those with a record
            return match entry.measured.first() {
                None => Ok(Vec::new()),
                Some(first) => Err(CampaignError::new(&first.name.place, Fault::NeedsRecord { field: "measured" })),
            };
        };
        let mut wanted: Vec<(Output, MeasuredEntry, Place)> = Vec::new();
        for Named { name, value } in campaign.measured.iter().chain(&entry.measured) {
            let output = names::output(self.loaded, name)?;
            match wanted.iter_mut().find(|(known, ..)| *known == output) {
                Some((_, known, place)) => (*known, *place) = (value.clone().over(known), name.place.clone()),
                None => wanted.push((output, value.clone(), name.place.clone())),
            }
        }
        // spectra may be all that is compared
        if wanted.is_empty() && entry.spectra.is_empty() {
            let record = self.records.at(of_experiment)?;
            let outputs = Output::each_of(description).filter(|output| record.channel(output.name()).is_ok());
            wanted.extend(outputs.map(|output| (output, MeasuredEntry::default(), of_experiment.place.clone())));
            if wanted.is_empty() {
                let fault = Fault::NothingMeasured {
                    record: record.name().to_owned(),
                    channels: channels(&record),
                    outputs: description.outputs.iter().map(|output| output.name).collect(),
                    remedy: campaign.remedy_of_output("OUTPUT"),
                };
                return Err(CampaignError::new(&of_experiment.place, fault));
            }
        }
        let end = self.end(entry)?;
        let with_channel = |(output, entry, place): (Output, MeasuredEntry, Place)| {
            let record = self.records.at(entry.record.as_ref().unwrap_or(of_experiment))?;
            let channel = self.channel(&record, output, &entry, &place)?;
            let mut record = self.records.of_channel(&entry.channel(), Some(of_experiment), &channel, &place)?;
            if campaign.unwrap.iter().any(|name| *name == channel || name == output.name()) {
                record = continued(&record, &channel, self.observe, &place)?;
            }
            if let Some(end) = end {
                record = record.until(end).map_err(|error| CampaignError::new(&place, error))?;
            }
            record = since_begin(record, self.observe).map_err(|error| CampaignError::new(&place, error))?;
            let is_in = |pairs: &Option<Vec<Pair<Time>>>, time: f64| {
                pairs.iter().flatten().any(|Pair(from, to)| (from.0..=to.0).contains(&time))
            };
            let has_windows = entry.windows.as_ref().is_some_and(|windows| !windows.is_empty());
            let counts = |time| (!has_windows || is_in(&entry.windows, time)) && !is_in(&entry.without, time);
            (self.observe)(Seen::Output { record: &record, channel: &channel, counts: &counts });
            Ok(MeasuredOutput { output, entry, record, channel })
        };
        let found = wanted.into_iter().map(with_channel).collect::<Result<Vec<_>, _>>()?;
        self.check_unwrapped(&found)?;
        Ok(found)
    }

    /// Refuses the name of an angle to continue that is neither a measured output nor its channel.
    fn check_unwrapped(&self, measured: &[MeasuredOutput]) -> Result<(), CampaignError> {
        let is_known = |name: &String| measured.iter().any(|one| *name == one.channel || name == one.output.name());
        let Some(name) = self.campaign.unwrap.iter().find(|name| !is_known(name)) else { return Ok(()) };
        let channels = measured.iter().map(|one| one.channel.clone()).collect();
        Err(CampaignError::new(&Place::option("unwrap", name), Fault::NotMeasured { name: name.clone(), channels }))
    }

    /// Returns the name of the channel of an output: the given one, the one with the output's name, or the only one
    /// that is not an input.
    fn channel(
        &self,
        record: &Record,
        output: Output,
        entry: &MeasuredEntry,
        place: &Place,
    ) -> Result<String, CampaignError> {
        if let Some(channel) = &entry.channel {
            let found = record.channel(&channel.value);
            return Ok(found.map_err(|error| CampaignError::new(&channel.place, error))?.name().to_owned());
        }
        if record.channel(output.name()).is_ok() {
            return Ok(output.name().to_owned());
        }
        match record.channels() {
            [only] if self.loaded.system.input(only.name()).is_err() => Ok(only.name().to_owned()),
            _ => {
                let fault = Fault::NoChannel {
                    output: output.name().to_owned(),
                    record: record.name().to_owned(),
                    channels: channels(record),
                    remedy: self.campaign.remedy_of_output(output.name()),
                };
                Err(CampaignError::new(place, fault))
            }
        }
    }
}

impl MeasuredOutput {
    /// Returns the measurement.
    ///
    /// # Errors
    /// Units that do not fit, and noise that no channel can have.
    pub fn measurement(&self) -> Result<Measurement, CampaignError> {
        let entry = &self.entry;
        let (name, unit) = (self.output.name(), self.output.quantity().unit);
        let mut measurement = Measurement::new(&self.record).channel(&self.channel);
        if let Some(deviation) = &entry.deviation {
            measurement = measurement.standard_deviation(deviation.positive(name, unit)?);
        }
        if let Some(weight) = entry.weight {
            measurement = measurement.weight(weight.0);
        }
        if let Some(gain) = &entry.gain {
            measurement = measurement.gain(correction(gain, "the gain", "1")?);
        }
        if let Some(offset) = &entry.offset {
            measurement = measurement.offset(correction(offset, name, unit)?);
        }
        if let Some(delay) = &entry.delay {
            measurement = measurement.delay(correction(delay, "the delay", "s")?);
        }
        for Pair(from, to) in entry.windows.iter().flatten() {
            measurement = measurement.window(from.0, to.0);
        }
        for Pair(from, to) in entry.without.iter().flatten() {
            measurement = measurement.without(from.0, to.0);
        }
        if let Some(weights) = &entry.weights {
            measurement = measurement.weights_from(weights);
        }
        let Some(Located { value: noise, place }) = &entry.noise else { return Ok(measurement) };
        if entry.deviation.is_some() {
            let (first, second) = ("`noise`, which has a deviation of its own,", "`deviation`");
            return Err(CampaignError::new(place, Fault::Contradiction { first, second }));
        }
        Ok(match noise {
            NoiseEntry::Order(order) => measurement.coloured_noise(AutoregressionOrder::Given(*order)),
            NoiseEntry::Chosen(criterion, limit) => {
                measurement.coloured_noise(AutoregressionOrder::Chosen { criterion: *criterion, limit: *limit })
            }
            NoiseEntry::Known(coefficients, deviation) => {
                let noise_model = Autoregression::new(coefficients.clone(), deviation.positive(name, unit)?);
                measurement.coloured_noise(noise_model.map_err(|error| CampaignError::new(place, Fault::Noise(error)))?)
            }
        })
    }
}

/// Makes a correction whose numbers are those of the quantity `name` with this unit.
///
/// # Errors
/// Units that do not fit, and bounds in the wrong order.
pub fn correction(entry: &CorrectionEntry, name: &str, unit: &str) -> Result<Correction, CampaignError> {
    let value = entry.value.finite(name, unit)?;
    if !entry.is_unknown {
        return Ok(Correction::known(value));
    }
    let mut correction = Correction::unknown(value);
    if let Some(bounds) = &entry.bounds {
        let (lower, upper) = bounds.in_unit(name, unit)?;
        correction = correction.within(lower, upper);
    }
    if let Some(typical) = &entry.typical {
        correction = correction.typical(typical.positive(name, unit)?);
    }
    Ok(match &entry.common {
        Some(name) => correction.common(name),
        None => correction,
    })
}
