//! Finds the curve of a damper from two accelerometers on the body of half a car: its values at knots are unknown,
//! beside mass and inertia of the body, and nothing is said of the curve but that it is smooth and goes through the
//! origin.

mod drive;
mod figures;
mod options;

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
use costate_examples::{INTERRUPTED, interrupted, say, stop_on_ctrl_c, write_json, write_text};
use costate_models::HalfCar;
use serde::Serialize;

use drive::{Drive, END, INTERVAL, STEPS, force};
use options::Options;

/// Speeds of the knots in m/s: closer where the curve bends.
const KNOTS: usize = 41;
const FASTEST: f64 = 1.2;

/// The damper that the search begins with, in N s/m.
const START: f64 = 1500.0;

/// A value is known where the data tell this part of it.
pub const TOLD: f64 = 0.9;

fn main() -> Result<ExitCode> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<ExitCode> {
    let interrupt = stop_on_ctrl_c()?;
    let drive = drive::drive(options.noise, options.seed)?;
    let fit = match identify(&drive, interrupt, !options.quiet) {
        Err(error) => match error.downcast::<IdentificationError>()? {
            IdentificationError::Interrupted(stopped) => {
                say(interrupted(&stopped.work, None));
                return Ok(ExitCode::from(INTERRUPTED));
            }
            error => return Err(error.into()),
        },
        Ok(fit) => fit,
    };
    let table = fit.summary().tables.first().context("the fit has no table")?;
    let comparison = Comparison::of(table);
    let text = report(&drive, &fit, table, &comparison)?;
    if !options.quiet {
        say(&text);
    }
    fit.write(&options.output)?;
    write_text(&options.output.join("report.txt"), &text)?;
    if !options.no_figures {
        figures::write(&drive, &fit, table, &options.output)?;
    }
    if let Some(file) = &options.report {
        fit.report(file)?;
    }
    if let Some(file) = &options.json {
        write_json(file, &comparison)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn identify(drive: &Drive, interrupt: Interrupt, progress: bool) -> Result<Fit<HalfCar>> {
    let speeds: Vec<f64> = (0..KNOTS)
        .map(|k| 2.0 * k as f64 / (KNOTS - 1) as f64 - 1.0)
        .map(|part: f64| FASTEST * part.signum() * part.abs().powf(1.5))
        .collect();
    let start = Curve::new(speeds.clone(), speeds.iter().map(|v| START * v).collect(), Extension::Linear)?;
    let HalfCar { to_front, to_rear, .. } = HalfCar::default();
    let simulation = Simulation::new(&HalfCar { m: 560.0, inertia: 1100.0, ..HalfCar::default() })
        .table(HalfCar::DAMPER, start)
        .input(HalfCar::ROAD_FRONT, drive.road.under(0.0))
        .input(HalfCar::ROAD_REAR, drive.road.under(to_front + to_rear))
        .step(INTERVAL / STEPS)
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

/// The curve that was found beside the true one.
#[derive(Debug, Serialize)]
struct Comparison {
    /// Speed in m/s; true and found force and its standard deviation in N; the part that the data tell.
    damper: Vec<Point>,
    /// The root mean square of the errors where the data tell the curve, as a part of that of the true forces there.
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
        let told: Vec<&Point> = damper.iter().filter(|point| point.told > TOLD && point.deviation > 0.0).collect();
        let sum = |of: &dyn Fn(&Point) -> f64| told.iter().map(|point| of(point).powi(2)).sum::<f64>();
        let within = told.iter().filter(|p| (p.found - p.truth).abs() <= 2.0 * p.deviation).count();
        let rms_percent = 100.0 * (sum(&|p| p.found - p.truth) / sum(&|p| p.truth)).sqrt();
        let within_two_deviations = within as f64 / told.len().max(1) as f64;
        Self { damper, rms_percent, within_two_deviations }
    }
}

fn report(drive: &Drive, fit: &Fit<HalfCar>, table: &FittedTable, comparison: &Comparison) -> Result<String> {
    let slowest = drive.speeds.iter().fold(f64::INFINITY, |least, v| least.min(*v));
    let fastest = drive.speeds.iter().fold(f64::NEG_INFINITY, |most, v| most.max(*v));
    let mut text = format!(
        "Half a car at {} km/h on a rough road, two accelerometers on its body, {END} s.\n\
         The dampers move at {slowest:.2} to {fastest:.2} m/s; the springs get shorter by up to {:.0} mm, bump stops \
         touch at \
         {:.0} mm.\n\n{fit}\n\n  speed     force      found   std. dev.   information from data\n",
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
