//! Measured outputs of an experiment.

use costate::identify::Measurement;
use costate::identify::residuals::{Autoregression, AutoregressionOrder};
use costate::measure::Record;
use costate::model::Output;

use super::experiment::correction;
use super::records::{channels, continued};
use super::{Records, names};
use crate::fit::campaign::error::{CampaignError, Fault};
use crate::fit::campaign::place::{Located, Place};
use crate::fit::campaign::values::Pair;
use crate::fit::campaign::{Campaign, ExperimentEntry, MeasuredEntry, Named, NoiseEntry};
use crate::loaded::Loaded;

/// A measured output with the channel that measures it.
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

/// Returns the measurements of an experiment.
///
/// # Errors
/// Those of [`channels_of`], and numbers that do not serve.
pub fn of_experiment(
    entry: &ExperimentEntry,
    of: (&Campaign, &Loaded),
    records: &mut Records,
) -> Result<Vec<(Output, Measurement)>, CampaignError> {
    let measurement = |measured: MeasuredOutput| {
        let MeasuredOutput { output, entry, record, channel } = measured;
        Ok((output, of_output(Measurement::new(&record).channel(channel), output, &entry)?))
    };
    channels_of(entry, of, records)?.into_iter().map(measurement).collect()
}

/// Returns the measured outputs of an experiment: those that are named, or else all that are channels of its record.
/// Samples behind a given end of the run do not count.
///
/// # Errors
/// Names that the model or the record do not have, units that do not fit, and [`Fault::NothingMeasured`].
pub fn channels_of(
    entry: &ExperimentEntry,
    (campaign, loaded): (&Campaign, &Loaded),
    records: &mut Records,
) -> Result<Vec<MeasuredOutput>, CampaignError> {
    let Some(of_experiment) = &entry.record else {
        // what all experiments have in common is for those with a record
        return match entry.measured.first() {
            None => Ok(Vec::new()),
            Some(first) => Err(CampaignError::new(&first.name.place, Fault::NeedsRecord { field: "measured" })),
        };
    };
    let mut wanted: Vec<(Output, MeasuredEntry, Place)> = Vec::new();
    for Named { name, value } in campaign.measured.iter().chain(&entry.measured) {
        let output = names::output(loaded, name)?;
        match wanted.iter_mut().find(|(known, ..)| *known == output) {
            Some((_, known, place)) => (*known, *place) = (value.clone().over(known), name.place.clone()),
            None => wanted.push((output, value.clone(), name.place.clone())),
        }
    }
    // spectra may be all that is compared
    if wanted.is_empty() && entry.spectra.is_empty() {
        let record = records.at(of_experiment)?;
        let outputs = Output::each_of(loaded.system.description());
        let measured = outputs.filter(|output| record.channel(output.name()).is_ok());
        wanted.extend(measured.map(|output| (output, MeasuredEntry::default(), of_experiment.place.clone())));
        if wanted.is_empty() {
            let fault = Fault::NothingMeasured {
                record: record.name().to_owned(),
                channels: channels(&record),
                outputs: loaded.system.description().outputs.iter().map(|output| output.name).collect(),
                remedy: campaign.remedy_of_output("OUTPUT"),
            };
            return Err(CampaignError::new(&of_experiment.place, fault));
        }
    }
    let with_channel = |(output, measured, place): (Output, MeasuredEntry, Place)| {
        let record = records.at(measured.record.as_ref().unwrap_or(of_experiment))?;
        let channel = channel(&record, output, &measured, (&place, campaign, loaded))?;
        let mut record = records.of_channel(&measured.channel(), Some(of_experiment), (&channel, &place))?;
        if campaign.unwrap.iter().any(|name| *name == channel || name == output.name()) {
            record = continued(&record, &channel, &place)?;
        }
        if let Some(end) = entry.run.end.or(campaign.run.end) {
            record = record.until(end.0).map_err(|error| CampaignError::new(&place, error))?;
        }
        Ok(MeasuredOutput { output, entry: measured, record, channel })
    };
    wanted.into_iter().map(with_channel).collect()
}

/// Returns the name of the channel of an output: the given one, the one with the output's name, or the only one that
/// is not an input.
fn channel(
    record: &Record,
    output: Output,
    measured: &MeasuredEntry,
    (place, campaign, loaded): (&Place, &Campaign, &Loaded),
) -> Result<String, CampaignError> {
    if let Some(channel) = &measured.channel {
        let found = record.channel(&channel.value);
        return Ok(found.map_err(|error| CampaignError::new(&channel.place, error))?.name().to_owned());
    }
    if record.channel(output.name()).is_ok() {
        return Ok(output.name().to_owned());
    }
    match record.channels() {
        [only] if loaded.system.input(only.name()).is_err() => Ok(only.name().to_owned()),
        _ => {
            let fault = Fault::NoChannel {
                output: output.name().to_owned(),
                record: record.name().to_owned(),
                channels: channels(record),
                remedy: campaign.remedy_of_output(output.name()),
            };
            Err(CampaignError::new(place, fault))
        }
    }
}

fn of_output(
    mut measurement: Measurement,
    output: Output,
    entry: &MeasuredEntry,
) -> Result<Measurement, CampaignError> {
    let (name, unit) = (output.name(), output.quantity().unit);
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
    match &entry.noise {
        None => Ok(measurement),
        Some(noise) if entry.deviation.is_some() => {
            let (first, second) = ("`noise`, which has a deviation of its own,", "`deviation`");
            Err(CampaignError::new(&noise.place, Fault::Contradiction { first, second }))
        }
        Some(noise) => with_noise(measurement, noise, name, unit),
    }
}

fn with_noise(
    measurement: Measurement,
    noise: &Located<NoiseEntry>,
    name: &str,
    unit: &str,
) -> Result<Measurement, CampaignError> {
    Ok(match &noise.value {
        NoiseEntry::Order(order) => measurement.coloured_noise(AutoregressionOrder::Given(*order)),
        NoiseEntry::Chosen(criterion, limit) => {
            measurement.coloured_noise(AutoregressionOrder::Chosen { criterion: *criterion, limit: *limit })
        }
        NoiseEntry::Known(coefficients, deviation) => {
            let noise_model = Autoregression::new(coefficients.clone(), deviation.positive(name, unit)?);
            let refused = |error| CampaignError::new(&noise.place, Fault::Noise(error));
            measurement.coloured_noise(noise_model.map_err(refused)?)
        }
    })
}
