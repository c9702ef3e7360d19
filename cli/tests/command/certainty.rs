//! Tests of what a fit says of its unknowns: deviations that are not known, where a run begins, directions that are not
//! determined, unknowns of experiments that validate.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Said, costate};

/// Two masses in a row between walls.
const ROW: &str = "Row {
    parameters { m: kg = 2, c_1: N/m = 700, c_2: N/m = 600, d: N*s/m = 4 }
    coordinates { x: m, y: m }
    mass { x: m, y: m }
    forces { x: -c_1*x - d*dot(x) + c_2*(y - x), y: c_2*(x - y) }
    outputs { end: m = y }
}";

/// A mass on a spring in two parts; the sensor adds an offset.
const FREE: &str = "Free {
    parameters { m: kg = 2, c_1: N/m = 100, c_2: N/m = 700, d: N*s/m = 3, start: m = 0.1, offset: m = 0, weight: 1 = 1 }
    coordinates { x: m }
    mass { x: m }
    forces { x: -(c_1 + c_2)*x - d*dot(x) }
    initial { x = start, dot(x) = 0[m/s] }
    outputs { position: m = weight*x + offset }
}";

/// Normal numbers.
fn normal(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut even = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 + 0.5) / 2f64.powi(31)
    };
    move || (-2.0 * even().ln()).sqrt() * (std::f64::consts::TAU * even()).cos()
}

/// The position of [`FREE`], by the closed form of a damped oscillation from rest.
fn position(start: f64, t: f64) -> f64 {
    let (decay, stiffness): (f64, f64) = (3.0 / 4.0, 800.0 / 2.0);
    let w = (stiffness - decay * decay).sqrt();
    start * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin())
}

/// Writes a record of the position with errors of `deviation`, at times that count from `first`.
fn write_record(path: &Path, (start, first): (f64, f64), deviation: f64, seed: u64) {
    let mut noise = normal(seed);
    let mut text = "time [s],position [m]\n".to_owned();
    for k in 0..=400 {
        let t = 5e-3 * f64::from(k);
        writeln!(text, "{:.6},{:.12e}", first + t, position(start, t) + deviation * noise()).unwrap();
    }
    fs::write(path, text).unwrap();
}

fn folder(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.model"), model).unwrap();
    folder
}

fn parameter<'a>(fit: &'a Value, name: &str) -> &'a Value {
    let all = fit["fit"]["parameters"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap()
}

/// Frequencies in Hz and damping ratios of [`ROW`] with c_1 = 800, c_2 = 500, d = 3, as numpy has them.
const FREQUENCIES: [f64; 2] = [1.814040989952, 4.415635000928];
const RATIOS: [f64; 2] = [0.012349920138, 0.021959003845];

fn fit_of_modes(folder: &Path, unknowns: &[&str], ratios: bool, seed: u64) -> Said {
    let mut noise = normal(seed);
    let known = [("c_1", 800.0), ("c_2", 500.0), ("d", 3.0)];
    let mut text = "[model]\nfile = \"a.model\"\n[parameters]\n".to_owned();
    for (name, value) in known.iter().filter(|(name, _)| !unknowns.contains(name)) {
        writeln!(text, "{name} = {value:.1}").unwrap();
    }
    for name in unknowns {
        writeln!(text, "[unknowns.{name}]").unwrap();
    }
    let frequencies = FREQUENCIES.map(|f| f + 0.005 * noise());
    writeln!(text, "[[experiment]]\nname = \"taps\"\n[[experiment.modes]]\nfrequencies = {frequencies:?}").unwrap();
    if ratios {
        writeln!(text, "ratios = {:?}", RATIOS.map(|ratio| ratio * (1.0 + 0.03 * noise()))).unwrap();
    }
    fs::write(folder.join("c.toml"), text).unwrap();
    costate(folder, "--json fit c.toml")
}

#[test]
fn deviations_of_unknowns_that_meet_all_numbers_are_not_known() {
    let folder = folder(ROW);
    for seed in 0..20 {
        for (unknowns, ratios) in [(&["c_1", "c_2"][..], false), (&["c_1", "c_2", "d"], true)] {
            let said = fit_of_modes(folder.path(), unknowns, ratios, seed);
            assert_eq!(said.code, Some(3), "{}", said.stderr);
            let fit = said.json();
            for name in unknowns {
                let unknown = parameter(&fit, name);
                assert!(unknown["standard_deviation"].is_null(), "{unknown}");
                assert!(unknown["found"].as_f64().unwrap() > 0.0);
            }
            let doubts = fit["doubts"].to_string();
            assert!(doubts.contains("are not known") && doubts.contains("natural frequencies"), "{doubts}");
        }
    }
    let text = costate(folder.path(), "fit c.toml").stdout;
    assert!(text.contains("not known") && !text.contains(" inf"), "{text}");
    // what depends on the deviations is refused
    let said = costate(folder.path(), "profiles c.toml");
    said.refuses(1, "which are not known");
    assert!(!folder.path().join("c.toml.state").exists());
    // one number more than unknowns: the only deviation follows from one degree of freedom
    let fit = fit_of_modes(folder.path(), &["c_1"], false, 1).json();
    assert!(parameter(&fit, "c_1")["standard_deviation"].as_f64().is_some_and(|found| found > 0.0), "{fit}");
}

