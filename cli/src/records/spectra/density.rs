//! Spectral densities.

use std::fmt::Write;

use costate::measure::Record;
use costate::plot::{Axis, Figure, Line, Panel, color};
use costate::signal::{SpectralDensity, spectral_density};
use serde_json::json;

use super::{SpectraOptions, numbered, shown, written};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::output::write;

/// Computes the densities of channels.
pub fn answer(options: &SpectraOptions, record: &Record, channels: &[String]) -> Result<Answer, CommandError> {
    let averaging = options.segments.averaging(record.times().len());
    let of = |channel: &String| spectral_density([record], channel, &averaging);
    let densities = channels.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let mut text = String::new();
    for density in &densities {
        let rms = density.mean_square(0.0, f64::INFINITY).sqrt();
        let unit = density.unit.as_deref().map_or_else(String::new, |unit| format!(" in {unit}"));
        let _ = writeln!(
            text,
            "{}{unit}: {} lines, {} independent averages, root mean square {}",
            density.channel,
            density.frequencies.len(),
            shown(density.averages),
            shown(rms)
        );
    }
    let failed = written(options, &mut text, |path, extension| {
        if extension == "svg" {
            return Ok(figure(&densities).write(path)?);
        }
        let mut tables = densities.iter().enumerate();
        tables.try_for_each(|(number, density)| write(&numbered(path, number), &table(density)))
    });
    Ok(Answer::new(text, json!({ "densities": densities })).without(failed))
}

fn figure(densities: &[SpectralDensity]) -> Figure {
    densities.iter().fold(Figure::new(1, (900, 320)), |figure, density| {
        let axis = Axis::new("density").logarithmic();
        let axis = match &density.unit {
            Some(unit) => axis.unit(unit),
            None => axis,
        };
        let points = density.frequencies.iter().copied().zip(density.densities.iter().copied());
        let panel = Panel::new(&density.channel, Axis::new("frequency").unit("Hz"), axis);
        figure.panel(panel.line(Line::new("", color::BLUE, points)))
    })
}

fn table(density: &SpectralDensity) -> String {
    let unit = density.unit.as_deref().map_or_else(String::new, |unit| format!(" [{unit}]"));
    let mut text = format!("frequency [Hz],density{unit},deviation{unit}\n");
    let rows = density.frequencies.iter().zip(density.densities.iter().zip(density.deviations()));
    for (frequency, (value, deviation)) in rows {
        let _ = writeln!(text, "{frequency:?},{value:?},{deviation:?}");
    }
    text
}
