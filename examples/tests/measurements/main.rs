//! Checks that programs read back the measurements that they write, with the same results to the last digit, and
//! that they report files that they cannot read.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod influences;
mod plate;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs an example that cargo has built with this test.
fn run(folder: &Path, example: &str, arguments: &[&str]) -> Output {
    let here = std::env::current_exe().unwrap();
    let program = here.ancestors().nth(2).unwrap().join("examples").join(example);
    let mut command = Command::new(&program);
    command.current_dir(folder).args(arguments).args(["--quiet", "--no-figures", "--output", "out"]);
    match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{}: {error}; run `cargo test -p costate-examples`", program.display()),
    }
}

/// Runs an example, and reads the results that it has written.
fn found(folder: &Path, example: &str, arguments: &[&str]) -> Value {
    let output = run(folder, example, &[arguments, &["--json", "found.json"]].concat());
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&fs::read(folder.join("found.json")).unwrap()).unwrap()
}

/// Returns the message of an example that fails.
fn mistake(folder: &Path, example: &str, arguments: &[&str]) -> String {
    let output = run(folder, example, arguments);
    assert!(!output.status.success(), "{example} {arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn orders_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let short = ["--pressure", "formula", "--max-iterations", "1"];
    let of = |arguments: &[&str]| found(folder.path(), "engine_tvd", &[&short, arguments].concat());
    let virtually = of(&["--noise", "0.01", "--write-orders", "orders/measured.csv"]);
    let text = fs::read_to_string(folder.path().join("orders/measured.csv")).unwrap();
    assert!(text.starts_with("speed [rpm],order 2 [rad],order 4 [rad],order 6 [rad],order 8 [rad]\n"), "{text}");
    let read = of(&["--orders", "orders/measured.csv"]);
    for part in [&virtually, &read] {
        assert!(part["parameters"]["cs[1]"]["found"].is_f64() && part["cost"]["end"].is_f64(), "{part}");
    }
    assert_eq!(virtually["cost"], read["cost"]);
    for (name, parameter) in virtually["parameters"].as_object().unwrap() {
        assert_eq!(parameter["found"], read["parameters"][name]["found"], "{name}");
        assert_eq!(parameter["std"], read["parameters"][name]["std"], "{name}");
        // The true parameters of a measurement from a file are not known.
        assert!(parameter["true"].is_f64() && read["parameters"][name]["true"].is_null());
    }
    // A measurement of another bench: real and imaginary parts in other units, from the highest speed down, of one
    // order.
    let mut parts = "# run-down\norder 6 real [mrad];speed [rev/s];order 6 imaginary [mrad]\n".to_owned();
    for line in text.lines().skip(1).collect::<Vec<_>>().into_iter().rev() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let (speed, amplitude) = (cells[0] / 60.0, 1e3 * cells[3]);
        parts += &format!("{};{speed};{}\n", 0.6 * amplitude, -0.8 * amplitude);
    }
    fs::write(folder.path().join("parts.csv"), parts).unwrap();
    let read = of(&["--orders", "parts.csv"]);
    for (name, parameter) in virtually["parameters"].as_object().unwrap() {
        let [virtually, read] = [parameter, &read["parameters"][name]].map(|one| one["found"].as_f64().unwrap());
        assert!((read / virtually - 1.0).abs() < 1e-6, "{name}: {read} {virtually}");
    }
}

#[test]
fn wrong_orders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        fs::write(folder.path().join("orders.csv"), text).unwrap();
        mistake(folder.path(), "engine_tvd", &["--pressure", "formula", "--orders", "orders.csv"])
    };
    for (text, message) in [
        (
            "speed [rpm],order 2 [rad]\n3000,1e-3\n",
            "`orders.csv` has no column `order 6`, which is fitted; write its amplitudes as `order 6 [mrad]`",
        ),
        ("order 6 [rad]\n1e-3\n", "no column `speed`; write one with the heading `speed [rpm]`"),
        (
            "speed [rpm],order 6\n1,1\n",
            "column `order 6`: the unit is missing; write it in the heading, as in `order 6 [mrad]`",
        ),
        ("speed [rpm],order 6 [m]\n3000,1e-3\n", "`orders.csv`: `order 6` is in `m`, the twist in `rad`"),
        ("speed [s],order 6 [rad]\n3000,1e-3\n", "`orders.csv`: `speed` is in `s`, the speed in `rpm`"),
        ("speed [rpm],order 6 real [rad]\n3000,1e-3\n", "write a column `order 6 imaginary [mrad]` too"),
        ("speed [rpm],order 6 [rad]\n3000,1e-3\n3400,1e-3\n", "`order 6`: write amplitudes at speeds around 3200 rpm"),
        ("speed [rpm],order 6 [rad]\n3000,1e-3\n3000,1e-3\n", "the speed 3000 rpm is there twice"),
        ("speed [rpm],order 6 [rad]\n3000,-1e-3\n", "the amplitude at 3000 rpm is negative"),
        ("speed [rpm],order 6 [rad]\n3000,high\n", "high"),
    ] {
        let said = file(text);
        assert!(said.contains(message), "{text}: {said}");
    }
    let missing = mistake(folder.path(), "engine_tvd", &["--orders", "nowhere.csv"]);
    assert!(missing.contains("cannot read `nowhere.csv`"), "{missing}");
    let both = mistake(folder.path(), "engine_tvd", &["--orders", "orders.csv", "--noise", "0.1"]);
    assert!(both.contains("cannot be used with"), "{both}");
}

