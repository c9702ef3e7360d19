//! Sampled inputs that are held or smooth, and measured displacements as prescribed motion.

use anyhow::Result;
use costate::signal::{Smoothing, smoothed};
use costate::simulate::Sampled;
use costate::table::{Curve, Extension};
use costate::{Record, Simulation};

costate::model! {
    #[interpreted]
    /// A mass that a force moves.
    pub Mass {
        parameters { m: kg = 2 }
        inputs { force: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: force }
        initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { position: m = x, speed: m/s = dot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a spring and a damper, on a base whose displacement and velocity are measured.
    pub OnBase {
        parameters { m: kg = 1, c: N/m = 900, d: N*s/m = 6 }
        inputs { base: m, base_speed: m/s }
        coordinates { x: m }
        mass { x: m }
        forces { x: c*(base - x) + d*(base_speed - dot(x)) }
        initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { acceleration: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a base that a table moves.
    pub OnTable {
        parameters { m: kg = 1, c: N/m = 900, d: N*s/m = 6, m_b: kg = 1 }
        tables { path(time: s): m }
        coordinates { x: m, base: m }
        mass { x: m, base: m_b }
        forces { x: c*(base - x) + d*(dot(base) - dot(x)), base: -c*(base - x) - d*(dot(base) - dot(x)) }
        constraints { motion: base - path(t) }
        initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { acceleration: m/s^2 = ddot(x), base_acceleration: m/s^2 = ddot(base) }
    }
}

/// Positions at 1 s of a mass that is pushed by 4 N up to `jump` s, for steps of `step` s.
fn pushed(step: f64, jump: f64) -> Result<(f64, f64)> {
    let force = Sampled::new(vec![0.0, jump, 1.0], vec![4.0, 0.0, 0.0])?.held();
    let run = Simulation::new(&Mass::default()).input(Mass::FORCE, force).step(step).until(1.0).alpha(0.0).run()?;
    let last = |values: Vec<f64>| values.last().copied().unwrap_or(f64::NAN);
    Ok((last(run.output(Mass::POSITION)), last(run.output(Mass::SPEED))))
}

#[test]
fn a_held_force_keeps_its_impulse_wherever_it_jumps() -> Result<()> {
    for jump in [0.3, 0.304, 0.3057, 0.3099] {
        let exact = 2.0 * jump * (1.0 - 0.5 * jump);
        let (position, speed) = pushed(0.01, jump)?;
        assert!((speed - 2.0 * jump).abs() < 1e-12, "{jump}: {speed}");
        // of second order: a quarter of a step squared, times the jump of the acceleration
        assert!((position - exact).abs() < 2.0 * 0.01 * 0.01, "{jump}: {position} and not {exact}");
    }
    // straight lines from sample to sample would be another force
    let straight = Sampled::new(vec![0.0, 0.3, 1.0], vec![4.0, 0.0, 0.0])?;
    let run = Simulation::new(&Mass::default()).input(Mass::FORCE, straight).step(0.01).until(1.0).run()?;
    assert!(run.output(Mass::SPEED).last().is_some_and(|speed| (speed - 0.3).abs() < 1e-2));
    Ok(())
}

#[test]
fn a_cubic_input_follows_few_samples() -> Result<()> {
    // ten samples a period
    let times: Vec<f64> = (0..=20).map(|i| 0.05 * f64::from(i)).collect();
    let values: Vec<f64> = times.iter().map(|t| (4.0 * std::f64::consts::PI * t).sin()).collect();
    let at_end = |force: Sampled| -> Result<f64> {
        let run = Simulation::new(&Mass::default()).input(Mass::FORCE, force).step(1e-3).until(1.0).run()?;
        Ok(run.output(Mass::POSITION).last().copied().unwrap_or(f64::NAN))
    };
    // x = (t - sin(w t)/w)/(m w)
    let exact = 1.0 / (2.0 * 4.0 * std::f64::consts::PI);
    let straight = at_end(Sampled::new(times.clone(), values.clone())?)?;
    let cubic = at_end(Sampled::new(times, values)?.cubic()?)?;
    assert!((straight / exact - 1.0).abs() > 0.02 && (cubic / exact - 1.0).abs() < 1e-3, "{straight} {cubic} {exact}");
    Ok(())
}

/// A measured displacement of a base, with noise of 20 micrometres.
fn displacement() -> Result<Record> {
    let mut state = 1_u64;
    let mut even = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2f64.powi(31) - 0.5
    };
    let times: Vec<f64> = (0..=2000).map(|i| 1e-3 * f64::from(i)).collect();
    let values = times.iter().map(|t| motion(*t)[0] + 7e-5 * even()).collect();
    Ok(Record::new(times)?.with_channel("base", Some("m"), values)?)
}

/// Displacement, velocity and acceleration of the base without noise.
fn motion(t: f64) -> [f64; 3] {
    let w = 25.0;
    [0.01 * (w * t - (w * t).sin()), 0.01 * w * (1.0 - (w * t).cos()), 0.01 * w * w * (w * t).sin()]
}

#[test]
fn a_measured_displacement_prescribes_a_motion() -> Result<()> {
    let record = smoothed(&displacement()?, "base", Smoothing::CrossValidated)?.record;
    let exact = Simulation::new(&OnBase::default())
        .input(OnBase::BASE, |t| motion(t)[0])
        .input(OnBase::BASE_SPEED, |t| motion(t)[1])
        .step(1e-3)
        .until(2.0)
        .run()?
        .output(OnBase::ACCELERATION);
    // as inputs of value and velocity, of one spline
    let inputs = Simulation::new(&OnBase::default())
        .input(OnBase::BASE, Sampled::from_record(&record, "base")?.cubic()?)
        .input(OnBase::BASE_SPEED, Sampled::from_record(&record, "d base/dt")?.cubic()?)
        .step(1e-3)
        .until(2.0)
        .run()?
        .output(OnBase::ACCELERATION);
    // as a constraint, whose derivatives are those of the table
    let path = Curve::new(record.times().to_vec(), record.channel("base")?.values().to_vec(), Extension::Linear)?;
    let run = Simulation::new(&OnTable::default()).table(OnTable::PATH, path).step(1e-3).until(2.0).run()?;
    let table = run.output(OnTable::ACCELERATION);
    let base = run.output(OnTable::BASE_ACCELERATION);
    let inside = 200..1800;
    for i in inside.clone() {
        assert!((inputs[i] - exact[i]).abs() < 0.05, "{i}: {} and not {}", inputs[i], exact[i]);
        assert!((table[i] - exact[i]).abs() < 0.05, "{i}: {} and not {}", table[i], exact[i]);
        assert!((base[i] - motion(1e-3 * i as f64)[2]).abs() < 0.15, "{i}: {}", base[i]);
    }
    // differences of the noisy samples would be off by 20 um/ms^2
    let raw = displacement()?;
    let noisy = raw.channel("base")?.values();
    let off = inside.map(|i| (1e6 * (noisy[i + 1] - 2.0 * noisy[i] + noisy[i - 1]) - motion(1e-3 * i as f64)[2]).abs());
    assert!(off.fold(0.0, f64::max) > 50.0);
    Ok(())
}
