//! The command `costate`: arguments, printing and exit codes around the compiler and the runs of models.
//!
//! A subcommand is a file that returns an `Answer`, text and JSON; its run is described by `options`. A section of the
//! report of a model is in `report/contents.rs`, a format of it a file over `report/page.rs`. A file is written by
//! `Written`, after `output::check`. A message that names a call of the library has a line in `words.rs` with the words
//! of the command.

mod animate;
mod answer;
mod assumed;
mod base_parameters;
mod check;
mod collect;
mod compare;
mod compile;
mod completions;
mod defaults;
mod diagnostics;
mod doubts;
mod error;
mod exit;
mod filter;
mod fit;
mod fmu;
mod formula;
mod gradient;
mod interrupt;
mod loaded;
mod man;
mod mechanism;
mod new;
mod options;
mod output;
mod reader_words;
mod records;
mod report;
mod restoring_force;
mod run;
mod selection;
mod state;
mod table;
mod values;
mod vibration;
mod watch;
mod words;
mod written;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use answer::Answer;
use error::CommandError;
use exit::Exit;

/// Runs, compares, checks, compiles and reports models that are written in the language of `costate::model!`.
#[derive(Debug, Parser)]
#[command(name = "costate", version, after_help = exit::HELP)]
struct Command {
    #[command(subcommand)]
    action: Action,
    /// Prints one JSON object in place of text, also for an error; messages stay on the standard error output.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Runs a model: says how accurate the run is and what its outputs do, and writes tables and pictures.
    Run(run::Options),
    /// Runs a model beside a record: the share of every measured output that it explains, and the largest difference.
    Compare(compare::Options),
    /// Finds the position in which a model rests, or a steady motion: coordinates, reactions, outputs, stability.
    Rest(vibration::rest::Options),
    /// Computes the modes of a model about its position of rest: frequencies, damping, what moves, and which springs
    /// hold the energy.
    Modes(vibration::modes::Options),
    /// Computes frequency responses of a model about its position of rest: magnitude and phase, or dynamic stiffness
    /// and loss angle.
    Response(vibration::response::Options),
    /// Computes a cost of a run and its gradient by parameters, and checks the gradient by dual numbers.
    Gradient(gradient::Options),
    /// Finds which combinations of masses, inertias and other parameters the forces of any motion tell, and which may
    /// be held fixed in place of which.
    BaseParameters(base_parameters::Options),
    /// Prints all errors, warnings and notes of the models in a file; fails if there are errors.
    Check(check::Options),
    /// Writes the code of a model: standalone Rust that needs the runtime crate `costate` alone.
    #[command(alias = "expand")]
    Compile(compile::Options),
    /// Writes a model on a page: quantities, equations, sparsity, operations, units.
    Report(report::Options),
    /// Writes a model as a unit of FMI 3.0, for Model Exchange and Co-Simulation, with exact derivatives
    ///
    /// The unit has a library for this platform and the text of the model; it needs no compiler where it is used.
    Fmu(fmu::Options),
    /// Writes a mechanism in motion: a page that plays a run, glTF, or a still.
    Animate(animate::Options),
    /// Finds parameters with which a model reproduces a record, or the records of a campaign
    ///
    /// In place of a model, a campaign file, whose name ends with `.toml`, describes experiments, sensors, unknowns and
    /// settings; `costate fit --template MODEL -o campaign.toml` writes one.
    Fit(fit::Options),
    /// Follows states and parameters through a record, sample by sample, by a Kalman filter.
    Filter(filter::Options),
    /// Identifies restoring forces of a structure from a record, without an assumption about their form: curves over
    /// deformation and rate with their uncertainty.
    RestoringForce(restoring_force::Options),
    /// Follows the cost along every unknown: intervals that hold for models that are not linear, and what is not
    /// determined
    ///
    /// In place of a model, a campaign file may be given, see `costate fit`.
    Profiles(fit::profiles::Options),
    /// Serves a local page that shows a run and the messages of the compiler, and refreshes when the file is saved.
    Watch(watch::Options),
    /// Writes values, such as those of a fit, into a model as the defaults of its parameters.
    Defaults(defaults::Options),
    /// Lists the channels of a file of measured data: units, rates, ranges, gaps, clipped values and a plot of each.
    Records(records::Options),
    /// Writes channels of a file of measured data in another format: CSV, UFF58 or Parquet.
    Convert(records::ConvertOptions),
    /// Computes frequency responses, densities, spectrograms and maps of orders of a file of measured data
    ///
    /// `--input F --response A` computes a response with its coherence, `--density A` a spectral density, `--map A` a
    /// spectrogram, with a `--tacho` over the speed and with `--orders` of orders.
    Spectra(records::SpectraOptions),
    /// Joins the logs of tasks that several processes do, or have done: which are done, have failed, are missing, and
    /// the results.
    Collect(collect::Options),
    /// Writes a new crate with a model, its simulation and an identification, which runs at once.
    New(new::Options),
    /// Prints the script with which a shell completes the arguments of this command.
    Completions(completions::Options),
    /// Prints or writes the manual.
    Man(man::Options),
}

