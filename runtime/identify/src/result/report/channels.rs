//! Section of the report with measured and fitted signals, over time and frequency.

use costate_cost::residuals::{Absent, Residuals, spectrum};
use costate_measure::record::Record;
use costate_view::Page;
use costate_view::plot::{Axis, Band, Figure, Line, Panel, color};

use super::{WIDE, add, in_print, title_of};
use crate::definition::digits::significant;
use crate::result::fitted_experiment::ExperimentResult;
use crate::result::summary::{FitSummary, MeasuredOutput};
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary, experiments: &[&ExperimentResult]) -> Result<(), FitFileError> {
    if summary.measurements.is_empty() {
        return Ok(());
    }
    page.heading("Measured and fitted signals");
    for experiment in experiments {
        for (output, record) in experiment.all_residuals() {
            let Some((measured, is_validation)) = said_of(summary, experiment, output) else { continue };
            let record = record?;
            let heading = title_of(measured);
            page.subheading(&if is_validation { format!("{heading} (validation)") } else { heading });
            let mut caption = explained(measured);
            let mut figure = Figure::new(1, WIDE).panel(in_time(&record, measured)?);
            figure = figure.panel(residual(&record, measured)?);
            match in_frequency(&record, measured)? {
                Ok(panel) => figure = figure.panel(panel),
                Err(reason) => caption += &format!(" There is no spectrum: {reason}."),
            }
            add(page, &figure, &caption)?;
        }
    }
    Ok(())
}

/// Returns the entry of a measured output in the summary, and true if its experiment only validates.
fn said_of<'a>(
    summary: &'a FitSummary,
    experiment: &ExperimentResult,
    output: &str,
) -> Option<(&'a MeasuredOutput, bool)> {
    let is_it = |measured: &&MeasuredOutput| {
        let of = measured.experiment.as_deref();
        measured.output == output && of.is_none_or(|name| name == experiment.name)
    };
    let fitted = summary.measurements.iter().find(is_it).map(|measured| (measured, false));
    let validating = || summary.validation.iter().flat_map(|validation| &validation.measurements).find(is_it);
    fitted.or_else(|| validating().map(|measured| (measured, true)))
}

fn explained(measured: &MeasuredOutput) -> String {
    let mut text = format!("{} samples", measured.samples);
    if let Some(percent) = measured.fit_percent {
        text += &format!(", explained {percent:.2} %");
    }
    let digits = |value: f64| significant(value, 3);
    text += &format!(
        "; standard deviation of a measured value {} {}",
        digits(measured.standard_deviation),
        in_print(measured.unit)
    );
    if let Some(error) = measured.step_error {
        text += &format!(", step-size error up to {}", digits(error));
    }
    if measured.missing + measured.masked > 0 {
        text += &format!("; {} samples are missing, {} are left out", measured.missing, measured.masked);
    }
    text + "."
}

/// Returns a channel of the record over its times, broken where the record has gaps.
fn course(record: &Record, channel: &str, gaps: &MeasuredOutput) -> Result<Vec<(f64, f64)>, FitFileError> {
    let values = record.channel(channel)?.values();
    let mut points = Vec::with_capacity(values.len());
    let mut before = f64::NEG_INFINITY;
    for (&time, &value) in record.times().iter().zip(values) {
        let middle = gaps.gaps.iter().map(|gap| 0.5 * (gap.from + gap.to));
        if middle.clone().any(|middle| before < middle && middle < time) {
            points.push((0.5 * (before + time), f64::NAN));
        }
        points.push((time, value));
        before = time;
    }
    Ok(points)
}

fn greyed(panel: Panel, measured: &MeasuredOutput) -> Panel {
    measured.gaps.iter().fold(panel, |panel, gap| panel.no_data((gap.from, gap.to)))
}

fn in_time(record: &Record, measured: &MeasuredOutput) -> Result<Panel, FitFileError> {
    let axis = Axis::new(measured.output).unit(in_print(measured.unit));
    let panel = greyed(Panel::new("Time signals", Axis::new("time").unit("s"), axis), measured);
    let line = |name, color, width| -> Result<Line, FitFileError> {
        Ok(Line::new(name, color, course(record, name, measured)?).width(width))
    };
    Ok(panel.line(line("measured", color::GREY, 2.5)?).line(line("fitted", color::BLUE, 1.0)?))
}

/// Draws fitted minus measured values, with bands for the noise and the error of the steps.
fn residual(record: &Record, measured: &MeasuredOutput) -> Result<Panel, FitFileError> {
    let axis = Axis::new("residual").unit(in_print(measured.unit));
    let panel = greyed(Panel::new("Fitted minus measured", Axis::new("time").unit("s"), axis), measured);
    let ends = [record.times().first(), record.times().last()].into_iter().flatten();
    let level = |half: f64| ends.clone().map(move |&time| (time, -half, half));
    let noise = Band::new("±2 standard deviations", color::GREEN, level(2.0 * measured.standard_deviation));
    let panel =
        panel.band(noise).line(Line::new("residual", color::BLUE, course(record, "residual", measured)?).width(0.7));
    Ok(match measured.step_error {
        Some(error) => panel.band(Band::new("step-size error", color::ORANGE, level(error))),
        None => panel,
    })
}

/// Draws amplitude densities, the roots of power densities; or returns the reason why there are none.
fn in_frequency(record: &Record, measured: &MeasuredOutput) -> Result<Result<Panel, Absent>, FitFileError> {
    /// Level of a spectrum's bands, which are not shown here.
    const BAND_LEVEL: f64 = 1e-3;
    let density = Axis::new("amplitude density").unit(per_root_hertz(measured.unit));
    let axes = (Axis::new("frequency").unit("Hz").logarithmic(), density.logarithmic());
    let mut panel = Panel::new("Spectra", axes.0, axes.1);
    let times = record.times();
    for (name, color, width) in
        [("measured", color::GREY, 2.5), ("fitted", color::BLUE, 1.0), ("residual", color::ORANGE, 1.0)]
    {
        let values = record.channel(name)?.values();
        let Ok(signal) = Residuals::new(measured.output, times, values, values) else { continue };
        match spectrum(&signal, None, BAND_LEVEL) {
            Ok(spectrum) => {
                let lines = spectrum.frequencies.iter().zip(&spectrum.density).skip(1);
                let points = lines.map(|(frequency, density)| (*frequency, density.sqrt()));
                panel = panel.line(Line::new(name, color, points).width(width));
            }
            // where residuals are zero, measured values have a spectrum nevertheless
            Err(Absent::ZeroResiduals) => {}
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(panel))
}

/// Returns the unit of an amplitude density: `(m/s²)/√Hz`, `N/√Hz`.
fn per_root_hertz(unit: &str) -> String {
    let unit = in_print(unit);
    if unit.contains(['/', '·']) { format!("({unit})/√Hz") } else { format!("{unit}/√Hz") }
}
