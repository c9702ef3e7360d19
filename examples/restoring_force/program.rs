//! Common parts of the programs for one degree of freedom: options, measurements, studies and their report.

pub mod figures;
pub mod measurement;
pub mod refine;
pub mod study;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, positive};
use costate_models::restoring_force::Case;

use measurement::{Measurement, origin};
use refine::RefinedErrors;
use study::Study;

pub use study::Way;

/// Identifies the restoring force of a nonlinear structure on a moving base from accelerometers, without an assumption
/// about its form.
///
/// The measurement is simulated, or read from a file for each experiment of the program: CSV with the columns
/// `time [s]`, `base [m/s^2]`, the acceleration of the base, and `acceleration [m/s^2]`, that of the structure;
/// `acceleration 1` to `acceleration 3` for the plate. Backlash takes `deformation [m]` too, where it was measured.
/// Units may be others of the same kind, such as `[g]` and `[um]`; times are equidistant, and samples of accelerations
/// and deformations may be missing.
#[derive(Debug, Clone, Parser)]
pub struct Options {
    /// Reads what was measured from this file; once for each experiment, in their order
    #[arg(long, value_name = "FILE", conflicts_with_all = ["noise", "seed"])]
    pub record: Vec<PathBuf>,
    /// Writes what was measured to files in this folder
    #[arg(long, value_name = "FOLDER")]
    pub write_records: Option<PathBuf>,
    /// Standard deviation of the noise on the simulated accelerations, relative to theirs
    #[arg(long, value_name = "FRACTION", default_value_t = 0.05, value_parser = positive,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Chooses the exponents of the process noise by the convergence plot
    #[arg(long)]
    pub search: bool,
    /// Refines the curves of extended filters by a fit of their values at knots to the whole record
    #[arg(long)]
    pub refine: bool,
    /// Refines straight lines with the a priori values in place of the filter's curves
    #[arg(long, requires = "refine")]
    pub straight: bool,
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Identifies the experiments in all these ways, and reports the results.
pub fn run(heading: &str, experiments: &[(&'static Case, Way)]) -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    program.tell(format!("{heading}: identification from {}\n", origin(&options)));
    let measurements = measurements(experiments, &options)?;
    let mut studies = Vec::new();
    for &(case, way) in experiments {
        let found = measurements.iter().find(|(name, _)| *name == case.name);
        let Some((_, measurement)) = found.filter(|(_, found)| found.deformations.is_some() || !way.displacements)
        else {
            program.tell(format!("{}, {}: left out, the record has no `deformation`\n", case.name, way.name));
            continue;
        };
        let study = Study::carry_out(case, way, measurement, &options)?;
        program.tell(report(&study)?);
        studies.push(study);
    }
    program.json(&studies.iter().map(Study::summary).collect::<Vec<_>>())?;
    program.figures(|folder| {
        for (study, number) in studies.iter().zip(1..) {
            figures::write(&folder.join(format!("figure_{number}.svg")), study)?;
            if let Some(refined) = &study.refined {
                refined.refined.fit.report(folder.join(format!("fit_{number}.html")))?;
            }
        }
        Ok(())
    })?;
    program.end()
}

/// Reads or simulates the measurement of each experiment, with its name.
fn measurements(experiments: &[(&'static Case, Way)], options: &Options) -> Result<Vec<(&'static str, Measurement)>> {
    let mut cases: Vec<&'static Case> = experiments.iter().map(|(case, _)| *case).collect();
    cases.dedup_by_key(|case| case.name);
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let simulate = |k: usize| Measurement::of_oscillator((cases[k].simulate)(cases[k].sweep)?, options);
    let measurements = Measurement::all(options, &names, 1, simulate)?;
    Ok(names.into_iter().zip(measurements).collect())
}

fn report(study: &Study) -> Result<String> {
    let (mut text, convergence) = (String::new(), study.forces.convergence());
    let exponents = study.forces.exponents();
    writeln!(text, "{}, {}", study.case.name, study.way.name)?;
    writeln!(text, "  exponents         q_s {}, q_d {}", exponents.stiffness, exponents.damping)?;
    let (e_m, good) = (convergence.measurement_error, 100.0 * convergence.good_part());
    writeln!(text, "  convergence       e_m {e_m:.2e}, {good:.0} % of the samples converged")?;
    let [low, high] = study.elastic.range();
    writeln!(text, "  elastic curve     {:.2} to {:.2} µm", 1e6 * low, 1e6 * high)?;
    let [low, high] = study.dissipative.range();
    writeln!(text, "  dissipative curve {:.2} to {:.2} mm/s", 1e3 * low, 1e3 * high)?;
    let (nodes, sparse) = (study.surface.forces.len(), study.surface.sparse_cells);
    let known = nodes - study.surface.empty;
    writeln!(text, "  surface           {known} of {nodes} nodes, {sparse} cells with too few samples")?;
    if study.case.sweep.amplitude > 0.0 {
        let errors = [&study.response, &study.coupled_response].map(|response| study.response_error(response));
        let [curves, surface] = errors.map(|percent| match percent.is_finite() {
            true => format!("error {percent:.1} %"),
            false => "cannot be simulated".to_owned(),
        });
        writeln!(text, "  response          {curves} with the curves, {surface} with the surface")?;
    }
    if let (Some(refined), Some(errors)) = (&study.refined, study.refined_errors()) {
        writeln!(text, "  refined           {}", in_words(&errors, study.measurement.truth.is_some()))?;
        for line in refined.refined.to_string().lines() {
            writeln!(text, "    {line}")?;
        }
    }
    for warning in &study.warnings {
        writeln!(text, "  warning           {warning}")?;
    }
    Ok(text)
}

/// Describes the errors of refined curves, for a known or an unknown truth.
fn in_words(errors: &RefinedErrors, is_known: bool) -> String {
    let mut text = format!("error of the response {:.1} % with the refined curves", errors.response_percent);
    if let Some(moved) = errors.response_by_steps_percent {
        text +=
            &format!(" (halving the step alone changes it by {moved:.1} %, so that it is no measure of the curves)");
    }
    if is_known {
        let ([elastic, dissipative], curves) =
            (errors.covered_percent, [errors.elastic_percent, errors.dissipative_percent]);
        text += &format!(
            ", of the elastic curve {:.2} % ({elastic:.0} % within the band), of the dissipative one {:.2} % \
             ({dissipative:.0} %)",
            curves[0], curves[1]
        );
    }
    text
}
