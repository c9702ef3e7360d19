//! How often intervals that are to cover the truth with a probability of 95 % do, by profiles and by standard deviations, with
//! and without outliers.
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

/// Repetitions with other noise.
const REPETITIONS: u64 = 200;

/// Noise in m.
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

fn main() -> Result<(), Box<dyn Error>> {
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

fn is_within(profile: &Profile, truth: f64) -> bool {
    let [below, above] = profile.interval;
    (below.value(-1.0)..=above.value(1.0)).contains(&truth)
}

/// Of three parameters and the offset of the channel.
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
    let fit = Identification::new(start)
        .unknown([Hardening::D, Hardening::C, Hardening::C_3].map(UnknownParameter::from))
        .measurement(Measurement::new(Hardening::POSITION, &record).offset(Correction::unknown(0.0)))
        .loss(loss)
        .step(4e-3)
        .error_limit(None)
        .optimizer(OptimizerSettings::default().with_method(Method::LevenbergMarquardt))
        .profiles(&ProfileSettings::default())?;
    Ok(fit.profiles)
}
