//! `costate fit` with options.

use std::fs;

use super::bench::{NOISE, measured_folder};
use super::support::{Said, costate, refused};

/// A fit of two parameters whose true values are the defaults of the model.
const FIT: &str = "fit mount.rs --model EngineMount --record bench.csv --unknown c_e1,d_e --bounds c_e1=10[N/mm]..1e6 \
    --parameter c_e1=90[N/mm] --parameter d_e=20";

fn with(folder: &tempfile::TempDir, more: &str) -> Said {
    costate(folder.path(), &format!("{FIT} {more}"))
}

#[test]
fn known_values_are_found_within_their_deviations() {
    let folder = measured_folder();
    let said = with(&folder, "--report fit.html --json");
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    let answer = said.json();
    let fitted = answer["fit"]["parameters"].as_array().unwrap();
    for (fitted, (name, truth)) in fitted.iter().zip([("c_e1", 123e3), ("d_e", 5.0)]) {
        let [found, deviation] = ["found", "standard_deviation"].map(|field| fitted[field].as_f64().unwrap());
        assert_eq!(fitted["name"], name);
        assert!(deviation > 0.0 && (found - truth).abs() < 3.0 * deviation, "{fitted}");
        assert!(deviation < 0.1 * truth, "{fitted}");
    }
    assert_eq!(fitted[0]["start"].as_f64().unwrap(), 90e3);
    assert_eq!(fitted[0]["lower"].as_f64().unwrap(), 10e3);
    let measured = &answer["fit"]["measurements"][0];
    let left = measured["standard_deviation"].as_f64().unwrap();
    assert!((left / NOISE - 1.0).abs() < 0.1, "{measured}");
    assert_eq!(answer["report"], "fit.html");
    let page = fs::read_to_string(folder.path().join("fit.html")).unwrap();
    assert!(page.contains("c_e1") && page.contains("bench.csv"));
    // the state of a fit that is done is not kept
    let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["bench.csv", "fit.html", "mount.rs"]);
    assert!(
        said.stderr.starts_with("chosen steps: ") && said.stderr.contains("\niteration 0: cost "),
        "{}",
        said.stderr
    );
    assert!(answer["fit"]["chosen_steps"]["steps"].as_u64().is_some_and(|steps| steps > 100), "{answer}");
}

#[test]
fn found_values_become_defaults() {
    let folder = measured_folder();
    let said = with(&folder, "--write-defaults");
    assert!(said.success, "{}", said.stderr);
    assert!(said.stdout.contains("\ndefaults: `mount.rs` has the values of c_e1, d_e\n"), "{}", said.stdout);
    let text = fs::read_to_string(folder.path().join("mount.rs")).unwrap();
    let line = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
    let value =
        |name: &str| -> f64 { line(name).rsplit_once('=').unwrap().1.trim().trim_end_matches(',').parse().unwrap() };
    assert!(value("c_e1") != 123e3 && (value("c_e1") / 123e3 - 1.0).abs() < 0.01, "{}", line("c_e1"));
    assert!(value("d_e") != 5.0 && (value("d_e") / 5.0 - 1.0).abs() < 0.5, "{}", line("d_e"));
    // nothing else has changed
    let original = include_str!("../../../models/src/engine_mount.rs");
    assert_eq!(text.lines().zip(original.lines()).filter(|(new, old)| new != old).count(), 2);
}

#[test]
fn a_doubtful_result_has_an_exit_code_of_its_own() {
    let folder = measured_folder();
    let said = with(&folder, "--bounds d_e=50..100 --parameter d_e=60");
    assert_eq!(said.code, Some(3), "{}{}", said.stdout, said.stderr);
    let last = said.stdout.lines().filter(|line| line.starts_with("doubtful: ")).collect::<Vec<_>>();
    assert!(last.iter().any(|line| line.contains("At a bound") && line.contains("d_e")), "{}", said.stdout);
}

