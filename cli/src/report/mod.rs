//! `costate report`: a model on a page.

mod contents;
mod html;
mod markdown;
mod mechanism;
mod notation;
mod page;
mod quantities;
mod sparsity;
mod tables;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::error::CommandError;
use crate::expand::Selection;
use crate::output::{print, write};

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
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// The format of the page.
    #[arg(long, value_enum, default_value = "html")]
    format: Format,
}

/// Writes or prints the page.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let model = options.selection.model.as_deref();
    let compiled = options.selection.read()?.compile(model, &options.selection.arguments())?;
    let page = contents::page(&compiled);
    let text = match options.format {
        Format::Html => html::write(&page),
        Format::Markdown => markdown::write(&page),
    };
    match &options.output {
        Some(path) => write(path, &text),
        None => print(&text),
    }
}
