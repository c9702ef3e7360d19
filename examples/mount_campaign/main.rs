//! Identifies a hydraulic engine mount from a campaign of six runs on a test bench, as it stands in Lauss,
//! Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in multibody system
//! dynamics (2018), section 5, with a spring that presses on it: sweeps up and down with three amplitudes and two
//! preloads, two sensors with rates, units, a delay and zeros of their own, and one with a gap.

mod bench;
mod figures;
mod options;
mod repetitions;
mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::identify::{IdentificationError, ModelComparison, ProfileSettings};
use costate_examples::{INTERRUPTED, create_folder_of, interrupted, say, stop_on_ctrl_c, write_json, write_text};
use costate_models::PreloadedMount;

use options::Options;

/// The unknowns whose profiles are drawn.
const PROFILED: [&str; 4] = ["c_e1", "c_e2", "d_e", "d_h2"];

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
    let measured = bench::measure(options.noise, options.seed, Some(&options.output))?;
    tell(report::campaign(options));

    let identification =
        |with_flow: bool| bench::identification(&measured, with_flow, interrupt.clone()).progress(!options.quiet);
    let settings = ProfileSettings::default().with_unknowns(PROFILED);
    let results = (|| {
        let fit = identification(true).run()?;
        let profiles = match options.no_figures {
            true => Vec::new(),
            false => fit.profiles(&settings)?.profiles,
        };
        Ok((fit, profiles, identification(false).run()?))
    })();
    let (fit, profiles, without_flow) = match results {
        Err(IdentificationError::Interrupted(stopped)) => {
            tell(interrupted(&stopped.work, None));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        results => results?,
    };
    tell(format!("{fit}\n"));
    tell(report::comparison(&fit));
    if !profiles.is_empty() {
        tell(report::profiles(&profiles));
    }
    let models = [("with the losses of the flow", fit.summary()), ("without", without_flow.summary())];
    let models = ModelComparison::new(models)?;
    tell(report::without_flow(without_flow.summary(), &models));

    for experiment in fit.experiments() {
        experiment.run()?.write_csv(options.output.join(format!("{}, fitted.csv", experiment.name())))?;
        for output in [PreloadedMount::ACCELERATION, PreloadedMount::DISPLACEMENT] {
            if let Some(residuals) = experiment.residuals(output) {
                let file = format!("{}, {}, residuals.csv", experiment.name(), output.name());
                residuals?.write_csv(options.output.join(file))?;
            }
        }
    }
    if options.repetitions > 0 {
        tell(repetitions::repeat(options)?.to_string());
    }
    if let Some(file) = &options.json {
        write_json(file, &report::Summary::new(&fit, without_flow.summary(), &models))?;
    }
    if let Some(file) = &options.report {
        fit.report(file)?;
        tell(format!("report of the fit in `{}`", file.display()));
    }
    if !options.no_figures {
        figures::write(&options.output, &fit, &profiles)?;
        tell(format!("records, fitted runs, residuals and figures in `{}`", options.output.display()));
    }
    write_text(&options.output.join("report.txt"), &transcript)?;
    Ok(ExitCode::SUCCESS)
}
