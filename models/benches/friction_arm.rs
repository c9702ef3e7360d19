//! The number of 50 starts that find the best minimum of an arm with dry friction, whose torque follows an equation of
//! its own (Dahl): by BFGS and by Levenberg-Marquardt.
//!
//! `cargo bench -p costate-models --bench friction_arm`

use std::error::Error;
use std::time::Instant;

use costate::identify::{Measurement, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

model! {
    /// An arm on a motor, with a torque of friction that builds up over a small angle.
    pub Arm {
        parameters {
            m: kg = 1.2, l: m = 0.35, armature: kg*m^2 = 0.02, d: N*m*s = 0.15, friction: N*m = 0.4,
            stiffness: N*m = 60,
            g: m/s^2 = 9.81, unit: s/J = 1
        }
        inputs { motor: N*m }
        coordinates { phi: rad, torque: N*m }
        mass { phi: m*l^2 + armature }
        forces {
            phi: motor - m*g*l*sin(phi) - d*dot(phi) - torque,
            torque: unit*stiffness*(dot(phi) - abs(dot(phi))*torque/friction) - unit*dot(torque)
        }
        initial { phi = 0, dot(phi) = 0[1/s], torque = 0[N*m] }
        outputs { angle: rad = phi, speed: rad/s = dot(phi) }
    }
}

const STARTS: usize = 50;
const SEEDS: u64 = 3;
const STEP: f64 = 2e-3;

fn drive(t: f64) -> f64 {
    3.0 * (2.0 * t).sin() + 2.0 * (5.3 * t + 0.4).sin()
}

fn record(seed: u64) -> Result<Record, Box<dyn Error>> {
    let truth = Arm::default();
    let run = Simulation::new(&truth).input(Arm::MOTOR, drive).step(STEP / 8.0).until(6.0).error_limit(None).run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut noisy = |values: Vec<f64>, deviation: f64| -> Vec<f64> {
        let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
        values.into_iter().step_by(8).map(|value| value + deviation * noise()).collect()
    };
    let angle = noisy(run.output(Arm::ANGLE), 1e-3);
    let speed = noisy(run.output(Arm::SPEED), 1e-2);
    let times = run.times().into_iter().step_by(8).collect();
    Ok(Record::new(times)?.with_channel("angle", Some("rad"), angle)?.with_channel("speed", Some("rad/s"), speed)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let unknown = |parameter, lower, upper| UnknownParameter::from(parameter).within(lower, upper);
    for seed in 1..=SEEDS {
        let record = record(seed)?;
        for method in [Method::Bfgs, Method::LevenbergMarquardt] {
            let begin = Instant::now();
            let start = Arm { m: 0.8, d: 0.4, friction: 1.0, stiffness: 20.0, ..Arm::default() };
            let simulation = Simulation::new(&start).input(Arm::MOTOR, drive).error_limit(None);
            let found = Identification::new(&simulation)
                .unknown([
                    unknown(Arm::M, 0.2, 5.0),
                    unknown(Arm::D, 0.005, 2.0),
                    unknown(Arm::FRICTION, 0.01, 3.0),
                    unknown(Arm::STIFFNESS, 1.0, 1000.0),
                ])
                .measured(Arm::ANGLE, Measurement::new(&record).standard_deviation(1e-3))
                .measured(Arm::SPEED, Measurement::new(&record).standard_deviation(1e-2))
                .optimizer(OptimizerSettings::default().with_method(method))
                .multistart(STARTS, seed)?;
            let costs: Vec<f64> = found.starts().iter().filter_map(|start| start.cost).collect();
            let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
            let reached = costs.iter().filter(|cost| **cost < (1.0 + 1e-4) * best).count();
            println!(
                "seed {seed}, {method}: {reached} of {STARTS} starts reach the best cost {best:.3}, {:.1} s",
                begin.elapsed().as_secs_f64()
            );
        }
    }
    Ok(())
}