/// Fits stiffness and damping to a record of the free oscillation.
fn fit_free(folder: &Path, more: &[&str]) -> Said {
    let all = ["--json", "fit", "a.model", "--record", "r.csv", "--unknown", "c_2,d", "--step", "0.0025"];
    costate(folder, &[&all[..], more].concat())
}

#[test]
fn a_free_run_begins_with_its_record() {
    let folder = folder(FREE);
    for seed in 0..20 {
        write_record(&folder.path().join("r.csv"), (0.1, 2.667), 1e-4, seed);
        let fit = fit_free(folder.path(), &["--parameter", "c_2=650"]).json();
        let found = parameter(&fit, "c_2");
        let (value, deviation) = (found["found"].as_f64().unwrap(), found["standard_deviation"].as_f64().unwrap());
        assert!((value - 700.0).abs() < 5.0 * deviation + 0.5, "{value} {deviation}");
        assert_eq!(fit["fit"]["measurements"][0]["beginning"], 2.667);
    }
    // a given end says that times are those of the record
    let said = fit_free(folder.path(), &["--until", "4.6"]);
    let fit = said.json();
    assert_eq!((said.code, &fit["fit"]["measurements"][0]["late"]), (Some(3), &Value::from(2.667)));
    assert!(fit["doubts"].to_string().contains("2.667 s later"), "{}", fit["doubts"]);
    // a clock that counts its first sample as 1 is not late
    write_record(&folder.path().join("r.csv"), (0.1, 5e-3), 1e-4, 0);
    let fit = fit_free(folder.path(), &[]).json();
    assert!(fit["fit"]["measurements"][0].get("beginning").is_none(), "{fit}");
}

#[test]
fn comparisons_and_filters_begin_with_the_record() {
    let folder = folder(FREE);
    write_record(&folder.path().join("r.csv"), (0.1, 2.667), 1e-4, 0);
    let compare = |more: &[&str]| {
        let all = ["compare", "a.model", "--record", "r.csv", "--step", "0.0025"];
        costate(folder.path(), &[&all[..], more].concat())
    };
    let said = compare(&[]);
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("0 s of the run is 2.667 s of the record"), "{}", said.stdout);
    let explained = said.stdout.lines().find(|line| line.trim_start().starts_with("position")).unwrap();
    assert!(explained.contains("99."), "{explained}");
    let said = compare(&["--until", "4.6"]);
    said.prints(3, &["begins 2.667 s after"]);
    let filter = ["filter", "a.model", "--record", "r.csv", "--follow", "d", "--noise", "position=0.0001"];
    let said = costate(folder.path(), &filter);
    assert!(said.stdout.contains("0 s of the run is 2.667 s of the record"), "{}{}", said.stdout, said.stderr);
}

/// An input that begins before the run has moved the model already.
#[test]
fn samples_of_an_input_before_the_run_are_counted() {
    let folder =
        folder("Pushed { coordinates { x: m } inputs { push: N } mass { x: 1[kg] } forces { x: push - 4[N/m]*x } }");
    let rows: String = (0..=300).map(|k| format!("{},1\n", 0.01 * f64::from(k) - 1.0)).collect();
    fs::write(folder.path().join("push.csv"), format!("time [s],push [N]\n{rows}")).unwrap();
    let said = costate(folder.path(), "run a.model --step 0.01 --until 1 -i push=push.csv:push");
    assert!(
        said.stderr.contains("`push.csv`: 100 samples before 0 s, where the run begins, are left out"),
        "{}",
        said.stderr
    );
}

/// Three samples and three unknowns leave nothing for the errors.
#[test]
fn as_many_samples_as_unknowns_have_no_deviations() {
    let folder = folder(FREE);
    fs::write(folder.path().join("r.csv"), "time [s],position [m]\n0,0.1\n0.1,0.0009\n0.2,-0.0705\n").unwrap();
    let said = costate(folder.path(), "fit a.model --record r.csv --step 0.0025 --unknown c_2,d,start");
    said.prints(3, &["not known", "do not leave enough numbers beside the unknowns"]);
    assert!(!said.stdout.contains("inf"), "{}", said.stdout);
}

