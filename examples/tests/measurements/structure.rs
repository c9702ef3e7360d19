//! Structures from files: the plate's curves, two masses, and messages for invalid files.

use std::fs;
use std::path::{Path, PathBuf};

use costate::Record;
use costate::restoring_force::SeriesError;
use costate_examples::structure::{Structure, identification};
use serde_json::{Value, json};

use crate::{found, mistake};

/// Returns the plate that the program identifies without files.
fn plate() -> Value {
    serde_json::from_str(include_str!("../../structure/plate.json")).unwrap()
}

fn write(folder: &Path, structure: &Value) {
    fs::write(folder.join("structure.json"), structure.to_string()).unwrap();
}

#[test]
fn the_plate_from_files_is_that_of_its_program() {
    let folder = tempfile::tempdir().unwrap();
    let of_plate = found(folder.path(), "plate", &["--iterations", "1", "--write-records", "records"]);
    write(folder.path(), &plate());
    let files = ["--structure", "structure.json", "--record", "records/plate.csv"];
    let of_files = found(folder.path(), "restoring_force", &files);
    for part in ["elastic", "dissipative"] {
        let points = |value: &Value| -> Vec<Vec<[f64; 2]>> {
            let point = |point: &Value| [0, 1].map(|k| point[k].as_f64().unwrap());
            let curve = |curve: &Value| curve.as_array().unwrap().iter().map(point).collect();
            value[part].as_array().unwrap().iter().map(curve).collect()
        };
        assert_eq!(points(&of_plate), points(&of_files), "{part}");
        assert_eq!(points(&of_files).len(), 3);
    }
    assert_eq!(of_plate["modes"], of_files["modes"]);
    // Its response is that of the compiled model, compared with measurements with 5 % noise in place of the truth.
    let errors =
        |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|error| error.as_f64().unwrap()).collect() };
    let (beside_truth, measured) = (errors(&of_plate["response_errors"]), errors(&of_files["response_percent"]));
    assert_eq!(measured.len(), 3);
    for (truth, found) in beside_truth.iter().zip(measured) {
        assert!((found - truth.hypot(5.0)).abs() < 0.3, "{found} {truth}");
    }
    assert_eq!(of_files["elements"], json!(["spring 1", "spring 2", "spring 3"]));
    // The tables contain the curves of the result, in the form that a model reads.
    let text = fs::read_to_string(folder.path().join("out/elastic_2.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!((lines.next(), lines.next()), (Some("# spring 2"), Some("deformation [m],force [N]")));
    let first: Vec<f64> = lines.next().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(json!(first), json!([of_files["elastic"][1][0][0], of_files["elastic"][1][0][1]]));
    // The model refers to them as well: every spring has its tables, and the mass matrix is the inverse of M^-1.
    let model = fs::read_to_string(folder.path().join("out/model.txt")).unwrap();
    for line in [
        "inputs {\n            base_1: m/s^2,",
        "elastic_2(linear deformation: m): N = \"elastic_2.csv\",",
        "coordinates { z[1..=3]: m }",
        "z[3]: -elastic_3(z[3]) - dissipative_3(dot(z[3])) + (-2",
        "[kg])*base_1,",
    ] {
        assert!(model.contains(line), "{line}: {model}");
    }
    for (entry, exact) in [("z[1]", 2.508_287_293), ("(z[2], z[3])", -0.254_143_646)] {
        let mass = model.lines().find_map(|line| line.trim().strip_prefix(entry)?.strip_prefix(": "));
        let mass: f64 = mass.unwrap().trim_end_matches("[kg],").parse().unwrap();
        assert!((mass - exact).abs() < 1e-8, "{entry}: {mass}");
    }
    // Trimmed by uncertainty, curves are shorter; with more nodes they have more points.
    let settings = ["--uncertain", "2", "--nodes", "80"];
    let trimmed = found(folder.path(), "restoring_force", &[&files[..], &settings].concat());
    let ends = |value: &Value| {
        let points = value["dissipative"][0].as_array().unwrap();
        [&points[0][0], &points[points.len() - 1][0]].map(|end| end.as_f64().unwrap())
    };
    let ([low, high], [first, last]) = (ends(&of_files), ends(&trimmed));
    assert!(last - first < 0.98 * (high - low), "{low} {high}, trimmed {first} {last}");
}

/// Time, acceleration of the base, force, accelerations.
type Row = (f64, f64, f64, [f64; 2]);

/// Simulates two masses one upon the other, in their positions: springs with 4e6 and 2e6 N/m, dampers with 600
/// and 300 N s/m.
fn record_of_two_masses(folder: &Path) {
    const STEP: f64 = 1e-5;
    const FINER: usize = 10;
    let base = |t: f64| 5.0 * (2.0 * std::f64::consts::PI * (60.0 + 60.0 * t) * t).sin();
    let force = |t: f64| 10.0 * (2.0 * std::f64::consts::PI * (320.0 - 45.0 * t) * t).sin();
    let accelerations = |t: f64, [x, y, v, w]: [f64; 4]| {
        let lower = 4e6 * x + 600.0 * v;
        let upper = 2e6 * (y - x) + 300.0 * (w - v);
        // absolute accelerations
        [(upper - lower) / 4.0, (force(t) - upper) / 2.0]
    };
    let rates = |t: f64, s: [f64; 4]| {
        let [a, b] = accelerations(t, s);
        [s[2], s[3], a - base(t), b - base(t)]
    };
    let (mut state, mut rows) = ([0.0; 4], Vec::<Row>::new());
    for i in 0..=20_000 * FINER {
        let t = i as f64 * STEP;
        if i % FINER == 0 {
            rows.push((t, base(t), force(t), accelerations(t, state)));
        }
        let add = |s: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|j| s[j] + h * k[j]);
        let k_1 = rates(t, state);
        let k_2 = rates(t + 0.5 * STEP, add(state, k_1, 0.5 * STEP));
        let k_3 = rates(t + 0.5 * STEP, add(state, k_2, 0.5 * STEP));
        let k_4 = rates(t + STEP, add(state, k_3, STEP));
        for (j, entry) in state.iter_mut().enumerate() {
            *entry += STEP / 6.0 * (k_1[j] + 2.0 * k_2[j] + 2.0 * k_3[j] + k_4[j]);
        }
    }
    let column = |of: fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<_>>();
    let gravity = 9.806_65;
    let lower = column(|row| row.3[0]).into_iter().map(|a| a / gravity).collect();
    Record::new((0..rows.len()).map(|i| i as f64 * 1e-4).collect())
        .unwrap()
        .with_channel("table", Some("m/s^2"), column(|row| row.1))
        .unwrap()
        .with_channel("shaker", Some("kN"), column(|row| 1e-3 * row.2))
        .unwrap()
        .with_channel("lower mass", Some("g"), lower)
        .unwrap()
        .with_channel("upper mass", Some("m/s^2"), column(|row| row.3[1]))
        .unwrap()
        .write_csv(folder.join("record.csv"))
        .unwrap();
}

