//! Tasks that take a given time, done by the processes of MPI or by threads: measures the cost of dealing, and shows
//! the consequences of failures.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::Parser;
use costate_ensemble::{Collection, Description, Ensemble, Executor, Failure, Task, Tasks};
use costate_mpi::World;

/// Does tasks of a given time by the processes of MPI; `mpirun -n 4 dealing` starts four.
#[derive(Parser)]
struct Options {
    /// Number of tasks
    #[arg(long, value_name = "N", default_value_t = 1000)]
    tasks: usize,
    /// Time that a task takes
    #[arg(long, value_name = "MS", default_value_t = 10.0)]
    milliseconds: f64,
    /// Lets tasks compute so many steps of the logistic map instead of waiting: 5 million take some 10 ms
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Threads of this process alone, without MPI
    #[arg(long)]
    threads: bool,
    /// Does the first task before all others, and tells what it expects of these
    #[arg(long)]
    estimate: bool,
    /// Folder of the logs, from which it continues
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Writes the joined logs to this file
    #[arg(long, value_name = "FILE", requires = "output")]
    json: Option<PathBuf>,
    /// Lets the process with this rank fail before it does a task
    #[arg(long, value_name = "RANK")]
    fail: Option<usize>,
    /// Lets it panic instead
    #[arg(long)]
    panic: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let world = if options.threads { None } else { Some(World::new()?) };
    let (rank, processes) = world.as_ref().map_or((0, 1), |world| (world.rank(), world.processes()));
    if options.fail == Some(rank) {
        assert!(!options.panic, "told to");
        bail!("told to");
    }
    if let Some(world) = &world {
        exchange(world)?;
    }
    let mut ensemble = Ensemble::new();
    if let Some(world) = &world {
        ensemble = ensemble.on(world);
    }
    if let Some(folder) = &options.output {
        ensemble = ensemble.folder(folder);
    }
    if options.estimate {
        ensemble = ensemble.estimate(|first| println!("{:.2} s expected", first.expected_seconds));
    }
    let mut description = Description::default();
    match options.steps {
        Some(steps) => description.text("the steps of a task", steps),
        None => description.number("the time of a task in ms", options.milliseconds),
    }
    let tasks = Tasks::new("waiting", options.tasks).described(description);
    let (begin, computed) = (Instant::now(), processor_seconds());
    let outcomes = ensemble.run(&tasks, |task| work(task, &options), |_, _| ())?;
    let (seconds, computed) = (begin.elapsed().as_secs_f64(), processor_seconds() - computed);
    let of_processes = match &world {
        Some(world) => world.gather(computed.to_le_bytes().to_vec())?,
        None => vec![computed.to_le_bytes().to_vec()],
    };
    let number = |bytes: &Vec<u8>| bytes.first_chunk().map_or(f64::NAN, |bytes| f64::from_le_bytes(*bytes));
    let of_processes: Vec<f64> = of_processes.iter().map(number).collect();
    // every process has all outcomes
    let mut sum = 0.0;
    for outcome in outcomes.iter() {
        sum += outcome.result.as_ref().map_or(0.0, |values| values.iter().sum());
    }
    if world.as_ref().is_none_or(World::is_root) {
        println!(
            "{} tasks, {} failed, {processes} processes, {} threads: {seconds:.4} s, sum {sum:?}",
            outcomes.done(),
            outcomes.failed(),
            ensemble.at_once(),
        );
        println!(
            "processor time {:.2} s, of them {:.2} s in the root",
            of_processes.iter().sum::<f64>(),
            of_processes[0]
        );
        if let (Some(folder), Some(file)) = (&options.output, &options.json) {
            costate_contract::files::write(file, serde_json::to_string_pretty(&Collection::read(folder)?)?)?;
        }
    } else {
        println!("process {rank} has the sum {sum:?}");
    }
    Ok(())
}

/// Checks that every process receives the bytes of all processes, short and long.
fn exchange(world: &World) -> Result<()> {
    for length in [0, 1, 100_000] {
        let of = |rank: usize| vec![rank as u8 + 1; length * (rank + 1)];
        let parts = world.gather(of(world.rank()))?;
        let expected: Vec<_> = (0..world.processes()).map(of).collect();
        ensure!(parts == expected, "process {} has been given other bytes than were sent", world.rank());
    }
    Ok(())
}

/// Computes the logistic map; every hundredth task panics.
fn work(task: &Task, options: &Options) -> Result<Vec<f64>, Failure<Vec<f64>>> {
    assert!(task.number() % 100 != 99, "the hundredth");
    let mut x = (task.seed(1) >> 11) as f64 / (1_u64 << 53) as f64;
    let mut values = Vec::new();
    for _ in 0..10 {
        x = 3.9 * x * (1.0 - x);
        values.push(x);
    }
    match options.steps {
        Some(steps) => values.push((0..steps).fold(x, |x, _| 3.9 * x * (1.0 - x))),
        None => std::thread::sleep(Duration::from_secs_f64(1e-3 * options.milliseconds)),
    }
    Ok(values)
}

/// Returns the processor time of this process so far, in s with a resolution of 0.01 s; NaN if the system does not
/// report it.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = text.rsplit(')').next().map(|rest| rest.split_whitespace().skip(11).take(2));
    let ticks: Option<Vec<f64>> = ticks.and_then(|ticks| ticks.map(|ticks| ticks.parse().ok()).collect());
    ticks.filter(|ticks| ticks.len() == 2).map_or(f64::NAN, |ticks| ticks.iter().sum::<f64>() / 100.0)
}
