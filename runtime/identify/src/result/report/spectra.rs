//! Measured lines of spectra, and orders, beside those of the fit.

use costate_cost::ComparedLine;
use costate_view::Page;
use costate_view::plot::{Axis, Figure, Line, Panel, color};

use super::{HALF, add, in_print};
use crate::definition::digits::significant;
use crate::result::summary::{FitSummary, FittedCost};
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    for cost in summary.costs.iter().filter(|cost| !cost.lines.is_empty()) {
        let experiment = cost.experiment.iter().map(|name| format!("{name}: ")).collect::<String>();
        page.subheading(&format!("{experiment}{}", cost.name));
        let mut lines: Vec<&ComparedLine> = cost.lines.iter().collect();
        let order = |line: &ComparedLine| line.order.unwrap_or(0.0);
        lines.sort_by(|a, b| {
            let orders = order(a).total_cmp(&order(b));
            a.output.cmp(b.output).then(orders).then(a.frequency.total_cmp(&b.frequency))
        });
        let mut figure = Figure::new(2, HALF);
        for group in lines.chunk_by(|a, b| a.output == b.output && order(a) == order(b)) {
            for panel in panels(group) {
                figure = figure.panel(panel);
            }
        }
        add(page, &figure, &caption(cost))?;
    }
    Ok(())
}

/// Amplitudes, and what of them is not explained, of the lines of one output and one order.
fn panels(lines: &[&ComparedLine]) -> [Panel; 2] {
    let first = lines[0];
    // over the speed where the lines are of an order
    let (title, axis, scale) = match first.order {
        Some(order) => {
            let title = format!("{}, order {}", first.output, significant(order, 3));
            (title, Axis::new("speed").unit("1/min"), 60.0 / order)
        }
        None => (first.output.to_owned(), Axis::new("frequency").unit("Hz"), 1.0),
    };
    let points = |of: &dyn Fn(&ComparedLine) -> f64| -> Vec<(f64, f64)> {
        lines.iter().map(|line| (scale * line.frequency, of(line))).collect()
    };
    let unit = in_print(first.unit);
    let amplitudes = Panel::new(title, axis.clone(), Axis::new("amplitude").unit(unit.as_str()))
        .line(Line::new("measured", color::GREY, points(&|line| line.measured)).width(5.0).scattered())
        .line(Line::new("fitted", color::BLUE, points(&|line| line.fitted)).marked());
    let left = Panel::new("Fitted minus measured", axis, Axis::new("difference").unit(unit.as_str()))
        .line(Line::new("", color::ORANGE, points(&|line| line.fitted - line.measured)).marked());
    [amplitudes, left]
}

fn caption(cost: &FittedCost) -> String {
    let mut text = format!("{} lines", cost.lines.len());
    if let Some(percent) = cost.fit_percent {
        text += &format!(", fit of the amplitudes {percent:.2} %");
    }
    if !cost.lines.iter().all(|line| line.is_independent) {
        text += "; their errors are not independent of each other, so that the residuals are not tested for whiteness";
    }
    text + "."
}