#[test]
fn elements_between_masses_are_found() {
    let folder = tempfile::tempdir().unwrap();
    record_of_two_masses(folder.path());
    let mut structure: Value = serde_json::from_str(include_str!("../../structure/two_masses.json")).unwrap();
    structure["forces"] = json!([{ "channel": "shaker", "mass": 2 }]);
    write(folder.path(), &structure);
    let files = ["--structure", "structure.json", "--record", "record.csv"];
    let curves = found(folder.path(), "restoring_force", &files);
    for (j, stiffness) in [4e6, 2e6].into_iter().enumerate() {
        let points = curves["elastic"][j].as_array().unwrap();
        let at = |k: usize| points.iter().map(|point| point[k].as_f64().unwrap()).collect::<Vec<_>>();
        let exact: Vec<f64> = at(0).iter().map(|z| stiffness * z).collect();
        let error = SeriesError::new(&at(1), &exact).unwrap().percent();
        assert!(error < 5.0, "element {}: {error}", j + 1);
        let response = curves["response_percent"][j].as_f64().unwrap();
        assert!(response < 5.0, "sensor {}: {response}", j + 1);
    }
    // The same structure with the matrix of these coordinates, and directions in place of masses.
    structure["inertia"] = json!({ "mass": [[6.0, 2.0], [2.0, 2.0]] });
    structure["base"] = json!([{ "channel": "table", "directions": [-1.0, 0.0] }]);
    structure["forces"] = json!([{ "channel": "shaker", "directions": [1.0, 1.0] }]);
    structure["sensors"] = json!([
        { "channel": "lower mass", "kind": "acceleration", "element": 1 },
        { "channel": "upper mass", "kind": "acceleration", "weights": [1.0, 1.0] },
    ]);
    write(folder.path(), &structure);
    let again = found(folder.path(), "restoring_force", &files);
    let last = |value: &Value| value["elastic"][1].as_array().unwrap().last().unwrap()[1].as_f64().unwrap();
    assert!((last(&again) / last(&curves) - 1.0).abs() < 1e-6, "{} {}", last(&again), last(&curves));
}

