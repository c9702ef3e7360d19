//! Reports against closed forms, their limits, and mistakes.

use std::f64::consts::TAU;

use costate_interpreter::LoadedModel;
use costate_system::simulation::Simulation;
use costate_vibration::Equilibrium;
use costate_vibration::harmonic::HarmonicBalance;
use costate_vibration::stiffness::{Doubt, MountTest, Origin, StiffnessCurve, StiffnessError, StiffnessReport};

use crate::loaded;

/// A mass on a spring and a damper, without and with a cubic spring.
const MOUNT: &str = "Mount {
    parameters { m: kg = 20, c: N/m = 200e3, d: N*s/m = 300, c_3: N/m^3 = 0, g: m/s^2 = 9.81 }
    inputs { drive: N }
    coordinates { x: m }
    mass { x: m }
    let force = c*x + c_3*x^3 + d*dot(x);
    forces { x: drive + m*g - force }
    initial { x = 0[m], dot(x) = 0[m/s] }
    outputs { displacement: m = x, below: N = force, acceleration: m/s^2 = ddot(x) }
}";

fn simulation(model: LoadedModel, c_3: f64) -> Simulation {
    let simulation = model.simulation().unwrap();
    let weightless = simulation.parameter(model.parameter("g").unwrap(), 0.0);
    weightless.parameter(model.parameter("c_3").unwrap(), c_3)
}

fn frequencies() -> Vec<f64> {
    (1..=100).map(|k| 0.5 * f64::from(k)).collect()
}

/// Curves of harmonic balance with controlled displacement.
fn computed(c_3: f64, amplitudes: &[f64], frequencies: &[f64]) -> Vec<StiffnessCurve> {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let balance = HarmonicBalance::new(&simulation(model, c_3));
    let balance = balance.controlled(displacement, drive, amplitudes.iter().copied()).harmonics(5);
    let response = balance.response(frequencies).unwrap();
    let below = model.output("below").unwrap();
    response.curves.iter().map(|curve| StiffnessCurve::of_motions(curve, below, displacement).unwrap()).collect()
}

/// A curve of 200 N/mm with losses, at an amplitude in mm.
fn measured(amplitude: f64, factor: f64) -> StiffnessCurve {
    let frequencies = frequencies();
    let [real, imaginary]: [Vec<f64>; 2] =
        [vec![200.0 * factor; 100], frequencies.iter().map(|f| factor * 0.3 * TAU * f).collect()];
    let curve = StiffnessCurve::new(&frequencies, &real, &imaginary, "N/mm").unwrap();
    curve.at_amplitude(amplitude, "mm").unwrap()
}

#[test]
fn a_spring_beside_a_damper() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let rest = Equilibrium::of(&model.simulation().unwrap().input(drive, 0.0)).unwrap();
    let linear = rest.linearized();
    let response = |output| linear.frequency_response(&frequencies(), drive, output).unwrap();
    let below = model.output("below").unwrap();
    let transfer = response(below).over(&response(displacement)).unwrap();
    let curve = StiffnessCurve::of_response(&transfer).unwrap();
    for line in &curve.lines {
        let losses = TAU * line.frequency * 300.0;
        assert!((line.level() - 10.0 * (200e3f64.powi(2) + losses * losses).log10()).abs() < 1e-9);
        assert!((line.loss_factor().unwrap() - losses / 200e3).abs() < 1e-9);
        assert!((line.loss_angle() - (losses / 200e3).atan().to_degrees()).abs() < 1e-9);
    }
    let test = MountTest::new("linear").model([curve.clone()]).preload_at_rest(&rest, below).unwrap();
    let report = test.report().unwrap();
    let preload = report.preload.as_ref().unwrap();
    assert!((preload.value - 20.0 * 9.81).abs() < 1e-9 && preload.unit == "N");
    assert!(report.limits.iter().any(|limit| limit.contains("small vibrations")));
    assert!(report.linearity.is_empty() && report.comparisons.is_empty());
    // the band of 10 Hz: lines from 9 Hz to 11 Hz
    let band = report.curves[0].bands.iter().find(|band| band.nominal == 10.0).unwrap();
    let squares = (18..=22).map(|k| 200e3f64.powi(2) + (TAU * 0.5 * f64::from(k) * 300.0).powi(2));
    assert!((band.level - 10.0 * (squares.sum::<f64>() / 5.0).log10()).abs() < 1e-9);
    assert_eq!((band.lines, band.is_complete), (5, true));
    // the force above the mass has its inertia: real parts of zero and below have no loss factor
    let above = StiffnessCurve::of_response(&response(displacement)).unwrap();
    let resonance = (200e3f64 / 20.0).sqrt() / TAU;
    for line in &above.lines {
        assert!((line.real - 200e3 + 20.0 * (TAU * line.frequency).powi(2)).abs() < 1e-3);
        if (line.frequency - resonance).abs() > 1.0 {
            assert_eq!(line.loss_factor().is_some(), line.frequency < resonance, "{}", line.frequency);
        }
    }
    let report = MountTest::new("above").model([above]).report().unwrap();
    assert!(report.doubts.iter().any(|doubt| doubt.contains("the loss factor has no meaning")));
    assert!(report.curves[0].loss_factors.iter().any(Option::is_none));
}

