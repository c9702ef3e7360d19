//! Reading the experiments of a campaign file: records, inputs, measured outputs.

use super::document::{Entry, Section};
use super::error::{CampaignError, Fault};
use super::fields;
use super::place::Located;
use super::read::{named, run_of, values};
use super::read_predictions::predictions;
use super::read_records::reading;
use super::{
    ChannelEntry, CorrectionEntry, ExperimentEntry, InputEntry, MeasuredEntry, NoiseEntry, Signal, SpectrumEntry,
    UnknownInputEntry,
};
use crate::options::{Amount, Course};
use costate_cost::{SpectrumForm, Window};

/// Reads one experiment.
///
/// # Errors
/// [`CampaignError`].
pub fn experiment(entry: &Entry<'_>) -> Result<ExperimentEntry, CampaignError> {
    let section = entry.section(fields::EXPERIMENT)?;
    let predictions = predictions(&section)?;
    let record = match predictions.is_empty() {
        true => Some(section.require(&fields::RECORD)?.path()?),
        false => section.read(fields::RECORD.name, Entry::path)?,
    };
    Ok(ExperimentEntry {
        record,
        reading: section.read("reading", reading)?,
        name: section.read("name", Entry::text)?,
        group: section.read("group", Entry::text)?.map(|group| group.value),
        validates: section.read("validation", Entry::boolean)?.unwrap_or(false),
        parameters: section.read("parameters", values)?.unwrap_or_default(),
        run: run_of(&section)?,
        inputs: named(&section, "inputs", input)?,
        measured: named(&section, "measured", measured)?,
        spectra: match section.get("spectra") {
            Some(spectra) => spectra.list()?.iter().map(spectrum).collect::<Result<_, _>>()?,
            None => Vec::new(),
        },
        predictions,
        place: section.place(),
    })
}

/// Reads lines of a spectrum.
fn spectrum(entry: &Entry<'_>) -> Result<SpectrumEntry, CampaignError> {
    let section = entry.section(fields::SPECTRUM)?;
    let words = &["rectangular", "hann", "flat_top", "blackman_harris"];
    let window = match section.read("window", |entry| entry.choice(words))? {
        Some("rectangular") => Window::Rectangular,
        Some("flat_top") => Window::FlatTop,
        Some("blackman_harris") => Window::BlackmanHarris,
        _ => Window::Hann,
    };
    let words = &["squared_amplitude", "amplitude", "coefficients", "decibels"];
    let form = match section.read("form", |entry| entry.choice(words))? {
        Some("squared_amplitude") => SpectrumForm::SquaredAmplitude,
        Some("amplitude") => SpectrumForm::Amplitude,
        Some("coefficients") => SpectrumForm::Coefficients,
        _ => SpectrumForm::Decibels,
    };
    let hertz = |entry: &Entry<'_>| entry.amount()?.finite("the frequency", "Hz");
    let frequencies = section.read("frequencies", |entry| entry.list()?.iter().map(hertz).collect())?;
    let band = section.read("band", |entry| match &entry.list()?[..] {
        [low, high] => Ok((hertz(low)?, hertz(high)?)),
        _ => Err(entry.other("the lowest and the highest frequency in Hz, `[5, 50]`")),
    })?;
    let frequencies: Vec<f64> = frequencies.unwrap_or_default();
    if frequencies.is_empty() && band.is_none() {
        let fault = Fault::Missing { field: "frequencies", example: "[10.0, 20.0]" };
        return Err(CampaignError::new(&section.place(), fault));
    }
    Ok(SpectrumEntry {
        output: section.require(&fields::SPECTRUM_OUTPUT)?.text()?,
        channel: channel(&section)?,
        frequencies,
        band,
        interval: section.read("interval", span)?,
        window,
        form,
        weight: section.read("weight", |entry| entry.amount()?.plain())?.unwrap_or(1.0),
        place: section.place(),
    })
}

/// Reads the signal of an input: a number, an expression, or a section.
///
/// # Errors
/// [`CampaignError`].
pub fn input(entry: &Entry<'_>) -> Result<InputEntry, CampaignError> {
    if !entry.is_section() {
        let signal = match (entry.amount(), entry.as_text()) {
            (Ok(amount), _) => Signal::Constant(amount),
            (Err(_), Some(text)) => Signal::Expression(text),
            (Err(_), None) => {
                return Err(entry.other(
                    "a number, an expression of the time such as `\"500*sin(60*t^2)\"`, or a channel, `{ channel \
                         = \"force\" }`",
                ));
            }
        };
        return Ok(InputEntry { signal: Some(signal), ..InputEntry::default() });
    }
    let section = entry.section(fields::INPUT)?;
    let channel = channel(&section)?;
    let is_named =
        channel.channel.is_some() || channel.record.is_some() || channel.unit.is_some() || channel.unwrap.is_some();
    Ok(InputEntry {
        signal: is_named.then_some(Signal::Channel(Box::new(channel))),
        interpolation: section.read("interpolation", course)?,
        delay: section.read("delay", correction)?,
        unknown: section.read("unknown", unknown_input)?,
    })
}

