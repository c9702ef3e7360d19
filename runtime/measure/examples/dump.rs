//! Prints what a file holds as one line of JSON, for comparisons with other readers.

use costate_measure::formats::{Axis, Channel, Recording, Spectrum};
use serde_json::{Value, json};

fn main() {
    for path in std::env::args().skip(1) {
        let line = match costate_measure::formats::read(&path) {
            Ok(recording) => file(&recording),
            Err(error) => json!({ "error": chain(&error) }),
        };
        println!("{line}");
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

fn file(recording: &Recording) -> Value {
    let groups: Vec<Value> = recording
        .groups
        .iter()
        .map(|group| json!({ "name": group.name, "channels": group.channels.iter().map(channel).collect::<Vec<_>>() }))
        .collect();
    let left_out: Vec<Value> = recording.left_out.iter().map(|left| json!([left.name, left.reason])).collect();
    let spectra: Vec<Value> = recording.spectra.iter().map(spectrum).collect();
    json!({
        "format": recording.format.to_string(), "groups": groups, "spectra": spectra, "texts": recording.texts,
        "left_out": left_out,
        "notes": recording.notes
    })
}

/// Numbers as text, since JSON has no NaN and no infinity.
fn numbers(values: &[f64]) -> Vec<String> {
    values.iter().map(|value| format!("{value:?}")).collect()
}

fn axis(axis: &Axis) -> Value {
    match axis {
        Axis::Even { start, step } => json!([start, step]),
        Axis::Stamps(stamps) => json!(numbers(stamps)),
        _ => Value::Null,
    }
}

fn channel(channel: &Channel) -> Value {
    json!({
        "name": channel.name, "unit": channel.unit, "source": channel.source, "comment": channel.comment,
        "axis": axis(&channel.axis),
        "start": channel.start.map(|start| start.to_string()), "values": numbers(&channel.values),
        "imaginary": numbers(&channel.imaginary)
    })
}

fn spectrum(one: &Spectrum) -> Value {
    json!({
        "kind": one.kind.to_string(), "name": one.name, "response": one.response.to_string(),
        "reference": one.reference.as_ref().map(ToString::to_string), "axis": axis(&one.axis), "unit": one.unit,
        "reference_unit": one.reference_unit, "real": numbers(&one.real), "imaginary": numbers(&one.imaginary)
    })
}