#[test]
fn a_cubic_spring_is_not_linear() {
    let (c_3, frequencies) = (8e9, [2.0, 4.0, 6.0]);
    let curves = computed(c_3, &[0.2e-3, 2e-3, 5e-3], &frequencies);
    for (curve, amplitude) in curves.iter().zip([0.2e-3, 2e-3, 5e-3f64]) {
        assert_eq!(curve.amplitude.as_ref().unwrap().value, amplitude);
        for line in &curve.lines {
            let expected = 200e3 + 0.75 * c_3 * amplitude * amplitude;
            assert!((line.real / expected - 1.0).abs() < 1e-9);
            assert!((line.imaginary / (TAU * line.frequency * 300.0) - 1.0).abs() < 1e-9);
        }
    }
    let between = |curves: &[StiffnessCurve]| MountTest::new("cubic").model(curves.to_vec()).report().unwrap();
    let report = between(&curves);
    let linearity = &report.linearity[0];
    assert_eq!((linearity.origin, linearity.upper.value), (Origin::Model, 5e-3));
    let level = |frequency: f64, amplitude: f64| {
        20.0 * (200e3 + 0.75 * c_3 * amplitude * amplitude).hypot(TAU * frequency * 300.0).log10()
    };
    for (line, frequency) in linearity.lines.iter().zip(frequencies) {
        let expected = level(frequency, 5e-3) - level(frequency, 0.2e-3);
        assert!((line.difference - expected).abs() < 1e-9 && expected > 4.0);
    }
    assert!(!linearity.is_linear() && linearity.failing().count() == 3 && !linearity.is_narrow());
    assert!(report.doubts.iter().any(|doubt| doubt.contains("is not linear")));
    // 0.2 mm and 2 mm: 1 dB
    let report = between(&curves[..2]);
    assert!(report.linearity[0].is_linear() && (report.linearity[0].span - 20.0).abs() < 1e-9);
    let report = between(&curves[1..]);
    assert!(report.linearity[0].is_narrow() && report.doubts.iter().any(|doubt| doubt.contains("needs 10 dB")));
}

#[test]
fn a_linear_mount_has_the_same_level_at_all_amplitudes() {
    let curves = computed(0.0, &[0.1e-3, 1e-3], &[5.0, 10.0, 20.0]);
    let report = MountTest::new("linear").model(curves).report().unwrap();
    let linearity = &report.linearity[0];
    assert!(linearity.is_linear() && linearity.bands.len() == 3);
    assert!(linearity.lines.iter().all(|line| line.difference.abs() < 1e-9));
    assert!(linearity.bands.iter().all(|band| band.difference.abs() < 1e-9));
}

