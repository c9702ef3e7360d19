//! Ensembles of many independent, numbered tasks, on one machine or several, which can be continued after a crash:
//! [`Ensemble`].
//!
//! Multistarts, bootstraps, profiles and repetitions are such tasks. The result of a task depends only on its number,
//! so results are bit-identical for any number of threads, shards and processes. With a [folder](Ensemble::folder)
//! every result is saved as soon as it is computed: if the program has been interrupted, the same program, run again,
//! computes only the missing tasks.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { position: m = x }
//! #     }
//! # }
//! use costate::ensemble::Ensemble;
//! use costate::identify::UnknownParameter;
//! use costate::{Identification, Record, Simulation};
//!
//! # fn main() -> anyhow::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("costate-{}", std::process::id()));
//! let hit = |t: f64| if t < 0.01 { 200.0 * (std::f64::consts::PI * t / 0.01).sin() } else { 0.0 };
//! let run = Simulation::new(&Mount::default()).input(Mount::DRIVE, hit).step(2.5e-4).until(0.2).run()?;
//! let record = Record::new(run.times())?.with_channel("position", Some("m"), run.output(Mount::POSITION))?;
//! let simulation = Simulation::new(&Mount { c: 70e3, ..Mount::default() }).input(Mount::DRIVE, hit);
//! let found = Identification::new(&simulation)
//!     .unknown([UnknownParameter::from(Mount::C).within(50e3, 200e3)])
//!     .measured(Mount::POSITION, &record)
//!     .multistart_in(&Ensemble::new().folder(&folder), 4, 1)?;
//! assert!((found.model().c / 100e3 - 1.0).abs() < 1e-6);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! | purpose | item |
//! |---|---|
//! | the work shared by processes or machines | [`Ensemble::shard`] with `"2/8".parse()?`; all use the same folder |
//! | a job array of Slurm, PBS or LSF | the [`Shard`] `"array".parse()?` |
//! | MPI | [`Ensemble::on`] with the world of the crate `costate-mpi` |
//! | one cost of more records than fit into one process | [`Identification::distributed`] |
//! | the progress | `costate collect FOLDER`, or [`Collection::read`] |
//! | the progress while it goes on | files that end with `progress`: a line of JSON for every second |
//! | tasks that may not end or may fail | [`Ensemble::time_limit`]; [`Ensemble::retry_failed`] repeats failed tasks |
//! | a parameter study | [`Problem::study`](crate::simulate::Problem::study) |
//! | optimal inputs from many start values | [`OptimalInput::multistart_in`] |
//! | the expected time | [`Ensemble::estimate`] |
//! | tasks of your own | [`Ensemble::run`] with [`Tasks`] and a [`Description`] of the problem that they belong to |
//!
//! [`Identification::distributed`]: crate::Identification::distributed
//! [`OptimalInput::multistart_in`]: crate::experiment::OptimalInput::multistart_in

pub use costate_ensemble::{Ensemble, Shard};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_ensemble::{
    Collection, Description, End, EnsembleError, Executor, ExecutorError, Failure, Job, Outcome, Outcomes,
    ProcessProgress, Progress, Raw, RecordSink, ShardError, StateDifference, Task, Tasks, Threads, task_seed,
};
