//! Frequency responses.

use std::fmt::Write;

use costate::measure::{FrequencyResponse, Record, write_responses_uff};
use costate::signal::{Averaging, Trigger, cut, events, frequency_responses, response_figure};
use serde_json::{Value, json};

use super::{SpectraOptions, numbered, shown, written};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::output::not_an_input;

/// Computes the responses of all outputs to all inputs.
pub fn answer(options: &SpectraOptions, record: &Record) -> Result<Answer, CommandError> {
    let [inputs, outputs] =
        [&options.input, &options.response].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut text = String::new();
    let pieces;
    let (records, averaging): (Vec<&Record>, Averaging) = match options.blows.blows {
        Some(level) => {
            let found = events(record, inputs.first().copied().unwrap_or_default(), &Trigger::of_blows(level))?;
            let blows = cut(record, &found, options.blows.before, options.blows.after)?;
            let left = blows.incomplete;
            pieces = blows.pieces;
            let _ = writeln!(text, "{} blows, {left} more are too near to the ends of the record", pieces.len());
            if blows.overlapping > 0 {
                let _ = writeln!(text, "{} pieces overlap: give a smaller `--after`", blows.overlapping);
            }
            let mut averaging = Averaging::repetitions();
            if let Some(time_constant) = options.blows.time_constant {
                averaging = averaging.exponential_window(time_constant);
            }
            (pieces.iter().collect(), options.segments.lines(averaging))
        }
        None => (vec![record], options.segments.averaging(record.times().len())),
    };
    let found = frequency_responses(records, &inputs, &outputs, &averaging)?;
    for response in &found.responses {
        describe(&mut text, response);
    }
    let mut lost: Vec<String> = Vec::new();
    let failed = written(options, &mut text, |path, extension| {
        match extension {
            "svg" => response_figure(&found.responses).write(path)?,
            "csv" => {
                for (number, response) in found.responses.iter().enumerate() {
                    let path = numbered(path, number);
                    not_an_input(&path)?;
                    response.write_csv(path)?;
                }
            }
            _ => lost.extend(write_responses_uff(&found.responses, path)?),
        }
        Ok(())
    });
    lost.iter().for_each(|sentence| {
        let _ = writeln!(text, "{sentence}");
    });
    let responses: Vec<Value> = found.responses.iter().map(object).collect();
    let doubts: Vec<String> = found.responses.iter().flat_map(|one| one.notes.iter().cloned()).collect();
    Ok(Answer::new(text, json!({ "responses": responses, "lost": lost })).without(failed).doubted(&doubts))
}

fn describe(text: &mut String, response: &FrequencyResponse) {
    let unit = match (&response.unit, &response.reference_unit) {
        (Some(unit), Some(reference)) => format!(" in ({unit})/({reference})"),
        _ => String::new(),
    };
    let ends = response.frequencies.first().zip(response.frequencies.last());
    let (from, to) = ends.map_or((f64::NAN, f64::NAN), |(from, to)| (*from, *to));
    let count = response.frequencies.len();
    let _ = writeln!(text, "{}{unit}: {count} lines from {} to {} Hz", response.name, shown(from), shown(to));
    if let (Some(averages), Some(coherence)) = (response.averages, &response.coherence) {
        let mean = coherence.iter().sum::<f64>() / coherence.len().max(1) as f64;
        let _ = writeln!(text, "  {} independent averages, mean coherence {mean:.3}", shown(averages));
    }
    let sizes = response.magnitudes();
    let largest = response.frequencies.iter().zip(&sizes).enumerate().max_by(|a, b| a.1.1.total_cmp(b.1.1));
    if let Some((index, (frequency, size))) = largest {
        let deviation = response.deviations().and_then(|all| all.get(index).copied());
        let deviation = deviation.map_or_else(String::new, |one| format!(" +- {}", shown(one)));
        let _ = writeln!(text, "  largest at {} Hz: {}{deviation}", shown(*frequency), shown(*size));
    }
    if response.added_decay > 0.0 {
        let _ = writeln!(text, "  the exponential window adds {} 1/s to every decay rate", shown(response.added_decay));
    }
}

fn object(response: &FrequencyResponse) -> Value {
    json!({
        "name": response.name, "unit": response.unit, "reference_unit": response.reference_unit,
        "frequencies": response.frequencies,
        "real": response.real, "imaginary": response.imaginary, "coherence": response.coherence,
        "variances": response.variances,
        "averages": response.averages, "added_decay": response.added_decay, "notes": response.notes,
    })
}
