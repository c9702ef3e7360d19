//! Doubts about the files that a command reads, said as soon as they are known, so that they stand above an error as
//! well, and notes on how they were read.

use std::sync::{Mutex, PoisonError};

use costate::campaign::Seen;
use costate::command::shown::{Exact, plain};
use costate::measure::{Dropout, Record};
use costate::signal::{wrap_period, wrapped};
use serde_json::Value;

use crate::exit::Exit;
use crate::words;

/// Part of an interval by which stamps may be off their clock without a word.
const MAX_STAMP_DEVIATION: f64 = 1e-2;

/// The doubts that have been said, and the notes.
static SAID: Mutex<Vec<(Kind, String)>> = Mutex::new(Vec::new());

/// Intervals in s that are usual in ms, up to 60 kHz; longer ones are questioned without a model.
const IN_MS: std::ops::Range<f64> = 0.016..0.999;

/// Names and intervals in s of the records whose times have no unit, and may be in ms.
static WITHOUT_UNIT: Mutex<Vec<(String, f64)>> = Mutex::new(Vec::new());

/// Kinds of lines about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The result may be wrong for this reason.
    Doubtful,
    /// The file was read like this.
    Note,
}

/// Says what is doubtful in the files of a campaign.
pub fn of(seen: Seen<'_>) {
    match seen {
        Seen::Record(record) => of_record(record),
        Seen::Early { record, count } => of_early(record, count),
        Seen::Input { record, channel } => of_input(record, channel),
        Seen::Output { record, channel, counts } => of_output(record, channel, counts),
        Seen::Continued { record, channel } => of_continued(record, channel),
        Seen::Motion { record, interval, step } => of_motion(record, interval, step),
        Seen::Smoothed { record, channel, knots, part } => of_smoothing(record.name(), channel, knots, part),
    }
}

/// Says what is doubtful about a record, and how its clock was found.
pub fn of_record(record: &Record) {
    for line in lines(record) {
        say(Kind::Doubtful, format!("`{}`: {line}", record.name()));
    }
    if let Some(line) = of_clock(record) {
        say(Kind::Note, format!("`{}`: {line}", record.name()));
    }
    let is_assumed = record.has_assumed_times();
    if let Some(interval) = record.interval().filter(|interval| is_assumed && IN_MS.contains(interval)) {
        let mut known = WITHOUT_UNIT.lock().unwrap_or_else(PoisonError::into_inner);
        known.push((record.name().to_owned(), interval));
    }
}

/// Says that the unit of a record's times may be another one, where the file names none and the motion of the model is
/// hardly sampled, since a run with errors of some percent needs steps of so many s.
pub fn of_steps(step: f64) {
    /// Steps in a sampling interval from which on a period of the motion has fewer than about eight samples.
    const MAX_STEPS: f64 = 6.0;
    let known = WITHOUT_UNIT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (record, interval) in known.into_iter().filter(|(_, interval)| *interval > MAX_STEPS * step) {
        too_seldom(&record, "have no unit and are taken in s", interval, ("", step));
    }
}

/// Says before a fit that the times of a record may be in another unit, where its motion from the start values, which
/// needs steps of so many s, has hardly a sample in a period.
fn of_motion(record: &Record, interval: f64, step: f64) {
    /// Steps in an interval from which on a motion is this fast, for start values that are not far off as well.
    const MAX_STEPS: f64 = 24.0;
    let taken = if record.has_assumed_times() { "have no unit and are taken in s" } else { "are in s" };
    if interval > MAX_STEPS * step {
        too_seldom(record.name(), taken, interval, (" from the start values", step));
    }
}

/// Says, once for a record, that the times which are taken like this are too far apart for a motion.
fn too_seldom(record: &str, taken: &str, interval: f64, (of, step): (&str, f64)) {
    let (begin, unit) = (format!("`{record}`: "), words::of_command("the option `time_unit`"));
    let is_of_unit = |(_, line): &(Kind, String)| line.starts_with(&begin) && line.contains(&unit);
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).iter().any(is_of_unit) {
        return;
    }
    let (interval, step) = (rounded(interval), rounded(format!("{step:.1e}").parse().unwrap_or(step)));
    let text = format!(
        "{begin}the times {taken}, so that a sample follows every {interval} s, far too seldom for this motion{of}, \
             which needs steps of {step} s; set {unit} to `ms` if they are in ms, or to `s` if this is right"
    );
    say(Kind::Doubtful, text);
}

/// Says that a channel begins anew after each turn, as angles of encoders do. `unit` is that of a channel without one.
pub fn of_turns(record: &Record, channel: &str, unit: Option<&str>) {
    if let Ok(Some(found)) = wrapped(record, channel, unit) {
        let name = record.name();
        let text = format!("`{name}`: {found} by `costate convert --unwrap {channel}`");
        say(Kind::Doubtful, text);
    }
}

/// Describes over which jumps a channel is continued, which are as long as this period in its unit.
pub fn continued(record: &Record, channel: &str, period: f64) -> String {
    let found = record.channel(channel).ok();
    let values = found.into_iter().flat_map(|channel| channel.values()).filter(|value| value.is_finite());
    let values: Vec<f64> = values.copied().collect();
    let jumps = values.windows(2).filter(|pair| (pair[1] - pair[0]).abs() > 0.5 * period).count();
    let unit = found.and_then(costate::measure::Channel::unit).filter(|unit| *unit != "1");
    let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
    let period = rounded(period);
    match jumps {
        0 => format!("{channel}: no jumps by {period}{unit} to continue it over"),
        1 => format!("{channel}: continued over one jump by {period}{unit}"),
        _ => format!("{channel}: continued over {jumps} jumps by {period}{unit}"),
    }
}