fn main() -> ExitCode {
    let parsed = with_negative_numbers(Command::command()).try_get_matches();
    let command = match parsed.and_then(|matches| Command::from_arg_matches(&matches)) {
        Ok(command) => command,
        Err(error) => return refused(&error).into(),
    };
    let as_json = command.json;
    costate::command::files::remember_reads();
    interrupt::listen();
    let printed = carry_out(command.action, as_json).and_then(|answer| Ok(answer.print(as_json)?));
    let exit = printed.unwrap_or_else(|error| {
        error.print();
        if as_json {
            // nothing is left to be done where the output is closed
            let _ = output::print(&format!("{}\n", error.json()));
        }
        error.exit()
    });
    exit.into()
}

/// Takes `-1` after an option for its value, which the option judges, and not for another option.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let with_own = command.mut_args(|arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    });
    with_own.mut_subcommands(with_negative_numbers)
}

fn carry_out(action: Action, as_json: bool) -> Result<Answer, CommandError> {
    match action {
        Action::Run(options) => run::run(&options),
        Action::Compare(options) => compare::run(&options),
        Action::Rest(options) => vibration::rest::run(&options),
        Action::Modes(options) => vibration::modes::run(&options),
        Action::Response(options) => vibration::response::run(&options),
        Action::Gradient(options) => gradient::run(&options),
        Action::BaseParameters(options) => base_parameters::run(&options),
        Action::Check(options) => check::run(&options),
        Action::Compile(options) => compile::run(&options),
        Action::Report(options) => report::run(&options),
        Action::Fmu(options) => fmu::run(&options),
        Action::Animate(options) => animate::run(&options),
        Action::Fit(options) => fit::run(&options),
        Action::Filter(options) => filter::run(&options),
        Action::RestoringForce(options) => restoring_force::run(&options),
        Action::Profiles(options) => fit::profiles::run(&options),
        Action::Watch(options) => watch::run(&options, as_json),
        Action::Defaults(options) => defaults::run(&options),
        Action::Records(options) => records::run(&options),
        Action::Convert(options) => records::convert(&options),
        Action::Spectra(options) => records::spectra(&options),
        Action::Collect(options) => collect::run(&options),
        Action::New(options) => new::run(&options),
        Action::Completions(options) => Ok(completions::run(&options, Command::command())),
        Action::Man(options) => man::run(&options, Command::command()),
    }
}

/// Prints what is wrong with the arguments, or the help that was asked for.
fn refused(error: &clap::Error) -> Exit {
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Done;
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        // the lines before the usage
        let lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let message = lines.collect::<Vec<_>>().join(" ");
        let message = message.trim_start_matches("error: ");
        let _ = output::print(&format!("{}\n", error::object(message, Vec::new())));
    }
    Exit::Arguments
}