fn course(entry: &Entry<'_>) -> Result<Located<Course>, CampaignError> {
    let word = entry.choice(&Course::WORDS)?;
    let course = Course::named(word).unwrap_or(Course::Straight);
    Ok(Located::new(course, entry.place()))
}

fn channel(section: &Section<'_>) -> Result<ChannelEntry, CampaignError> {
    Ok(ChannelEntry {
        record: section.read("record", Entry::path)?,
        channel: section.read("channel", Entry::text)?,
        unit: section.read("unit", Entry::text)?,
        unwrap: section.read("unwrap", Entry::boolean)?,
    })
}

fn unknown_input(entry: &Entry<'_>) -> Result<UnknownInputEntry, CampaignError> {
    let section = entry.section(fields::UNKNOWN_INPUT)?;
    let course = section.read("course", |entry| entry.choice(&["smooth", "straight"]))?;
    Ok(UnknownInputEntry {
        interval: section.require(&fields::INTERVAL)?.amount()?.positive("interval", "s")?,
        typical: section.require(&fields::TYPICAL_CHANGE)?.amount()?,
        is_straight: course == Some("straight"),
        bounds: section.read("bounds", Entry::bounds)?,
        window: section.read("window", span)?,
        deviation: section.read("deviation", Entry::amount)?,
        smoothness: section.read("smoothness", |entry| entry.amount()?.plain())?,
    })
}

/// Reads a measured output.
///
/// # Errors
/// [`CampaignError`].
pub fn measured(entry: &Entry<'_>) -> Result<MeasuredEntry, CampaignError> {
    let section = entry.section(fields::MEASURED)?;
    let spans = |field| section.read(field, |entry| entry.list()?.iter().map(span).collect());
    let noise = section.read("noise", |entry| Ok(Located::new(noise(entry)?, entry.place())))?;
    Ok(MeasuredEntry {
        channel: channel(&section)?,
        deviation: section.read("deviation", Entry::amount)?,
        weight: section.read("weight", |entry| entry.amount()?.plain())?,
        gain: section.read("gain", correction)?,
        offset: section.read("offset", correction)?,
        delay: section.read("delay", correction)?,
        windows: spans("windows")?,
        without: spans("without")?,
        weights: section.read("weights", Entry::text)?.map(|name| name.value),
        noise,
    })
}

/// Reads a span of time in s.
fn span(entry: &Entry<'_>) -> Result<(f64, f64), CampaignError> {
    match &entry.list()?[..] {
        [from, to] => Ok((from.amount()?.in_unit("the time", "s")?, to.amount()?.in_unit("the time", "s")?)),
        _ => Err(entry.other("the first and the last time in s, `[0.0, 0.5]`")),
    }
}

/// Reads a number, which is known, or a section, which is that of an unknown one.
fn correction(entry: &Entry<'_>) -> Result<CorrectionEntry, CampaignError> {
    if !entry.is_section() {
        let value: Located<Amount> = entry.amount()?;
        return Ok(CorrectionEntry { value, is_unknown: false, bounds: None, typical: None, common: None });
    }
    let section = entry.section(fields::CORRECTION)?;
    Ok(CorrectionEntry {
        value: section.require(fields::CORRECTION_START)?.amount()?,
        is_unknown: true,
        bounds: section.read("bounds", Entry::bounds)?,
        typical: section.read("typical", Entry::amount)?,
        common: section.read("common", Entry::text)?.map(|name| name.value),
    })
}

fn noise(entry: &Entry<'_>) -> Result<NoiseEntry, CampaignError> {
    let section = entry.section(fields::NOISE)?;
    let order = section.read("order", Entry::count)?;
    let criterion = section.read("criterion", |entry| entry.choice(&["aic", "bic"]))?;
    let limit = section.read("limit", Entry::count)?;
    let coefficients = section.read("coefficients", |entry| {
        entry.list()?.iter().map(|one| one.amount()?.plain()).collect::<Result<Vec<_>, _>>()
    })?;
    let deviation = section.read("deviation", Entry::amount)?;
    match (order, criterion, limit, coefficients, deviation) {
        (Some(order), None, None, None, None) => Ok(NoiseEntry::Order(order)),
        (None, Some(criterion), limit, None, None) => {
            Ok(NoiseEntry::Chosen { is_bic: criterion == "bic", limit: limit.unwrap_or(LIMIT) })
        }
        (None, None, None, Some(coefficients), Some(deviation)) => Ok(NoiseEntry::Known(coefficients, deviation)),
        _ => Err(entry.other(
            "`{ order = 2 }`, `{ criterion = \"bic\", limit = 8 }` or `{ coefficients = [0.5], deviation = 0.1 }`",
        )),
    }
}

/// Largest order of noise that a criterion chooses unless another limit is given.
const LIMIT: usize = 20;