#[test]
fn wrong_structures_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["--structure", "structure.json", "--record", "record.csv"];
    fs::write(
        folder.path().join("record.csv"),
        "time [s],base [g],acceleration 1 [g],acceleration 2 [m],acceleration 3 [g]\n0,1,1,1,1\n1,1,1,1,1\n",
    )
    .unwrap();
    let masses: Value = serde_json::from_str(include_str!("../../structure/two_masses.json")).unwrap();
    let cases: [(&str, Value, Value, &str); 18] = [
        ("/inertia", json!({"inverse": [[1.0]]}), plate(), "`inertia.inverse` is 1 x 1; there are 3 elements"),
        ("/inertia", json!({"mass": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}), plate(), "write a positive definite matrix"),
        ("/inertia", json!({"mass": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}), plate(), "write a symmetric matrix"),
        ("/inertia", json!({"weight": 3}), plate(), "unknown variant `weight`"),
        ("/inertia", json!({"masses": [4]}), masses.clone(), "`inertia.masses` is a list of 1; there are 2 elements"),
        (
            "/inertia",
            json!({"masses": [4, -2]}),
            masses.clone(),
            "`inertia.masses[2]` is -2; write a positive number of kg",
        ),
        (
            "/elements/1/between",
            json!([0, 3]),
            masses.clone(),
            "`elements[2].between` is [0, 3]; write two different numbers",
        ),
        (
            "/elements/1/between",
            json!([1, 0]),
            masses.clone(),
            "a structure with loose masses; join every mass to the base",
        ),
        ("/elements/1/between", Value::Null, masses.clone(), "`elements[2].between` is missing"),
        (
            "/elements/0/stiffness",
            json!(-5.0),
            plate(),
            "`elements[1].stiffness` is -5; write a positive number of N/m",
        ),
        ("/elements/2/damping", json!(0), plate(), "`elements[3].damping` is 0; write a guess of N s/m that is not 0"),
        ("/elements", json!([]), plate(), "`elements` is empty; write one for each degree of freedom"),
        ("/base/0/directions", json!([-1]), plate(), "`base[1].directions` is a list of 1; write 3 numbers"),
        ("/base/0/directions", json!([-1, 0]), masses.clone(), "`base[1].directions` is given; it follows"),
        ("/sensors/0/element", json!(4), plate(), "`sensors[1].element` is 4; write a number from 1 to 3"),
        ("/sensors/0/mass", json!(1), plate(), "`sensors[1]` is ambiguous; write `element`, `mass` or `weights`"),
        ("/sensors/2/element", json!(1), plate(), "the sensors cannot observe"),
        ("/scale", json!(0), plate(), "`scale` is 0"),
    ];
    for (at, value, mut structure, message) in cases {
        match structure.pointer_mut(at) {
            Some(place) => *place = value,
            None => {
                let (parent, key) = at.rsplit_once('/').unwrap();
                structure.pointer_mut(parent).unwrap()[key] = value;
            }
        }
        write(folder.path(), &structure);
        let said = mistake(folder.path(), "restoring_force", &files);
        assert!(said.contains(message), "{at}: {said}");
    }
    // Faults of the record: a channel with another unit, a missing channel.
    write(folder.path(), &plate());
    let said = mistake(folder.path(), "restoring_force", &files);
    assert!(said.contains("`acceleration 2` is in `m`, an accelerometer in `m/s^2`"), "{said}");
    let mut other = plate();
    other["sensors"][1]["channel"] = json!("left");
    write(folder.path(), &other);
    let said = mistake(folder.path(), "restoring_force", &files);
    assert!(said.contains("no column `left`; write one with the heading `left [m/s^2]`"), "{said}");
    let alone = mistake(folder.path(), "restoring_force", &["--structure", "structure.json"]);
    assert!(alone.contains("--record"), "{alone}");
    let missing = mistake(folder.path(), "restoring_force", &["--structure", "nowhere.json", "--record", "record.csv"]);
    assert!(missing.contains("cannot read `nowhere.json`"), "{missing}");
    fs::write(folder.path().join("structure.json"), "{\"elements\": 3}").unwrap();
    let said = mistake(folder.path(), "restoring_force", &files);
    assert!(said.contains("is no structure") && said.contains("line 1"), "{said}");
}

/// Checks that every file gives an identification or an error.
#[test]
fn mutated_structures_are_read_or_refused() {
    let (plate, masses) = (plate().to_string(), include_str!("../../structure/two_masses.json"));
    let words = [
        "\"masses\":",
        "\"inverse\":",
        "\"mass\":",
        "\"weights\":",
        "\"between\":",
        "[0, 1]",
        "1e-320",
        "-1e308",
        "null",
    ];
    costate_fuzz::drive("structures", &[plate.as_bytes(), masses.as_bytes()], &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let structure = match Structure::of_text(&text, PathBuf::from("structure.json")) {
            Ok(structure) => structure,
            Err(error) => return format!("{:#}", anyhow::Error::from(error)),
        };
        match identification(&structure, 1e-3) {
            Ok(_) => "read".to_owned(),
            Err(error) => format!("{error:#}"),
        }
    });
}
