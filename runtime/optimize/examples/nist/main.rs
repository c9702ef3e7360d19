//! Measures the methods for least squares on reference problems whose solutions are known: the nonlinear regression
//! problems of NIST.
//!
//! ```text
//! cargo run --release -p costate-optimize --example nist -- [DATA] --json FILE
//! ```

mod counts;
mod measure;
mod options;
mod problems;
mod report;
mod table;

use anyhow::Context;
use clap::Parser;

use counts::Counts;
use options::Options;
use problems::{mgh, nist};
use report::Report;

fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let settings = options.settings();
    let folder = options.data.clone().unwrap_or_else(nist::shipped);
    let problems = nist::problems(&folder)?;
    let wanted = |name: &str| name.starts_with(&options.only);
    let of_nist = problems.iter().filter(|problem| wanted(problem.name));
    let of_mgh = mgh::problems();
    let of_mgh = of_mgh.iter().filter(|problem| wanted(problem.name));
    let report = Report::new(
        of_nist.flat_map(|problem| measure::nist(problem, &settings)).collect(),
        of_mgh.flat_map(|problem| measure::mgh(problem, &settings)).collect(),
    );
    print!("{}", table::text(&report, &Counts::shipped()?));
    if let Some(path) = &options.json {
        let text = serde_json::to_string_pretty(&report)?;
        costate_contract::files::write(path, text + "\n")
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}
