//! Tasks that take a given time, by the processes of MPI or by threads: what dealing costs, and what becomes of it when
//! something goes wrong.

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
    /// What a task takes
    #[arg(long, value_name = "MS", default_value_t = 10.0)]
    milliseconds: f64,
    /// Lets tasks compute all that time; otherwise they wait
    #[arg(long)]
    busy: bool,
    /// Threads of this process alone, without MPI
    #[arg(long)]
    threads: bool,
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
    let mut description = Description::default();
    description.number("the time of a task in ms", options.milliseconds);
    let tasks = Tasks::new("waiting", options.tasks).described(description);
    let begin = Instant::now();
    let outcomes = ensemble.run(&tasks, |task| work(task, &options), |_, _| ())?;
    let seconds = begin.elapsed().as_secs_f64();
    // every process has all of them
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
        if let (Some(folder), Some(file)) = (&options.output, &options.json) {
            std::fs::write(file, serde_json::to_string_pretty(&Collection::read(folder)?)?)?;
        }
    } else {
        println!("process {rank} has the sum {sum:?}");
    }
    Ok(())
}

/// Whether every process gets what each of them has, short and long.
fn exchange(world: &World) -> Result<()> {
    for length in [0, 1, 100_000] {
        let of = |rank: usize| vec![rank as u8 + 1; length * (rank + 1)];
        let parts = world.gather(of(world.rank()))?;
        let expected: Vec<_> = (0..world.processes()).map(of).collect();
        ensure!(parts == expected, "process {} has been given other bytes than were sent", world.rank());
    }
    Ok(())
}

/// The logistic map; every hundredth task panics.
fn work(task: &Task, options: &Options) -> Result<Vec<f64>, Failure<Vec<f64>>> {
    let begin = Instant::now();
    let time = Duration::from_secs_f64(1e-3 * options.milliseconds);
    assert!(task.number() % 100 != 99, "the hundredth");
    let mut x = (task.seed(1) >> 11) as f64 / (1_u64 << 53) as f64;
    let mut values = Vec::new();
    for _ in 0..10 {
        x = 3.9 * x * (1.0 - x);
        values.push(x);
    }
    while options.busy && begin.elapsed() < time {
        std::hint::spin_loop();
    }
    std::thread::sleep(time.saturating_sub(begin.elapsed()));
    Ok(values)
}
