//! Identifies the forces of a strut that lies across a swing arm: its stroke is a nonlinear function of the arm's
//! angle, z = beta(x), and only the acceleration of the axle is measured. A filter that follows an effective
//! stiffness and damping gives a first guess of both curves (KE 2.3), and a fit to the whole record refines them.

mod bench;
mod figure;
mod options;

use std::fmt::Write;

use anyhow::{Context, Result};
use clap::Parser;
use costate::identify::{ElementTables, Refined, Refinement, UnknownParameter};
use costate::restoring_force::{
    CurveSettings, ElementIdentification, Exponents, ModelElement, RestoringForceCurve, RestoringForces, SeriesError,
};
use costate::table::{Curve, Extension};
use costate::{Identification, Simulation};
use costate_examples::{create_folder_of, say, write_json, write_text};
use costate_models::SwingArm;
use serde::Serialize;

use bench::{END, INTERVAL, Measured};
use options::Options;

/// Part of a curve's range at each end that is not compared, as there are hardly any samples there.
const ENDS: f64 = 0.05;

/// The strut as an element of the model.
const STRUT: ModelElement<SwingArm> =
    ModelElement { deformation: SwingArm::STROKE, rate: SwingArm::SPEED, stiffness: SwingArm::S, damping: SwingArm::D };

fn main() -> Result<()> {
    let options = Options::parse();
    let measured = bench::measure(options.noise, options.seed)?;
    let found = Found::of(&measured)?;
    let errors = found.errors(&measured)?;
    let text = report(&options, &found, &errors)?;
    if !options.quiet {
        say(&text);
    }
    create_folder_of(&options.output.join("report.txt"))?;
    write_text(&options.output.join("report.txt"), &text)?;
    found.refined.fit.write(&options.output)?;
    if !options.no_figures {
        figure::write(&options.output.join("strut.svg"), &found, &measured)?;
    }
    match &options.json {
        Some(file) => write_json(file, &errors),
        None => Ok(()),
    }
}

/// Curves from the filter, and from the fit.
struct Found {
    elastic: RestoringForceCurve,
    dissipative: RestoringForceCurve,
    refined: Refined<SwingArm>,
}

impl Found {
    fn of(measured: &Measured) -> Result<Self> {
        let forces = filter(measured)?;
        let settings = CurveSettings::default();
        let simulation = Simulation::new(&bench::with_tables()).input(SwingArm::PUSH, bench::push).until(END);
        let identification = Identification::new(&simulation)
            .unknown([
                UnknownParameter::from(SwingArm::ANGLE_0).linear(1e-3),
                UnknownParameter::from(SwingArm::RATE_0).linear(1e-2),
            ])
            .measured(SwingArm::ACCELERATION, &measured.record);
        let tables = ElementTables::Curves { elastic: SwingArm::ELASTIC, dissipative: SwingArm::DISSIPATIVE };
        Ok(Self {
            elastic: forces.elastic_curve(0, &settings)?,
            dissipative: forces.dissipative_curve(0, &settings)?,
            refined: Refinement::of_forces(identification, &forces, &[tables])?.run()?,
        })
    }

    fn errors(&self, measured: &Measured) -> Result<Errors> {
        let tables = self.refined.fit.tables();
        let response = self.refined.fit.experiments()[0].output(SwingArm::ACCELERATION);
        // a fit may take several steps per sample
        let finer = (response.len() - 1) / (measured.acceleration.len() - 1);
        let response: Vec<f64> = response.into_iter().step_by(finer).collect();
        let first = [&self.elastic, &self.dissipative];
        Ok(Errors {
            filter: CurveErrors {
                elastic_percent: error(&first[0].table()?, bench::elastic)?,
                dissipative_percent: error(&first[1].table()?, bench::dissipative)?,
            },
            refined: CurveErrors {
                elastic_percent: error(&tables.curve(SwingArm::ELASTIC), bench::elastic)?,
                dissipative_percent: error(&tables.curve(SwingArm::DISSIPATIVE), bench::dissipative)?,
            },
            response_percent: SeriesError::new(&response, &measured.acceleration)?.percent(),
        })
    }
}

/// Runs the filter, in which stiffness and damping of the strut follow the record.
fn filter(measured: &Measured) -> Result<RestoringForces> {
    let nothing = || Curve::new(vec![-1.0, 1.0], vec![0.0, 0.0], Extension::Linear);
    let model = SwingArm::default();
    let problem = Simulation::new(&model)
        .table(SwingArm::ELASTIC, nothing()?)
        .table(SwingArm::DISSIPATIVE, nothing()?)
        .input(SwingArm::PUSH, bench::push)
        .step(INTERVAL)
        .until(END)
        .problem()?;
    let values = measured.record.channel("acceleration")?.values().to_vec();
    let forces = ElementIdentification::new(&problem, &model, [STRUT], [SwingArm::ACCELERATION])?
        .start(&[(SwingArm::ARM_ANGLE, 1e-3)], &[(SwingArm::ARM_ANGLE, 1e-2)])
        .exponents(Exponents::new(2.0, 1.0))
        .run(&values)?;
    match forces.run().stopped() {
        Some(stopped) => Err(stopped.clone()).context("the filter was stopped"),
        None => Ok(forces),
    }
}

/// Relative root mean square errors.
#[derive(Debug, Serialize)]
struct Errors {
    filter: CurveErrors,
    refined: CurveErrors,
    /// Error of the acceleration with the refined curves.
    response_percent: f64,
}

#[derive(Debug, Serialize)]
struct CurveErrors {
    elastic_percent: f64,
    dissipative_percent: f64,
}

/// Computes the error of a curve with respect to a law, in percent.
fn error(curve: &Curve, law: fn(f64) -> f64) -> Result<f64> {
    let [first, last] = curve.range();
    let places = (0..400).map(|k| first + (ENDS + (1.0 - 2.0 * ENDS) * f64::from(k) / 399.0) * (last - first));
    let (found, exact): (Vec<f64>, Vec<f64>) = places.map(|x| (curve.value(x), law(x))).unzip();
    Ok(SeriesError::new(&found, &exact)?.percent())
}

fn report(options: &Options, found: &Found, errors: &Errors) -> Result<String> {
    let mut text = String::new();
    writeln!(
        text,
        "Strut across a swing arm, from the acceleration of the axle, {} % noise, seed {}\n",
        100.0 * options.noise,
        options.seed
    )?;
    for (name, errors) in [("filter", &errors.filter), ("refined", &errors.refined)] {
        let CurveErrors { elastic_percent, dissipative_percent } = errors;
        writeln!(
            text,
            "{name:<9} error of the elastic curve {elastic_percent:.1} %, of the dissipative curve \
                 {dissipative_percent:.1} %"
        )?;
    }
    writeln!(text, "response  error {:.2} % with the refined curves\n", errors.response_percent)?;
    write!(text, "{}", found.refined)?;
    Ok(text)
}