/// The messages of mistakes in the options of a call.
#[test]
fn mistakes_in_options() {
    let folder = measured_folder();
    fs::write(folder.path().join("other.csv"), "time,force,speed\n0,1,2\n1,2,3\n").unwrap();
    let model = "fit mount.rs --model EngineMount";
    for (arguments, code, message) in [
        ("", 2, "error: a fit needs a record; give one with `--record FILE.csv`"),
        (
            "--record bench.csv",
            2,
            "error: nothing is to be found; name the unknown parameters with `--unknown NAME,..`",
        ),
        (
            "--record bench.csv --unknown c_e",
            1,
            "error: `--unknown c_e`: the model has no parameter `c_e`; did you mean `c_e1`?",
        ),
        ("--record bench.csv --unknown c_e1 --bounds d_e=0..1", 1, "`d_e` is not among the unknowns (`c_e1`)"),
        ("--record bench.csv --unknown c_e1 --bounds c_e1=1", 1, "write the lower bound, `..` and the upper one"),
        (
            "--record bench.csv --unknown c_e1 --bounds c_e1=5..1",
            1,
            "error: `--bounds c_e1=5..1`: the lower bound 5 is not below the upper bound 1; write the smaller one \
             first",
        ),
        (
            "--record bench.csv --unknown c_e1 --bounds c_e1=0[kg]..1",
            1,
            "0 [kg] cannot be a value of `c_e1`, which is in `N/m`",
        ),
        (
            "--record bench.csv --unknown c_e1 --measured acceleration=speed",
            1,
            "error: `--measured acceleration=speed`: `bench.csv` has no channel `speed`",
        ),
        (
            "--record bench.csv --unknown c_e1 --input drive=sinn(t)",
            1,
            "error: `--input drive=sinn(t)`: `sinn(t)` is no signal",
        ),
        (
            "--record other.csv --unknown c_e1",
            1,
            "the input `drive` has no signal, and `other.csv` has no channel of its name (channels: `force`, \
             `speed`); give it one, e.g. `--input drive=0`",
        ),
        (
            "--record other.csv --unknown c_e1 --input drive=other.csv:force",
            1,
            "`other.csv` has no channel named like an output of the model (channels: `force`, `speed`; outputs: \
             `acceleration`); `--measured OUTPUT=CHANNEL`",
        ),
    ] {
        let said = costate(folder.path(), &format!("{model} {arguments}"));
        assert_eq!((said.code, &*said.stdout), (Some(code), ""), "{arguments}: {}", said.stderr);
        assert!(said.stderr.contains(message), "{arguments}: {}", said.stderr);
    }
    refused(
        folder.path(),
        "fit campaign.toml",
        &[("--unknown c", 2, "error: `--unknown` cannot stand beside the campaign `campaign.toml`")],
    );
    // an error as an object
    let answer = costate(folder.path(), &format!("{model} --record bench.csv --unknown c_e --json")).json();
    assert_eq!(answer["error"], "`--unknown c_e`: the model has no parameter `c_e`; did you mean `c_e1`?");
}

/// A pendulum with viscous and dry friction, whose sensor has a bias.
const SWING: &str = "
/// A pendulum with dry friction.
pub Swing {
    parameters { w2: 1/s^2 = 38, d: 1/s = 0.08, r: 1/s^2 = 0.15, start: rad = 2.9, spin: rad/s = 0.5, bias: rad = 0.05 }
    coordinates { phi: rad }
    mass { phi: 1 }
    forces { phi: -w2*sin(phi) - d*dot(phi) - r*tanh(dot(phi)/0.05[rad/s]) }
    initial { phi = start, dot(phi) = spin }
    outputs { angle: rad = phi + bias }
}
";

