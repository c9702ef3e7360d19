//! Identifies the forces of a strut that lies across a swing arm: its stroke is a nonlinear function of the arm's
//! angle, z = beta(x), and only the acceleration of the axle is measured. A filter that follows an effective
//! stiffness and damping gives a first guess of both curves (KE 2.3), and a fit to the whole record refines them.

mod bench;
mod figure;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use costate::identify::{ElementTables, Refined, Refinement, UnknownParameter};
use costate::restoring_force::{
    CurveSettings, ElementIdentification, Exponents, ModelElement, RestoringForceCurve, RestoringForces, SeriesError,
};
use costate::table::{Curve, Extension};
use costate::{Identification, Simulation};
use costate_examples::{Outputs, completed, curve_error, fraction};
use costate_models::SwingArm;
use serde::Serialize;

use bench::{END, INTERVAL, Measured};

/// Finds the forces of a strut that lies across a swing arm, from an accelerometer at the axle: a filter for a first
/// guess, and a fit.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on the accelerometer, relative to the RMS of what it measures
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

/// The strut as an element of the model.
const STRUT: ModelElement<SwingArm> =
    ModelElement { deformation: SwingArm::STROKE, rate: SwingArm::SPEED, stiffness: SwingArm::S, damping: SwingArm::D };

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let measured = bench::measure(options.noise, options.seed)?;
    let found = Found::of(&measured)?;
    let errors = found.errors(&measured)?;
    program.tell(report(&options, &found, &errors)?);
    found.refined.fit.write(program.folder())?;
    program.figures(|folder| figure::write(&folder.join("strut.svg"), &found, &measured))?;
    program.json(&errors)?;
    program.end()
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
        let [elastic, dissipative] = forces.curves(0, &settings)?;
        Ok(Self { elastic, dissipative, refined: Refinement::of_forces(identification, &forces, &[tables])?.run()? })
    }

    fn errors(&self, measured: &Measured) -> Result<Errors> {
        let tables = self.refined.fit.tables();
        let response = self.refined.fit.experiments()[0].output(SwingArm::ACCELERATION);
        // a fit may take several steps per sample
        let finer = (response.len() - 1) / (measured.acceleration.len() - 1);
        let response: Vec<f64> = response.into_iter().step_by(finer).collect();
        let errors = |elastic: &Curve, dissipative: &Curve| -> Result<CurveErrors> {
            Ok(CurveErrors {
                elastic_percent: curve_error(elastic, bench::elastic, elastic.range())?,
                dissipative_percent: curve_error(dissipative, bench::dissipative, dissipative.range())?,
            })
        };
        Ok(Errors {
            filter: errors(&self.elastic.table()?, &self.dissipative.table()?)?,
            refined: errors(&tables.curve(SwingArm::ELASTIC), &tables.curve(SwingArm::DISSIPATIVE))?,
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
    completed(forces).context("the filter was stopped")
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
