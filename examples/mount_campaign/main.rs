//! Identifies a hydraulic engine mount from a campaign of six runs on a test bench, as it stands in Lauss,
//! Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in multibody system
//! dynamics (2018), section 5, with a spring that presses on it: sweeps up and down with three amplitudes and two
//! preloads, two sensors with rates, units, a delay and zeros of their own, and one with a gap.

mod bench;
mod figures;
mod repetitions;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::identify::{IdentificationError, ModelComparison, ProfileSettings};
use costate_examples::{Outputs, fraction, interrupted, stop_on_ctrl_c};
use costate_models::PreloadedMount;

/// Identifies a hydraulic engine mount from six runs on a virtual test bench at once: its stiffnesses and damping, the
/// preloads of the bench, and the delay and the offsets of its sensors. A seventh run shows whether they hold for it,
/// too.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on every channel, relative to its RMS
    #[arg(long, value_name = "FRACTION", default_value_t = 0.02, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Repeats the campaign with this many further seeds, and says how far the found values scatter
    #[arg(long, value_name = "N", default_value_t = 0)]
    repetitions: usize,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

/// The unknowns whose profiles are drawn.
const PROFILED: [&str; 4] = ["c_e1", "c_e2", "d_e", "d_h2"];

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    let measured = bench::measure(options.noise, options.seed, Some(program.folder()))?;
    program.tell(report::campaign(options));

    let identification = |with_flow: bool| {
        bench::identification(&measured, with_flow, interrupt.clone()).progress(!options.outputs.quiet)
    };
    let settings = ProfileSettings::default().with_unknowns(PROFILED);
    let results = (|| {
        let fit = identification(true).run()?;
        let profiles = match options.outputs.no_figures {
            true => Vec::new(),
            false => fit.profiles(&settings)?.profiles,
        };
        Ok((fit, profiles, identification(false).run()?))
    })();
    let (fit, profiles, without_flow) = match results {
        Err(IdentificationError::Interrupted(stopped)) => {
            return Ok(program.stopped(interrupted(&stopped.work, None)));
        }
        results => results?,
    };
    program.tell(format!("{fit}\n"));
    program.tell(report::comparison(&fit));
    if !profiles.is_empty() {
        program.tell(report::profiles(&profiles));
    }
    let models = [("with the losses of the flow", fit.summary()), ("without", without_flow.summary())];
    let models = ModelComparison::new(models)?;
    program.tell(report::without_flow(without_flow.summary(), &models));

    for experiment in fit.experiments() {
        experiment.run()?.write_csv(program.file(format!("{}, fitted.csv", experiment.name())))?;
        for output in [PreloadedMount::ACCELERATION, PreloadedMount::DISPLACEMENT] {
            if let Some(residuals) = experiment.residuals(output) {
                let file = format!("{}, {}, residuals.csv", experiment.name(), output.name());
                residuals?.write_csv(program.file(file))?;
            }
        }
    }
    if options.repetitions > 0 {
        program.tell(repetitions::repeat(options)?.to_string());
    }
    program.json(&report::Summary::new(&fit, without_flow.summary(), &models))?;
    if let Some(file) = &options.report {
        fit.report(file)?;
        program.tell(format!("report of the fit in `{}`", file.display()));
    }
    program.figures(|folder| figures::write(folder, &fit, &profiles))?;
    program.end()
}
