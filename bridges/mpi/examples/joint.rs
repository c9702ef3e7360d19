//! One cost of many records, each of which is read by one process of MPI: `mpirun -n 4 joint`. The bits of the
//! gradient and of the fit do not depend on the number of processes. With `--state FILE`, a fit that was killed
//! continues from its last state.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;
use costate::ensemble::{Executor, Threads};
use costate::identify::{DistributedFit, Experiment, ExperimentShare, Measurement, UnknownParameter, Weighting};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation};
use costate_mpi::World;
use serde::Serialize;

costate::model! {
    /// A mass on a spring that hardens.
    Isolator {
        parameters { m: kg = 2.0, d: N*s/m = 3.0, c: N/m = 400.0, c_3: N/m^3 = 2e4, pull: N = 0.0 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive + pull - d*dot(x) - c*x - c_3*x^3 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

/// Standard deviation of the measured positions in m.
const NOISE: f64 = 2e-5;

/// Identifies a spring and a damper from many records, each read by one process; `mpirun -n 4 joint` starts four.
#[derive(Parser)]
struct Options {
    /// Number of records
    #[arg(long, value_name = "N", default_value_t = 12)]
    records: usize,
    /// Threads of this process alone, without MPI
    #[arg(long)]
    threads: bool,
    /// Takes Levenberg-Marquardt in place of BFGS
    #[arg(long)]
    residuals: bool,
    /// Folder of the records; those that are not there are simulated
    #[arg(long, value_name = "FOLDER", default_value = "out/joint")]
    folder: PathBuf,
    /// Does not simulate records that are not there
    #[arg(long)]
    given: bool,
    /// Looks for a force as well that pulls at the mass, another one in every record
    #[arg(long)]
    pulled: bool,
    /// Stores the state of the fit in this file, and continues from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Waits so long after every iteration
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    wait: f64,
    /// Writes cost, gradient and fit to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The results in the file, which are the same for any number of processes.
#[derive(Serialize)]
struct Results<'r> {
    cost: f64,
    gradient: &'r [f64],
    fit: &'r DistributedFit<Isolator>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let world = if options.threads { None } else { Some(World::new()?) };
    let executor: &dyn Executor = world.as_ref().map_or(&Threads, |world| world);
    if executor.is_root() && !options.given {
        make(&options)?;
    }
    // the others wait until the records are there
    executor.share(Vec::new())?;
    let share = ExperimentShare::new(executor, options.records)?;
    let read = |number| {
        let file = file(&options.folder, number);
        Record::read_csv(&file).with_context(|| format!("process {}", executor.process()))
    };
    let records = share.own().map(read).collect::<Result<Vec<_>>>()?;
    let common = Simulation::new(&Isolator { d: 4.0, c: 350.0, c_3: 3e4, ..Isolator::default() });
    let mut identification = Identification::new(&common)
        .unknown([Isolator::D, Isolator::C])
        .unknown([UnknownParameter::from(Isolator::C_3).within(1e3, 1e5)])
        .weighting(Weighting::Likelihood);
    if options.pulled {
        let pull = UnknownParameter::from(Isolator::PULL).linear(0.1);
        identification = identification.unknown_per_experiment([pull]);
    }
    if let Some(file) = &options.state {
        identification = identification.state_file(file);
    }
    if options.residuals {
        let method = Method::LevenbergMarquardt;
        identification = identification.optimizer(OptimizerSettings::default().with_method(method));
    }
    for (number, record) in share.own().zip(&records) {
        let measurement = Measurement::new(record).standard_deviation(NOISE);
        let simulation = common.clone().input(Isolator::DRIVE, drive(number));
        let experiment = Experiment::new(format!("run {number}")).simulation(&simulation);
        identification = identification.experiment(experiment.measured(Isolator::POSITION, measurement));
    }
    let joint = identification.distributed(share)?;
    if executor.is_root() {
        joint.memory().iter().for_each(|memory| println!("{memory}"));
    }
    let (cost, gradient) = joint.evaluate(&joint.start())?;
    let wait = Duration::try_from_secs_f64(options.wait)?;
    let fit = joint.minimize_observed(|_| thread::sleep(wait))?;
    if executor.is_root() {
        println!("gradient at the start: {:?}", &gradient[..gradient.len().min(5)]);
        print!("{fit}");
        if let Some(file) = &options.json {
            costate_contract::files::write(
                file,
                serde_json::to_string_pretty(&Results { cost, gradient: &gradient, fit: &fit })?,
            )?;
        }
    }
    Ok(())
}

fn file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("run-{number}.csv"))
}

/// Returns the force in N that drives the run with this number.
fn drive(number: usize) -> impl Fn(f64) -> f64 + Send + Sync + 'static {
    let rate = 7.0 + number as f64;
    move |t| 5.0 * (rate * t).sin() + 4.0 * (17.0 * t).cos()
}

/// Simulates the missing records, each with its own length and errors.
fn make(options: &Options) -> Result<()> {
    fs::create_dir_all(&options.folder)?;
    for number in 0..options.records {
        let file = file(&options.folder, number);
        if file.exists() {
            continue;
        }
        let end = 2.0 + 0.1 * (number % 5) as f64;
        let run =
            Simulation::new(&Isolator::default()).input(Isolator::DRIVE, drive(number)).step(2e-3).until(end).run()?;
        let mut state = 1 + number as u64;
        let noisy = run.output(Isolator::POSITION).into_iter().map(|x| x + NOISE * normal(&mut state)).collect();
        Record::new(run.times())?.with_channel("position", Some("m"), noisy)?.write_csv(&file)?;
    }
    Ok(())
}

/// Returns a random number with a nearly normal distribution: the sum of twelve uniform ones.
fn normal(state: &mut u64) -> f64 {
    let mut uniform = || {
        *state = costate::ensemble::task_seed(*state, 0);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}
