//! Effects of noise on measured inputs.

use anyhow::Result;
use costate::identify::{IdentificationError, InputNoise, RequestError};
use costate::signal::noise_level;
use costate::simulate::Sampled;
use costate::{Fit, Identification, Record, Simulation};

costate::model! {
    #[interpreted]
    /// A mass that a force moves, measured by a load cell of unknown gain.
    pub Mass {
        parameters { m: kg = 2, gain: 1 = 1 }
        inputs { force: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: gain*force }
        initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { acceleration: m/s^2 = ddot(x) }
    }
}

const STEP: f64 = 1e-3;

/// Variance of the noise over that of the force.
const SHARE: f64 = 0.04;

fn force(t: f64) -> f64 {
    10.0 * (30.0 * t).sin()
}

/// A fit with a noisy force, and the noise.
fn noisy(seed: u64) -> Result<(Fit<Mass>, InputNoise, f64)> {
    let mut state = seed;
    let mut noise = || {
        let mut even = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / 2f64.powi(31) - 0.5
        };
        (0..12).map(|_| even()).sum::<f64>()
    };
    let times: Vec<f64> = (0..=2000).map(|i| STEP * f64::from(i)).collect();
    let deviation = (SHARE * 50.0_f64).sqrt();
    let measured: Vec<f64> = times.iter().map(|t| force(*t) + deviation * noise()).collect();
    let acceleration = times.iter().map(|t| force(*t) / 2.0 + 1e-3 * noise()).collect();
    let record = Record::new(times)?.with_channel("force", Some("N"), measured)?.with_channel(
        "acceleration",
        Some("m/s^2"),
        acceleration,
    )?;
    let simulation = Simulation::new(&Mass { gain: 0.9, ..Mass::default() })
        .input(Mass::FORCE, Sampled::from_record(&record, "force")?)
        .step(STEP)
        .until(2.0)
        .alpha(0.0)
        .error_limit(None);
    let fit = Identification::new(&simulation).unknown([Mass::GAIN]).measured(Mass::ACCELERATION, &record).run()?;
    let level = noise_level(&record, "force")?;
    assert!(level.is_white && (level.deviation / deviation - 1.0).abs() < 0.15, "{level}");
    Ok((fit, InputNoise { deviation, interval: STEP }, deviation))
}

#[test]
fn attenuation_is_found_with_its_deviation() -> Result<()> {
    let mut chi = 0.0;
    for seed in 1..=10 {
        let (fit, noise, _) = noisy(seed)?;
        // least squares attenuate by 1/(1 + share)
        let found = fit.model().gain;
        assert!((found - 1.0 / (1.0 + SHARE)).abs() < 0.02, "{found}");
        let effects = fit.input_noise(Mass::FORCE, noise, 30, seed)?;
        let gain = &effects.unknowns[0];
        let exact = 1.0 / (1.0 + 2.0 * SHARE) - 1.0 / (1.0 + SHARE);
        assert!((gain.bias - exact).abs() < 4.0 * gain.of_bias + 0.005, "{effects}");
        assert!(effects.to_string().contains("the noise of `force` matters for gain"), "{effects}");
        chi += ((found - gain.bias - 1.0 + SHARE * SHARE) / gain.deviation.hypot(gain.of_fit)).powi(2);
    }
    // ten squares of what is left, over its deviation
    assert!((2.0..30.0).contains(&chi), "{chi}");
    Ok(())
}

#[test]
fn what_cannot_be_estimated_is_refused() -> Result<()> {
    let (fit, noise, _) = noisy(1)?;
    let refused = fit.input_noise(Mass::FORCE, InputNoise { deviation: 0.0, ..noise }, 10, 1);
    assert!(matches!(refused, Err(IdentificationError::Request(RequestError::InputNoise { input: "force", .. }))));
    let refused = fit.input_noise(Mass::FORCE, noise, 1, 1);
    assert!(matches!(refused, Err(IdentificationError::Request(RequestError::Repetitions { repetitions: 1 }))));
    Ok(())
}
