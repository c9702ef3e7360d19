//! Tables between their knots, and inputs between their samples.

use std::f64::consts::PI;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Said, costate, number};

/// A bump stop with clearance, whose force is an output.
fn stop(words: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let model = format!(
        "Stop {{ parameters {{ m: kg = 1 }} inputs {{ place: mm }} tables {{ stop({words} travel: mm): N \
             = \"stop.csv\" }}
        coordinates {{ x: m }} mass {{ x: m }} forces {{ x: -1[N/m]*x }} outputs {{ force: N = stop(place) }} }}"
    );
    fs::write(folder.path().join("stop.model"), model).unwrap();
    let knots = [(-20, 0), (-10, 0), (0, 0), (10, 0), (20, 0), (25, 200), (30, 600), (35, 1200)];
    let table = knots.map(|(travel, force)| format!("{travel},{force}\n")).concat();
    fs::write(folder.path().join("stop.csv"), format!("travel [mm],force [N]\n{table}")).unwrap();
    folder
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let said = costate(folder, &[arguments, &["--json"]].concat());
    assert!(!said.stdout.is_empty(), "{}", said.stderr);
    said.json()
}

/// Values of scipy's natural `CubicSpline` and `PchipInterpolator`, and of straight lines.
#[test]
fn a_table_is_what_its_word_says() {
    let at = |words: &str, place: &str| {
        let folder = stop(words);
        let place = format!("place={place}");
        let found = json(folder.path(), &["run", "stop.model", "--until", "1", "--step", "0.1", "-i", &place]);
        number(&found["outputs"][0]["largest"])
    };
    for (words, place, value) in [
        ("linear", "16.19556386877876", -36.27315611),
        ("spline linear", "16.19556386877876", -36.27315611),
        ("monotone linear", "15", 0.0),
        ("linear monotone", "23.5", 117.6),
        ("monotone", "28", 415.68),
        ("straight", "28", 440.0),
        ("straight linear", "40", 1800.0),
        ("straight", "40", 1200.0),
        ("monotone linear", "40", 1200.0 + 5.0 * 140.0),
    ] {
        let found = at(words, place);
        assert!((found - value).abs() < 1e-6, "{words} at {place}: {found}");
    }
}

#[test]
fn a_spline_that_rings_is_said_at_its_argument() {
    let warned = |words: &str| {
        let folder = stop(words);
        costate(folder.path(), "check stop.model")
    };
    let Said { stderr, success, .. } = warned("linear");
    let expected = "warning: the table is a cubic spline (`linear` is what it does beyond its knots), which is \
         -36.2732 N at `travel` = \
                    16.1956 mm, outside of the values 0 and 0 N at the knots 10 and 20 mm beside it; write `monotone` \
                    before `travel` \
                    to stay between the values, or `spline` if this is meant";
    assert!(success && stderr.contains(expected), "{stderr}");
    for words in ["monotone linear", "spline linear", "straight"] {
        let Said { stderr, .. } = warned(words);
        assert!(!stderr.contains("cubic spline"), "{words}: {stderr}");
    }
    assert!(warned("straight").stderr.contains("note: `straight` has a kink at every knot of the table"));
    assert!(
        warned("monotone straight")
            .stderr
            .contains("`straight` is a second word for what the table does between its knots")
    );
}

/// A mass in oil, driven by a sine with ten samples a period, and its speed as it follows from the sine.
fn driven() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let model =
        "Oil { parameters { m: kg = 1.3, d: N*s/m = 1.5 } inputs { drive: N } coordinates { x: m } mass { x: m }
        forces { x: drive - d*dot(x) } initial { x = 0[m], dot(x) = 0[m/s] }
        outputs { speed: m/s = dot(x), force: N = drive } }";
    fs::write(folder.path().join("oil.model"), model).unwrap();
    let (m, d, w) = (1.0, 2.0, 2.0 * PI);
    let mut drive = "time [s],force [N]\n".to_owned();
    for i in -2..=60 {
        let time = 0.1 * f64::from(i);
        writeln!(drive, "{time},{}", 10.0 * (w * time).sin()).unwrap();
    }
    let mut speed = "time [s],speed [m/s]\n".to_owned();
    let mut state = 7u64;
    for i in 0..=800 {
        let time = 0.005 * f64::from(i);
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = 2e-2 * ((state >> 33) as f64 / 2f64.powi(31) - 0.5);
        let exact = 10.0 / (d * d + m * m * w * w)
            * (d * (w * time).sin() - m * w * (w * time).cos() + m * w * (-d * time / m).exp());
        writeln!(speed, "{time},{}", exact + noise).unwrap();
    }
    fs::write(folder.path().join("drive.csv"), drive).unwrap();
    fs::write(folder.path().join("bench.csv"), speed).unwrap();
    folder
}

