//! The command line.

use clap::Parser;
use costate::ensemble::Shard;
use costate_examples::{Outputs, fraction, positive};

/// Identifies the hydraulic engine mount again and again, from simulated measurements that differ in their noise alone,
/// on all cores, in shards or by MPI; whatever ends the program, the same call goes on with what is missing.
#[derive(Debug, Parser)]
pub struct Options {
    /// Number of identifications
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub tasks: usize,
    /// Standard deviation of the noise, relative to the RMS of the acceleration
    #[arg(long, value_name = "FRACTION", default_value_t = 0.005, value_parser = fraction,
        allow_negative_numbers = true)]
    pub noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Does one of n parts, such as 2/3; `array` or `array/n` takes the number from a job array of Slurm, PBS or LSF
    #[arg(long, value_name = "k/n", default_value = "1/1")]
    pub shard: Shard,
    /// Lets the processes do the tasks that `mpirun` has started
    #[arg(long)]
    pub mpi: bool,
    /// Lets an identification fail that takes longer
    #[arg(long, value_name = "SECONDS", value_parser = positive)]
    pub time_limit: Option<f64>,
    /// Does identifications again that have failed before
    #[arg(long)]
    pub retry_failed: bool,
    #[command(flatten)]
    pub outputs: Outputs,
}
