//! Both curves, first guess and fit, with the true ones, and by which lever the strut acts.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREY};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{Shown, acceleration_panel, refined_panel};
use costate_models::SwingArm;

use crate::Found;
use crate::bench::{self, Measured};

pub fn write(file: &Path, found: &Found, measured: &Measured) -> Result<()> {
    let tables = &found.refined.fit.summary().tables;
    let forces = [
        ("Elastic force", Shown("stroke", "mm", 1e3), &found.elastic, bench::elastic as fn(f64) -> f64),
        ("Dissipative force", Shown("rate of the stroke", "mm/s", 1e3), &found.dissipative, bench::dissipative),
    ];
    let mut figure = Figure::new(2, (560, 360));
    for ((title, axis, first, law), table) in forces.into_iter().zip(tables) {
        figure = figure.panel(refined_panel(title, axis, first, table, Some(law)));
    }
    figure.panel(lever()).panel(response(found, measured)).write(file)?;
    Ok(())
}

/// The derivative of the stroke with respect to the angle of the arm, which is constant for a linear lever.
fn lever() -> Panel {
    let SwingArm { along, beside, above, .. } = SwingArm::default();
    let lever = |angle: f64| {
        let span = [along * angle.cos() - beside, along * angle.sin() - above];
        along * (span[1] * angle.cos() - span[0] * angle.sin()) / span[0].hypot(span[1])
    };
    let degrees = (-40..=40).map(|k| 0.1 * f64::from(k));
    let points = degrees.map(|angle| (angle, 1e3 * lever(angle.to_radians()).to_radians()));
    let axes = (Axis::new("angle of the arm").unit("°"), Axis::new("stroke per angle").unit("mm/°"));
    Panel::new("Lever of the strut", axes.0, axes.1).line(Line::new("", BLUE, points))
}

fn response(found: &Found, measured: &Measured) -> Panel {
    let in_window = |(t, _): &(f64, f64)| (4.0..=4.5).contains(t);
    let experiment = &found.refined.fit.experiments()[0];
    let fitted = experiment.times().into_iter().zip(experiment.output(SwingArm::ACCELERATION));
    let values = measured.record.channels().iter().flat_map(|channel| channel.values().to_vec());
    let noisy = measured.record.times().iter().copied().zip(values);
    acceleration_panel("Axle").line(Line::new("measured", GREY, noisy.filter(in_window))).line(Line::new(
        "model",
        BLUE,
        fitted.filter(in_window),
    ))
}
