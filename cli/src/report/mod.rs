//! `costate report`: a model on a page.

mod contents;
mod html;
mod markdown;
mod mathml;
mod mechanism;
mod notation;
mod numbers;
mod page;
mod quantities;
mod sparsity;
mod tables;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use costate_compiler::Compiled;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::check_ending;
use crate::output::write;
use crate::selection::Selection;

/// The format of the page.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// One file with formulas and pictures, which a browser shows without a network.
    Html,
    /// Text with formulas in LaTeX, without pictures.
    Markdown,
}

/// The model to report and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// The file to write; without it, the page is printed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format of the page.
    #[arg(long, value_enum, default_value = "html")]
    format: Format,
}

/// Returns the page of a model as HTML.
pub fn html(compiled: &Compiled) -> String {
    html::write(&contents::page(compiled))
}

/// Writes or prints the page.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let model = options.selection.model.as_deref();
    let compiled = options.selection.read()?.compile(model, &options.selection.arguments())?;
    let page = contents::page(&compiled);
    let (text, endings): (String, &[&'static str]) = match options.format {
        Format::Html => (html::write(&page), &[".html", ".htm"]),
        Format::Markdown => (markdown::write(&page), &[".md", ".markdown", ".txt"]),
    };
    check_ending(options.output.as_deref(), endings)?;
    let json = numbers::of(&compiled, options.output.as_deref());
    match &options.output {
        Some(path) => write(path, &text).map(|()| Answer::new("", json)),
        None => Ok(Answer::new(text, json)),
    }
}
