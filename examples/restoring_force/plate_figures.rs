//! The figures of the plate: what is identified with the inertia known (KE 3.3, 4.2), and that without (KE 4.1).

use costate::plot::color::{BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE};
use costate::plot::{Axis, Color, Figure, Line, Panel};
use costate::restoring_force::RestoringForceCurve;
use costate_examples::{Shown, acceleration_panel, channel, convergence_panel, curve_panel, over_time, refined_panel};
use costate_models::restoring_force::inverse_inertia;

use crate::plate_inertia::{Estimate, Load, entries};
use crate::plate_model::Adapted;
use crate::plate_refine::{DISSIPATIVE, ELASTIC, RefinedPlate};
use crate::program::measurement::Measurement;

const SIZE: (u32, u32) = (560, 330);
const COLORS: [Color; 5] = [BLUE, ORANGE, GREEN, PURPLE, BLACK];

/// The true elastic force of a spring in N.
pub fn true_spring(j: usize, z: f64) -> f64 {
    let lift = [1e-6, 1.5e-6, 2e-6][j];
    if z < lift { 6e6 * z } else { 6e6 * lift + 2e6 * (z - lift) }
}

/// The true dissipative force of every spring in N.
pub fn true_damping(v: f64) -> f64 {
    200.0 * v
}

/// Elastic curves, the response, the convergence plot and the initial velocities.
pub fn identified(measurement: &Measurement, adapted: &Adapted, velocities: &[Vec<f64>]) -> Figure {
    let (is_known, interval) = (measurement.truth.is_some(), measurement.interval);
    let mut figure = Figure::new(2, SIZE);
    for (j, curve) in adapted.elastic.iter().enumerate() {
        figure = figure.panel(curve_panel(
            &format!("Elastic force {}", j + 1),
            Shown::DEFORMATION,
            curve,
            is_known.then_some(|z| true_spring(j, z)),
        ));
    }
    let response = acceleration_panel("Response 1")
        .line(Line::new(measurement.origin(), GREY, over_time(&channel(measurement.compared(), 0, 3), interval)))
        .line(Line::new("identified", BLUE, over_time(adapted.response(0), interval)));
    // Without true velocities, those of the last iteration are what the others are compared with.
    let (reference, title) = match (is_known, velocities) {
        (true, [truth, ..]) => (truth, "Initial velocity / true value"),
        _ => (&velocities[velocities.len() - 1], "Initial velocity / last value"),
    };
    let mut initial = Panel::new(title, Axis::new("iteration"), Axis::new("relative value"));
    for (j, color) in COLORS.into_iter().enumerate().take(3) {
        let iterations = velocities.iter().skip(usize::from(is_known)).enumerate();
        let points = iterations.map(|(i, v)| ((i + 1) as f64, v[j] / reference[j]));
        initial = initial.line(Line::new(format!("spring {}", j + 1), color, points).marked());
    }
    figure.panel(response).panel(convergence_panel(adapted.forces.convergence(), interval)).panel(initial)
}

/// Figures 4.1 to 4.3 and 4.6: what was measured, the entries of M^-1 after each run, and their error over the time
/// that it took.
pub fn inertia(weak: &Measurement, strong: &Measurement, estimates: &[Estimate]) -> Figure {
    let is_known = strong.truth.is_some();
    let mut figure = Figure::new(2, SIZE).panel(signals(weak, strong));
    if is_known {
        figure = figure.panel(errors(estimates));
    }
    for estimate in estimates {
        let load = if estimate.load == Load::Low { "low" } else { "high" };
        let title = format!("Inverse inertia, {load} excitation, {}", estimate.filter);
        let mut panel =
            Panel::new(title, Axis::new("iteration"), Axis::new("entry of the inverse mass matrix").unit("1/kg"));
        for (name, entry) in [("true", (0, 0)), ("", (0, 1))].into_iter().filter(|_| is_known) {
            let level = inverse_inertia()[entry];
            let ends = [1.0, estimate.matrices.len() as f64].map(|i| (i, level));
            panel = panel.line(Line::new(name, GREY, ends).width(3.0));
        }
        for (k, (name, color)) in ["µ12", "µ13", "µ22", "µ23", "µ33"].into_iter().zip(COLORS).enumerate() {
            let points = estimate.matrices.iter().enumerate();
            let points = points.map(|(i, matrix)| ((i + 1) as f64, entries(matrix)[k]));
            panel = panel.line(Line::new(name, color, points).marked());
        }
        figure = figure.panel(panel);
    }
    figure
}

/// Figure 4.1: the first signal of both records.
fn signals(weak: &Measurement, strong: &Measurement) -> Panel {
    let axes = (Axis::new("time").unit("s"), Axis::new("|acceleration|").unit("m/s²").logarithmic());
    let panel = Panel::new("Measured acceleration 1", axes.0, axes.1);
    let line = |name: &str, color, measurement: &Measurement| {
        let signal = channel(&measurement.accelerations, 0, 3);
        let largest = |stretch: &[f64]| stretch.iter().fold(0.0_f64, |largest, y| largest.max(y.abs()));
        // a logarithmic axis shows the largest of so many samples
        let stretch = 40;
        let points: Vec<f64> = signal.chunks_exact(stretch).map(largest).collect();
        Line::new(name, color, over_time(&points, stretch as f64 * measurement.interval))
    };
    panel.line(line("high excitation", BLUE, strong)).line(line("low excitation", ORANGE, weak))
}

