//! Figures of the fits.

use std::path::Path;

use anyhow::Result;
use costate::plot::color::{BLUE, GREEN, GREY, ORANGE};
use costate::plot::{Axis, Figure, Line, Panel};
use costate::{Record, Run};

use crate::fits::{Fits, simulation};
use crate::model::Fork;

/// Size of a panel over the full width of a page.
const WIDE: (u32, u32) = (900, 260);

/// Writes the record with the best fit, and the residuals of all models.
pub fn write(folder: &Path, record: &Record, fits: &Fits) -> Result<()> {
    let measured = record.channel("gyro")?.values();
    let times = record.times();
    let best = fits.best.model();
    let run = simulation(best, record).run()?;
    let points = |values: &[f64]| times.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
    let voltage = |title: &str, range: (f64, f64)| {
        let panel = Panel::new(title, Axis::new("time").unit("s").range(range), Axis::new("gyro").unit("V"));
        panel.line(Line::new("measured", GREY, points(measured)).width(3.0)).line(Line::new(
            "fit with both frictions",
            BLUE,
            points(&at_samples(&run, record)),
        ))
    };
    let mut residuals = Figure::new(1, WIDE);
    for ((name, fit), color) in fits.compared.iter().zip([ORANGE, GREEN, BLUE]) {
        let run = simulation(fit.model(), record).run()?;
        let errors: Vec<f64> =
            at_samples(&run, record).iter().zip(measured).map(|(found, measured)| 1e3 * (found - measured)).collect();
        let axis = Axis::new("residual").unit("mV").range((-80.0, 80.0));
        residuals = residuals.panel(Panel::new(*name, Axis::new("time").unit("s"), axis).line(Line::new(
            "",
            color,
            points(&errors),
        )));
    }
    let end = times.last().copied().unwrap_or_default();
    Figure::new(1, WIDE)
        .panel(voltage("The measured voltage and the fit", (0.0, end)))
        .panel(voltage("The last swings", (end - 5.0, end)))
        .write(folder.join("voltage.svg"))?;
    residuals.write(folder.join("residuals.svg"))?;
    Ok(())
}

/// The voltage of a run at the samples of the record, which are at steps.
fn at_samples(run: &Run<Fork>, record: &Record) -> Vec<f64> {
    let voltage = run.output(Fork::GYRO);
    let every = (voltage.len().saturating_sub(1) / record.times().len().saturating_sub(1).max(1)).max(1);
    voltage.into_iter().step_by(every).collect()
}
