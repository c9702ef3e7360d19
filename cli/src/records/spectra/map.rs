//! Spectrograms and maps of orders.

use std::fmt::Write;

use clap::Args;
use costate::measure::Record;
use costate::signal::{Mapping, Picture, Tacho, Trigger, order_map, spectrogram, speed_map};
use serde_json::json;

use super::{SpectraOptions, shown, written};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::Word;

/// The shaft of a map over the speed.
#[derive(Debug, Args)]
pub struct Shaft {
    /// The channel of a tacho: the map is over the speed.
    #[arg(long, value_name = "CHANNEL", requires_all = ["map", "threshold", "pulses"])]
    tacho: Option<String>,
    /// The value to which the tacho rises at each pulse, in its unit.
    #[arg(long, value_name = "VALUE", requires = "tacho")]
    threshold: Option<f64>,
    /// Distance by which the tacho falls below the threshold between pulses.
    #[arg(long, value_name = "VALUE", requires = "tacho", default_value_t = 0.0)]
    hysteresis: f64,
    /// Pulses of a revolution.
    #[arg(long, value_name = "COUNT", requires = "tacho")]
    pulses: Option<usize>,
    /// Makes a map of orders, of the signal over the angle.
    #[arg(long, requires = "tacho", conflicts_with = "length")]
    orders: bool,
    /// Draws a line at this order. May be given several times.
    #[arg(long, value_name = "ORDER", requires = "tacho")]
    line: Vec<f64>,
    /// The highest order, or the highest frequency in Hz of a picture.
    #[arg(long, value_name = "VALUE", requires = "map")]
    up_to: Option<f64>,
}

/// Computes the map of a channel.
pub fn answer(options: &SpectraOptions, record: &Record, channel: &str) -> Result<Answer, CommandError> {
    let (segments, shaft) = (&options.segments, &options.shaft);
    let defaults = Mapping::default();
    let mapping = Mapping {
        length: segments.length,
        window: segments.window.map(|Word(window)| window),
        overlap: segments.overlap.unwrap_or(defaults.overlap),
        highest_order: shaft.up_to.filter(|_| shaft.orders).unwrap_or(defaults.highest_order),
        ..defaults
    };
    let picture =
        Picture { reference: options.level, orders: shaft.line.clone(), up_to: shaft.up_to, ..Picture::default() };
    let map = match (&shaft.tacho, shaft.threshold, shaft.pulses) {
        (Some(tacho), Some(threshold), Some(pulses)) => {
            let trigger = Trigger::rising(threshold).hysteresis(shaft.hysteresis);
            let tacho = Tacho::new(record, tacho, &trigger, pulses)?;
            match shaft.orders {
                true => order_map(record, channel, &tacho, &mapping)?,
                false => speed_map(record, channel, &tacho, &mapping)?,
            }
        }
        _ => spectrogram(record, channel, &mapping)?,
    };
    let mut text = String::new();
    let of = |axis: &costate::signal::MapAxis| {
        let (from, to) = (axis.values.first().copied(), axis.values.last().copied());
        let unit = axis.unit.map_or_else(String::new, |unit| format!(" {unit}"));
        let ends = [from, to].map(|end| shown(end.unwrap_or(f64::NAN)));
        format!("{} from {} to {}{unit}, {} values", axis.name, ends[0], ends[1], axis.values.len())
    };
    let _ = writeln!(text, "{}: {}; {}", map.channel, of(&map.x), of(&map.y));
    let values = map.values.iter().copied().enumerate().filter(|(_, value)| value.is_finite());
    if let Some((index, value)) = values.max_by(|a, b| a.1.total_cmp(&b.1)) {
        let columns = map.x.values.len().max(1);
        let at = |values: &[f64], index: usize| shown(values.get(index).copied().unwrap_or(f64::NAN));
        let unit = map.unit.as_deref().map_or_else(String::new, |unit| format!(" {unit}"));
        let _ = writeln!(
            text,
            "largest: {}{unit} at {} {}, {} {}",
            shown(value),
            map.x.name,
            at(&map.x.values, index % columns),
            map.y.name,
            at(&map.y.values, index / columns)
        );
    }
    // over the angle, notes say what is not there
    let (notes, doubts) = if shaft.orders { (map.notes.as_slice(), &[][..]) } else { (&[][..], map.notes.as_slice()) };
    for note in notes {
        let _ = writeln!(text, "note: {note}");
    }
    let failed = written(options, &mut text, |path, extension| match extension {
        "svg" => Ok(map.figure(&picture)?.write(path)?),
        _ => Ok(map.write_csv(path)?),
    });
    Ok(Answer::new(text, json!({ "map": map })).without(failed).doubted(doubts))
}
