//! Identifications from several experiments: common unknowns and those of single experiments, and corrections
//! between outputs and channels.

mod fits;
mod joint;
mod lanes;
mod mistakes;
mod noise;
mod results;

use costate::identify::{Correction, Experiment, Fit, Measurement, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::error::Error;

model! {
    #[interpreted]
    /// A preloaded mass on a spring that hardens.
    pub Isolator {
        parameters {
            m: kg = 2.0,
            d: N*s/m = 3.0,
            c: N/m = 400.0,
            c_3: N/m^3 = 2e4,
            preload: N = 0.0,
            begin: m = 0.0,
        }
        inputs { drive: N }
        coordinates { x: m }
        initial { x = begin }
        mass { x: m }
        forces { x: drive + preload - d*dot(x) - c*x - c_3*x^3 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x), force: N = d*dot(x) + c*x + c_3*x^3 }
    }
}

type Tested = Result<(), Box<dyn Error>>;

/// The true numbers of a virtual test bench.
const DELAY: f64 = 3.7e-3;
const OFFSET: f64 = 0.4;
const GAIN: f64 = 0.93;
const PRELOADS: [(&str, f64); 2] = [("low", 2.0), ("high", 6.0)];

/// A run: name, group, initial position in m, step in s, and frequencies of the drive in rad/s.
struct Bench(&'static str, &'static str, f64, f64, [f64; 2]);

const BENCHES: [Bench; 3] = [
    Bench("slow", "low", 0.01, 2e-3, [3.0, 11.0]),
    Bench("fast", "high", -0.02, 1e-3, [17.0, 29.0]),
    Bench("both", "high", 0.03, 2e-3, [7.0, 19.0]),
];

fn drive([a, b]: [f64; 2]) -> impl Fn(f64) -> f64 + Send + Sync + 'static {
    move |t| 5.0 * (a * t).sin() + 4.0 * (b * t).cos()
}

/// Simulates the measurement of a run, with noise of `noise` thousandths of a typical value: the position in mm,
/// and in one run the acceleration, delayed, scaled and shifted.
fn record(Bench(name, group, begin, step, rates): &Bench, noise: f64, seed: u64) -> Result<Record, Box<dyn Error>> {
    let preload = PRELOADS.iter().find(|(name, _)| name == group).map_or(0.0, |(_, preload)| *preload);
    let truth = Isolator { preload, begin: *begin, ..Isolator::default() };
    let simulated =
        |step: f64| Simulation::new(&truth).input(Isolator::DRIVE, drive(*rates)).step(step).until(2.0).run();
    let run = simulated(*step)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let position: Vec<f64> =
        run.output(Isolator::POSITION).iter().map(|x| 1e3 * (x + 0.02e-3 * noise * normal())).collect();
    let record = Record::new(run.times())?.with_channel("position", Some("mm"), position)?;
    if *name != "fast" {
        return Ok(record);
    }
    let late = simulated(DELAY / 37.0)?.output(Isolator::ACCELERATION);
    let sampled = |t: &f64| late[((t - DELAY) / (DELAY / 37.0)).round().max(0.0) as usize];
    let acceleration = run.times().iter().map(|t| GAIN * sampled(t) + OFFSET + 2e-3 * noise * normal()).collect();
    Ok(record.with_channel("acceleration", Some("m/s^2"), acceleration)?)
}

fn records(noise: f64, seed: u64) -> Result<Vec<Record>, Box<dyn Error>> {
    BENCHES.iter().zip(0..).map(|(bench, k)| record(bench, noise, 10 * seed + k)).collect()
}

fn start() -> Isolator {
    Isolator { d: 4.0, c: 350.0, c_3: 3e4, preload: 3.0, ..Isolator::default() }
}

/// The simulation from which those of the experiments are made.
fn common() -> Simulation<Isolator> {
    Simulation::new(&start())
}

/// Makes the simulation of a run from the common one.
fn driven(common: &Simulation<Isolator>, Bench(_, _, _, _, rates): &Bench) -> Simulation<Isolator> {
    common.clone().input(Isolator::DRIVE, drive(*rates))
}

fn late(record: &Record) -> Measurement {
    Measurement::new(record)
        .delay(Correction::unknown(1e-3).within(0.0, 10e-3))
        .gain(Correction::unknown(1.0))
        .offset(Correction::unknown(0.1))
}

fn experiment(bench: &Bench, record: &Record) -> Experiment<Isolator> {
    experiment_of(bench, &driven(&common(), bench), record)
}

fn experiment_of(
    Bench(name, group, ..): &Bench,
    simulation: &Simulation<Isolator>,
    record: &Record,
) -> Experiment<Isolator> {
    Experiment::new(*name).group(*group).simulation(simulation).measured(Isolator::POSITION, record)
}

/// Makes the campaign with all kinds of unknowns.
fn campaign(records: &[Record]) -> Identification<Isolator> {
    campaign_of(&common(), records)
}

fn campaign_of(common: &Simulation<Isolator>, records: &[Record]) -> Identification<Isolator> {
    let mut id = Identification::new(common)
        .unknown([Isolator::D, Isolator::C, Isolator::C_3])
        .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
        .unknown_per_experiment([UnknownParameter::from(Isolator::BEGIN).linear(0.01)]);
    for (bench, record) in BENCHES.iter().zip(records) {
        let mut one = experiment_of(bench, &driven(common, bench), record);
        if bench.0 == "fast" {
            one = one.measured(Isolator::ACCELERATION, late(record));
        }
        id = id.experiment(one);
    }
    id
}

fn least_squares() -> OptimizerSettings {
    OptimizerSettings::default().with_method(Method::LevenbergMarquardt)
}

/// Lists the unknowns beside their true values.
fn truths(fit: &Fit<Isolator>) -> Vec<(String, f64, f64, f64)> {
    let truth = Isolator::default();
    let of = |quantity: &str, owner: Option<&str>| match (quantity, owner) {
        ("d", _) => truth.d,
        ("c", _) => truth.c,
        ("c_3", _) => truth.c_3,
        ("preload", Some(group)) => PRELOADS.iter().find(|(name, _)| *name == group).unwrap().1,
        ("begin", Some(name)) => BENCHES.iter().find(|bench| bench.0 == name).unwrap().2,
        ("delay of acceleration", _) => DELAY,
        ("gain of acceleration", _) => GAIN,
        ("offset of acceleration", _) => OFFSET,
        other => panic!("{other:?}"),
    };
    let all = fit.summary().parameters.iter();
    all.map(|p| (p.name.clone(), of(&p.quantity, p.of.as_deref()), p.found, p.standard_deviation)).collect()
}
