//! The command `costate`: arguments, printing and exit codes around `costate-compiler`.

mod animate;
mod check;
mod collect;
mod defaults;
mod diagnostics;
mod error;
mod expand;
mod mechanism;
mod new;
mod output;
mod recorded_error;
mod report;
mod values;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks, expands and reports models that are written with `costate::model!`.
#[derive(Debug, Parser)]
#[command(name = "costate", version)]
struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints all errors, warnings and notes of the models in a file; fails if there are errors.
    Check(check::Options),
    /// Writes the code of a model: standalone Rust that needs the runtime crate `costate` alone.
    Expand(expand::Options),
    /// Writes a model on a page: quantities, equations, sparsity, operations, units.
    Report(report::Options),
    /// Writes a mechanism in motion: a page that plays a run, glTF, or a still.
    Animate(animate::Options),
    /// Writes values, such as those of a fit, into a model as the defaults of its parameters.
    Defaults(defaults::Options),
    /// Joins the logs of tasks that several processes do, or have done: which are done, have failed, are missing, and the results.
    Collect(collect::Options),
    /// Writes a new crate with a model, its simulation and an identification, which runs at once.
    New(new::Options),
}

fn main() -> ExitCode {
    let done = match Command::parse().action {
        Action::Check(options) => check::run(&options),
        Action::Expand(options) => expand::run(&options),
        Action::Report(options) => report::run(&options),
        Action::Animate(options) => animate::run(&options),
        Action::Defaults(options) => defaults::run(&options),
        Action::Collect(options) => collect::run(&options),
        Action::New(options) => new::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.print();
            ExitCode::FAILURE
        }
    }
}
