//! The virtual test bench: its excitation of the mount, and its sensors.

use std::f64::consts::TAU;
use std::path::Path;

use anyhow::Result;
use costate::identify::{Correction, Experiment, Measurement, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Interrupt;
use costate::{Identification, Record, Simulation};
use costate_examples::add_noise;
use costate_models::PreloadedMount;

/// Step of the simulations in s, and length of a run in s.
const STEP: f64 = 1e-4;
const END: f64 = 1.0;

/// Delay of the displacement in s, due to the filter of its sensor, and zero of the displacement in m.
const DELAY: f64 = 1.7e-3;
const ZERO: f64 = 0.15e-3;

/// Names by which measurements share the delay and the zero.
const DELAY_NAME: &str = "delay of the displacement sensor";
const ZERO_NAME: &str = "zero of the displacement sensor";

/// The span in s that is missing in the acceleration of one run.
const GAP: (f64, f64) = (0.42, 0.47);

/// One run on the bench.
pub struct Bench {
    pub name: &'static str,
    /// True if the frequency of the sweep rises.
    up: bool,
    /// Amplitude of the driving force in N.
    amplitude: f64,
    /// The spring that presses on the mount, and its true force in N.
    pub spring: &'static str,
    pub preload: f64,
    /// The zero of the acceleration, which drifts from run to run, in m/s^2.
    pub zero: f64,
    has_gap: bool,
}

impl Bench {
    const fn new(
        name: &'static str,
        (up, amplitude): (bool, f64),
        (spring, preload): (&'static str, f64),
        zero: f64,
    ) -> Self {
        Self { name, up, amplitude, spring, preload, zero, has_gap: false }
    }

    const fn with_gap(self) -> Self {
        Self { has_gap: true, ..self }
    }
}

const SOFT: (&str, f64) = ("soft spring", 120.0);
const STIFF: (&str, f64) = ("stiff spring", 380.0);

/// All runs; the last one is not fitted.
pub const RUNS: [Bench; 7] = [
    Bench::new("up 50 N", (true, 50.0), SOFT, 0.12),
    Bench::new("down 100 N", (false, 100.0), SOFT, -0.05),
    Bench::new("up 200 N", (true, 200.0), SOFT, 0.08).with_gap(),
    Bench::new("up 100 N", (true, 100.0), STIFF, -0.11),
    Bench::new("down 50 N", (false, 50.0), STIFF, 0.03),
    Bench::new("down 200 N", (false, 200.0), STIFF, 0.06),
    Bench::new("validation, up 150 N", (true, 150.0), STIFF, 0.0),
];

/// Evaluates the driving force: an exponential sweep from 2 Hz on, up or down.
fn drive(Bench { up, amplitude, .. }: &Bench) -> impl Fn(f64) -> f64 + Send + Sync + 'static {
    let (up, amplitude) = (*up, *amplitude);
    move |t: f64| {
        let t = if up { t } else { END - t };
        amplitude * (TAU * 2.0 * 25f64.powf(t) * t).sin()
    }
}

/// Measurements of one run: the acceleration at 5 kHz, and the displacement in mm at 1 kHz, delayed and shifted.
pub struct Measured {
    pub acceleration: Record,
    pub displacement: Record,
}

/// Simulates all runs with the true parameters, writes their records and reads them back, as for real measurements.
pub fn measure(noise: f64, seed: u64, folder: Option<&Path>) -> Result<Vec<Measured>> {
    let numbered = RUNS.iter().zip(0..);
    numbered
        .map(|(bench, k)| {
            let measured = simulate(bench, noise, seed.wrapping_mul(1000).wrapping_add(2 * k))?;
            let Some(folder) = folder else { return Ok(measured) };
            let through = |record: Record, channel: &str| -> Result<Record> {
                let file = folder.join(format!("{}, {channel}.csv", bench.name));
                record.write_csv(&file)?;
                Ok(Record::read_csv(&file)?)
            };
            Ok(Measured {
                acceleration: through(measured.acceleration, "acceleration")?,
                displacement: through(measured.displacement, "displacement")?,
            })
        })
        .collect()
}

fn simulate(bench: &Bench, noise: f64, seed: u64) -> Result<Measured> {
    let truth = PreloadedMount { preload: bench.preload, ..PreloadedMount::default() };
    let run = Simulation::new(&truth).input(PreloadedMount::DRIVE, drive(bench)).step(STEP).until(END).run()?;
    let (times, late) = (run.times(), (DELAY / STEP).round() as usize);
    let every = |n: usize| (late..times.len()).step_by(n);

    let acceleration = run.output(PreloadedMount::ACCELERATION);
    let places: Vec<usize> = (0..times.len()).step_by(2).collect();
    let mut values: Vec<f64> = places.iter().map(|&i| acceleration[i] + bench.zero).collect();
    add_noise(&mut values, noise, seed)?;
    let at: Vec<f64> = places.iter().map(|&i| times[i]).collect();
    for (value, t) in values.iter_mut().zip(&at) {
        if bench.has_gap && (GAP.0..GAP.1).contains(t) {
            *value = f64::NAN;
        }
    }
    let acceleration = Record::new(at)?.named(format!("{}, acceleration", bench.name));
    let acceleration = acceleration.with_channel("acceleration", Some("m/s^2"), values)?;

    let displacement = run.output(PreloadedMount::DISPLACEMENT);
    let mut values: Vec<f64> = every(10).map(|i| 1e3 * (displacement[i - late] + ZERO)).collect();
    add_noise(&mut values, noise, seed.wrapping_add(1))?;
    let at = every(10).map(|i| times[i]).collect();
    let displacement = Record::new(at)?.named(format!("{}, displacement", bench.name));
    let displacement = displacement.with_channel("displacement", Some("mm"), values)?;
    Ok(Measured { acceleration, displacement })
}

/// Sets up the identification of everything that the campaign leaves open, from a start that is far off. Without
/// the term of the flow, the mount has no turbulent losses, and their parameter is not identified.
pub fn identification(measured: &[Measured], with_flow: bool, interrupt: Interrupt) -> Identification<PreloadedMount> {
    let start = PreloadedMount { c_e1: 73.8e3, c_e2: 4e9, d_e: 0.5, ..PreloadedMount::default() };
    let start = PreloadedMount { d_h2: if with_flow { 1.2 } else { 0.0 }, preload: 200.0, ..start };
    let common = Simulation::new(&start).step(STEP).until(END).interrupt(interrupt);
    let mut all = Identification::new(&common)
        .unknown([
            UnknownParameter::from(PreloadedMount::C_E1).within(2e4, 1e6),
            UnknownParameter::from(PreloadedMount::C_E2).within(1e8, 1e11),
            UnknownParameter::from(PreloadedMount::D_E).within(0.05, 500.0),
        ])
        .unknown(with_flow.then(|| UnknownParameter::from(PreloadedMount::D_H2).within(0.02, 200.0)))
        .unknown_per_group([UnknownParameter::from(PreloadedMount::PRELOAD).linear(100.0)])
        // preloads start far away: limits for each unknown avoid the other minimum in which a trust region ends
        .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton));
    for (bench, measured) in RUNS.iter().zip(measured) {
        let delay = Correction::unknown(1e-3).within(0.0, 5e-3).common(DELAY_NAME);
        let displacement = Measurement::new(&measured.displacement)
            .delay(delay)
            .offset(Correction::unknown(0.0).typical(1e-4).common(ZERO_NAME));
        let acceleration = Measurement::new(&measured.acceleration);
        let is_validation = bench.name.starts_with("validation");
        let acceleration = match is_validation {
            true => acceleration,
            false => acceleration.offset(Correction::unknown(0.0).typical(0.1)),
        };
        let experiment = Experiment::new(bench.name)
            .group(bench.spring)
            .simulation(&common.clone().input(PreloadedMount::DRIVE, drive(bench)))
            .measured(PreloadedMount::DISPLACEMENT, displacement)
            .measured(PreloadedMount::ACCELERATION, acceleration);
        all = all.experiment(if is_validation { experiment.validation() } else { experiment });
    }
    all
}

/// Returns the true value of an unknown, by its quantity and its owner; `None` if that is not known.
pub fn truth(quantity: &str, owner: Option<&str>) -> Option<f64> {
    let mount = PreloadedMount::default();
    let bench = |is_it: &dyn Fn(&Bench) -> bool| RUNS.iter().find(|bench| is_it(bench));
    match (quantity, owner) {
        ("c_e1", _) => Some(mount.c_e1),
        ("c_e2", _) => Some(mount.c_e2),
        ("d_e", _) => Some(mount.d_e),
        ("d_h2", _) => Some(mount.d_h2),
        (DELAY_NAME, _) => Some(DELAY),
        (ZERO_NAME, _) => Some(ZERO),
        ("preload", Some(spring)) => bench(&|bench| bench.spring == spring).map(|bench| bench.preload),
        ("offset of acceleration", Some(name)) => bench(&|bench| bench.name == name).map(|bench| bench.zero),
        _ => None,
    }
}
