//! Counts how often 95 % confidence intervals by profiles and by standard deviations cover the truth, with and
//! without outliers.
//!
//! `cargo bench -p costate-models --bench coverage`

use std::error::Error;

use costate::identify::residuals::Loss;
use costate::identify::{Correction, Measurement, Profile, ProfileSettings, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation, model};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Repetitions with different noise.
const REPETITIONS: u64 = 200;

/// Standard deviation of the noise in m.
const NOISE: f64 = 4e-4;

model! {
    /// A mass on a spring that hardens, which swings freely.
    pub Hardening {
        parameters { m: kg = 2.0, d: N*s/m = 3.0, c: N/m = 400.0, c_3: N/m^3 = 2e5 }
        coordinates { x: m }
        initial { x = 0.05[m] }
        mass { x: m }
        forces { x: -d*dot(x) - c*x - c_3*x^3 }
        outputs { position: m = x }
    }
}

model! {
    /// An arm with dry friction on a motor.
    pub Arm {
        parameters {
            m: kg = 1.2, l: m = 0.35, armature: kg*m^2 = 0.02, d: N*m*s = 0.15, friction: N*m = 0.4, g: m/s^2 = 9.81
        }
        inputs { motor: N*m }
        coordinates { phi: rad }
        mass { phi: m*l^2 + armature }
        forces { phi: motor - m*g*l*sin(phi) - d*dot(phi) - friction*tanh(dot(phi)/0.02[1/s]) }
        initial { phi = 0, dot(phi) = 0[1/s] }
        outputs { angle: rad = phi, speed: rad/s = dot(phi) }
    }
}

/// Number of records of the arm with different noise, and number of fine steps per interval of the record.
const ARMS: u64 = 40;
const FINER: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    arms()?;
    for (what, outliers, loss) in [
        ("white noise, squares", 0.0, Loss::Squares),
        ("5 % outliers of 20 deviations, Huber", 0.05, Loss::huber()),
        ("5 % outliers of 20 deviations, Cauchy", 0.05, Loss::cauchy()),
    ] {
        let mut covered = Vec::new();
        for seed in 0..REPETITIONS {
            for (k, profile) in profiles(seed, outliers, loss)?.into_iter().enumerate() {
                if covered.len() <= k {
                    covered.push((profile.name.clone(), 0, 0));
                }
                let truth = [3.0, 400.0, 2e5, 0.0][k];
                covered[k].1 += usize::from(is_within(&profile, truth));
                let [lower, upper] = profile.linear_interval;
                covered[k].2 += usize::from((lower..=upper).contains(&truth));
            }
        }
        println!("{what}: covered of {REPETITIONS}");
        for (name, by_profile, linear) in covered {
            println!("  {name:<20} by profiles {by_profile}, by deviations {linear}");
        }
    }
    Ok(())
}

/// Counts how often estimates with the default step, the sampling interval, are within three deviations of the
/// truth: with the deviations due to the noise alone, and with those that include the errors of the steps.
fn arms() -> Result<(), Box<dyn Error>> {
    let motor = |t: f64| 3.0 * (2.0 * t).sin() + 2.0 * (5.3 * t + 0.4).sin();
    let truth = Arm::default();
    let step = 2e-3 / FINER as f64;
    let run = Simulation::new(&truth).input(Arm::MOTOR, motor).step(step).until(6.0).error_limit(None).run()?;
    let unknown = [(Arm::M, 1.2), (Arm::ARMATURE, 0.02), (Arm::D, 0.15), (Arm::FRICTION, 0.4)];
    let mut within = [[0; 2]; 4];
    for seed in 0..ARMS {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut noisy = |values: Vec<f64>, deviation: f64| -> Vec<f64> {
            let mut noise = || -> f64 { StandardNormal.sample(&mut random) };
            values.into_iter().step_by(FINER).map(|value| value + deviation * noise()).collect()
        };
        let (angle, speed) = (noisy(run.output(Arm::ANGLE), 1e-3), noisy(run.output(Arm::SPEED), 1e-2));
        let record = Record::new(run.times().into_iter().step_by(FINER).collect())?
            .with_channel("angle", Some("rad"), angle)?
            .with_channel("speed", Some("rad/s"), speed)?;
        let start = Arm { m: 1.0, armature: 0.05, d: 0.25, friction: 0.25, ..truth };
        let fit = Identification::new(&Simulation::new(&start).input(Arm::MOTOR, motor))
            .unknown(unknown.map(|(parameter, _)| parameter))
            .measured(Arm::ANGLE, Measurement::new(&record).standard_deviation(1e-3))
            .measured(Arm::SPEED, Measurement::new(&record).standard_deviation(1e-2))
            .run()?;
        for (within, (parameter, truth)) in within.iter_mut().zip(unknown) {
            let Some(found) = fit.parameter(parameter) else { continue };
            let off = (found.found - truth).abs();
            within[0] += usize::from(off <= 3.0 * found.standard_deviation);
            within[1] += usize::from(off <= 3.0 * found.total_deviation());
        }
    }
    println!("an arm with dry friction, default step: within three deviations of the truth, of {ARMS}");
    for ((parameter, _), [of_noise, total]) in unknown.iter().zip(within) {
        println!("  {:<20} of the noise {of_noise}, with the steps {total}", parameter.name());
    }
    Ok(())
}

fn is_within(profile: &Profile, truth: f64) -> bool {
    let [below, above] = profile.interval;
    (below.value(-1.0)..=above.value(1.0)).contains(&truth)
}

/// Computes the profiles of three parameters and of the offset of the channel.
fn profiles(seed: u64, outliers: f64, loss: Loss) -> Result<Vec<Profile>, Box<dyn Error>> {
    let truth = Hardening::default();
    let run = Simulation::new(&truth).step(4e-3).until(1.0).error_limit(None).run()?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let values = run.output(Hardening::POSITION).into_iter().map(|x| {
        let noise: f64 = StandardNormal.sample(&mut random);
        let size = if random.random::<f64>() < outliers { 20.0 } else { 1.0 };
        x + NOISE * size * noise
    });
    let record = Record::new(run.times())?.with_channel("position", Some("m"), values.collect())?;
    let start = Hardening { d: 3.3, c: 420.0, c_3: 1.9e5, ..truth };
    let fit = Identification::new(&Simulation::new(&start).step(4e-3).error_limit(None))
        .unknown([Hardening::D, Hardening::C, Hardening::C_3].map(UnknownParameter::from))
        .measured(Hardening::POSITION, Measurement::new(&record).offset(Correction::unknown(0.0)))
        .loss(loss)
        .optimizer(OptimizerSettings::default().with_method(Method::LevenbergMarquardt))
        .run()?;
    Ok(fit.profiles(&ProfileSettings::default())?.profiles)
}
