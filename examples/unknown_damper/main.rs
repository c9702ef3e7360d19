//! Finds the curve of a damper from two accelerometers on the body of half a car: its values at knots are unknown,
//! with mass and inertia of the body, and nothing is said of the curve but that it is smooth and goes through the
//! origin.

mod drive;
mod figures;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use costate::identify::{
    Fit, FittedTable, IdentificationError, Measurement, UnknownParameter, UnknownTable, Weighting,
};
use costate::simulate::Interrupt;
use costate::table::formula::Formula;
use costate::table::prior::Shape;
use costate::table::{Curve, Extension};
use costate::{Identification, Simulation};
use costate_examples::{Outputs, extent, fraction, interrupted, stop_on_ctrl_c};
use costate_models::HalfCar;
use serde::Serialize;

use drive::{Drive, END, INTERVAL, STEPS_PER_SAMPLE, force};

/// Finds the curve of a damper, force over speed, from two accelerometers on the body of half a car that drives over a
/// rough road, together with the body's mass and inertia.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on both accelerometers, relative to the RMS of what they measure
    #[arg(long, value_name = "FRACTION", default_value_t = 0.03, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise and of the road
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

/// The part of a value that the data determine, from which on it is known.
const MIN_DETERMINED: f64 = 0.9;

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let interrupt = stop_on_ctrl_c()?;
    let drive = drive::drive(options.noise, options.seed)?;
    let fit = match identify(&drive, interrupt, !options.outputs.quiet) {
        Err(error) => match error.downcast::<IdentificationError>()? {
            IdentificationError::Interrupted(stopped) => {
                return Ok(program.stopped(interrupted(&stopped.work, None)));
            }
            error => return Err(error.into()),
        },
        Ok(fit) => fit,
    };
    let table = fit.summary().tables.first().context("the fit has no table")?;
    let comparison = Comparison::of(table);
    program.tell(report(&drive, &fit, table, &comparison)?);
    fit.write(program.folder())?;
    program.figures(|folder| figures::write(&drive, &fit, table, folder))?;
    if let Some(file) = &options.report {
        fit.report(file)?;
    }
    program.json(&comparison)?;
    program.end()
}

fn identify(drive: &Drive, interrupt: Interrupt, progress: bool) -> Result<Fit<HalfCar>> {
    // up to 1.2 m/s, closer where the curve bends
    let speed = |part: f64| 1.2 * part.signum() * part.abs().powf(1.5);
    let speeds: Vec<f64> = (0..41).map(|k| speed(2.0 * f64::from(k) / 40.0 - 1.0)).collect();
    // the damper that the search begins with has 1500 N s/m
    let start = Curve::new(speeds.clone(), speeds.iter().map(|v| 1500.0 * v).collect(), Extension::Linear)?;
    let HalfCar { to_front, to_rear, .. } = HalfCar::default();
    let simulation = Simulation::new(&HalfCar { m: 560.0, inertia: 1100.0, ..HalfCar::default() })
        .table(HalfCar::DAMPER, start)
        .input(HalfCar::ROAD_FRONT, drive.road.under(0.0))
        .input(HalfCar::ROAD_REAR, drive.road.under(to_front + to_rear))
        .step(INTERVAL / STEPS_PER_SAMPLE)
        .until(END)
        .interrupt(interrupt);
    let fit = Identification::new(&simulation)
        .unknown([
            UnknownParameter::from(HalfCar::M).within(300.0, 1500.0),
            UnknownParameter::from(HalfCar::INERTIA).within(300.0, 3000.0),
        ])
        .unknown_table(UnknownTable::new(HalfCar::DAMPER, 500.0).shape(Shape::ThroughOrigin).smooth())
        .measured(HalfCar::ABOVE_FRONT, Measurement::new(&drive.record).channel("above front axle"))
        .measured(HalfCar::ABOVE_REAR, Measurement::new(&drive.record).channel("above rear axle"))
        .weighting(Weighting::Likelihood)
        .progress(progress)
        .run()?;
    Ok(fit)
}

/// The curve that was found, and the true one.
#[derive(Debug, Serialize)]
struct Comparison {
    /// Speed in m/s; true and found force and its standard deviation in N; the part that the data determine.
    damper: Vec<Point>,
    /// The root mean square of the errors where the data determine the curve, as a part of that of the true forces
    /// there.
    rms_percent: f64,
    /// The part of these places where the truth is within two standard deviations.
    within_two_deviations: f64,
}

#[derive(Debug, Serialize)]
struct Point {
    speed: f64,
    truth: f64,
    found: f64,
    deviation: f64,
    told: f64,
}

impl Comparison {
    fn of(table: &FittedTable) -> Self {
        let speeds = table.knots.iter().flatten().copied();
        let known = table.standard_deviations.iter().zip(&table.told_by_data);
        let damper: Vec<Point> = speeds
            .zip(&table.values)
            .zip(known)
            .map(|((speed, found), (deviation, told))| Point {
                speed,
                truth: force(speed),
                found: *found,
                deviation: *deviation,
                told: *told,
            })
            .collect();
        // at the origin the curve is known
        let told: Vec<&Point> =
            damper.iter().filter(|point| point.told > MIN_DETERMINED && point.deviation > 0.0).collect();
        let sum = |of: &dyn Fn(&Point) -> f64| told.iter().map(|point| of(point).powi(2)).sum::<f64>();
        let within = told.iter().filter(|p| (p.found - p.truth).abs() <= 2.0 * p.deviation).count();
        let rms_percent = 100.0 * (sum(&|p| p.found - p.truth) / sum(&|p| p.truth)).sqrt();
        let within_two_deviations = within as f64 / told.len().max(1) as f64;
        Self { damper, rms_percent, within_two_deviations }
    }
}

fn report(drive: &Drive, fit: &Fit<HalfCar>, table: &FittedTable, comparison: &Comparison) -> Result<String> {
    let [slowest, fastest] = extent(&drive.speeds);
    let mut text = format!(
        "Half a car at {} km/h on a rough road, two accelerometers on its body, {END} s.\n\
         The dampers move at {slowest:.2} to {fastest:.2} m/s; the springs get shorter by up to {:.0} mm, bump stops \
         touch at {:.0} mm.\n\n{fit}\n\n  speed     force      found   std. dev.   information from data\n",
        3.6 * drive::SPEED,
        1e3 * drive.longest_stroke,
        1e3 * HalfCar::default().free,
    );
    for Point { speed, truth, found, deviation, told } in comparison.damper.iter().step_by(2) {
        let row = match *told > 0.1 || *deviation == 0.0 {
            true => format!("{found:8.1} N {deviation:8.1} N {:9.0} %", 100.0 * told),
            false => "   not determined by the data".to_owned(),
        };
        text += &format!("{speed:7.3} m/s {truth:8.1} N {row}\n");
    }
    text += &format!(
        "\nWhere the data determine the curve, its root mean square error is {:.2} %; the true curve is within two \
             standard deviations at {:.0} % of these knots.\n\nThe formulas with the best fit to the curve:\n",
        comparison.rms_percent,
        100.0 * comparison.within_two_deviations,
    );
    for formula in table.formulas(&Formula::USUAL)?.iter().take(3) {
        text += &format!("  {formula}\n");
    }
    Ok(text)
}
