//! Identifies the moment of inertia, the frictions and the sensor of a bicycle's fork that swings as a pendulum, from
//! the measured voltage of a rate gyro.

mod figures;
mod fits;
mod model;
mod options;
mod published;
mod report;

use anyhow::Result;
use clap::Parser;
use costate_examples::{create_folder_of, say, write_json, write_text};

use model::Fork;
use options::Options;

fn main() -> Result<()> {
    let options = Options::parse();
    let file = |name: &str| options.output.join(name);
    create_folder_of(&file("report.txt"))?;
    let record = fits::record(&options)?;
    let fits = fits::fit(&record)?;
    let run = fits::simulation(fits.best.model(), &record).run()?;
    let amplitude = run.output(Fork::SWING).into_iter().map(f64::abs).fold(0.0, f64::max);
    let results = report::results(&fits, amplitude)?;
    let text = report::text(&record, &fits, &results)?;
    write_text(&file("report.txt"), &text)?;
    if !options.quiet {
        say(&text);
    }
    if let Some(file) = &options.json {
        write_json(file, &results)?;
    }
    if let Some(file) = &options.report {
        fits.best.report(file)?;
    }
    if !options.no_figures {
        figures::write(&options.output, &record, &fits)?;
    }
    Ok(())
}
