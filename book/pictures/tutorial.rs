//! Two fits of one measurement: a linear spring, and the one that hardens.

use anyhow::{Context, Result};
use costate::identify::Fit;
use costate::plot::{Axis, Band, Figure, Line, Panel, color};
use costate::{Identification, Model, Output, Record, Simulation};

use crate::noise::noise;

costate::model! {
    /// A mass on a spring that hardens.
    pub Hardening {
        parameters { m: kg = 2, c: N/m = 800, c_3: N/m^3 = 2e4, d: N*s/m = 8 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        outputs { acceleration: m/s^2 = ddot(x) }
    }
}

fn sweep(t: f64) -> f64 {
    10.0 * (4.0 * t + 6.0 * t * t).sin()
}

/// Measured and fitted signals, residuals, and their spectra.
pub fn figure() -> Result<Figure> {
    let truth = Hardening::default();
    let run = Simulation::new(&truth).input(Hardening::DRIVE, sweep).step(1e-3).until(4.0).run()?;
    let mut noise = noise(1);
    let values = run.output(Hardening::ACCELERATION).into_iter().map(|a| a + 0.2 * noise()).collect();
    let record = Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), values)?;
    let start = Hardening { c: 1000.0, d: 5.0, c_3: 0.0, ..truth };
    let fitted = |start: Hardening, unknown: &[costate::Parameter<Hardening>]| {
        let simulation = Simulation::new(&start).input(Hardening::DRIVE, sweep);
        Identification::new(&simulation)
            .unknown(unknown.iter().copied())
            .measured(Hardening::ACCELERATION, &record)
            .run()
    };
    let linear = fitted(start, &[Hardening::C, Hardening::D])?;
    let hardening = fitted(Hardening { c_3: 1e3, ..start }, &[Hardening::C, Hardening::C_3, Hardening::D])?;
    let figure = Figure::new(2, (520, 260));
    let figure = figure.panel(signals("linear spring", &linear)?).panel(signals("spring that hardens", &hardening)?);
    let figure = figure.panel(residuals(&linear)?).panel(residuals(&hardening)?);
    Ok(figure.panel(correlation(&linear)?).panel(correlation(&hardening)?))
}

/// Times with the values of a channel of the residuals.
fn course<M: Model>(fit: &Fit<M>, output: Output<M>, channel: &str) -> Result<Vec<(f64, f64)>> {
    let experiment = fit.experiments().first().context("no experiment")?;
    let record = experiment.residuals(output).context("not measured")??;
    let values = record.channel(channel)?.values();
    Ok(record.times().iter().copied().zip(values.iter().copied()).collect())
}

fn time() -> Axis {
    Axis::new("time").unit("s")
}

fn signals(name: &str, fit: &Fit<Hardening>) -> Result<Panel> {
    let of = |channel| course(fit, Hardening::ACCELERATION, channel);
    Ok(Panel::new(format!("Acceleration, {name}"), time(), Axis::new("acceleration").unit("m/s²"))
        .line(Line::new("measured", color::GREY, of("measured")?).width(2.5))
        .line(Line::new("fitted", color::BLUE, of("fitted")?)))
}

fn residuals(fit: &Fit<Hardening>) -> Result<Panel> {
    let points = course(fit, Hardening::ACCELERATION, "residual")?;
    let residual = Axis::new("residual").unit("m/s²").range((-1.5, 1.5));
    let noise = Band::new("±2 deviations of the noise", color::GREEN, points.iter().map(|(t, _)| (*t, -0.4, 0.4)));
    Ok(Panel::new("What is left", time(), residual)
        .band(noise)
        .line(Line::new("", color::BLUE, points.clone()).width(0.7)))
}

fn correlation(fit: &Fit<Hardening>) -> Result<Panel> {
    let channel = fit.assessments().first().context("nothing was judged")?;
    let white = channel.whiteness.as_ref().ok().context("no correlation")?;
    let bound = white.lags.iter().map(|lag| (lag.delay, -lag.bound_95, lag.bound_95));
    let points = white.lags.iter().map(|lag| (lag.delay, lag.correlation));
    Ok(Panel::new("Its correlation", Axis::new("lag").unit("s"), Axis::new("correlation").range((-0.5, 1.0)))
        .band(Band::new("95 % of noise", color::GREEN, bound))
        .line(Line::new("", color::BLUE, points).width(2.0).scattered()))
}
