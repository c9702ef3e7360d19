//! Doubts about the files that a command reads, said as soon as it is known, so that it stands above an error as well.

use std::sync::{Mutex, PoisonError};

use costate::command::shown::{Exact, plain};
use costate::measure::Record;
use serde_json::Value;

use crate::words;

/// Part of an interval by which stamps may be off their clock without a word.
const MAX_STAMP_DEVIATION: f64 = 1e-2;

/// The doubts that have been said.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Says what is doubtful about a record, and how its clock was found.
pub fn of_record(record: &Record) {
    for line in lines(record) {
        say(format!("`{}`: {line}", record.name()));
    }
}

/// Says how many samples of a record are earlier than the run, which does not compare them.
pub fn of_early(record: &Record, count: usize) {
    let (samples, are) = if count == 1 { ("sample", "is") } else { ("samples", "are") };
    let text = format!(
        "{count} {samples} before 0 s, where the run begins, {are} left out; set the option `counting_from` to the \
             time of the first sample if the run begins with it"
    );
    say(format!("`{}`: {}", record.name(), words::of_command(&text)));
}

/// Says that smoothing with knots so far apart in s takes this part of a channel off.
pub fn of_smoothing(record: &str, channel: &str, knots: f64, part: f64) {
    say(format!(
        "`{record}`: smoothing `{channel}` with knots every {} s takes {:.0} % of it off (root mean squares); a limit \
             in Hz has its unit, as in `8[Hz]`",
        rounded(knots),
        100.0 * part
    ));
}

/// Returns what is doubtful about a record, a sentence each, in the words of the command.
pub fn lines(record: &Record) -> Vec<String> {
    let mut all: Vec<String> = record.doubts().iter().map(|doubt| words::of_command(&doubt.to_string())).collect();
    let Some(clock) = record.even_clock().filter(|clock| clock.deviation > MAX_STAMP_DEVIATION * clock.interval) else {
        return all;
    };
    let interval = rounded(clock.interval);
    all.push(match clock.digit {
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
    });
    all
}

/// Rounds to six digits.
fn rounded(value: f64) -> Exact {
    Exact(format!("{value:.5e}").parse().unwrap_or(value))
}

/// Prints a doubt, each once.
fn say(doubt: String) {
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.contains(&doubt) {
        eprintln!("doubtful: {}", plain(&doubt));
        said.push(doubt);
    }
}

/// Adds what has been said about records to an object that `--json` prints.
pub fn beside(mut object: Value) -> Value {
    let said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.is_empty() && object.is_object() {
        object["record_doubts"] = said.clone().into();
    }
    object
}
