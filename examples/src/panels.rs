//! Panels that several programs draw.

use costate::identify::{FitSummary, FittedTable};
use costate::optimize::Iteration;
use costate::plot::color::{BLACK, BLUE, GREEN, GREY, ORANGE, series};
use costate::plot::{Axis, Band, Line, Map, Panel};
use costate::restoring_force::{Convergence, RestoringForceCurve, RestoringForceSurface};

use crate::series::{over_time, spaced};

/// Standard deviations between a curve and its uncertainty curves.
const DEVIATIONS: f64 = 2.0;

/// A quantity as it is shown: its name, the unit, and how many of it are in one of SI.
#[derive(Debug, Clone, Copy)]
pub struct Shown(pub &'static str, pub &'static str, pub f64);

impl Shown {
    /// The deformation of an element.
    pub const DEFORMATION: Self = Self("deformation", "µm", 1e6);
    /// The rate of a deformation.
    pub const RATE: Self = Self("rate", "mm/s", 1e3);

    /// The axis of the quantity.
    pub fn axis(self) -> Axis {
        Axis::new(self.0).unit(self.1)
    }

    /// An empty panel of forces over this quantity.
    pub fn forces(self, title: impl Into<String>) -> Panel {
        Panel::new(title, self.axis(), Axis::new("force").unit("N"))
    }

    /// Points in the units of the panel.
    pub fn points(self, points: impl IntoIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
        points.into_iter().map(|(x, y)| (self.2 * x, y)).collect()
    }

    /// A law over a range, as a wide line under others.
    pub fn truth(self, law: impl Fn(f64) -> f64, range: [f64; 2]) -> Line {
        Line::new("true", GREY, self.points(spaced(range, 200).map(|x| (x, law(x))))).width(3.0)
    }

    /// The nodes of a curve.
    pub fn nodes(self, curve: &RestoringForceCurve) -> Vec<(f64, f64)> {
        self.points(curve.points.iter().map(|point| (point.coordinate, point.force)))
    }
}

/// A panel over the deformation of an element and its rate.
pub fn plane_panel(title: impl Into<String>) -> Panel {
    Panel::new(title, Shown::DEFORMATION.axis(), Shown::RATE.axis())
}

/// A map of values at the nodes of a surface, with contour lines at this distance, or with 20 of them.
pub fn surface_panel(
    title: impl Into<String>,
    surface: &RestoringForceSurface,
    value: impl Fn(usize, usize) -> f64,
    contours: Option<f64>,
) -> Panel {
    let (z, v) = (&surface.deformations, &surface.rates);
    let values: Vec<f64> =
        (0..v.len()).flat_map(|j| (0..z.len()).map(move |i| (i, j))).map(|(i, j)| value(i, j)).collect();
    let finite = || values.iter().filter(|f| f.is_finite());
    let contours = contours.unwrap_or_else(|| {
        let (low, high) = finite().fold((0.0_f64, 0.0_f64), |(low, high), f| (low.min(*f), high.max(*f)));
        (high - low) / 20.0
    });
    let [x, y] = [(z, Shown::DEFORMATION), (v, Shown::RATE)]
        .map(|(nodes, shown)| nodes.iter().map(|x| shown.2 * x).collect::<Vec<_>>());
    plane_panel(title).map(Map::new("force in N", x, y, values, contours))
}