/// Says over which jumps a channel of a record is continued.
pub fn of_continued(record: &Record, channel: &str) {
    if let Ok(period) = wrap_period(record, channel) {
        say(Kind::Note, format!("`{}`: {}", record.name(), continued(record, channel, period)));
    }
}

/// Says which samples of a channel that drives an input are no measurements.
pub fn of_input(record: &Record, channel: &str) {
    match record.times().iter().take_while(|time| **time < 0.0).count() {
        0 => {}
        early => of_early(record, early),
    }
    let Some(one) = alone(record, channel) else { return };
    for line in of_samples(&one) {
        let remedy = "the model is driven by it; write values between those beside in its place";
        say(Kind::Doubtful, format!("`{}`: {line}: {remedy}", record.name()));
    }
}

/// Says where a channel that measures an output stands still, in samples that count.
fn of_output(record: &Record, channel: &str, counts: impl Fn(f64) -> bool) {
    let Some(one) = alone(record, channel) else { return };
    for found in one.dropouts().iter().filter(|found| found.is_sudden && (counts(found.from) || counts(found.to))) {
        let remedy = "empty these cells in the file, or leave them out by `without` of the channel in a campaign";
        say(Kind::Doubtful, format!("`{}`: {}: {remedy}", record.name(), stands(found)));
    }
}

/// Returns which samples of a record are no measurements: those of sensors that drop out, and spikes.
pub fn of_samples(record: &Record) -> Vec<String> {
    let dropouts = record.dropouts().into_iter().filter(|found| found.is_sudden).map(|found| stands(&found));
    dropouts.chain(record.spikes().iter().map(ToString::to_string)).collect()
}

fn stands(found: &Dropout) -> String {
    format!("{found}, and jumps there and back, as a sensor does that drops out")
}

/// Returns a record of one channel.
fn alone(record: &Record, channel: &str) -> Option<Record> {
    let channel = record.channel(channel).ok()?;
    let all = Record::new(record.times().to_vec()).ok()?;
    all.with_channel(channel.name(), channel.unit(), channel.values().to_vec()).ok()
}

/// Says how many samples of a record are earlier than the run, which does not compare them.
fn of_early(record: &Record, count: usize) {
    let (samples, are) = if count == 1 { ("sample", "is") } else { ("samples", "are") };
    let text = format!(
        "{count} {samples} before 0 s, where the run begins, {are} left out; set the option `counting_from` to the \
             time of the first sample if the run begins with it"
    );
    say(Kind::Note, format!("`{}`: {}", record.name(), words::of_command(&text)));
}

/// Says that smoothing with knots so far apart in s takes this part of a channel off.
fn of_smoothing(record: &str, channel: &str, knots: f64, part: f64) {
    say(
        Kind::Doubtful,
        format!(
            "`{record}`: smoothing `{channel}` with knots every {} s takes {:.0} % of it off (root mean squares); a \
                 limit in Hz has its unit, as in `8[Hz]`",
            rounded(knots),
            100.0 * part
        ),
    );
}

/// Returns what is doubtful about a record, a sentence each, in the words of the command.
pub fn lines(record: &Record) -> Vec<String> {
    record.doubts().iter().map(|doubt| words::of_command(&doubt.to_string())).collect()
}

/// Returns how the even clock of a record was found whose times are off it.
pub fn of_clock(record: &Record) -> Option<String> {
    let clock = record.even_clock().filter(|clock| clock.deviation > MAX_STAMP_DEVIATION * clock.interval)?;
    let interval = rounded(clock.interval);
    Some(match clock.digit {
        Some(digit) => format!(
            "the times have no digits below {} s; they are taken for those of an even clock with an interval of \
                 {interval} s",
            Exact(digit)
        ),
        None => format!(
            "the times are up to {:.0} % of an interval off an even clock with an interval of {interval} s, for which \
                 they are taken where one is needed; `--rate` sets the clock",
            100.0 * clock.deviation / clock.interval
        ),
    })
}

/// Rounds to six digits.
fn rounded(value: f64) -> Exact {
    Exact(format!("{value:.5e}").parse().unwrap_or(value))
}

/// Prints a line, each once.
fn say(kind: Kind, line: String) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.iter().any(|(_, before)| *before == line) {
        let begin = if kind == Kind::Note { "note" } else { "doubtful" };
        eprintln!("{begin}: {}", plain(&line));
        said.push((kind, line));
    }
}

/// Returns the exit code of a command that ends with this one: a doubt about a file makes its result doubtful.
pub fn exit(own: Exit) -> Exit {
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let is_doubtful = said.iter().any(|(kind, _)| *kind == Kind::Doubtful);
    if own == Exit::Done && is_doubtful { Exit::Doubtful } else { own }
}

/// Adds what has been said about records to an object that `--json` prints.
pub fn beside(mut object: Value) -> Value {
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.is_empty() && object.is_object() {
        let of_kind = |wanted: Kind| -> Vec<&str> {
            said.iter().filter(|(kind, _)| *kind == wanted).map(|(_, line)| line.as_str()).collect()
        };
        let [doubts, notes] = [Kind::Doubtful, Kind::Note].map(of_kind);
        object["record_doubts"] = doubts.into();
        object["record_notes"] = notes.into();
    }
    object
}