#[test]
fn measured_curves_alone() {
    let report = MountTest::new("Mount 7")
        .measured([measured(1.0, 0.8), measured(0.1, 1.0).source("rig.csv")])
        .preload(1.2, "kN")
        .temperature("23 °C")
        .note("conditioned by 10 cycles")
        .report()
        .unwrap();
    assert_eq!(report.preload.as_ref().unwrap().value, 1200.0);
    assert_eq!(report.curves[0].curve.amplitude.as_ref().unwrap().value, 1e-4);
    assert!((report.linearity[0].lines[7].difference - 20.0 * 0.8f64.log10()).abs() < 1e-9);
    assert!(!report.linearity[0].is_linear());
    let text = report.to_string();
    for part in ["Mount 7", "1200 N (given)", "23 °C", "rig.csv", "conditioned", "not linear", "measured, 0.1 mm"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NaN") && !text.contains("error of the model"));
}

#[test]
fn errors_of_a_model_at_each_line() {
    let model = [measured(0.1, 1.02), measured(1.0, 0.8)];
    let test = MountTest::new("both").measured([measured(0.1, 1.0), measured(1.0, 0.8), measured(2.0, 0.7)]);
    let report = test.model(model).report().unwrap();
    let [first, second] = &report.comparisons[..] else { panic!("{:?}", report.comparisons) };
    assert_eq!((first.lines.len(), first.not_compared), (100, 0));
    assert!((first.rms - 0.02).abs() < 1e-12 && (first.largest - 0.02).abs() < 1e-12);
    assert!(first.lines.iter().all(|line| (line.level - 20.0 * 1.02f64.log10()).abs() < 1e-9));
    assert!(second.rms < 1e-12 && first.lines.iter().all(|line| line.angle.abs() < 1e-9));
    assert!(report.doubts.iter().any(|doubt| doubt == "measured, 2 mm: no line of the model to compare with."));
    let page = report.html().unwrap();
    assert!(page.matches("<svg").count() == 6 && !page.contains("NaN"));
    let again: StiffnessReport = serde_json::from_str(&report.json().unwrap()).unwrap();
    assert_eq!(again, report);
    let folder = tempfile::tempdir().unwrap();
    report.write_html(folder.path().join("new/report.html")).unwrap();
    report.write_json(folder.path().join("new/report.json")).unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("new/report.html")).unwrap(), page);
}

#[test]
fn jumping_curves_say_so() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let frequencies: Vec<f64> = (0..60).map(|k| 12.0 + 0.25 * f64::from(k)).collect();
    let balance = HarmonicBalance::new(&simulation(model, 5e9)).input(drive, [300.0]).error_limit(None);
    let response = balance.response(&frequencies).unwrap();
    let curve = StiffnessCurve::of_motions(&response.curves[0], drive, displacement).unwrap();
    assert_eq!(curve.amplitude.as_ref().unwrap().to_string(), "300 N");
    let several = curve.lines.iter().filter(|line| line.doubt == Some(Doubt::Several)).count();
    assert!(several > 0 && several < 60 && curve.turning_points.len() == 2);
    let report = MountTest::new("jump").model([curve]).report().unwrap();
    for part in ["there are several motions", "sweeps jump there"] {
        assert!(report.doubts.iter().any(|doubt| doubt.contains(part)), "{part}: {:?}", report.doubts);
    }
    let acceleration = model.output("acceleration").unwrap();
    let error = StiffnessCurve::of_motions(&response.curves[0], drive, acceleration).unwrap_err();
    assert!(matches!(error, StiffnessError::Harmonic(_)), "{error}");
}

#[test]
fn mistakes_are_errors() {
    let curve = |frequencies: &[f64], unit: &str| {
        StiffnessCurve::new(frequencies, &vec![2.0; frequencies.len()], &vec![1.0; frequencies.len()], unit)
    };
    let of = |error: StiffnessError| error.to_string();
    assert!(matches!(curve(&[1.0], "N*s/m"), Err(StiffnessError::Unit { .. })));
    assert!(matches!(curve(&[1.0], "N"), Err(StiffnessError::Unit { .. })));
    assert!(matches!(curve(&[0.0, 1.0], "N/m"), Err(StiffnessError::Frequency { index: 0, .. })));
    assert!(matches!(curve(&[1.0, f64::NAN], "N/m"), Err(StiffnessError::Frequency { index: 1, .. })));
    assert!(matches!(curve(&[1.0, 2.0, 2.0], "N/m"), Err(StiffnessError::Order { value: 2.0, before: 2.0 })));
    assert!(matches!(curve(&[], "N/m"), Err(StiffnessError::NoLine)));
    let wrong = StiffnessCurve::new(&[1.0, 2.0], &[1.0], &[1.0, 2.0], "N/m").unwrap_err();
    assert!(matches!(wrong, StiffnessError::Count { given: 1, needed: 2, .. }));
    let wrong = StiffnessCurve::new(&[1.0], &[f64::INFINITY], &[0.0], "N/m").unwrap_err();
    assert!(matches!(wrong, StiffnessError::NotFinite { .. }));
    let wrong = StiffnessCurve::new(&[1.0], &[0.0], &[0.0], "N/m").unwrap_err();
    assert!(of(wrong).contains("no level"));
    let one = || curve(&[1.0, 2.0], "N/m").unwrap();
    assert!(matches!(one().at_amplitude(0.0, "mm"), Err(StiffnessError::Amplitude { .. })));
    assert!(matches!(one().at_amplitude(1.0, "mm/s"), Err(StiffnessError::AmplitudeUnit { .. })));
    assert!(matches!(one().at_amplitude(1.0, "1"), Err(StiffnessError::AmplitudeUnit { .. })));

    let report = |test: MountTest| test.report().unwrap_err();
    assert!(matches!(report(MountTest::new("")), StiffnessError::NoCurve));
    let twice = [one().at_amplitude(1.0, "mm").unwrap(), one().at_amplitude(1e-3, "m").unwrap()];
    let error = report(MountTest::new("").measured(twice));
    assert_eq!(of(error), "there are two measured curves for 1 mm: give one for each amplitude");
    let error = report(MountTest::new("").model([one(), one()]));
    assert!(matches!(error, StiffnessError::RepeatedAmplitude { .. }));
    let error = report(MountTest::new("").measured([one()]).model([curve(&[1.0], "N*m/deg").unwrap()]));
    assert!(matches!(error, StiffnessError::MixedUnits));
    let error = report(MountTest::new("").measured([one()]).model([curve(&[3.0], "N/m").unwrap()]));
    assert!(matches!(error, StiffnessError::NothingInCommon));
    assert!(matches!(report(MountTest::new("").measured([one()]).preload(1.0, "kg")), StiffnessError::Preload { .. }));
    // curves are plain data: what was changed is checked again
    let mut changed = one();
    changed.lines[1].frequency = 1.0;
    assert!(matches!(report(MountTest::new("").measured([changed])), StiffnessError::Order { .. }));
}

