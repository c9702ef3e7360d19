//! Identifies the axial restoring force between the secondary and the primary side of a dual mass flywheel, which lifts
//! off and strikes its stops, from two noisy accelerometers, as in Kenderi: Nonparametric identification of nonlinear
//! dynamic systems (2018), section 5.1.
//!
//! The record of the thesis is not published; a virtual test bench stands in its place. From the thesis are mass,
//! frequencies of the sweep, sampling rate and noise. Stiffnesses, gaps, losses of the stops, friction, amplitude and
//! length of the sweep are chosen, so that the resonance collapses within the sweep as it does there.

mod bench;
mod secondary;
mod secondary_figures;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::restoring_force::RestoringForceCurve;
use costate_examples::{Table, fraction, known_nodes, relative_error};
use costate_models::restoring_force::SecondaryFlywheel;
use serde::Serialize;

use bench::{Bench, Options};
use secondary::Study;

/// Identifies the axial restoring force of the secondary flywheel from accelerometers on it and on the platform of a
/// shaker.
///
/// The measurement is simulated, or read from a file: CSV with the columns `time [s]`, `base [m/s^2]` and
/// `acceleration [m/s^2]`. Units may be others of the same kind, such as `[g]`.
#[derive(Debug, Parser)]
struct Arguments {
    /// Standard deviation of the noise on the acceleration of the flywheel, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.19, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Standard deviation of the noise on the acceleration of the platform, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.08, value_parser = fraction,
        allow_negative_numbers = true)]
    base_noise: f64,
    #[command(flatten)]
    options: Options,
}

/// The result for a file; errors are in percent, and `null` where the truth is not known.
#[derive(Debug, Serialize)]
struct Summary {
    good_samples: f64,
    /// Deformations of the nodes in m, rates in m/s; forces in N, `null` where there is none, the rate changing
    /// fastest.
    deformations: Vec<f64>,
    rates: Vec<f64>,
    forces: Vec<Option<f64>>,
    /// In m and m/s.
    initial_state: Option<[f64; 2]>,
    extra_damping: f64,
    errors: Errors,
    warnings: Vec<String>,
}

/// e_RMS% of KE appendix B.
#[derive(Debug, Serialize)]
struct Errors {
    elastic_percent: Option<f64>,
    dissipative_percent: Option<f64>,
    surface_percent: Option<f64>,
    /// Relative to the true response, or the measured one.
    additive_response_percent: f64,
    coupled_response_percent: f64,
    adapted_response_percent: f64,
}

fn main() -> Result<ExitCode> {
    let Arguments { noise, base_noise, options } = Arguments::parse();
    let (flywheel, noise) = (SecondaryFlywheel::default(), [base_noise, noise]);
    let simulate = || Ok((flywheel.motion()?, SecondaryFlywheel::SAMPLING));
    let bench = Bench::of(&options, "secondary_flywheel", 1, simulate, noise)?;
    let study = Study::carry_out(&bench)?;
    let errors = Errors::of(&bench, &study, &flywheel);
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let origin = Bench::origin(&options, noise);
    program.tell(format!("Secondary flywheel without preload: identification from {origin}\n"));
    program.tell(report(&bench, &study, &errors)?);
    program.figures(|folder| secondary_figures::write(folder, &bench, &study, &flywheel))?;
    program.json(&summary(study, errors))?;
    program.end()
}

impl Errors {
    fn of(bench: &Bench, study: &Study, flywheel: &SecondaryFlywheel) -> Self {
        let is_known = bench.truth.is_some();
        let of_curve = |curve: &RestoringForceCurve, truth: &dyn Fn(f64) -> f64| {
            let (found, exact): (Vec<_>, Vec<_>) =
                curve.points.iter().map(|point| (point.force, truth(point.coordinate))).unzip();
            is_known.then(|| relative_error(&found, &exact))
        };
        let nodes = known_nodes(&study.surface).into_iter();
        let (found, exact): (Vec<f64>, Vec<f64>) = nodes.map(|([z, v], force)| (force, flywheel.force(z, v))).unzip();
        let compared = bench.compared(0);
        Self {
            elastic_percent: of_curve(&study.elastic, &|z| flywheel.force(z, 0.0)),
            dissipative_percent: of_curve(&study.dissipative, &|v| flywheel.force(0.0, v)),
            surface_percent: is_known.then(|| relative_error(&found, &exact)),
            additive_response_percent: relative_error(&study.additive_response, &compared),
            coupled_response_percent: relative_error(&study.coupled_response, &compared),
            adapted_response_percent: relative_error(&study.adapted_response, &compared),
        }
    }
}

fn report(bench: &Bench, study: &Study, errors: &Errors) -> Result<String> {
    let mut text = String::new();
    let convergence = study.forces.convergence();
    writeln!(text, "convergence    {:.0} % of the samples converged", 100.0 * convergence.good_part())?;
    if let Some([z, v]) = study.initial_states.last() {
        let truth = bench.truth.as_ref().and_then(|motion| Some((motion.deformations.first()?, motion.rates.first()?)));
        let truth =
            truth.map_or(String::new(), |(z, v)| format!(", true ones {:.2} µm and {:.2} mm/s", 1e6 * z, 1e3 * v));
        writeln!(text, "initial state  {:.2} µm and {:.2} mm/s{truth}", 1e6 * z, 1e3 * v)?;
    }
    let nodes = study.surface.forces.len();
    writeln!(text, "surface        {} of {nodes} nodes identified\n", nodes - study.surface.empty)?;
    let percent = |error: Option<f64>| error.map_or("-".to_owned(), |error| format!("{error:.1} %"));
    let row =
        |name: &str, force: Option<f64>, response: Option<f64>| [name.to_owned(), percent(force), percent(response)];
    let damped = format!("surface and {:.0} N s/m more", study.extra_damping);
    let table = Table::new(["error of", "force", &format!("response ({})", bench.compared_name())])
        .row(row("elastic curve", errors.elastic_percent, None))
        .row(row("dissipative curve", errors.dissipative_percent, None))
        .row(row("both curves", None, Some(errors.additive_response_percent)))
        .row(row("surface", errors.surface_percent, Some(errors.coupled_response_percent)))
        .row(row(&damped, None, Some(errors.adapted_response_percent)));
    writeln!(text, "{table}")?;
    for warning in &study.warnings {
        writeln!(text, "warning: {warning}")?;
    }
    Ok(text)
}

fn summary(study: Study, errors: Errors) -> Summary {
    Summary {
        good_samples: study.forces.convergence().good_part(),
        deformations: study.surface.deformations,
        rates: study.surface.rates,
        forces: study.surface.forces.iter().map(|force| force.is_finite().then_some(*force)).collect(),
        initial_state: study.initial_states.last().copied(),
        extra_damping: study.extra_damping,
        errors,
        warnings: study.warnings,
    }
}
