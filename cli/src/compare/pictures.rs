//! Pictures of a comparison: measured and computed values over time, and their differences.

use costate::command::Page;
use costate::plot::{Figure, Line, Panel, PlotError, color};

use super::Difference;
use crate::run::diagrams::{SIZE, over_time};

/// Draws the signals of every output, and below them the differences.
pub fn figure(differences: &[Difference]) -> Figure {
    differences.iter().fold(Figure::new(1, SIZE), |figure, difference| {
        let [signals, residuals] = panels(difference);
        figure.panel(signals).panel(residuals)
    })
}

/// Returns a page with the comparison in numbers and pictures.
///
/// # Errors
/// [`PlotError`].
pub fn page(model: &str, text: &str, differences: &[Difference]) -> Result<String, PlotError> {
    let mut page = Page::new(format!("{model}: computed and measured"));
    page.as_it_is(text.trim_end());
    for difference in differences {
        page.heading(difference.output);
        let [signals, residuals] = panels(difference);
        let figure = Figure::new(1, SIZE).panel(signals).panel(residuals);
        page.figure(&figure.svg()?, "Above the signals, below computed minus measured values.");
    }
    Ok(page.html())
}

fn panels(difference: &Difference) -> [Panel; 2] {
    let Difference { output, unit, times, measured, computed, .. } = difference;
    let line =
        |name: &str, color, values: &[f64]| Line::new(name, color, times.iter().copied().zip(values.iter().copied()));
    let signals = over_time(output, output, unit).line(line("measured", color::GREY, measured).width(2.0)).line(line(
        "computed",
        color::BLUE,
        computed,
    ));
    let residuals = over_time(&format!("{output}: difference"), "difference", unit).line(Line::new(
        "",
        color::ORANGE,
        difference.residuals(),
    ));
    [signals, residuals]
}