const RUN: [&str; 8] = ["run", "oil.model", "--until", "2", "--step", "0.01", "-i", "drive=drive.csv:force"];

/// The largest values of the input, at the peak between two samples.
#[test]
fn an_input_is_what_was_chosen_between_its_samples() {
    let folder = driven();
    let largest = |more: &[&str]| {
        let found = json(folder.path(), &[&RUN, more].concat());
        number(&found["outputs"][1]["largest"])
    };
    let sample = 10.0 * (0.4 * PI).sin();
    assert!((largest(&[]) - sample).abs() < 1e-9);
    assert_eq!(largest(&[]), largest(&["--interpolation", "drive=straight"]));
    let cubic = largest(&["--interpolation", "drive=cubic"]);
    assert!((cubic - 10.0).abs() < 0.01, "{cubic}");
    assert!((largest(&["--interpolation", "drive=held"]) - sample).abs() < 1e-9);
    let wrong = costate(folder.path(), &[&RUN[..], &["--interpolation", "drive=pchip"]].concat());
    assert!(
        wrong.stderr.contains("`pchip` is no interpolation; write `straight`, `cubic` or `held`"),
        "{}",
        wrong.stderr
    );
    let constant =
        ["run", "oil.model", "--until", "2", "--step", "0.01", "-i", "drive=1", "--interpolation", "drive=held"];
    let wrong = costate(folder.path(), &constant);
    assert!(wrong.stderr.contains("the input `drive` is no channel of a record"), "{}", wrong.stderr);
    // an input for which no signal is given has no samples either
    for (option, value, purpose) in
        [("--interpolation", "drive=held", "interpolate between"), ("--smooth", "drive=8[Hz]", "smooth")]
    {
        let at_rest = costate(folder.path(), &["run", "oil.model", "--until", "2", "--step", "0.01", option, value]);
        let said = format!("the input `drive` is no channel of a record, and has no samples to {purpose}; leave");
        at_rest.refuses(1, &format!("{said} `{option}` out"));
    }
    let unknown = costate(folder.path(), &[&RUN[..], &["--interpolation", "dirve=held"]].concat());
    assert!(unknown.stderr.contains("drive"), "{}", unknown.stderr);
}

/// A measured motion becomes one spline: its value, velocity and acceleration, compared with the exact ones, and what
/// was taken off.
#[test]
fn a_measured_motion_is_smoothed_with_its_derivatives() {
    let folder = tempfile::tempdir().unwrap();
    let (w, mut state) = (4.0 * PI, 3u64);
    let mut text = "time [s],angle [deg]\n".to_owned();
    for i in 0..=2000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = 0.05 * ((state >> 33) as f64 / 2f64.powi(30) - 1.0);
        let time = 1e-3 * f64::from(i);
        writeln!(text, "{time},{}", 10.0 * (w * time).sin() + noise).unwrap();
    }
    fs::write(folder.path().join("rig.csv"), text).unwrap();
    for limit in ["angle=10[Hz]", "angle=0.05", "angle=50[ms]"] {
        let found = json(folder.path(), &["convert", "rig.csv", "motion.csv", "--smooth", limit]);
        let of = &found["smoothed"][0];
        assert_eq!((&of["channel"], &of["unit"]), (&"angle".into(), &"deg".into()));
        assert!((number(&of["knots"]) - 0.05).abs() < 1e-12, "{of}");
        assert!((number(&of["taken_off"]) - 0.05 / 3f64.sqrt()).abs() < 2e-3, "{of}");
    }
    let said = costate(folder.path(), "convert rig.csv motion.csv --smooth angle=10[Hz]");
    assert!(said.stdout.contains("deg (root mean square) smoothed away"), "{}", said.stdout);
    let motion = fs::read_to_string(folder.path().join("motion.csv")).unwrap();
    assert!(motion.lines().next().unwrap().contains("d2 angle/dt2"), "{motion:.200}");
    for line in motion.lines().skip(400).take(1200) {
        let numbers: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let &[time, angle, speed, acceleration] = &numbers[..] else { panic!("{line}") };
        let (sine, cosine) = (w * time).sin_cos();
        assert!((angle - 10.0 * sine).abs() < 0.03 && (speed - 10.0 * w * cosine).abs() < 2.0, "{line}");
        assert!((acceleration + 10.0 * w * w * sine).abs() < 120.0, "{line}");
    }
    let wrong = costate(folder.path(), "convert rig.csv motion.csv --smooth angle=8[N]");
    assert!(!wrong.success && wrong.stderr.contains("angle"), "{}", wrong.stderr);
}

