//! Measures the time of an evaluation of cost and gradient of six experiments, relative to the sum of the times
//! of single experiments, and how much faster it is on two cores.
//!
//! `cargo bench -p costate-models --bench campaign`

use std::error::Error;

use costate::identify::{Experiment, FitSummary};
use costate::optimize::OptimizerSettings;
use costate::{Identification, Record, Simulation};
use costate_models::{EngineMount, engine_mount};

/// Number of runs of each case; the medians count.
const RUNS: usize = 15;

/// Amplitudes of the experiments relative to the published sweep.
const AMPLITUDES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let records = AMPLITUDES.iter().map(|amplitude| record(*amplitude)).collect::<Result<Vec<_>, _>>()?;
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (one, two) = (pool(1)?, pool(2)?);
    let (mut alone, mut together, mut on_two) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let all = || identify(&records, &[0, 1, 2, 3, 4, 5]);
        let sum = one.install(|| (0..6).map(|k| identify(&records, &[k])).sum::<Result<f64, _>>())?;
        alone.push(sum);
        together.push(one.install(all)?);
        on_two.push(two.install(all)?);
    }
    let [alone, together, on_two] = [alone, together, on_two].map(median);
    println!(
        "one evaluation, {} steps, ms: six alone {alone:.2}, together {together:.2}, on two cores {on_two:.2}",
        6 * 10_000
    );
    println!("together / alone {:.3}, one core / two {:.2}", together / alone, together / on_two);
    Ok(())
}

fn record(amplitude: f64) -> Result<Record, Box<dyn Error + Send + Sync>> {
    let truth = EngineMount::default();
    let run = Simulation::new(&truth)
        .input(EngineMount::DRIVE, move |t: f64| amplitude * engine_mount::sweep(t))
        .step(engine_mount::STEP)
        .until(engine_mount::END)
        .run()?;
    let acceleration = run.output(EngineMount::ACCELERATION);
    Ok(Record::new(run.times())?.with_channel("acceleration", Some("m/s^2"), acceleration)?)
}

/// Measures the time of an evaluation of cost and gradient in ms, over some iterations with these experiments.
fn identify(records: &[Record], numbers: &[usize]) -> Result<f64, Box<dyn Error + Send + Sync>> {
    let common = Simulation::new(&EngineMount::start());
    let mut id = Identification::new(&common)
        .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
        .optimizer(OptimizerSettings::default().with_maximum_iterations(4));
    for &k in numbers {
        let amplitude = AMPLITUDES[k];
        let drive = move |t: f64| amplitude * engine_mount::sweep(t);
        let simulation = common.clone().input(EngineMount::DRIVE, drive);
        let experiment = Experiment::new(k.to_string()).simulation(&simulation);
        id = id.experiment(experiment.measured(EngineMount::ACCELERATION, &records[k]));
    }
    let fit = id.run()?;
    let FitSummary { seconds_forward, seconds_gradient, simulations, iterations, .. } = fit.summary();
    // one gradient at the start and one per iteration
    let forward = seconds_forward / (*simulations as f64 / numbers.len() as f64);
    Ok(1e3 * (forward + seconds_gradient / (*iterations + 1) as f64))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
