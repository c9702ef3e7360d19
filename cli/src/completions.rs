//! `costate completions`: the script with which a shell completes the arguments of the command.

use clap::Args;
use clap_complete::Shell;
use serde_json::json;

use crate::answer::Answer;

/// The shell.
#[derive(Debug, Args)]
pub struct Options {
    /// The shell whose script is printed.
    shell: Shell,
}

/// Returns the script.
pub fn run(options: &Options, mut command: clap::Command) -> Answer {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = json!({ "shell": options.shell.to_string(), "script": script });
    Answer::new(script, json)
}