#[test]
fn directions_are_changes_in_the_units_of_the_unknowns() {
    let folder = folder(FREE);
    write_record(&folder.path().join("r.csv"), (0.1, 0.0), 1e-4, 3);
    let fit = |starts: &[&str]| {
        let all = ["--json", "fit", "a.model", "--record", "r.csv", "--step", "0.0025", "--unknown"];
        let starts = starts.iter().flat_map(|start| ["--parameter", *start]);
        let more = ["c_1,c_2,d"].into_iter().chain(starts).collect::<Vec<_>>();
        costate(folder.path(), &[&all[..], &more].concat())
    };
    // the sum of both stiffnesses acts alone: the direction is (1, -1) whatever the starts are
    for starts in [["c_1=100", "c_2=900"], ["c_1=800", "c_2=80"], ["c_1=10", "c_2=700"]] {
        let said = fit(&starts);
        assert_eq!(said.code, Some(3));
        let fit = said.json();
        let directions = ["undetermined", "flat"].map(|name| fit["fit"][name].as_array().unwrap().clone());
        assert!(!directions[0].is_empty(), "{starts:?} {fit}");
        for direction in directions.iter().flatten() {
            let [a, b, d] = [0, 1, 2].map(|k| direction[k].as_f64().unwrap());
            assert!((a + b).abs() < 1e-6 && a.abs() > 0.99 && d.abs() < 1e-6, "{starts:?} {direction}");
        }
    }
    let all = ["fit", "a.model", "--record", "r.csv", "--step", "0.0025", "--unknown", "c_1,c_2,d"];
    let text = costate(folder.path(), &all).stdout;
    assert!(
        text.contains("c_1 changes by +1.000 N/m with c_2 by -1.000 N/m")
            || text.contains("c_1 changes by -1.000 N/m with c_2 by +1.000 N/m"),
        "{text}"
    );
}

#[test]
fn an_unknown_of_a_validating_experiment_is_found_there() {
    let folder = folder(FREE);
    let starts = [("one", 0.1), ("two", 0.12), ("check", 0.083)];
    for seed in 0..20 {
        let mut text = "[model]\nfile = \"a.model\"\n[run]\nstep = 0.0025\n[parameters]\nc_2 = \
             650\n[unknowns.c_2]\n[unknowns.d]\n[unknowns.start]\nof = \"experiment\"\n"
            .to_owned();
        for (k, (name, start)) in starts.iter().enumerate() {
            write_record(&folder.path().join(format!("{name}.csv")), (*start, 0.0), 1e-4, 10 * seed + k as u64);
            writeln!(text, "[[experiment]]\nrecord = \"{name}.csv\"\nparameters = {{ start = 0.1 }}").unwrap();
            if *name == "check" {
                writeln!(text, "validation = true").unwrap();
            }
        }
        fs::write(folder.path().join("c.toml"), text).unwrap();
        let said = costate(folder.path(), "--json fit c.toml");
        let fit = said.json();
        let validation = &fit["fit"]["validation"][0];
        let own = &validation["own"][0];
        assert_eq!(own["name"], "start [check]");
        let (found, deviation) = (own["found"].as_f64().unwrap(), own["standard_deviation"].as_f64().unwrap());
        assert!((found - 0.083).abs() < 5.0 * deviation + 1e-4, "{found} {deviation}");
        let left = validation["measurements"][0]["standard_deviation"].as_f64().unwrap();
        assert!((0.8e-4..1.5e-4).contains(&left), "{left}");
    }
    let text = costate(folder.path(), "fit c.toml").stdout;
    assert!(text.contains("validation: start [check] is found there, with all others held: 0.08"), "{text}");
}

/// Sensors with an offset and a delay of their own in every experiment, in steps of 0.1 mm and 2 ms.
#[test]
fn corrections_of_a_validating_experiment_are_found_there() {
    let folder = folder(FREE);
    for seed in 0..5 {
        let mut text = "[model]\nfile = \"a.model\"\n[run]\nstep = 0.0025\n[unknowns.c_2]\n[unknowns.d]\n\
             [measured.position]\noffset = { start = 0 }\ndelay = { start = 0, bounds = [-0.02, 0.02] }\n"
            .to_owned();
        for (k, name) in ["one", "two", "check"].into_iter().enumerate() {
            let (mut noise, mut record) = (normal(10 * seed + k as u64), "time [s],position [m]\n".to_owned());
            let (offset, delay) = (1e-4 * (k + 1) as f64, 2e-3 * (k + 1) as f64);
            for row in 0..=400 {
                let t = 5e-3 * f64::from(row);
                let x = if t < delay { f64::NAN } else { position(0.1, t - delay) + offset + 1e-5 * noise() };
                writeln!(record, "{t:.6},{x:.12e}").unwrap();
            }
            fs::write(folder.path().join(format!("{name}.csv")), record).unwrap();
            let validates = if name == "check" { "validation = true\n" } else { "" };
            writeln!(text, "[[experiment]]\nrecord = \"{name}.csv\"\n{validates}").unwrap();
        }
        fs::write(folder.path().join("c.toml"), &text).unwrap();
        let fit = costate(folder.path(), "--json fit c.toml").json();
        let validation = &fit["fit"]["validation"][0];
        for (own, (name, truth)) in
            [("offset of position [check]", 3e-4), ("delay of position [check]", 6e-3)].into_iter().enumerate()
        {
            let own = &validation["own"][own];
            assert_eq!(own["name"], name);
            let (found, deviation) = (own["found"].as_f64().unwrap(), own["standard_deviation"].as_f64().unwrap());
            assert!((found - truth).abs() < 5.0 * deviation + 1e-2 * truth, "{name}: {found} {deviation}");
        }
        let left = validation["measurements"][0]["standard_deviation"].as_f64().unwrap();
        assert!((0.8e-5..1.5e-5).contains(&left), "{left}");
    }
}
