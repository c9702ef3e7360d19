//! Verdicts on fits to records that are wrong, or say less than they seem to.

use crate::support::costate;
use crate::verdicts::{Noise, OSCILLATOR, fit, folder, found, json, motion, positions, times};

/// A shaft with friction, driven by a torque.
const SHAFT: &str = "Shaft { parameters { j: kg*m^2 = 0.02, d: N*m*s = 0.05 } inputs { torque: N*m } coordinates { \
     phi: rad } mass { phi: j } forces { phi: torque - d*dot(phi) } initial { phi = 0, dot(phi) = 0[rad/s] } outputs \
     { angle: deg = phi } }";

/// A pendulum that is let go at 2.5 rad, in a record that begins 1.2 s later: of a free motion, the other sign is one
/// that begins at another time.
#[test]
fn a_record_that_begins_late_has_no_wrong_sign() {
    let model = "Pendulum { parameters { j: kg*m^2 = 0.52, d: N*m*s = 0.05, phi_0: rad = 2.5 } \
         coordinates { phi: rad } mass { phi: j } forces { phi: -9.81[N*m]*sin(phi) - d*dot(phi) } \
         initial { phi = phi_0, dot(phi) = 0[rad/s] } outputs { angle: deg = phi } }";
    let rate = |[angle, speed]: [f64; 2]| [speed, (-9.81 * angle.sin() - 0.05 * speed) / 0.52];
    for seed in 0..20 {
        let mut noise = Noise::of(seed);
        let (mut state, h, late) = ([2.5_f64, 0.0], 1e-3, 900 + 25 * seed as usize);
        let mut samples = Vec::new();
        for k in 0..late + 2800 {
            if k >= late && (k - late) % 4 == 0 {
                samples.push((1e-3 * (k - late) as f64, state[0].to_degrees() + 0.2 * noise.normal()));
            }
            let at = |s: [f64; 2], r: [f64; 2], h: f64| [s[0] + h * r[0], s[1] + h * r[1]];
            let middle = rate(at(state, rate(state), 0.5 * h));
            state = at(state, middle, h);
        }
        let folder = folder(model, "angle [deg]", samples.into_iter());
        let said = costate(folder.path(), "fit m.model --record r.csv --unknown j,d");
        assert!(!said.stdout.contains("sign of the channel"), "{late}: {}", said.stdout);
        let precede = "`angle`, at the start values: measured values precede the computed ones by ";
        assert!(said.stdout.contains(precede), "{late}: {}", said.stdout);
        assert!(said.stdout.contains("does the record begin at another time of the motion?"), "{}", said.stdout);
    }
}

