//! The scatter of identified parameters of the hydraulic engine mount (Lauss, Oberpeilsteiner, Steiner, Nachbagauer:
//! The discrete adjoint method for parameter identification in multibody system dynamics, 2018, section 5) under noise,
//! by identifications that are tasks of an ensemble:
//!
//! ```sh
//! ensemble --tasks 10000                      # on all cores; kill it whenever you like
//! ensemble --tasks 10000                      # goes on with what is missing
//! ensemble --tasks 10000 --shard 2/3          # one of three processes, on any machine that sees the folder
//! ensemble --tasks 10000 --shard array        # in a job array of Slurm or LSF; `array/n` in one of PBS
//! mpirun -n 4 ensemble --tasks 10000 --mpi    # as `bridges/mpi` builds it
//! costate collect out/ensemble                # how far are they?
//! ```
//!
//! Killed twice and continued, by other processes than before:
//!
//! ```text
//! $ ensemble --tasks 10000
//! 10000 identifications of the engine mount, noise of 0.053 m/s², shard 1/1, 2 at once
//! the first task took 0.15 s: 736 s for 9999 others
//! 3577 of 10000 done, at most 1313 s to go
//! Killed
//! $ mpirun -n 2 ensemble --tasks 10000 --mpi
//! 10000 identifications of the engine mount, noise of 0.053 m/s², shard 1/1, 2 at once
//! in 1 log of earlier calls: 3582 results, 0 of them failures
//! 3583 of 10000 done, at most 1435 s to go
//! Killed
//! $ mpirun -n 2 ensemble --tasks 10000 --mpi
//! 10000 identifications of the engine mount, noise of 0.053 m/s², shard 1/1, 2 at once
//! in 2 logs of earlier calls: 3583 results, 0 of them failures
//! EngineMount: 10000 repetitions with a result, 0 without
//! ```

mod figures;
mod options;
mod report;
mod study;
mod world;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use costate::ensemble::{Collection, EnsembleError};
use costate::experiment::{RepetitionProgress, RepetitionsError};
use costate_examples::{Outputs, say, stop_on_ctrl_c};

use options::Options;
use report::{Summary, ellipses};
use study::Study;
use world::World;

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let world = World::new(options.mpi)?;
    let interrupt = stop_on_ctrl_c()?;
    let outputs = Outputs { quiet: options.outputs.quiet || !world.is_root(), ..options.outputs.clone() };
    let mut program = outputs.begin(env!("CARGO_BIN_NAME"))?;
    let mut ensemble = world.ensemble().folder(program.folder()).shard(options.shard);
    if let Some(limit) = options.time_limit {
        ensemble = ensemble.time_limit(Duration::from_secs_f64(limit));
    }
    if options.retry_failed {
        ensemble = ensemble.retry_failed();
    }
    if !options.outputs.quiet {
        ensemble = ensemble.estimate(|first| {
            let (left, seconds) = (first.tasks - first.done, first.seconds_per_task);
            say(format!("the first task took {seconds:.2} s: {:.0} s for {left} others", first.expected_seconds));
        });
    }
    let study = Study::new(options)?;
    program.tell(format!(
        "{} identifications of the engine mount, noise of {:.3} m/s², shard {}, {} at once",
        options.tasks,
        study.deviation,
        options.shard,
        ensemble.at_once()
    ));
    if let Some(text) = earlier(program.folder()) {
        program.tell(text);
    }
    let repeated = match study.repeat(options, ensemble, &interrupt, progress(options.outputs.quiet)) {
        Err(RepetitionsError::Interrupted(stopped)) => {
            return Ok(program.stopped(stopped));
        }
        Err(RepetitionsError::Ensemble(unfinished @ EnsembleError::Unfinished { .. })) => {
            program.tell(format!("shard {} is done; {unfinished}", options.shard));
            return Ok(ExitCode::SUCCESS);
        }
        result => result?,
    };
    if !world.is_root() {
        return Ok(ExitCode::SUCCESS);
    }
    program.tell(repeated.to_string());
    program.tell(ellipses(&repeated));
    program.json(&Summary::new(&repeated, study.deviation))?;
    program.figures(|folder| figures::write(folder, &repeated))?;
    program.end()
}

/// Describes the contents of earlier logs; `None` if there are none.
fn earlier(folder: &Path) -> Option<String> {
    let logs = Collection::read(folder).ok()?;
    let cut = match logs.damaged {
        0 => String::new(),
        lines => format!(", {lines} lines that were cut short"),
    };
    let counted = if logs.logs == 1 { "log" } else { "logs" };
    Some(format!(
        "in {} {counted} of earlier calls: {} results, {} of them failures{cut}",
        logs.logs,
        logs.done,
        logs.failed.len()
    ))
}

/// Reports the progress every five seconds, for the first time after the first task.
fn progress(quiet: bool) -> impl FnMut(RepetitionProgress) + Send {
    let begin = Instant::now();
    let mut told = None::<Instant>;
    let mut now = 0_u32;
    move |progress| {
        now += 1;
        let is_due = told.is_none_or(|told| told.elapsed() >= Duration::from_secs(5));
        if quiet || !is_due {
            return;
        }
        told = Some(Instant::now());
        let left = (progress.repetitions - progress.ended) as f64;
        let seconds = begin.elapsed().as_secs_f64() / f64::from(now) * left;
        say(format!("{} of {} done, at most {seconds:.0} s to go", progress.ended, progress.repetitions));
    }
}
