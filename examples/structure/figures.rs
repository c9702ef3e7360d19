//! The curves of all elements with their uncertainty, the convergence plot, and the response of the adapted model.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREY};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::restoring_force::{Response, SensorKind};
use costate_examples::{Shown, convergence_panel, curve_panel, over_time};

use crate::measurement::Samples;
use crate::response::Found;
use costate_examples::structure::Structure;

/// Draws one row of panels for each element, the convergence plot, and a panel for each sensor.
pub fn write(
    file: &Path,
    structure: &Structure,
    samples: &Samples,
    Found { forces, curves, adapted, .. }: &Found,
) -> Result<()> {
    let mut figure = Figure::new(2, (560, 330));
    for (j, (elastic, dissipative)) in curves.elastic.iter().zip(&curves.dissipative).enumerate() {
        let name = structure.element_name(j);
        let unknown = None::<fn(f64) -> f64>;
        figure = figure
            .panel(curve_panel(&format!("{name}, elastic"), Shown::DEFORMATION, elastic, unknown))
            .panel(curve_panel(&format!("{name}, dissipative"), Shown::RATE, dissipative, unknown));
    }
    figure = figure.panel(convergence_panel(forces.convergence(), samples.interval));
    for j in 0..structure.sensors.len() {
        figure = figure.panel(response_panel(structure, samples, adapted.response.as_ref(), j));
    }
    figure.write(file)?;
    Ok(())
}

/// Draws the measured signal of a sensor, and that of the adapted model.
fn response_panel(structure: &Structure, samples: &Samples, response: Option<&Response>, j: usize) -> Panel {
    let sensor = &structure.sensors[j];
    let (quantity, unit) = match sensor.kind {
        SensorKind::Displacement => ("deformation", "m"),
        SensorKind::Velocity => ("rate", "m/s"),
        SensorKind::Acceleration | SensorKind::RelativeAcceleration => ("acceleration", "m/s²"),
    };
    let line = |name: &str, color, signal: Vec<f64>| Line::new(name, color, over_time(&signal, samples.interval));
    let axes = (Axis::new("time").unit("s"), Axis::new(quantity).unit(unit));
    let panel = Panel::new(format!("Response, {}", sensor.channel), axes.0, axes.1);
    let panel = panel.line(line("measured", GREY, samples.signal(j)));
    match response {
        Some(response) => panel.line(line("adapted model", BLUE, response.signal(j))),
        None => panel,
    }
}
