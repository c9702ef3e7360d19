//! Fits to records whose times have no unit and are in ms: the clock is named, and not a gain or an incomplete model.

use std::fmt::Write;

use crate::driven_verdicts::driven;
use crate::support::{Said, costate};
use crate::verdicts::Noise;

/// Writes the motion of a driven mass of 1 kg, with 100 N/m and 2 N*s/m at 500 Hz, as one that is `speed` times faster,
/// with times of so many s; fits stiffness and damping from this part of their values.
fn fit(seed: u64, clock: (f64, f64), start: f64, more: &[&str]) -> Said {
    fit_headed("time", seed, clock, start, more)
}

fn fit_headed(time: &str, seed: u64, (speed, unit): (f64, f64), start: f64, more: &[&str]) -> Said {
    let (c, d) = (100.0 * speed * speed, 2.0 * speed);
    let model = format!(
        "Rig {{ parameters {{ m: kg = 1, c: N/m = {}, d: N*s/m = {} }} inputs {{ force: N }} coordinates {{ x: m }} \
         mass {{ x: m }} forces {{ x: force - c*x - d*dot(x) }} outputs {{ position: mm = x }} }}",
        start * c,
        start * d
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.model"), model).unwrap();
    let (mut noise, mut text) = (Noise::of(seed), format!("{time},force,position [mm]\n"));
    for [t, force, x, _] in driven(seed, 0.0).into_iter().take(2000) {
        let (force, x) = (speed * speed * force, 1e3 * x + 3.0 * noise.normal());
        writeln!(text, "{:.9},{force:.6},{x:.6}", t / speed / unit).unwrap();
    }
    std::fs::write(folder.path().join("r.csv"), text).unwrap();
    costate(folder.path(), &[&["fit", "m.model", "--record", "r.csv", "--unknown", "c,d"], more].concat())
}

/// From 1 to 50 kHz, with start values that are off by up to 40 %.
#[test]
fn times_in_ms_are_told_at_every_rate() {
    for seed in 0..24 {
        let rate = [1e3, 2e3, 5e3, 10e3, 20e3, 50e3][seed as usize % 6];
        let (clock, start) = ((rate / 500.0, 1e-3), [0.7, 0.9, 1.1, 1.4][seed as usize / 6]);
        let said = fit(seed, clock, start, &[]);
        // refused before the fit, or told behind it
        let told = if said.code == Some(1) { &said.stderr } else { &said.stdout };
        for words in ["with times in ms, a fit explains", "`--time-unit`"] {
            assert!(!said.success && told.contains(words), "{rate}: {told}");
        }
        assert!(said.stderr.contains("tries times in ms"), "{rate}: {}", said.stderr);
        if seed < 12 {
            let right = fit(seed, clock, start, &["--time-unit", "ms"]);
            assert_eq!(right.code, Some(0), "{rate}: {} {}", right.stdout, right.stderr);
        }
    }
}

/// Slow motions in s, sampled every 0.02 to 0.5 s, and one that is fast beside its samples.
#[test]
fn times_in_s_without_a_unit_are_not_doubted() {
    for seed in 0..20 {
        let speed = [0.1, 0.04, 0.02, 0.008, 0.004][seed as usize % 5];
        let said = fit(seed, (speed, 1.0), [0.7, 0.9, 1.1, 1.4][seed as usize / 5], &[]);
        assert_eq!(said.code, Some(0), "{speed}: {} {}", said.stdout, said.stderr);
        assert!(!said.stderr.contains("doubtful") && !said.stdout.contains("times in"), "{speed}: {}", said.stderr);
    }
}

/// The model tells it before the fit, whose first samples may be a slow motion.
#[test]
fn times_in_ms_under_a_heading_in_s_are_questioned() {
    let doubt = "far too seldom for this motion from the start values";
    for seed in 0..20 {
        let (speed, start) =
            ([4.0, 10.0, 40.0, 100.0][seed as usize % 4], [0.5, 0.7, 1.0, 1.4, 2.0][seed as usize / 4]);
        let of = |unit: f64, more: &[&str]| fit_headed("time [s]", seed, (speed, unit), start, more);
        let until = format!("{}", 60.0 * 2.0 / speed);
        let said = of(1e-3, &["--until", &until]);
        assert!(said.stderr.contains(doubt) && said.stderr.contains("`--time-unit`"), "{speed}: {}", said.stderr);
        if seed < 4 {
            let said = of(1e-3, &["--until", &until, "--time-unit", "s"]);
            assert!(!said.stderr.contains(doubt), "{speed}: {}", said.stderr);
        }
        let right = of(1.0, &[]);
        assert!(!right.stderr.contains(doubt), "{speed}: {}", right.stderr);
    }
}

/// Samples every second of a spring with 3.4 Hz at rest, of one that follows its force, and of a damper that creeps.
#[test]
fn times_of_static_tests_are_not_questioned() {
    let model = |m: f64, c: f64, d: f64, more: &str| {
        format!(
            "Rig {{ parameters {{ c: N/m = {c}, d: N*s/m = {d} }} {more} coordinates {{ x: m }} mass {{ x: {m}[kg] }} \
             forces {{ x: F - c*x - d*dot(x) }} outputs {{ position: mm = x }}"
        )
    };
    let spring =
        |force: &str, more: &str| model(2.0, 900.0, 3.0, more).replace('F', force) + " initial { equilibrium } }";
    let creeping = model(0.1, 1e3, 5e3, "").replace('F', "0[N]") + " initial { x = 0.01[m], dot(x) = -0.002[m/s] } }";
    let ramp = |i: usize| 5.0 * (0.2 * i as f64).sin();
    let input = "inputs { force: N }";
    for (name, text, of) in [
        ("rest", spring("5[N]", ""), &(|_| [0.0, 5.0 / 0.9]) as &dyn Fn(usize) -> [f64; 2]),
        ("held", spring("force", input), &|_| [5.0, 5.0 / 0.9]),
        ("slow", spring("force", input), &|i| [ramp(i), ramp(i) / 0.9]),
        ("creep", creeping, &|i| [0.0, 10.0 * (-0.2 * i as f64).exp()]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("m.model"), text).unwrap();
        let (mut noise, mut record) = (Noise::of(1), "time [s],force [N],position [mm]\n".to_owned());
        for i in 0..60 {
            let [force, x] = of(i);
            writeln!(record, "{i},{force:.6},{:.6}", x + 0.01 * noise.normal()).unwrap();
        }
        std::fs::write(folder.path().join("r.csv"), record).unwrap();
        let said = costate(folder.path(), "fit m.model --record r.csv --unknown c");
        assert!(said.stdout.contains("found") && !said.stderr.contains("doubtful"), "{name}: {}", said.stderr);
    }
}
