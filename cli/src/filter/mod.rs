//! `costate filter`: states and parameters, followed through a record sample by sample.

mod options;
mod passes;
mod results;

use std::path::PathBuf;

use costate::campaign::build::{self, MeasuredOutput};
use costate::command::significant;
use costate::model::Parameter;
use costate::simulate::{InputSignal, Interrupt, Sampled, Simulation};

use crate::answer::Answer;
use crate::compare::turns;
use crate::error::CommandError;
use crate::fit::FitError;
use crate::loaded::{Loaded, load};
use crate::options::OptionError;
use crate::output;

use options::FilterOptionError;
pub use options::Options;
use passes::{Filtering, Pass};
use results::{Followed, Results, Tracked};

/// A parameter that is followed.
#[derive(Debug)]
struct Following {
    parameter: Parameter,
    /// Value and standard deviation at the start, in the parameter's unit.
    start: (f64, f64),
    /// The drift of the parameter, in its unit per root of a second.
    drift: f64,
}

/// Part of its value by which a followed parameter is uncertain at the start, unless it is given.
const START_UNCERTAINTY: f64 = 0.2;

/// Filters the record.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    options.check_outputs()?;
    let campaign = options.bench.campaign()?;
    let loaded = load(&(&campaign).into())?;
    // nothing is kept of a filter that is stopped: Ctrl-C ends it at once
    let prepared = build::first_run(&campaign, &loaded, &Interrupt::new(), &crate::doubts::of)?;
    let (simulation, measured) = prepared.ok_or_else(|| FitError::NoRecord(campaign.model.file.0.clone()))?;
    let (simulation, measured, begin) = counted(simulation, measured);
    let times = measured.first().map(|measured| measured.record.times().to_vec()).unwrap_or_default();
    let interval = simulation.description().step;
    let interval = interval.or_else(|| measured.first()?.record.interval()).ok_or(FilterOptionError::NoInterval)?;
    let last = simulation.description().end.or(times.last().copied()).unwrap_or_default();
    output::check(options.output.iter().map(PathBuf::as_path))?;
    let following = following(options, &loaded, &simulation.description().model.parameters)?;
    let noise = noise(options, &loaded, &measured)?;
    check_steps(&simulation)?;
    if let Some(lag) = options.lag.filter(|lag| !(*lag > 0.0 && *lag < last)) {
        return Err(FilterOptionError::Lag { lag, length: last }.into());
    }
    let filtering = Filtering {
        options,
        loaded: &loaded,
        simulation: &simulation,
        measured: &measured,
        following: &following,
        noise: &noise,
    };
    let is_given = simulation.description().step.is_some();
    let (pass, step_check) = filtering.with_fine_steps((interval, last), is_given)?;
    let Pass { names, places, rows, assumed, filtered, smoothed, .. } = pass;
    let results = Results {
        model: loaded.system.description(),
        interval: pass.interval,
        is_finer: pass.interval < interval,
        step_check,
        names,
        parameters: places.into_iter().zip(&following).map(|(place, one)| Followed::new(one, place)).collect(),
        outputs: measured.iter().zip(noise).map(|(one, noise)| Tracked { output: one.output, noise }).collect(),
        rows,
        assumed,
        filtered,
        smoothed,
        lag: options.lag,
    };
    let turns: Vec<String> = measured.iter().filter_map(|one| turns(&one.record, &one.channel, one.output)).collect();
    Ok(results.answer(&options.output, turns, begin))
}

/// The begin of the records, compared with that of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Begin {
    /// Both begin together.
    Same,
    /// The run begins with the records, whose first sample is at this time in s of theirs.
    OfRecords(f64),
    /// The run begins at 0 s, and the first record this long in s later.
    Later(f64),
}

