//! The input of a single mass that tells most of its stiffness, by its switching time, as in Oberpeilsteiner: Parameter
//! Identification in Multibody System Dynamics using the Adjoint Sensitivity Analysis (2018), section 5.3.2; and how
//! far repeated identifications with that input, and with a constant one, scatter.

mod figures;
mod model;
mod options;
mod report;
mod study;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Parser;
use costate::experiment::RepetitionsError;
use costate_examples::{INTERRUPTED, create_folder_of, say, stop_on_ctrl_c, write_json, write_text};

use options::Options;
use report::Summary;
use study::{Scan, repeated, switching_problem};

fn main() -> Result<ExitCode> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<ExitCode> {
    let interrupt = stop_on_ctrl_c()?;
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    create_folder_of(&options.output.join("report.txt"))?;

    let problem = switching_problem()?;
    let scan = Scan::new(&problem)?;
    tell(report::switching(&scan));
    if !scan.extremal.is_minimum() {
        bail!("the switching time is no minimum that satisfies Pontryagin's principle");
    }

    let t1 = scan.extremal.switching_times[0];
    let mut results = Vec::new();
    for (name, switching_time) in [("constant input u = +1", None), ("optimal input", Some(t1))] {
        let repeated = match repeated(switching_time, options, &interrupt) {
            Err(RepetitionsError::Interrupted(stopped)) => {
                tell(stopped.to_string());
                return Ok(ExitCode::from(INTERRUPTED));
            }
            result => result?,
        };
        tell(format!("\n{name}: {repeated}"));
        results.push((name, repeated));
    }
    if let Some(file) = &options.json {
        write_json(file, &Summary::new(&scan, &results))?;
    }
    if !options.no_figures {
        figures::write(&options.output, &problem, &scan, &results)?;
        tell(format!("\nfigures in `{}`", options.output.display()));
    }
    write_text(&options.output.join("report.txt"), &transcript)?;
    Ok(ExitCode::SUCCESS)
}