/// An empty panel of accelerations over time.
pub fn acceleration_panel(title: impl Into<String>) -> Panel {
    Panel::new(title, Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s²"))
}

/// A curve with its uncertainty, and the true one where it is known.
pub fn curve_panel(
    title: &str,
    shown: Shown,
    found: &RestoringForceCurve,
    truth: Option<impl Fn(f64) -> f64>,
) -> Panel {
    let [low, high] = found.uncertainty(DEVIATIONS);
    let panel = shown
        .forces(title)
        .line(Line::new("±2 standard deviations", ORANGE, shown.points(low)))
        .line(Line::new("", ORANGE, shown.points(high)));
    let panel = match truth {
        Some(truth) => {
            let exact = found.points.iter().map(|point| (point.coordinate, truth(point.coordinate)));
            panel.line(Line::new("true", GREY, shown.points(exact)).width(3.0))
        }
        None => panel,
    };
    panel.line(Line::new("identified", BLUE, shown.nodes(found)).width(1.5))
}

/// A curve that a fit has refined, with its band, and the one of a filter that it began with; grey where the data
/// determine less than half of its values.
pub fn refined_panel(
    title: &str,
    shown: Shown,
    guess: &RestoringForceCurve,
    table: &FittedTable,
    truth: Option<impl Fn(f64) -> f64>,
) -> Panel {
    let mut panel = banded_curve(shown.forces(title), shown, table, 0.5);
    if let Some(truth) = truth {
        let places = table.knots.iter().flatten();
        panel = panel.line(Line::new("true", ORANGE, shown.points(places.map(|x| (*x, truth(*x))))).width(2.5));
    }
    let found = table.knots.iter().flatten().copied().zip(table.values.iter().copied());
    panel.line(Line::new("filter", GREY, shown.nodes(guess))).line(Line::new("refined", BLUE, shown.points(found)))
}

/// Adds the band of a fitted curve to a panel, grey where the data determine less than this part of its values.
pub fn banded_curve(mut panel: Panel, shown: Shown, table: &FittedTable, determined: f64) -> Panel {
    let scale = shown.2;
    let places: Vec<f64> = table.knots.iter().flatten().copied().collect();
    let is_known = |k: &usize| table.told_by_data[*k] > determined || table.standard_deviations[*k] == 0.0;
    let known: Vec<f64> = (0..places.len()).filter(is_known).map(|k| scale * places[k]).collect();
    if let ([first, .., last], [from, .., to]) = (&places[..], &known[..]) {
        panel = panel.no_data((scale * first, *from)).no_data((*to, scale * last));
    }
    let band = places
        .iter()
        .zip(&table.values)
        .zip(&table.standard_deviations)
        .map(|((x, force), deviation)| (scale * x, force - DEVIATIONS * deviation, force + DEVIATIONS * deviation));
    panel.band(Band::new("±2 standard deviations", BLUE, band))
}

/// The convergence plot (KE 2.2.4) of samples every `interval` s.
pub fn convergence_panel(errors: &Convergence, interval: f64) -> Panel {
    let end = errors.prediction_errors.len() as f64 * interval;
    let level = |name: &str, color, value: f64| Line::new(name, color, [(0.0, value), (end, value)]);
    Panel::new("Convergence", Axis::new("time").unit("s"), Axis::new("normalised error").logarithmic())
        .line(Line::new("prediction error", ORANGE, over_time(&errors.prediction_errors, interval)))
        .line(Line::new("synchronisation error", BLUE, over_time(&errors.synchronisation_errors, interval)))
        .line(level("measurement error", BLACK, errors.measurement_error))
        .line(level("limit", GREEN, Convergence::THRESHOLD * errors.measurement_error))
}

/// The cost of a fit over its iterations.
pub fn cost_panel(fit: &FitSummary, unit: &str) -> Panel {
    let points = fit.history.iter().map(|at| (at.number as f64, at.cost));
    Panel::new("Cost", Axis::new("iteration"), Axis::new("J").unit(unit).logarithmic())
        .line(Line::new("", BLUE, points).marked())
}

/// The parameters of a fit over its iterations, and their distances, both relative to reference values; `reference`
/// says what these are.
pub fn parameter_panels(fit: &FitSummary, reference: &str, values: &[f64]) -> [Panel; 2] {
    let panel = |title: String, axis: Axis, shown: fn(f64) -> f64| {
        let parameters = fit.parameters.iter().zip(values).enumerate();
        parameters.fold(Panel::new(title, Axis::new("iteration"), axis), |panel, (k, (fitted, value))| {
            let point = |at: &Iteration| (at.number as f64, shown(at.parameters[k] / value));
            panel.line(Line::new(fitted.name.clone(), series(k), fit.history.iter().map(point)).width(1.5))
        })
    };
    let distance = Axis::new("relative distance").logarithmic();
    [
        panel(format!("Parameters / {reference} values"), Axis::new("relative value"), |ratio| ratio),
        panel(format!("Distance from the {reference} values"), distance, |ratio| (ratio - 1.0).abs()),
    ]
}
