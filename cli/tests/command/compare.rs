//! `costate compare`.

use std::path::Path;

use super::support::{OSCILLATOR, Said, costate, folder_with, position, refused};

/// Writes the known motion with an error of 5 mm at 0.4 s, in m, and a force that is 0.
fn record(folder: &Path) {
    let mut text = "time [s],position [m],push [kN],sensor [mm]\n".to_owned();
    for k in 0..=100 {
        let time = 0.01 * f64::from(k);
        let place = 0.1 * position(time) + if k == 40 { 0.005 } else { 0.0 };
        text += &format!("{time},{place},0,{}\n", 1000.0 * place);
    }
    std::fs::write(folder.join("bench.csv"), text).unwrap();
}

fn compare(folder: &Path, arguments: &str) -> Said {
    costate(folder, &format!("compare model.rs --record bench.csv {arguments}"))
}

#[test]
fn the_largest_difference_is_where_the_record_is_wrong() {
    let folder = folder_with(OSCILLATOR);
    record(folder.path());
    let said = compare(folder.path(), "--step 1e-3 --json");
    assert!(said.success, "{}", said.stderr);
    let found = said.json();
    let position = &found["outputs"][0];
    assert_eq!(
        (&position["output"], &position["unit"], &position["samples"]),
        (&"position".into(), &"mm".into(), &101.into())
    );
    assert!((position["largest"].as_f64().unwrap() + 5.0).abs() < 0.1, "{position}");
    assert_eq!(position["largest_time"], 0.4);
    // 5 mm at one of 101 samples
    assert!((position["rms"].as_f64().unwrap() - 5.0 / 101_f64.sqrt()).abs() < 0.02, "{position}");
    assert!((98.0..99.5).contains(&position["explained_percent"].as_f64().unwrap()), "{position}");
    // the force is a channel of the record, and the velocity is not
    assert_eq!((&found["inputs_at_zero"], found["outputs"].as_array().unwrap().len()), (&serde_json::json!([]), 1));
    assert_eq!(found["end"], 1.0);
    let said = compare(folder.path(), "--step 1e-3 --measured position=sensor --json");
    let other = &said.json()["outputs"][0];
    assert!(
        other["channel"] == "sensor"
            && (other["rms"].as_f64().unwrap() - position["rms"].as_f64().unwrap()).abs() < 1e-9
    );
}

/// Without a step, the record has one; 10 ms are coarse for a period of 0.63 s, and whether they are too coarse is
/// said.
#[test]
fn the_record_gives_step_and_end() {
    let folder = folder_with(OSCILLATOR);
    record(folder.path());
    let said = compare(folder.path(), "-o c.svg -o c.html -o c.json");
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.starts_with("Oscillator: steps of 0.01 s to 1 s, the sampling interval of the record\n"),
        "{}",
        said.stdout
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("c.svg").contains("measured") && read("c.svg").contains("computed"));
    let page = read("c.html");
    assert!(page.contains("<h1>Oscillator: computed and measured</h1>") && page.contains("explained %"));
    assert!(serde_json::from_str::<serde_json::Value>(&read("c.json")).unwrap()["outputs"][0]["rms"].is_number());
}

#[test]
fn mistakes() {
    let folder = folder_with(OSCILLATOR);
    record(folder.path());
    std::fs::write(folder.path().join("other.csv"), "time,load\n0,1\n1,2\n").unwrap();
    std::fs::write(folder.path().join("wrong.csv"), "time,position [kg]\n0,1\n1,2\n").unwrap();
    let cases = [
        ("--measured place", 1, "error: model `Oscillator` has no output `place`"),
        ("--measured position=load", 1, "error: `bench.csv` has no channel `load`; it has position, push, sensor"),
        ("--measured position,position", 1, "error: `position` is named twice in `--measured`; name it once"),
        ("--until 3 --step 0.01", 1, "error: input `push` is sampled from 0 s to 1 s"),
        ("-o c.csv", 1, "error: `c.csv` has an ending that is no format here; write one of `.html`, `.svg`, `.json`"),
    ];
    refused(folder.path(), "compare model.rs --record bench.csv", &cases);
    for (record, message) in [
        (
            "other.csv",
            "error: `other.csv` has no channel with the name of an output; name the columns as the outputs \
                 (`position`, `velocity`)",
        ),
        ("wrong.csv", "error: `wrong.csv`: `position` is in `kg`, the output `position` in `mm`"),
        ("none.csv", "error: cannot access `none.csv`: "),
    ] {
        refused(folder.path(), "compare model.rs --step 0.01 --record", &[(record, 1, message)]);
    }
}
