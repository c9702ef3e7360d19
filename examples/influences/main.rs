//! Effects that impair the restoring forces identified by a filter, as in Kenderi: Nonparametric identification of
//! nonlinear dynamic systems (2018), section 3.4: noise on both signals, slow sampling, few samples, a wrong inertia.

mod figures;
mod force;
mod inertia;
mod noise;
mod options;
mod report;
mod sampling;

use anyhow::Result;
use clap::Parser;
use costate_examples::{create_folder_of, say, write_json, write_text};
use serde::Serialize;

use inertia::{Outcome, Part};
use options::Options;

/// The results that are written to a file.
#[derive(Debug, Serialize)]
struct Summary {
    noise: Vec<noise::Point>,
    rates: Vec<sampling::Rate>,
    counts: Vec<sampling::Count>,
    inertia: Vec<Outcome>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    create_folder_of(&options.output.join("report.txt"))?;
    let noise = noise::study(&options.noise, options.seeds)?;
    tell(report::noise(&noise)?);
    let rates = sampling::rates(&options.rate, options.seeds)?;
    tell(report::rates(&rates)?);
    let counts = sampling::counts(&options.samples, options.seeds)?;
    tell(report::counts(&counts)?);
    let outcomes = inertia::study(options.seeds)?;
    tell(report::inertia(&outcomes)?);
    if !options.no_figures {
        let file = |name: &str| options.output.join(name);
        figures::noise(&file("figure_3_22.svg"), &noise)?;
        figures::sampling(&file("figure_3_23.svg"), &rates, &counts)?;
        figures::inertia(&file("figure_3_24.svg"), Part::Diagonal, &outcomes)?;
        figures::inertia(&file("figure_3_25.svg"), Part::Beside, &outcomes)?;
        tell(format!("figures in `{}`", options.output.display()));
    }
    if let Some(file) = &options.json {
        write_json(file, &Summary { noise, rates, counts, inertia: outcomes })?;
    }
    write_text(&options.output.join("report.txt"), &transcript)
}
