//! [`World`]: the processes of an MPI job as the executor of ensembles.
//!
//! Every process runs the same program, started by `mpirun -n 4 program`. The one with rank 0 deals tasks, reads and
//! writes logs; each does tasks on all threads of its rayon pool, which `RAYON_NUM_THREADS` sets. In the end every
//! process has all results:
//!
//! ```no_run
//! use costate_ensemble::{Ensemble, Tasks};
//! use costate_mpi::World;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let world = World::new()?;
//!     let ensemble = Ensemble::new().folder("out/squares").on(&world);
//!     let squares = ensemble.run(&Tasks::new("squares", 100), |task| Ok(task.number().pow(2)), |_, _| ())?;
//!     if world.is_root() {
//!         println!("{} squares", squares.done());
//!     }
//!     Ok(())
//! }
//! ```
//!
//! An identification takes the same: `identification.multistart_in(&Ensemble::new().on(&world), 1000, 1)`.
//!
//! One identification from more records than a machine has room for is `Identification::distributed`, of which the
//! example `joint` is made: each process reads its own records, and costs and gradients have the same bits for any
//! number of processes.
//!
//! Messages cost at most 75 microseconds of processor time a task, log included: a root deals some ten thousand tasks a
//! second. With 10 000 threads tasks should therefore take a second or more; shorter ones are better put together,
//! several to a task, or dealt by several worlds, each a [shard](costate_ensemble::Shard) of the same folder. Processes
//! look for messages the less often the longer tasks take, at least a hundred times a second; where tasks are short
//! another one waits meanwhile. `bridges/mpi/overhead` measures what that costs.
//!
//! A panic of a task is a failure of that task. One elsewhere ends the whole job, as does a process that is killed or
//! lost; the outcomes that are in logs are kept, and the same program goes on with them, with any number of processes.
//! A process that ends before the others, as with an error of its own, is an [error](costate_ensemble::ExecutorError)
//! in those that wait for it.

mod dealing;
mod executor;
mod message;
mod world;

pub use world::{World, WorldError};
