//! `costate records` and `costate convert`.

use std::fs;

use serde_json::Value;

use super::support::costate;

const TABLE: &str =
    "time [s],acc [m/s^2],force [N]\n0,1,5\n0.1,2,5\n0.2,3,5\n0.3,-1,\n0.4,3,2\n0.5,3,2\n0.6,3,2\n";

#[test]
fn channels_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), TABLE).unwrap();
    let said = costate(folder.path(), &["records", "a.csv"]);
    assert!(said.success, "{}", said.stderr);
    for part in [
        "a.csv: CSV\n",
        "7 values from 0 to 0.6 s, 10 Hz, every 0.1 s",
        "channel  unit    rate  least  largest  missing  gaps  clipped\n",
        "UTF-8, cells between commas, decimal points, names in line 1, units in brackets\n",
        "acc      m/s^2  10 Hz     -1        3        -     -        -\n",
        "force    N      10 Hz      2        5        1     1        -\n",
        "\nacc\n",
    ] {
        assert!(said.stdout.contains(part), "{part} in {}", said.stdout);
    }
    let said = costate(folder.path(), &["records", "a.csv", "--channels", "f*", "--no-plots", "--json"]);
    let json: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(json["records"][0]["channels"].as_array().unwrap().len(), 1);
    assert_eq!(json["records"][0]["channels"][0]["missing"], 1);
    let said = costate(folder.path(), &["records", "a.csv", "--channels", "x*"]);
    assert!(
        !said.success && said.stderr.contains("no channel `x*`; it has `acc`, `force`"),
        "{}",
        said.stderr
    );
}

#[test]
fn channels_are_converted_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), TABLE).unwrap();
    let convert = |arguments: &[&str]| {
        let said = costate(folder.path(), &[&["convert"], arguments].concat());
        (said.success, said.stdout + &said.stderr)
    };
    assert_eq!(convert(&["a.csv", "b.uff"]), (true, "b.uff: 2 channels of 7 values\n".to_owned()));
    assert_eq!(
        convert(&["b.uff", "c.csv", "--channels", "acc"]),
        (true, "c.csv: 1 channel of 7 values\n".to_owned())
    );
    let again = fs::read_to_string(folder.path().join("c.csv")).unwrap();
    assert!(again.starts_with("time [s],acc [m/s^2]\n0.0,1.0\n0.1,2.0\n"), "{again}");
    let (success, said) = convert(&["a.csv", "b.xyz"]);
    assert!(!success && said.contains("end it with `.csv`, `.uff`, `.unv` or `.parquet`"), "{said}");
    // a device's rate that stands in a variable
    let mut mat = Vec::new();
    for (name, values) in [("data", [1.0_f64, 2.0].as_slice()), ("ActualRate", [100.0].as_slice())] {
        [0, values.len() as u32, 1, 0, name.len() as u32 + 1]
            .iter()
            .for_each(|word| mat.extend(word.to_le_bytes()));
        mat.extend(name.bytes().chain([0]));
        values.iter().for_each(|value| mat.extend(value.to_le_bytes()));
    }
    fs::write(folder.path().join("a.mat"), mat).unwrap();
    let said = costate(folder.path(), &["records", "a.mat"]);
    assert!(
        said.success && said.stdout.contains("give `--rate`, `--rate-of` or `--time`"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert!(convert(&["a.mat", "d.csv", "--rate-of", "ActualRate"]).0);
    assert_eq!(
        fs::read_to_string(folder.path().join("d.csv")).unwrap(),
        "time [s],data\n0.0,1.0\n0.01,2.0\n"
    );
}
