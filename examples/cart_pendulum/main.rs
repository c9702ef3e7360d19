//! Identifies stiffness and damping of a flexible pendulum on a cart, as in Oberpeilsteiner, Lauss, Nachbagauer,
//! Steiner: A frequency domain approach for parameter identification in multibody dynamics (FD, 2018), section 5.1, and
//! Oberpeilsteiner: Parameter Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (OB,
//! 2018), section 4.4.1.

mod contour;
mod experiment;
mod figures;
mod report;
mod study;

use std::collections::BTreeMap;
use std::path::PathBuf;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Outputs, Summary};

use experiment::EXPERIMENTS;
use study::Study;

/// Identifies stiffness and damping of a flexible pendulum on a cart from the angle of its first rod, in four ways.
#[derive(Debug, Parser)]
struct Options {
    /// Writes everything about each of the four fits to a page in this folder
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    outputs: Outputs,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    program.tell(report::heading());
    let mut studies = Vec::new();
    for experiment in &EXPERIMENTS {
        let study = Study::carry_out(experiment, options.seed)?;
        program.tell(report::study(&study)?);
        studies.push(study);
    }
    program.tell(report::comparison(&studies)?);

    program.json(&summaries(&studies)?)?;
    if let Some(folder) = &options.report {
        for study in &studies {
            study.fit.report(folder.join(study.experiment.key).with_extension("html"))?;
        }
    }
    program.figures(|folder| figures::write(folder, &studies))?;
    program.end()
}

/// The results for a file, by name.
fn summaries(studies: &[Study]) -> Result<BTreeMap<&'static str, Summary>> {
    let named = |study: &Study| {
        let truth = study.experiment.truth();
        Ok((study.experiment.key, Summary::new(&study.fit, Some(&truth))?))
    };
    studies.iter().map(named).collect()
}