/// Figure 4.6.
fn errors(estimates: &[Estimate]) -> Panel {
    let axes = (Axis::new("normalised processor time"), Axis::new("average error").unit("%").logarithmic());
    let mut panel = Panel::new("Error of the inverse inertia", axes.0, axes.1);
    for (estimate, color) in estimates.iter().zip(COLORS) {
        let load = if estimate.load == Load::Low { "low" } else { "high" };
        let points = estimate.errors().into_iter().enumerate();
        let points = points.map(|(i, error)| ((i + 1) as f64 * estimate.normed_time, error));
        let name = format!("{}, {load}", estimate.filter);
        panel = panel.line(Line::new(name, color, points.collect::<Vec<_>>()).marked());
    }
    panel
}

/// Figures 4.4 and 4.5: the curves of the second spring with the guess of M^-1 and with what was identified, and the
/// response with the latter.
pub fn adapted(measurement: &Measurement, guessed: &Adapted, found: &Adapted) -> Figure {
    let is_known = measurement.truth.is_some();
    let of_elastic = [&guessed.elastic[1], &found.elastic[1]];
    let of_dissipative = [&guessed.dissipative[1], &found.dissipative[1]];
    let mut figure = Figure::new(2, SIZE)
        .panel(curves("Elastic force 2", Shown::DEFORMATION, of_elastic, is_known.then_some(|z| true_spring(1, z))))
        .panel(curves("Dissipative force 2", Shown::RATE, of_dissipative, is_known.then_some(true_damping)));
    let interval = measurement.interval;
    let end = measurement.base.len() as f64 * interval;
    let (measured, response) = (channel(&measurement.accelerations, 1, 3), found.response(1));
    for (title, from, to) in [
        ("Response 2", 0.0, 1.0),
        ("Response 2, passing the resonance", 0.70, 0.72),
        ("Response 2, where it jumps", 0.80, 0.84),
        ("Response 2, at the end", 0.97, 0.99),
    ] {
        let inside = |signal: &[f64]| -> Vec<(f64, f64)> {
            let points = over_time(signal, interval).into_iter();
            points.filter(|(t, _)| (from * end..=to * end).contains(t)).collect()
        };
        figure =
            figure.panel(
                acceleration_panel(title)
                    .line(Line::new("measured", GREY, inside(&measured)).width(2.0))
                    .line(Line::new("adapted model", BLUE, inside(response))),
            );
    }
    figure
}

fn curves(
    title: &str,
    shown: Shown,
    [guessed, found]: [&RestoringForceCurve; 2],
    truth: Option<impl Fn(f64) -> f64>,
) -> Panel {
    let mut panel = shown.forces(title);
    if let Some(truth) = truth {
        panel = panel.line(shown.truth(truth, found.range()));
    }
    panel
        .line(Line::new("with the guess of M", ORANGE, shown.nodes(guessed)).width(1.5))
        .line(Line::new("with the identified M", BLUE, shown.nodes(found)).width(1.5))
}

/// The refined curves with their bands, and a response.
pub fn refined(measurement: &Measurement, adapted: &Adapted, plate: &RefinedPlate) -> Figure {
    let is_known = measurement.truth.is_some();
    let tables = &plate.refined.fit.summary().tables;
    let table = |name: &str| tables.iter().find(|table| table.table == name);
    let mut figure = Figure::new(3, SIZE);
    for (j, elastic) in ELASTIC.into_iter().enumerate() {
        let truth = is_known.then_some(move |z| true_spring(j, z));
        let title = format!("Elastic force {}", j + 1);
        let panel = |table| refined_panel(&title, Shown::DEFORMATION, &adapted.elastic[j], table, truth);
        figure = table(elastic.name()).map(panel).into_iter().fold(figure, Figure::panel);
    }
    for (j, dissipative) in DISSIPATIVE.into_iter().enumerate() {
        let truth = is_known.then_some(true_damping);
        let title = format!("Dissipative force {}", j + 1);
        let panel = |table| refined_panel(&title, Shown::RATE, &adapted.dissipative[j], table, truth);
        figure = table(dissipative.name()).map(panel).into_iter().fold(figure, Figure::panel);
    }
    for (j, response) in plate.responses.iter().enumerate() {
        let compared = channel(measurement.compared(), j, 3);
        figure = figure.panel(
            acceleration_panel(format!("Response {}", j + 1))
                .line(Line::new(measurement.origin(), GREY, over_time(&compared, measurement.interval)))
                .line(Line::new("refined", BLUE, over_time(response, measurement.interval))),
        );
    }
    figure
}
