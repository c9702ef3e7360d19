//! Inputs of an experiment: constants, expressions of the time, channels of records, and what is to be found of them.

use costate_compiler::Formula;
use costate_identify::{Correction, UnknownInput};
use costate_measure::record::Record;
use costate_system::identifiers::Input;
use costate_system::input::{InputError, InputSignal, Sampled};

use super::measured::correction;
use super::records::channels;
use super::{Builder, names};
use crate::course::Course;
use crate::error::{CampaignError, Fault};
use crate::place::{Located, Place};
use crate::seen::{Observe, Seen};
use crate::smoothing::smooth_input;
use crate::values::Pair;
use crate::words::Word;
use crate::{ExperimentEntry, InputEntry, KnotCourse, Limit, Named, Signal, UnknownInputEntry};

/// The inputs of an experiment.
#[derive(Default)]
pub struct Inputs {
    /// The signals of all inputs.
    pub signals: Vec<(Input, InputSignal)>,
    /// Delays of signals.
    pub delays: Vec<(Input, Correction)>,
    /// The parts of inputs that are to be found.
    pub unknown: Vec<UnknownInput>,
}

impl Builder<'_> {
    /// Collects the inputs of an experiment. An input that is not named is the channel with its name.
    ///
    /// # Errors
    /// Names that the model or the record do not have, units that do not fit, texts that are no expressions, and
    /// [`Fault::NoSignal`].
    pub fn inputs(&mut self, entry: &Located<ExperimentEntry>, step: Option<f64>) -> Result<Inputs, CampaignError> {
        let (campaign, loaded) = (self.campaign, self.loaded);
        for named in entry.inputs.iter().chain(&campaign.inputs) {
            names::input(loaded, &named.name)?;
        }
        let mut inputs = Inputs::default();
        for input in Input::each_of(loaded.system.description()) {
            let (name, unit) = (input.name(), input.quantity().unit);
            let (own, common) = (find(&entry.inputs, name), find(&campaign.inputs, name));
            let both = own.into_iter().chain(common);
            let unknown = both.clone().find_map(|entry| entry.unknown.as_ref());
            let course = both.clone().find_map(|entry| entry.interpolation.as_ref());
            let smooth = both.clone().find_map(|entry| entry.smooth.as_ref());
            let signal = match both.clone().find_map(|entry| entry.signal.as_ref()) {
                Some(Signal::Constant(value)) => value.finite(name, unit)?.into(),
                Some(Signal::Expression(text)) => {
                    let quantity = loaded.input(name).map_err(|error| names::refused(text, error))?.1;
                    let formula = Formula::signal(&text.value, quantity).map_err(|found| {
                        let message = found.into_iter().map(|fault| fault.message).collect::<Vec<_>>().join("; ");
                        CampaignError::new(&text.place, Fault::Expression { text: text.value.clone(), message })
                    })?;
                    InputSignal::function(move |time| formula.value(time, &[]))
                }
                Some(Signal::Channel(channel)) => {
                    let wanted = channel.channel.as_ref().map_or(name, |channel| &channel.value);
                    let place = channel.place().unwrap_or(&entry.place);
                    let record = self.records.of_channel(channel, entry.record.as_ref(), wanted, place)?;
                    sampled(&smooth_record(record, wanted, smooth, self.observe)?, wanted, step, course, place)?
                }
                None => {
                    // linear models are those at rest, as `costate response` and `modes` take them
                    let Some(of_experiment) = &entry.record else {
                        inputs.signals.push((input, 0.0.into()));
                        continue;
                    };
                    let record = self.records.at(of_experiment)?;
                    match (record.channel(name).is_ok(), unknown) {
                        (true, _) => {
                            let record = smooth_record(record, name, smooth, self.observe)?;
                            sampled(&record, name, step, course, &of_experiment.place)?
                        }
                        (false, Some(_)) => 0.0.into(),
                        (false, None) => {
                            let fault = Fault::NoSignal {
                                input: name.to_owned(),
                                record: record.name().to_owned(),
                                channels: channels(&record),
                                remedy: campaign.remedy_of_input(name),
                            };
                            return Err(CampaignError::new(&of_experiment.place, fault));
                        }
                    }
                }
            };
            if !matches!(signal, InputSignal::Sampled(_)) {
                let input = name.to_owned();
                if let Some(course) = course {
                    let (purpose, field) = ("interpolate between", "interpolation");
                    return Err(CampaignError::new(&course.place, Fault::NotSampled { input, purpose, field }));
                }
                if let Some(smooth) = smooth {
                    let (purpose, field) = ("smooth", "smooth");
                    return Err(CampaignError::new(&smooth.place, Fault::NotSampled { input, purpose, field }));
                }
            }
            inputs.signals.push((input, signal));
            if let Some(delay) = both.clone().find_map(|entry| entry.delay.as_ref()) {
                inputs.delays.push((input, correction(delay, "the delay", "s")?));
            }
            if let Some(unknown) = unknown {
                inputs.unknown.push(unknown_input(input, unknown)?);
            }
        }
        Ok(inputs)
    }
}

fn find<'e>(entries: &'e [Named<InputEntry>], name: &str) -> Option<&'e InputEntry> {
    entries.iter().find(|entry| entry.name.value == name).map(|entry| &entry.value)
}

/// Smooths a channel of a record, if this is wanted, and tells `observe` that it drives an input.
fn smooth_record(
    record: Record,
    name: &str,
    smooth: Option<&Located<Limit>>,
    observe: Observe<'_>,
) -> Result<Record, CampaignError> {
    observe(Seen::Input { record: &record, channel: name });
    let Some(Located { value: Limit(limit), place }) = smooth else { return Ok(record) };
    smooth_input(&record, name, *limit, observe).map_err(|error| CampaignError::new(place, error))
}

/// Takes a channel as a signal. Its last value continues for one step, as a run ends with the first step that is not
/// before the last sample.
fn sampled(
    record: &Record,
    name: &str,
    step: Option<f64>,
    course: Option<&Located<Word<Course>>>,
    place: &Place,
) -> Result<InputSignal, CampaignError> {
    let mut sampled = Sampled::from_record(record, name).map_err(|error| CampaignError::new(place, error))?;
    if let Some(course) = course {
        let refused = |error: InputError| CampaignError::new(&course.place, Fault::Spline(error));
        sampled = course.value.0.of(sampled).map_err(refused)?;
    }
    let (_, last) = sampled.range();
    let before = record.times().iter().rev().find(|time| **time < last).copied().unwrap_or(last);
    Ok(sampled.held_to(last + step.unwrap_or(0.0).max(last - before)).into())
}

fn unknown_input(input: Input, entry: &UnknownInputEntry) -> Result<UnknownInput, CampaignError> {
    let (name, unit) = (input.name(), input.quantity().unit);
    let typical = entry.typical.positive(name, unit)?;
    let mut unknown = match entry.course.0 {
        KnotCourse::Straight => UnknownInput::straight(input, entry.interval.0, typical),
        KnotCourse::Smooth => UnknownInput::smooth(input, entry.interval.0, typical),
    };
    if let Some(bounds) = &entry.bounds {
        let (lower, upper) = bounds.in_unit(name, unit)?;
        unknown = unknown.within(lower, upper);
    }
    if let Some(Pair(from, to)) = entry.window {
        unknown = unknown.during(from.0, to.0);
    }
    if let Some(deviation) = &entry.deviation {
        unknown = unknown.deviation(deviation.positive(name, unit)?);
    }
    if let Some(curvature) = entry.smoothness {
        unknown = unknown.smoothness(curvature.0);
    }
    Ok(unknown)
}