#[test]
fn amplitudes_that_were_changed_are_converted_again() {
    let mut changed = measured(1.0, 0.9);
    let own = changed.amplitude.as_mut().unwrap();
    (own.value, own.unit) = (2.0, "mm".to_owned());
    let report = MountTest::new("").measured([changed, measured(0.5, 1.0)]).report().unwrap();
    assert_eq!(report.linearity[0].upper.value, 2e-3);
    let mut changed = measured(1.0, 0.9);
    changed.amplitude.as_mut().unwrap().value = -1.0;
    let error = MountTest::new("").measured([changed]).report().unwrap_err();
    assert!(matches!(error, StiffnessError::Amplitude { .. }), "{error}");
}

#[test]
fn a_mount_that_gives_energy_is_doubtful() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let simulation = simulation(model, 0.0).parameter(model.parameter("d").unwrap(), -50.0);
    let response = HarmonicBalance::new(&simulation).input(drive, [10.0]).response(&[3.0, 5.0]).unwrap();
    let below = model.output("below").unwrap();
    let curve = StiffnessCurve::of_motions(&response.curves[0], below, displacement).unwrap();
    assert!(curve.lines.iter().all(|line| line.doubt == Some(Doubt::Unstable)));
    let report = MountTest::new("").model([curve]).report().unwrap();
    for part in ["the motion is unstable", "the imaginary part is negative"] {
        let is_said = |doubt: &String| doubt.contains(part) && doubt.ends_with("at 3, 5 Hz.");
        assert!(report.doubts.iter().any(is_said), "{part}: {:?}", report.doubts);
    }
    assert!(report.to_string().contains("model at 10 N: the motion"));
}

#[test]
fn a_torsional_mount() {
    let (sine, cosine) = 30f64.to_radians().sin_cos();
    let curve = StiffnessCurve::new(&[0.5, 200.0], &[2.0, 3.0 * cosine], &[0.0, 3.0 * sine], "N*m/deg").unwrap();
    let first = 2.0f64.to_degrees();
    assert!((curve.lines[0].magnitude() - first).abs() < 1e-9 && curve.unit.name() == "N*m/rad");
    assert!((curve.lines[1].loss_angle() - 30.0).abs() < 1e-9);
    assert!((curve.lines[1].loss_factor().unwrap() - 30f64.to_radians().tan()).abs() < 1e-9);
    let curve = curve.at_amplitude(90.0, "deg").unwrap();
    assert!((curve.amplitude.as_ref().unwrap().value - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    let report = MountTest::new("hub").measured([curve]).preload(50.0, "N*m").report().unwrap();
    assert!(report.limits.iter().any(|limit| limit.starts_with("Stiffness of rotation")));
    assert!(report.doubts.iter().any(|doubt| doubt.contains("no line is in the bands of 25 frequencies")));
    let (page, text) = (report.html().unwrap(), report.to_string());
    // levels, stiffness and bands; nothing to compare, no second amplitude
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.contains("dB re 1 N·m/rad") && text.contains("measured, 90 deg"), "{text}");
    assert!(text.contains("not tested: it needs curves at two amplitudes"));
}
