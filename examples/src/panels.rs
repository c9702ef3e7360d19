//! Panels of restoring forces.

use costate::identify::FittedTable;
use costate::plot::color::{BLACK, BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Band, Line, Panel};
use costate::restoring_force::{Convergence, RestoringForceCurve};

/// Standard deviations between a curve and its uncertainty curves.
const DEVIATIONS: f64 = 2.0;

/// A curve with its uncertainty, and the true one where it is known; of its argument the name, the unit and how many of
/// it are in one of SI.
pub fn curve_panel(
    title: &str,
    (name, unit, scale): (&str, &str, f64),
    found: &RestoringForceCurve,
    truth: Option<impl Fn(f64) -> f64>,
) -> Panel {
    let [low, high] = found.uncertainty(DEVIATIONS);
    let scaled = |points: Vec<(f64, f64)>| points.into_iter().map(move |(x, f)| (scale * x, f));
    let line = |name: &str, color, points| Line::new(name, color, scaled(points));
    let points: Vec<_> = found.points.iter().map(|point| (point.coordinate, point.force)).collect();
    let panel = Panel::new(title, Axis::new(name).unit(unit), Axis::new("force").unit("N"))
        .line(line("±2 standard deviations", ORANGE, low))
        .line(line("", ORANGE, high));
    let panel = match truth {
        Some(truth) => {
            let exact = points.iter().map(|&(x, _)| (x, truth(x))).collect();
            panel.line(line("true", GREY, exact).width(3.0))
        }
        None => panel,
    };
    panel.line(line("identified", BLUE, points).width(1.5))
}

/// Less than this part of a value is told by the data: the rest is smoothness.
const TOLD: f64 = 0.5;

/// A curve that a fit has refined, with its band, beside the one of a filter that it began with; grey where the data
/// say little. Of its argument the name, the unit and how many of it are in one of SI.
pub fn refined_panel(
    title: &str,
    (name, unit, scale): (&str, &str, f64),
    guess: &RestoringForceCurve,
    table: &FittedTable,
    truth: Option<impl Fn(f64) -> f64>,
) -> Panel {
    let places: Vec<f64> = table.knots.iter().flatten().copied().collect();
    let found = || places.iter().map(|x| scale * x).zip(table.values.iter().copied());
    let by = table.standard_deviations.iter().map(|deviation| DEVIATIONS * deviation);
    let band = found().zip(by).map(|((x, f), by)| (x, f - by, f + by));
    let mut panel = Panel::new(title, Axis::new(name).unit(unit), Axis::new("force").unit("N"));
    let is_known = |k: &usize| table.told_by_data[*k] > TOLD || table.standard_deviations[*k] == 0.0;
    let told: Vec<f64> = (0..places.len()).filter(is_known).map(|k| scale * places[k]).collect();
    if let ([first, .., last], [from, .., to]) = (&places[..], &told[..]) {
        panel = panel.no_data((scale * first, *from)).no_data((*to, scale * last));
    }
    panel = panel.band(Band::new("±2 standard deviations", BLUE, band));
    if let Some(truth) = truth {
        panel = panel.line(Line::new("true", ORANGE, places.iter().map(|x| (scale * x, truth(*x)))).width(2.5));
    }
    let guess = guess.points.iter().map(|point| (scale * point.coordinate, point.force));
    panel.line(Line::new("filter", GREY, guess)).line(Line::new("refined", BLUE, found()))
}

/// The convergence plot (KE 2.2.4) of samples every `interval` s.
pub fn convergence_panel(errors: &Convergence, interval: f64) -> Panel {
    let line = |name: &str, color, values: &[f64]| {
        Line::new(name, color, values.iter().enumerate().map(|(i, e)| (i as f64 * interval, *e)))
    };
    let level = |value: f64| {
        let end = errors.prediction_errors.len() as f64 * interval;
        [(0.0, value), (end, value)]
    };
    let limit = Convergence::THRESHOLD * errors.measurement_error;
    Panel::new("Convergence", Axis::new("time").unit("s"), Axis::new("normalised error").logarithmic())
        .line(line("prediction error", ORANGE, &errors.prediction_errors))
        .line(line("synchronisation error", BLUE, &errors.synchronisation_errors))
        .line(Line::new("measurement error", BLACK, level(errors.measurement_error)))
        .line(Line::new("limit", GREEN, level(limit)))
}
