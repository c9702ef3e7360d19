//! The curve with its band and the truth, and the accelerations.

use std::path::Path;

use anyhow::Result;
use costate::identify::{Fit, FittedTable};
use costate::plot::color::{BLUE, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate_examples::{Shown, acceleration_panel, banded_curve, spaced};
use costate_models::HalfCar;

use crate::MIN_DETERMINED;
use crate::drive::{Drive, force};

pub fn write(drive: &Drive, fit: &Fit<HalfCar>, table: &FittedTable, folder: &Path) -> Result<()> {
    let curve = fit.tables().curve(HalfCar::DAMPER);
    let most = 1.2 * force(curve.range()[1]).abs();
    let panel = Panel::new(
        "Damper: force over speed",
        Axis::new("speed").unit("m/s"),
        Axis::new("force").unit("N").range((-0.7 * most, most)),
    );
    let fine = spaced(curve.range(), 401);
    let start = table.knots.iter().flatten().zip(&table.start).map(|(v, force)| (*v, *force));
    let of_curve = banded_curve(panel, Shown("speed", "m/s", 1.0), table, MIN_DETERMINED)
        .line(Line::new("true", ORANGE, fine.clone().map(|v| (v, force(v)))).width(2.5))
        .line(Line::new("start", GREY, start))
        .line(Line::new("found", BLUE, fine.map(|v| (v, curve.value(v)))));

    let mut figure = Figure::new(1, (900, 420)).panel(of_curve);
    for (name, channel, output) in [
        ("Body above the front axle", "above front axle", HalfCar::ABOVE_FRONT),
        ("Body above the rear axle", "above rear axle", HalfCar::ABOVE_REAR),
    ] {
        let in_window = |(t, _): &(f64, f64)| (8.0..=10.0).contains(t);
        let measured = drive.record.times().iter().copied().zip(drive.record.channel(channel)?.values().to_vec());
        let experiment = &fit.experiments()[0];
        let fitted = experiment.times().into_iter().zip(experiment.output(output));
        figure = figure.panel(
            acceleration_panel(name)
                .line(Line::new("measured", GREY, measured.filter(in_window)).width(2.0))
                .line(Line::new("model", BLUE, fitted.filter(in_window))),
        );
    }
    Ok(figure.write(folder.join("damper.svg"))?)
}
