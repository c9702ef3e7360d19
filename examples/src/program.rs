//! The harness of a program: the options that all have, its report, its files, and its end.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use costate::simulate::{Interrupt, InterruptedWork};
use serde::Serialize;

/// The exit code of a program that was stopped by Ctrl-C, by the convention of shells.
const INTERRUPTED: u8 = 130;

/// The places of results.
#[derive(Debug, Clone, Default, Args)]
pub struct Outputs {
    /// Folder for the report, tables and figures [default: `out` and the name of the program]
    #[arg(long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Writes the results to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Writes no figures, nor computes what they alone show
    #[arg(long)]
    pub no_figures: bool,
    /// Prints nothing but errors
    #[arg(long)]
    pub quiet: bool,
}

impl Outputs {
    /// Begins the program of this name, and creates its folder.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn begin(&self, name: &str) -> Result<Program<'_>> {
        let folder = self.output.clone().unwrap_or_else(|| Path::new("out").join(name));
        create_folder_of(&folder.join("report.txt"))?;
        Ok(Program { outputs: self, folder, report: String::new() })
    }
}

/// A program that has begun.
#[derive(Debug)]
pub struct Program<'a> {
    outputs: &'a Outputs,
    folder: PathBuf,
    report: String,
}

impl Program<'_> {
    /// Prints a text, and adds it to the report.
    pub fn tell(&mut self, text: impl Display) {
        if !self.outputs.quiet {
            say(&text);
        }
        self.report += &format!("{text}\n");
    }

    /// Returns the folder of results.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a file in the folder of results.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes the results as JSON, if that is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn json(&self, results: &impl Serialize) -> Result<()> {
        self.outputs.json.as_ref().map_or(Ok(()), |file| write_json(file, results))
    }

    /// Draws figures into the folder of results, if they are wanted, and says so.
    ///
    /// # Errors
    /// Those of the drawing.
    pub fn figures(&mut self, draw: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        if !self.outputs.no_figures {
            draw(&self.folder)?;
            self.tell(format!("figures in `{}`", self.folder.display()));
        }
        Ok(())
    }

    /// Says that Ctrl-C has stopped the work, and gives the code to end with.
    pub fn stopped(&mut self, text: impl Display) -> ExitCode {
        self.tell(text);
        ExitCode::from(INTERRUPTED)
    }

    /// Writes the report.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end(self) -> Result<ExitCode> {
        write_text(&self.folder.join("report.txt"), &self.report)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints a line. A reader that has closed the pipe, such as `head`, is no reason to fail.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Creates the folder that `file` is in, if it does not exist.
///
/// # Errors
/// The folder cannot be created.
pub fn create_folder_of(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder `{}`", folder.display()))
}

/// Writes `value` as readable JSON.
///
/// # Errors
/// The file cannot be written.
pub fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    create_folder_of(file)?;
    write_text(file, &(serde_json::to_string_pretty(value)? + "\n"))
}

/// Writes `text` to a file.
///
/// # Errors
/// The file cannot be written.
pub fn write_text(file: &Path, text: &str) -> Result<()> {
    costate_contract::files::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}

/// A flag that Ctrl-C triggers: the first one asks for an orderly stop, another one after a second ends the program at
/// once.
///
/// # Errors
/// There is a handler already, or the system refuses one.
pub fn stop_on_ctrl_c() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::new();
    let handle = interrupt.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        handle.trigger();
        // Some terminals and wrappers send the signal twice.
        if first.get_or_insert_with(Instant::now).elapsed() > Duration::from_secs(1) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    })?;
    Ok(interrupt)
}

/// Says that an identification was stopped, and how to go on; `state` is the file that it is saved in.
pub fn interrupted(work: &InterruptedWork, state: Option<&Path>) -> String {
    let how = match state {
        Some(file) if file.exists() => {
            format!("saved in `{}`: run the same command again to continue", file.display())
        }
        Some(_) => "nothing to save yet".to_owned(),
        None => "not saved: add `--state FILE` to be able to continue".to_owned(),
    };
    format!("{work}; {how}")
}
