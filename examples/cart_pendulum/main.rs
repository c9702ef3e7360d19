//! Identifies stiffness and damping of a flexible pendulum on a cart, as in Oberpeilsteiner, Lauss, Nachbagauer,
//! Steiner: A frequency domain approach for parameter identification in multibody dynamics (FD, 2018), section 5.1, and
//! Oberpeilsteiner: Parameter Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (OB,
//! 2018), section 4.4.1.

mod contour;
mod experiment;
mod figures;
mod options;
mod report;
mod study;

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Parser;
use costate_examples::{Summary, create_folder_of, say, write_json, write_text};

use experiment::EXPERIMENTS;
use options::Options;
use study::Study;

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let report_file = options.output.join("report.txt");
    create_folder_of(&report_file)?;

    tell(report::heading());
    let mut studies = Vec::new();
    for experiment in &EXPERIMENTS {
        let study = Study::carry_out(experiment, options.seed)?;
        tell(report::study(&study)?);
        studies.push(study);
    }
    tell(report::comparison(&studies)?);

    if let Some(file) = &options.json {
        write_json(file, &summaries(&studies)?)?;
    }
    if let Some(folder) = &options.report {
        for study in &studies {
            study.fit.report(folder.join(study.experiment.key).with_extension("html"))?;
        }
    }
    if !options.no_figures {
        figures::write(&options.output, &studies)?;
        tell(format!("figures in `{}`", options.output.display()));
    }
    write_text(&report_file, &transcript)?;
    Ok(())
}

/// The results for a file, by name.
fn summaries(studies: &[Study]) -> Result<BTreeMap<&'static str, Summary>> {
    let named = |study: &Study| {
        let truth = study.experiment.truth();
        Ok((study.experiment.key, Summary::new(&study.fit, Some(&truth))?))
    };
    studies.iter().map(named).collect()
}