/// Checks that identification from the records that an example has written gives the same results.
fn read_back(example: &str, records: &[&str], identified: &[&str]) {
    read_back_with(example, &[], records, identified);
}

/// Checks the same with further arguments.
fn read_back_with(example: &str, settings: &[&str], records: &[&str], identified: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let virtually = found(folder.path(), example, &[settings, &["--write-records", "records"]].concat());
    let files: Vec<String> = records.iter().map(|record| format!("records/{record}.csv")).collect();
    let arguments: Vec<&str> = files.iter().flat_map(|file| ["--record", file]).collect();
    let read = found(folder.path(), example, &[settings, &arguments].concat());
    let studies = |result: &Value| result.as_array().cloned().unwrap_or_else(|| vec![result.clone()]);
    let (virtually, read) = (studies(&virtually), studies(&read));
    assert!(!virtually.is_empty() && virtually.len() == read.len());
    for (virtually, read) in virtually.iter().zip(&read) {
        for part in identified {
            assert!(!virtually[part].is_null(), "{example}: {part}");
            assert_eq!(virtually[part], read[part], "{example}: {part}");
        }
    }
}

const OF_ONE_SPRING: [&str; 4] = ["elastic", "dissipative", "measurement_error", "good_samples"];

#[test]
fn records_of_an_additive_force() {
    read_back("restoring_force_additive", &["additive"], &OF_ONE_SPRING);
}

#[test]
fn records_of_backlash() {
    read_back("restoring_force_backlash", &["backlash"], &OF_ONE_SPRING);
}

#[test]
fn records_of_friction() {
    read_back("restoring_force_friction", &["friction"], &OF_ONE_SPRING);
}

#[test]
fn records_of_a_van_der_pol_oscillator() {
    read_back("van_der_pol", &["van_der_pol_free", "van_der_pol_forced"], &OF_ONE_SPRING);
}

#[test]
fn records_of_the_plate() {
    let records = ["plate", "plate_low_excitation", "plate_steady"];
    let identified = ["elastic", "dissipative", "modes", "inverse_inertia"];
    read_back_with("plate", &["--iterations", "2"], &records, &identified);
}

#[test]
fn records_of_flywheels() {
    let forces = ["deformations", "rates", "forces", "initial_state", "extra_damping"];
    read_back("dual_mass_flywheel", &["secondary_flywheel"], &forces);
    read_back("primary_flywheel", &["primary_flywheel"], &["elastic", "dissipative", "inverse_inertia"]);
}

#[test]
fn wrong_records_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        fs::write(folder.path().join("record.csv"), text).unwrap();
        mistake(folder.path(), "restoring_force_additive", &["--record", "record.csv"])
    };
    for (text, message) in [
        (
            "time [s],base [m/s^2]\n0,1\n1,1\n",
            "no column `acceleration`; write one with the heading `acceleration [m/s^2]`",
        ),
        ("time [s],acceleration [g]\n0,1\n1,1\n", "no column `base`; write one with the heading `base [m/s^2]`"),
        (
            "time [s],base [m/s^2],acceleration\n0,1,1\n1,1,1\n",
            "column `acceleration`: the unit is missing; write it in the heading, as in `acceleration [m/s^2]`",
        ),
        (
            "time [s],base [m],acceleration [g]\n0,1,1\n1,1,1\n",
            "`base` is in `m`, the acceleration of the base in `m/s^2`",
        ),
        ("time [s],base [g],acceleration [g]\n0,1,1\n1,,1\n", "column `base`: the sample at 1 s is missing"),
        ("time [s],base [g],acceleration [g]\n0,1,1\n1,1,1\n3,1,1\n", "record.csv`: the times are not equidistant"),
        ("time [s],base [g],acceleration [g]\n0,1,one\n", "one"),
    ] {
        let said = file(text);
        assert!(said.contains(message), "{text}: {said}");
    }
    let few = mistake(folder.path(), "van_der_pol", &["--record", "record.csv"]);
    let message = "there are 1 records for 2 experiments; give `--record FILE` once for each of them, in the order: \
                   van der Pol, free; van der Pol, forced";
    assert!(few.contains(message), "{few}");
    let missing = mistake(folder.path(), "restoring_force_friction", &["--record", "nowhere.csv"]);
    assert!(missing.contains("nowhere.csv"), "{missing}");
}