/// A force of 1 Hz with noise of 5 N is followed with a fifth of the noise, also by a fit.
#[test]
fn an_input_is_smoothed() {
    let folder = driven();
    let mut state = 11u64;
    let mut noisy = "time [s],drive [N]\n".to_owned();
    for i in -20..=600 {
        let time = 0.01 * f64::from(i);
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = 5.0 * ((state >> 33) as f64 / 2f64.powi(30) - 1.0);
        writeln!(noisy, "{time},{}", 10.0 * (2.0 * PI * time).sin() + noise).unwrap();
    }
    fs::write(folder.path().join("noisy.csv"), noisy).unwrap();
    let run = "run oil.model --until 2 --step 0.01 -i drive=noisy.csv";
    let largest = |more: &str| {
        let said = costate(folder.path(), &format!("{run} {more} --json"));
        number(&said.json()["outputs"][1]["largest"])
    };
    assert!((largest("") - 10.0).abs() > 2.0);
    assert!((largest("--smooth drive=3[Hz]") - 10.0).abs() < 1.0);
    costate(folder.path(), &format!("{run} --smooth drive=3[N]")).refuses(2, "drive");
    let constant = "run oil.model --until 2 --step 0.01 -i drive=1 --smooth drive=3[Hz]";
    costate(folder.path(), constant).refuses(1, "has no samples to smooth; leave `--smooth` out");
    let fit = "fit oil.model --record bench.csv --unknown m,d -i drive=noisy.csv --smooth drive=3[Hz] --json";
    let by_option = costate(folder.path(), fit).json();
    let campaign = "[model]\nfile = \"oil.model\"\n[inputs.drive]\nrecord = \"noisy.csv\"\nsmooth = \"3[Hz]\"\n\
        [[experiment]]\nrecord = \"bench.csv\"\n[unknowns.m]\n[unknowns.d]\n";
    fs::write(folder.path().join("oil.toml"), campaign).unwrap();
    let by_campaign = costate(folder.path(), "fit oil.toml --json").json();
    for (name, truth) in [("m", 1.0), ("d", 2.0)] {
        assert!((of(&by_option, name, "found") / truth - 1.0).abs() < 0.1, "{by_option}");
        assert_eq!(of(&by_option, name, "found"), of(&by_campaign, name, "found"));
    }
}

/// The value of a fit for a parameter.
fn of(fit: &Value, name: &str, field: &str) -> f64 {
    let parameters = fit["fit"]["parameters"].as_array().unwrap();
    number(&parameters.iter().find(|one| one["name"] == name).unwrap()[field])
}

/// The truth is 1 kg and 2 N*s/m, and the shift to the other interpolation is that of a fit with it.
#[test]
fn a_fit_says_what_another_interpolation_would_find() {
    let folder = driven();
    let fit = |more: &[&str]| {
        let source = ["fit", "oil.model", "--record", "bench.csv", "--unknown", "m,d", "-i", "drive=drive.csv:force"];
        let said = costate(folder.path(), &[&source[..], more, &["--json"]].concat());
        assert!(!said.stdout.is_empty(), "{}", said.stderr);
        said.json()
    };
    let (straight, cubic) = (fit(&[]), fit(&["--interpolation", "drive=cubic"]));
    let text = |fit: &Value| fit.to_string();
    assert!(
        text(&straight).contains("`drive` is taken as straight between samples, and a cubic spline would shift"),
        "{straight}"
    );
    assert!(!text(&cubic).contains("taken as straight"), "{cubic}");
    assert!(!text(&fit(&["--interpolation", "drive=straight"])).contains("taken as straight"));
    for (name, truth) in [("m", 1.0), ("d", 2.0)] {
        let [by_lines, by_spline] = [&straight, &cubic].map(|fit| of(fit, name, "found"));
        let deviation = of(&cubic, name, "standard_deviation");
        assert!((by_spline - truth).abs() < 4.0 * deviation, "{name}: {by_spline} {deviation}");
        let moved = by_spline - by_lines;
        assert!(moved.abs() > 3.0 * of(&straight, name, "standard_deviation"), "{name}: {moved}");
        assert!((of(&straight, name, "input_shift") - moved).abs() < 0.1 * moved.abs(), "{name}: {moved} {straight}");
        assert!((of(&cubic, name, "input_shift") + moved).abs() < 0.1 * moved.abs(), "{name}: {moved} {cubic}");
    }
}