/// Returns the simulation and the measured outputs with times that count from the begin of the run. A run whose times
/// nothing says but its records, and that begin all together, begins with these.
fn counted(simulation: Simulation, mut measured: Vec<MeasuredOutput>) -> (Simulation, Vec<MeasuredOutput>, Begin) {
    let first = |one: &MeasuredOutput| one.record.late_begin();
    let late = measured.iter().map(first).reduce(|one, other| Some(one?.min(other?))).flatten();
    let Some(late) = late else { return (simulation, measured, Begin::Same) };
    let run = simulation.description();
    // a signal that begins with the records says nothing else than they do
    let is_late = |signal: &InputSignal| match signal {
        InputSignal::Constant(_) => true,
        InputSignal::Function(_) => false,
        InputSignal::Sampled(sampled) => sampled.first_of_record() == Some(late),
    };
    let is_driven = run.signals.iter().any(|(_, signal)| !is_late(signal));
    if is_driven || run.end.is_some() || measured.iter().any(|one| first(one) != Some(late)) {
        return (simulation, measured, if is_driven { Begin::Same } else { Begin::Later(late) });
    }
    for one in &mut measured {
        one.record = one.record.clone().starting_at_zero();
    }
    let signals = run.signals.clone();
    let simulation = signals.into_iter().fold(simulation, |simulation, (input, signal)| match signal {
        InputSignal::Sampled(sampled) => simulation.input(input, Sampled::clone(&sampled).counted_from(late)),
        _ => simulation,
    });
    (simulation, measured, Begin::OfRecords(late))
}

/// Refuses adaptive steps and high orders: a filter takes one constant step after the other.
fn check_steps(simulation: &Simulation) -> Result<(), FilterOptionError> {
    let settings = &simulation.description().settings;
    match settings.order > 2 || settings.steps.is_adaptive() {
        true => Err(FilterOptionError::Steps),
        false => Ok(()),
    }
}

/// Collects the parameters that are followed.
fn following(options: &Options, loaded: &Loaded, values: &[f64]) -> Result<Vec<Following>, CommandError> {
    let mut all: Vec<Following> = Vec::new();
    for name in &options.follow {
        let parameter = loaded.system.parameter(name.trim())?;
        if all.iter().any(|known| known.parameter == parameter) {
            return Err(OptionError::Repeated { option: "--follow", name: name.clone() }.into());
        }
        let (name, unit) = (parameter.name(), parameter.quantity().unit);
        let value = values.get(parameter.index()).copied().unwrap_or(f64::NAN);
        let deviation = options.deviation_of(name).map(|amount| amount.in_unit(name, unit)).transpose()?;
        let deviation = deviation.unwrap_or(START_UNCERTAINTY * value.abs());
        if !(deviation > 0.0 && deviation.is_finite()) {
            return Err(FilterOptionError::NoDeviation { name: name.to_owned(), unit: unit.to_owned() }.into());
        }
        let drift = options.drift_of(name).map(|amount| amount.in_unit(name, unit)).transpose()?.unwrap_or(0.0);
        all.push(Following { parameter, start: (value, deviation), drift: drift.abs() });
    }
    Ok(all)
}

/// Collects the standard deviations of the measured outputs.
fn noise(options: &Options, loaded: &Loaded, measured: &[MeasuredOutput]) -> Result<Vec<f64>, CommandError> {
    for (name, _) in &options.noise {
        loaded.system.output(name)?;
    }
    let deviation = |measured: &MeasuredOutput| -> Result<f64, CommandError> {
        let (name, unit) = (measured.output.name(), measured.output.quantity().unit);
        let missing = || FilterOptionError::NoNoise { name: name.to_owned(), unit: unit.to_owned() };
        let deviation = options.noise_of(name).ok_or_else(missing)?.in_unit(name, unit)?;
        if deviation > 0.0 && deviation.is_finite() { Ok(deviation) } else { Err(missing().into()) }
    };
    measured.iter().map(deviation).collect()
}

/// Returns the measured values at the samples of the filter, one row for each; NaN where nothing was measured.
fn rows(measured: &[MeasuredOutput], interval: f64, samples: usize) -> Result<Vec<f64>, CommandError> {
    let mut rows = vec![f64::NAN; samples * measured.len()];
    for (column, one) in measured.iter().enumerate() {
        let values = one.record.rows([(one.channel.as_str(), one.output)], interval)?.values;
        let places = rows.iter_mut().skip(column).step_by(measured.len());
        places.zip(values).for_each(|(place, value)| *place = value);
    }
    Ok(rows)
}

/// Writes a number with its deviation and its unit.
fn with_deviation((value, deviation): (f64, f64), unit: &str) -> String {
    format!("{} ± {} {unit}", significant(value, 6), significant(deviation, 2))
}
