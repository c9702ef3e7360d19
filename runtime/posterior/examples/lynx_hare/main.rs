//! Draws the posterior of lynx and hare by the no-U-turn sampler, and by a random walk that knows no gradient:
//! effective draws per second.
//!
//! `cargo run --release -p costate-posterior --example lynx_hare`, with `--json FILE` for ArviZ.

mod model;
mod walk;

use std::time::Instant;

use costate_posterior::{Sampler, diagnostics};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => None,
        (Some("--json"), Some(file)) => Some(file),
        _ => anyhow::bail!("usage: lynx_hare [--json FILE]"),
    };
    let record = model::record()?;
    let posterior = model::posterior(&record, 0.1)?;

    let begun = Instant::now();
    let samples = posterior.sample(&Sampler::new().seed(1).progress(true))?;
    let seconds = begun.elapsed().as_secs_f64();
    let summary = samples.summary();
    println!("{summary}");
    let least = summary.rows.iter().map(|row| row.bulk.min(row.tail)).fold(f64::INFINITY, f64::min);
    println!("{seconds:.2} s, {:.0} effective draws per second of the worst unknown", least / seconds);
    if let Some(file) = file {
        samples.write(file)?;
    }

    let density = model::identification(&record, 0.1).density()?;
    let density = density.deviation_prior(model::LynxHare::LOG_HARE, model::DEVIATION)?;
    let density = density.deviation_prior(model::LynxHare::LOG_LYNX, model::DEVIATION)?;
    let begun = Instant::now();
    let chains = walk::chains(&density, 4, 100_000)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut least = f64::INFINITY;
    for (k, name) in samples.names().iter().enumerate() {
        let draws: Vec<Vec<f64>> = chains.iter().map(|chain| chain.iter().map(|draw| draw[k]).collect()).collect();
        let (bulk, tail) = (diagnostics::bulk(&draws), diagnostics::tail(&draws));
        println!("{name}: {:.5}, {bulk:.0} and {tail:.0} effective draws", diagnostics::mean(&draws));
        least = least.min(bulk).min(tail);
    }
    println!("random walk: {seconds:.2} s, {:.0} effective draws per second of the worst unknown", least / seconds);
    Ok(())
}
