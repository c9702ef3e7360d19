//! The curve with its band beside the truth, and the accelerations.

use std::path::Path;

use anyhow::Result;
use costate::identify::{Fit, FittedTable};
use costate::plot::color::{BLUE, GREY, ORANGE};
use costate::plot::{Axis, Band, Figure, Line, Panel};
use costate_models::HalfCar;

use crate::TOLD;
use crate::drive::{Drive, force};

/// From where to where the accelerations are drawn, in s.
const WINDOW: (f64, f64) = (8.0, 10.0);

pub fn write(drive: &Drive, fit: &Fit<HalfCar>, table: &FittedTable, folder: &Path) -> Result<()> {
    let speeds: Vec<f64> = table.knots.iter().flatten().copied().collect();
    let known = |k: usize| table.told_by_data[k] > TOLD || table.standard_deviations[k] == 0.0;
    let curve = fit.tables().curve(HalfCar::DAMPER);
    let (first, last) = (speeds.first().copied().unwrap_or(0.0), speeds.last().copied().unwrap_or(0.0));
    let fine = (0..=400).map(|k| first + (last - first) * f64::from(k) / 400.0);
    let truth: Vec<(f64, f64)> = fine.clone().map(|v| (v, force(v))).collect();
    let found: Vec<(f64, f64)> = fine.map(|v| (v, curve.value(v))).collect();
    let band = speeds.iter().enumerate().map(|(k, v)| {
        let (value, deviation) = (table.values[k], 2.0 * table.standard_deviations[k]);
        (*v, value - deviation, value + deviation)
    });
    let most = 1.2 * force(last).abs();
    let mut of_curve = Panel::new(
        "Damper: force over speed",
        Axis::new("speed").unit("m/s"),
        Axis::new("force").unit("N").range((-0.7 * most, most)),
    );
    // what the data say nothing about
    let told: Vec<f64> = (0..speeds.len()).filter(|k| known(*k)).map(|k| speeds[k]).collect();
    if let (Some(from), Some(to)) = (told.first(), told.last()) {
        of_curve = of_curve.no_data((first, *from)).no_data((*to, last));
    }
    let start = speeds.iter().zip(&table.start).map(|(v, force)| (*v, *force));
    of_curve = of_curve
        .band(Band::new("±2 standard deviations", BLUE, band))
        .line(Line::new("true", ORANGE, truth).width(2.5))
        .line(Line::new("start", GREY, start))
        .line(Line::new("found", BLUE, found));

    let mut figure = Figure::new(1, (900, 420)).panel(of_curve);
    for (name, channel, output) in [
        ("Body above the front axle", "above front axle", HalfCar::ABOVE_FRONT),
        ("Body above the rear axle", "above rear axle", HalfCar::ABOVE_REAR),
    ] {
        let in_window = |(t, _): &(f64, f64)| (WINDOW.0..=WINDOW.1).contains(t);
        let measured = drive.record.times().iter().copied().zip(drive.record.channel(channel)?.values().to_vec());
        let experiment = &fit.experiments()[0];
        let fitted = experiment.times().into_iter().zip(experiment.output(output));
        figure = figure.panel(
            Panel::new(name, Axis::new("time").unit("s"), Axis::new("acceleration").unit("m/s^2"))
                .line(Line::new("measured", GREY, measured.filter(in_window)).width(2.0))
                .line(Line::new("model", BLUE, fitted.filter(in_window))),
        );
    }
    figure.write(folder.join("damper.svg"))?;
    Ok(())
}
