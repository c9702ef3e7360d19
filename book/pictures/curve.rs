//! A damper's curve, found at knots.

use anyhow::{Context, Result};
use costate::identify::{Measurement, UnknownTable, Weighting};
use costate::plot::{Axis, Band, Figure, Line, Panel, color};
use costate::table::prior::Shape;
use costate::table::{Curve, Extension};
use costate::{Identification, Record, Simulation};

use crate::noise::noise;

costate::model! {
    /// A mass on a spring and a damper of which only a table is known.
    pub Strut {
        parameters { m: kg = 2, c: N/m = 400 }
        inputs { drive: N }
        tables { damper(speed: m/s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - damper(dot(x)) }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

fn truth(speed: f64) -> f64 {
    12.0 * (3.0 * speed).tanh() + 3.0 * speed
}

fn curve(knots: usize, force: impl Fn(f64) -> f64) -> Result<Curve> {
    let speeds: Vec<f64> = (0..knots).map(|k| -1.2 + 2.4 * k as f64 / (knots - 1) as f64).collect();
    let forces = speeds.iter().map(|speed| force(*speed)).collect();
    Ok(Curve::new(speeds, forces, Extension::Linear)?)
}

fn drive(t: f64) -> f64 {
    9.0 * (11.0 * t).sin() + 6.0 * (17.0 * t).cos() + 4.0 * (4.0 * t).sin()
}

/// True and found curve.
pub fn figure() -> Result<Figure> {
    let strut = Strut::default();
    let simulation = Simulation::new(&strut).input(Strut::DRIVE, drive).table(Strut::DAMPER, curve(61, truth)?);
    let run = simulation.step(2.5e-3).until(3.0).error_limit(None).run()?;
    let mut noise = noise(1);
    let mut noisy = |output, deviation: f64| -> Vec<f64> {
        run.output(output).into_iter().map(|value| value + deviation * noise()).collect()
    };
    let (position, acceleration) = (noisy(Strut::POSITION, 1e-4), noisy(Strut::ACCELERATION, 0.05));
    let record = Record::new(run.times())?.with_channel("position", Some("m"), position)?.with_channel(
        "acceleration",
        Some("m/s^2"),
        acceleration,
    )?;
    let simulation = Simulation::new(&Strut { c: 380.0, ..strut })
        .table(Strut::DAMPER, curve(25, |speed| 8.0 * speed)?)
        .input(Strut::DRIVE, drive)
        .error_limit(None);
    let fit = Identification::new(&simulation)
        .unknown([Strut::C])
        .unknown_table(UnknownTable::new(Strut::DAMPER, 5.0).smooth().shape(Shape::ThroughOrigin))
        .measured(Strut::POSITION, Measurement::new(&record).standard_deviation(1e-4))
        .measured(Strut::ACCELERATION, Measurement::new(&record).standard_deviation(0.05))
        .weighting(Weighting::Likelihood)
        .run()?;
    let found = fit.summary().tables.first().context("no table was found")?;
    let knots = found.knots.first().context("the table has no knots")?;
    let all = || knots.iter().zip(&found.values).zip(&found.standard_deviations);
    let band = all().map(|((x, y), deviation)| (*x, y - 2.0 * deviation, y + 2.0 * deviation));
    let told: Vec<f64> =
        knots.iter().zip(&found.told_by_data).filter(|(_, told)| **told >= 0.5).map(|(x, _)| *x).collect();
    let (first, last) = (told.first().copied().unwrap_or(-1.2), told.last().copied().unwrap_or(1.2));
    let panel = Panel::new("Damper", Axis::new("speed").unit("m/s"), Axis::new("force").unit("N"))
        .no_data((-1.2, first))
        .no_data((last, 1.2))
        .band(Band::new("±2 standard deviations", color::BLUE, band))
        .line(Line::new("start", color::ORANGE, knots.iter().map(|x| (*x, 8.0 * x))))
        .line(
            Line::new("true", color::GREY, (0..=240).map(|k| -1.2 + 0.01 * f64::from(k)).map(|v| (v, truth(v))))
                .width(3.0),
        )
        .line(Line::new("found", color::BLUE, all().map(|((x, y), _)| (*x, *y))).marked());
    Ok(Figure::new(1, (640, 360)).panel(panel))
}
