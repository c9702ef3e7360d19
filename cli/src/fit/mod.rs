//! `costate fit`: parameters, inputs and curves with which a model reproduces a record, or the records of a campaign.

mod error;
mod outputs;
mod prediction_error;
pub mod profiles;
mod progress;
mod results;
mod resumable;
mod source;
mod template;

use std::path::PathBuf;

use clap::Args;
use costate::campaign::files::FilePath;
use costate::identify::Approach;

use self::outputs::Outputs;
use self::source::{Source, state_file};
use crate::answer::Answer;
use crate::error::CommandError;
use crate::loaded::load;
use crate::state::State;

pub use error::FitError;
pub use source::Bench;

/// The source of a fit, and the files that are written.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    /// Writes a page with all results.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Writes the found values into the model, as the defaults of its parameters.
    #[arg(long)]
    write_defaults: bool,
    /// Fits growing parts of the records before the whole ones, each from the values found before, against wrong minima
    /// of oscillations.
    #[arg(long, conflicts_with = "pieces")]
    growing: bool,
    /// Cuts every record into so many pieces before it is fitted as a whole, each with a start of its own, until one
    /// simulation follows it (multiple shooting). Without it, this is done where a fit explains little of a record.
    #[arg(long, value_name = "NUMBER")]
    pieces: Option<usize>,
    /// Fits by prediction errors, the innovations of a filter, where noise drives the model or its motion is unstable:
    /// the deviation of the noise of a coordinate's velocity or of an input, from which it is estimated.
    #[arg(long, value_name = "NAME=DEVIATION", value_delimiter = ',', value_parser = prediction_error::noise)]
    prediction_error: Vec<(String, f64)>,
    /// Lets the offset of a measured output drift in a fit by prediction errors: the deviation of the drift after a
    /// second, from which it is estimated.
    #[arg(long, value_name = "OUTPUT=DEVIATION", value_delimiter = ',', value_parser = prediction_error::drift)]
    drift: Vec<(String, f64)>,
    /// The file in which Ctrl-C leaves the state, and from which the same call continues; it stays when the fit is
    /// done. Without it, the file is beside the campaign or the record, with `.state` at its end, and is deleted when
    /// the fit is done.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Writes a campaign file for the model in place of a fit: it runs with a record, and shows all that can be said.
    #[arg(long, conflicts_with_all =
        ["report", "write_defaults", "state", "growing", "pieces", "prediction_error", "drift"])]
    template: bool,
    /// The file of `--template`; without it, the text is printed.
    #[arg(short, long, value_name = "FILE", requires = "template")]
    output: Option<PathBuf>,
}

/// Fits, or writes a template.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    if options.template {
        return template::run(&options.source, options.output.as_deref());
    }
    let mut campaign = options.source.campaign()?;
    let output = &mut campaign.output;
    let of_campaign = output.report.take().filter(|_| options.report.is_none());
    output.report = options.report.clone().map(FilePath).or(of_campaign.clone());
    output.write_defaults |= options.write_defaults;
    output.state = options.state.clone().map(FilePath).or(output.state.take());
    if options.growing {
        campaign.optimizer.approach = Approach::Growing;
    }
    if let Some(pieces) = options.pieces {
        campaign.optimizer.approach = Approach::Pieces(pieces);
    }
    let begins_alone = matches!(campaign.optimizer.approach, Approach::Automatic | Approach::Single);
    if !begins_alone && campaign.multistart.is_some() {
        return Err(FitError::PartsOfStarts.into());
    }
    let state = State {
        path: state_file(&campaign, &options.source.bench.selection.file),
        stays: campaign.output.state.is_some(),
    };
    let loaded = load(&(&campaign).into())?;
    let (noise, drifts) = (&options.prediction_error, &options.drift);
    if !(noise.is_empty() && drifts.is_empty()) {
        prediction_error::add(campaign.prediction_error.get_or_insert_default(), noise, drifts);
    }
    if let Some(entry) = &campaign.prediction_error {
        return prediction_error::run(&campaign, entry, &loaded);
    }
    let outputs = Outputs { given: options.report.as_deref(), of_campaign: of_campaign.as_deref() };
    let fit = resumable::fit(&campaign, &loaded, &state, &outputs)?;
    Ok(results::answer(&campaign, &loaded, &fit)?.making_obsolete(state.obsolete()))
}
