//! Many independent runs, and the errors of those that failed.

mod errors;

pub use costate_ensemble::{
    Collection, Description, End, Ensemble, EnsembleError, Executor, ExecutorError, Failure, Job, Outcome, Outcomes,
    ProcessProgress, Progress, Raw, RecordSink, Shard, ShardError, StateDifference, Task, Tasks, Threads, caught,
    task_seed,
};

pub use errors::Errors;