/// An encoder of 5 deg on an oscillation of 40 deg: residuals are those of rounding, and tell nothing of the model. One
/// whose model lacks its damper has more.
#[test]
fn residuals_of_an_encoder_are_its_resolution() {
    let model = |damper: &str| {
        format!(
            "Wheel {{ parameters {{ j: kg*m^2 = 0.5, c: N*m/rad = 30, d: N*m*s = 0.2 }} coordinates {{ phi: rad }} \
             mass {{ phi: j }} forces {{ phi: -c*phi{damper} }} \
             initial {{ phi = 0.7[rad], dot(phi) = 0[rad/s] }} outputs {{ angle: deg = phi }} }}"
        )
    };
    for seed in 0..20 {
        let mut noise = Noise::of(seed);
        let c = 30.0 * (0.9 + 0.01 * seed as f64);
        let (decay, omega) = (0.2_f64, (c / 0.5 - 0.04_f64).sqrt());
        let angle = |t: f64| 0.7 * (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
        let samples: Vec<(f64, f64)> =
            times().map(|t| (t, 5.0 * ((angle(t).to_degrees() + 0.2 * noise.normal()) / 5.0).round())).collect();
        let folder = folder(&model("- d*dot(phi)"), "angle [deg]", samples.clone().into_iter());
        let said = costate(folder.path(), "fit m.model --record r.csv --unknown c,d");
        assert!(said.stdout.contains("rounding of the measured values to their resolution of 5"), "{}", said.stdout);
        assert!(!said.stdout.contains("incomplete"), "{}", said.stdout);
        std::fs::write(folder.path().join("m.model"), model("")).unwrap();
        let said = costate(folder.path(), "fit m.model --record r.csv --unknown c");
        assert!(!said.stdout.contains("resolution"), "{}", said.stdout);
    }
}

#[test]
fn a_shifted_zero_and_a_late_trigger_are_told() {
    for seed in 0..20 {
        let offset = 3.0 + 0.2 * seed as f64;
        let folder = positions("position [mm]", seed, |t| 1e3 * motion(t).0 + offset);
        let fit = json(folder.path(), &["-p", "c=203"]);
        let cause = &fit["verdict"]["suspicions"][0]["cause"]["Offset"];
        assert!((cause["offset"].as_f64().unwrap() - offset).abs() < 0.1, "{fit}");
        assert_eq!(fit["deviations_valid"], false);
        let delay = 5e-3 + 5e-4 * seed as f64;
        let late = |t: f64| 1e3 * motion((t - delay).max(0.0)).0;
        let fit = json(positions("position [mm]", seed, late).path(), &["-p", "c=203"]);
        let cause = &fit["verdict"]["suspicions"][0]["cause"]["Delay"];
        assert!((cause["delay"].as_f64().unwrap() / delay - 1.0).abs() < 0.1, "{fit}");
    }
}

#[test]
fn outliers_are_counted_and_a_robust_loss_is_named() {
    for seed in 0..20 {
        let mut errors = Noise::of(seed + 100);
        let mut noise = Noise::of(seed);
        let samples = times().enumerate().map(|(j, t)| {
            let is_wrong = j % 48 == 17;
            let error = if is_wrong { 200.0 * (errors.uniform() - 0.5).signum() + 20.0 * errors.normal() } else { 0.0 };
            (t, 1e3 * motion(t).0 + 0.05 * noise.normal() + error)
        });
        let folder = folder(OSCILLATOR, "position [mm]", samples);
        let said = fit(folder.path(), &["-p", "c=195"]);
        assert!(said.stdout.contains("25 outliers among 1200 samples have"), "{}", said.stdout);
        assert!(said.stdout.contains("loss = \"huber\""), "{}", said.stdout);
        assert!(!said.stdout.contains("the model is sufficient"), "{}", said.stdout);
        assert_eq!(said.code, Some(3));
        let campaign = "[model]\nfile = \"m.model\"\n[parameters]\nc = 195\n[run]\nstep = \
             1e-3\n[unknowns.c]\n[unknowns.d]\n[residuals]\nloss = \"huber\"\n[[experiment]]\nrecord = \"r.csv\"\n";
        std::fs::write(folder.path().join("c.toml"), campaign).unwrap();
        let said = costate(folder.path(), "fit c.toml --json").json();
        assert!((found(&said["fit"], 0) - 200.0).abs() < 0.05, "{said}");
        assert!(!said["fit"]["verdict"].to_string().contains("NotNormal"), "{said}");
    }
}

/// The angle phi = T/d (t - tau (1 - exp(-t/tau))), tau = j/d, of a constant torque, wrapped to -180 .. 180 and to 0 ..
/// 360 degrees.
#[test]
fn a_wrapped_angle_is_told_and_continued() {
    for seed in 0..20 {
        let (j, d, torque) = (0.02, 0.05, 0.5 + 0.02 * seed as f64);
        let tau: f64 = j / d;
        let angle = |t: f64| (torque / d * (t - tau * (1.0 - (-t / tau).exp()))).to_degrees();
        let mut noise = Noise::of(seed);
        let rows: Vec<(f64, f64)> = times()
            .map(|t| {
                let angle = angle(t) + 0.2 * noise.normal();
                (t, if seed % 2 == 0 { angle - 360.0 * (angle / 360.0).round() } else { angle.rem_euclid(360.0) })
            })
            .collect();
        let folder = folder(SHAFT, "angle [deg]", rows.into_iter());
        let input = format!("torque={torque}");
        let call = ["--unknown", "j,d", "--step", "5e-3", "-i", &input, "-p", "j=0.03", "-p", "d=0.04"];
        let fit = |more: &[&str]| {
            costate(folder.path(), &[&["fit", "m.model", "--record", "r.csv"], &call[..], more].concat())
        };
        // by default a fit looks for other causes as well, for some seconds
        let said = fit(if seed % 5 > 0 { &["--growing"] } else { &[] });
        assert!(said.stdout.contains("`angle` jumps by 360 deg "), "{}", said.stdout);
        let listed = costate(folder.path(), "records r.csv --no-plots");
        assert!(listed.stdout.contains("`angle` jumps by 360 deg "), "{}", listed.stdout);
        let compared = ["compare", "m.model", "--record", "r.csv", "-i", &input];
        let told = costate(folder.path(), &compared);
        assert!(told.stdout.contains("with `--unwrap angle`") && told.code == Some(3), "{}", told.stdout);
        let mended = costate(folder.path(), &[&compared[..], &["--unwrap", "angle"]].concat());
        assert!(mended.code == Some(0) && mended.stdout.contains("explained"), "{}", mended.stdout);
        let said = fit(&["--unwrap", "angle", "--json"]).json();
        assert!((found(&said["fit"], 0) / j - 1.0).abs() < 2e-3, "{said}");
        assert!((found(&said["fit"], 1) / d - 1.0).abs() < 2e-3, "{said}");
    }
}

#[test]
fn one_wrong_sample_is_told() {
    for seed in 0..20 {
        let mut noise = Noise::of(seed);
        let wrong = 100 + 50 * seed as usize;
        let error = |j: usize| if j == wrong { 1e3 * (seed + 1) as f64 } else { 0.0 };
        let samples = times().enumerate().map(|(j, t)| (t, 1e3 * motion(t).0 + 0.3 * noise.normal() + error(j)));
        let said = fit(folder(OSCILLATOR, "position [mm]", samples).path(), &["-p", "c=203"]);
        assert!(said.stdout.contains("1 outlier among 1200 samples has"), "{seed}: {}", said.stdout);
        assert_eq!(said.code, Some(3));
    }
}

/// A mass that is let go from another place than the model's, 20 records.
#[test]
fn a_beginning_that_is_not_that_of_the_record_is_told() {
    for seed in 0..20 {
        let scale = 1e3 * (1.6 + 0.1 * seed as f64);
        let said = fit(positions("position [mm]", seed, |t| scale * motion(t).0).path(), &["-p", "c=200.5"]);
        assert!(said.stdout.contains("the initial values may not be those of the record"), "{}", said.stdout);
        let right = fit(positions("position [mm]", seed, |t| 1e3 * motion(t).0).path(), &["-p", "c=203"]);
        assert!(!right.stdout.contains("initial values"), "{}", right.stdout);
    }
}