/// A delay that is 0 changes nothing, whatever the input is between its samples; an unknown one is found.
#[test]
fn a_delay_keeps_the_interpolation() {
    let folder = driven();
    let fit = |input: &str| {
        let campaign = format!(
            "[model]\nfile = \"oil.model\"\n[inputs.drive]\nrecord = \"drive.csv\"\nchannel = \"force\"\n{input}
            [[experiment]]\nrecord = \"bench.csv\"\n[unknowns.m]\n[unknowns.d]\n"
        );
        fs::write(folder.path().join("oil.toml"), campaign).unwrap();
        costate(folder.path(), "fit oil.toml --json")
    };
    let found = |input: &str| {
        let said = fit(input);
        assert!(!said.stdout.is_empty(), "{}", said.stderr);
        let json = said.json();
        ["m", "d"].map(|name| of(&json, name, "found"))
    };
    for kind in ["straight", "cubic", "held"] {
        let kind = format!("interpolation = \"{kind}\"");
        assert_eq!(found(&kind), found(&format!("{kind}\ndelay = 0.0")), "{kind}");
    }
    assert_eq!(found(""), found("delay = 0.0"));
    assert_eq!(found(""), found("interpolation = \"straight\""));
    let unknown = "delay = { start = 0.03, bounds = [-0.1, 0.1] }";
    let said = fit(&format!("interpolation = \"held\"\n{unknown}"));
    let text = |said: &Said| format!("{}{}", said.stdout, said.stderr);
    assert!(text(&said).contains("no derivative by it"), "{}", text(&said));
    let [m, d] = found(&format!("interpolation = \"cubic\"\n{unknown}"));
    assert!((m - 1.0).abs() < 0.02 && (d - 2.0).abs() < 0.1, "{m} {d}");
    let wrong = fit("interpolation = \"spline\"");
    assert!(text(&wrong).contains("`spline` cannot stand here"), "{}", text(&wrong));
}

/// A bar that a table of the angle turns: its torque at rest, 0.5 (1 - cos(6 t)) rad.
#[test]
fn a_table_that_prescribes_a_motion_ends_with_a_word() {
    let run = |word: &str, from: f64, until: &str| {
        let folder = tempfile::tempdir().unwrap();
        let model = format!(
            "Bar {{ parameters {{ m: kg = 1, l: m = 0.5 }} tables {{ path({word} time: ms): rad = \"path.csv\" }}
            bodies {{ a: planar {{ mass: m, inertia: m*l^2/12 }} }}
            joints {{ p: revolute(ground, a.at(-l/2, 0)), dv: drive(p, angle = path(t)) }}
            initial {{ a.x ~ 0.25[m] }} outputs {{ torque: N*m = dv.torque }} }}"
        );
        fs::write(folder.path().join("bar.model"), model).unwrap();
        let row = |i: u32| from + 0.01 * f64::from(i);
        let rows: String =
            (0..=200).map(|i| format!("{},{}\n", 1e3 * row(i), 0.5 * (1.0 - (6.0 * row(i)).cos()))).collect();
        fs::write(folder.path().join("path.csv"), format!("time [ms],angle [rad]\n{rows}")).unwrap();
        let said = costate(folder.path(), &format!("run bar.model --step 1e-3 --until {until} -o out.csv"));
        (said, costate(folder.path(), "fit bar.model --record out.csv --unknown m -p m=1.3"))
    };
    let begin = "the table `path`, by which the constraint `dv.drive` prescribes a motion, ";
    let (inside, fit) = run("", -0.05, "1.85");
    assert!(inside.success && !inside.stdout.contains(begin), "{}{}", inside.stdout, inside.stderr);
    assert!(fit.stdout.contains("found") && !fit.stdout.contains(begin), "{}{}", fit.stdout, fit.stderr);
    for (word, from, until, words) in [
        ("", -0.05, "1.95", "bends to a constant (`clamped`) at its end, from `time` = 1890"),
        ("linear", -0.05, "1.95", "bends to a straight line (`linear`) at its end, from `time` = 1930"),
        ("", -0.05, "2", "ends before the run does and bends to a constant (`clamped`)"),
        ("", 0.0, "1.9", "bends from a constant (`clamped`) at its begin, from `time` = 0 to 30 ms"),
    ] {
        let (run, fit) = run(word, from, until);
        for said in [run, fit] {
            let has_words = said.stdout.contains(&format!("{begin}{words}"));
            assert!(said.code == Some(3) && has_words, "{until}: {}{}", said.stdout, said.stderr);
        }
    }
}