/// Ten seconds of that pendulum at 100 Hz, by Runge and Kutta's method, with errors of 0.01 rad.
fn swings(seed: u64) -> String {
    let rate = |[angle, speed]: [f64; 2]| [speed, -38.0 * angle.sin() - 0.08 * speed - 0.15 * (speed / 0.05).tanh()];
    let plus = |a: [f64; 2], factor: f64, b: [f64; 2]| [a[0] + factor * b[0], a[1] + factor * b[1]];
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut uniform = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / 2f64.powi(53)
    };
    let (mut state, h) = ([2.9, 0.5], 1e-4);
    let mut text = "time [s],angle [rad]\n".to_owned();
    for i in 0..=1000 {
        let noise = 0.01 * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0);
        text += &format!("{},{}\n", f64::from(i) / 100.0, state[0] + 0.05 + noise);
        for _ in 0..100 {
            let a = rate(state);
            let b = rate(plus(state, 0.5 * h, a));
            let c = rate(plus(state, 0.5 * h, b));
            let d = rate(plus(state, h, c));
            state = plus(state, h / 6.0, plus(plus(plus(a, 2.0, b), 2.0, c), 1.0, d));
        }
    }
    text
}

/// Far starts, steps of the sampling interval: the minimum is that of the errors of the measurement.
#[test]
fn a_pendulum_near_its_upper_position_is_found_from_far_starts() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("swing.model"), SWING).unwrap();
    let starts = [[36.0, 0.15, 0.1, 2.8, 0.2, 0.0], [30.0, 0.3, 0.05, 2.5, 0.0, 0.0], [45.0, 0.02, 0.5, 3.0, 0.0, 0.2]];
    let names = ["w2", "d", "r", "start", "spin", "bias"];
    for seed in 1..=20 {
        fs::write(folder.path().join("swing.csv"), swings(seed)).unwrap();
        let start = starts[seed as usize % starts.len()];
        let values: String = names.iter().zip(start).map(|(name, value)| format!(" -p {name}={value}")).collect();
        let call =
            format!("fit swing.model --record swing.csv --step 0.01 --unknown {}{values} --json", names.join(","));
        let fit = &costate(folder.path(), &call).json()["fit"];
        let left = fit["measurements"][0]["standard_deviation"].as_f64().unwrap();
        assert!((left / 0.01 - 1.0).abs() < 0.1, "{seed}: {left}");
        for (fitted, truth) in fit["parameters"].as_array().unwrap().iter().zip([38.0, 0.08, 0.15, 2.9, 0.5, 0.05]) {
            let [found, deviation, shift] =
                ["found", "standard_deviation", "step_shift"].map(|field| fitted[field].as_f64().unwrap());
            assert!((found - shift - truth).abs() < 4.0 * deviation, "{seed}: {fitted}");
        }
    }
}

/// Long steps of an oscillator that rings with 2 Hz and no damping: order 2 moves its stiffness by the error of the
/// period, order 4 does not.
#[test]
fn a_fit_of_high_order_has_no_shift_by_its_steps() {
    let folder = tempfile::tempdir().unwrap();
    let model = "Ringing { parameters { m: kg = 1, c: N/m = 150 } coordinates { x: m } mass { x: m } \
        forces { x: -c*x } initial { x = 0.1[m] } outputs { place: m = x } }";
    fs::write(folder.path().join("ringing.model"), model).unwrap();
    let omega = 160f64.sqrt();
    let rows = (0..=200).map(|i| f64::from(i) * 0.02).map(|t| format!("{t},{}\n", 0.1 * (omega * t).cos()));
    fs::write(folder.path().join("ringing.csv"), format!("time [s],place [m]\n{}", rows.collect::<String>())).unwrap();
    let found = |order: &str| {
        let call = "fit ringing.model --record ringing.csv --step 0.02 --unknown c --json --order";
        let said = costate(folder.path(), &format!("{call} {order}"));
        said.json()["fit"]["parameters"][0]["found"].as_f64().unwrap()
    };
    let [second, fourth] = ["2", "4"].map(|order| (found(order) - 160.0).abs() / 160.0);
    assert!((1e-3..1e-1).contains(&second) && fourth < 1e-4, "{second:e} {fourth:e}");
}
