//! Section of the report with predicted numbers beside the measured ones.

use costate_view::Page;
use costate_view::plot::{Axis, Band, Figure, Line, Panel, color};

use super::{HALF, add, bode, in_print};
use crate::definition::digits::significant;
use crate::result::group_residuals::with_prediction;
use crate::result::summary::{FitSummary, FittedPrediction};
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    let fitted = summary.predictions.iter().map(|predicted| (predicted, false));
    let validating = summary.validation.iter().flat_map(|validation| &validation.predictions);
    let all: Vec<(&FittedPrediction, bool)> = fitted.chain(validating.map(|predicted| (predicted, true))).collect();
    if all.is_empty() {
        return Ok(());
    }
    page.heading("Measured and predicted numbers");
    for (number, (predicted, is_validation)) in all.iter().copied().enumerate() {
        let experiment = predicted.experiment.iter().map(|name| format!("{name}: ")).collect::<String>();
        let validation = if is_validation { " (validation)" } else { "" };
        let next = all.get(number + 1).map(|(next, _)| *next);
        if let Some((next, response)) = next.and_then(|next| Some((next, bode::response(predicted, next)?))) {
            page.subheading(&format!(
                "{experiment}{}: magnitude and phase{validation}",
                with_prediction(&predicted.prediction, response)
            ));
            add(page, &bode::figure(predicted, next, &abscissa(predicted)), "Of the real and imaginary parts below.")?;
        }
        page.subheading(&format!("{experiment}{}{validation}", predicted.name()));
        let figure = Figure::new(2, HALF).panel(numbers(predicted)).panel(residuals(predicted));
        add(page, &figure, &caption(predicted))?;
    }
    Ok(())
}

fn abscissa(predicted: &FittedPrediction) -> Axis {
    /// Ratio of the last to the first place from which on the abscissa is logarithmic.
    const MIN_LOGARITHMIC_RATIO: f64 = 10.0;
    let axis = Axis::new(&predicted.abscissa);
    let axis = if predicted.abscissa_unit == "1" { axis } else { axis.unit(in_print(&predicted.abscissa_unit)) };
    match (predicted.places.first(), predicted.places.last()) {
        (Some(first), Some(last)) if *first > 0.0 && *last > MIN_LOGARITHMIC_RATIO * first => axis.logarithmic(),
        _ => axis,
    }
}

fn ordinate(name: &str, unit: &str) -> Axis {
    let axis = Axis::new(name);
    if unit == "1" { axis } else { axis.unit(in_print(unit)) }
}

fn over(predicted: &FittedPrediction, values: &[f64]) -> Vec<(f64, f64)> {
    predicted.places.iter().copied().zip(values.iter().copied()).collect()
}

/// Vertical bars of two standard deviations to either side, as one broken line.
fn error_bars(predicted: &FittedPrediction, middle: &[f64]) -> Vec<(f64, f64)> {
    let numbers = predicted.places.iter().zip(middle).zip(&predicted.standard_deviations);
    let bar = |((place, value), deviation): ((&f64, &f64), &f64)| {
        [(*place, value - 2.0 * deviation), (*place, value + 2.0 * deviation), (*place, f64::NAN)]
    };
    numbers.flat_map(bar).collect()
}

fn numbers(predicted: &FittedPrediction) -> Panel {
    let measured = over(predicted, &predicted.measured);
    let panel = Panel::new("Numbers", abscissa(predicted), ordinate(&predicted.group, &predicted.unit))
        .line(Line::new("±2 standard deviations", color::GREY, error_bars(predicted, &predicted.measured)))
        .line(Line::new("measured", color::GREY, measured).width(4.0).scattered());
    let panel = match predicted.start.is_empty() {
        true => panel,
        false => panel.line(Line::new("start", color::ORANGE, over(predicted, &predicted.start)).marked()),
    };
    panel.line(Line::new("fitted", color::BLUE, over(predicted, &predicted.fitted)).marked())
}

fn residuals(predicted: &FittedPrediction) -> Panel {
    let differences = predicted.fitted.iter().zip(&predicted.measured).map(|(s, y)| s - y);
    let differences: Vec<f64> = differences.collect();
    let levels = predicted.places.iter().zip(&predicted.standard_deviations);
    let levels = levels.map(|(place, deviation)| (*place, -2.0 * deviation, 2.0 * deviation));
    Panel::new("Fitted minus measured", abscissa(predicted), ordinate("residual", &predicted.unit))
        .band(Band::new("±2 standard deviations", color::GREEN, levels))
        .line(Line::new("residual", color::BLUE, over(predicted, &differences)).marked())
}

fn caption(predicted: &FittedPrediction) -> String {
    let mut text = format!("{} numbers", predicted.measured.len());
    if !predicted.source.is_empty() {
        text += &format!(" from {}", predicted.source);
    }
    if let Some(percent) = predicted.fit_percent {
        text += &format!(", explained {percent:.2} %");
    }
    text += &format!(", {}", predicted.deviations_in_words());
    text += &format!("; part of the cost {}", significant(predicted.cost, 3));
    text + &format!(". Not tested for {}.", predicted.left_out_tests.join(", "))
}
