//! `costate restoring-force`: the force of a single mass, structures in files, and messages for invalid ones.

use std::fs;
use std::path::Path;

use costate::measure::Record;
use serde_json::{Value, json};

use super::support::{costate, number};

/// Returns the elastic force of the single mass, and its dissipative one.
fn force(z: f64, v: f64) -> [f64; 2] {
    [5e5 * z + 45.0 * (4e5 * z).tanh(), 50.0 * v + 25.0 * (100.0 * v).powi(3)]
}

/// Adds errors with this part of the deviation of a signal, from a fixed sequence.
fn noisy(signal: &[f64], part: f64) -> Vec<f64> {
    let deviation = part * (signal.iter().map(|y| y * y).sum::<f64>() / signal.len() as f64).sqrt();
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    signal.iter().map(|y| y + deviation * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0)).collect()
}

/// Writes the record of a mass of 4 kg between a wall and a force, or on a base with this acceleration, with 5 % noise:
/// a sweep from 100 to 400 Hz.
fn record_of_mass(folder: &Path, name: &str, amplitude: f64, is_on_base: bool) {
    const STEP: f64 = 1e-5;
    const FINER: usize = 10;
    let sweep = |t: f64| amplitude * (2.0 * std::f64::consts::PI * (100.0 + 50.0 * t) * t).sin();
    let rates = |t: f64, [z, v]: [f64; 2]| [v, (sweep(t) - force(z, v).iter().sum::<f64>()) / 4.0];
    let (mut x, mut accelerations) = ([0.0; 2], Vec::new());
    for i in 0..=30_000 * FINER {
        let t = i as f64 * STEP;
        if i % FINER == 0 {
            // an accelerometer on a base measures without it
            accelerations.push(rates(t, x)[1] - if is_on_base { sweep(t) / 4.0 } else { 0.0 });
        }
        let add = |k: [f64; 2], h: f64| [0, 1].map(|j| x[j] + h * k[j]);
        let k_1 = rates(t, x);
        let k_2 = rates(t + 0.5 * STEP, add(k_1, 0.5 * STEP));
        let k_3 = rates(t + 0.5 * STEP, add(k_2, 0.5 * STEP));
        let k_4 = rates(t + STEP, add(k_3, STEP));
        x = [0, 1].map(|j| x[j] + STEP / 6.0 * (k_1[j] + 2.0 * k_2[j] + 2.0 * k_3[j] + k_4[j]));
    }
    let times: Vec<f64> = (0..accelerations.len()).map(|i| i as f64 * 1e-4).collect();
    let drive = times.iter().map(|t| if is_on_base { -sweep(*t) / 4.0 } else { 1e-3 * sweep(*t) }).collect();
    let (channel, unit) = if is_on_base { ("table", "m/s^2") } else { ("shaker", "kN") };
    let acceleration = noisy(&accelerations, 0.05).into_iter().map(|a| a / 9.806_65).collect();
    let record = Record::new(times).unwrap().with_channel(channel, Some(unit), drive).unwrap();
    record.with_channel("acc", Some("g"), acceleration).unwrap().write_csv(folder.join(name)).unwrap();
}

/// Returns the errors of both curves of an element at their nodes in percent, and the parts of the nodes at which two
/// deviations of the force hold the truth.
fn errors(answer: &Value, element: usize, truth: impl Fn(f64) -> [f64; 2]) -> [[f64; 2]; 2] {
    ["elastic", "dissipative"].map(|kind| {
        let nodes = answer[kind][element].as_array().unwrap();
        let (mut error, mut size, mut held) = (0.0, 0.0, 0);
        for node in nodes {
            let [x, found, _, deviation] = [0, 1, 2, 3].map(|k| number(&node[k]));
            let exact = truth(x)[usize::from(kind == "dissipative")];
            error += (found - exact).powi(2);
            size += exact * exact;
            held += usize::from((found - exact).abs() <= 2.0 * deviation);
        }
        [100.0 * f64::sqrt(error / size), held as f64 / nodes.len() as f64]
    })
}

#[test]
fn a_single_mass_needs_no_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("model")).unwrap();
    let call = "restoring-force mass.csv --mass 4 --motion acc --stiffness 1e7 --damping 2000 --exponents 3 1";
    for (is_on_base, drive) in [(false, "--force shaker"), (true, "--base table")] {
        record_of_mass(folder.path(), "mass.csv", 20.0, is_on_base);
        let files = "--report f.html -o curves.csv -o curves.svg -o answer.json --tables model";
        let said = costate(folder.path(), &format!("{call} {drive} {files} --json"));
        assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{}", said.stdout);
        let answer = said.json();
        let found = errors(&answer, 0, |x| [force(x, 0.0)[0], force(0.0, x)[1]]);
        println!("{drive}: {found:?}, response {}", answer["response_percent"]);
        assert!(found[0][0] < 3.0 && found[1][0] < 12.0, "{found:?}");
        assert!(found[0][1] > 0.6 && found[1][1] > 0.6, "{found:?}");
        // 5 % of it are noise
        assert!(number(&answer["response_percent"][0]) < 15.0, "{answer}");
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text("f.html").contains("synchronisation error") && text("curves.svg").contains("<svg"));
        assert_eq!(text("curves.csv").lines().count(), 121);
        let written: Value = serde_json::from_str(&text("answer.json")).unwrap();
        assert_eq!(written["elastic"], answer["elastic"]);
        assert!(text("model/elastic_1.csv").contains("deformation [m],force [N]"));
        // the mass matrix is the inverse of M^-1
        assert!(text("model/model.txt").contains("z[1]: 4[kg],"), "{}", text("model/model.txt"));
    }
    // by a plane of exponents, and with noise that is known
    let call = call.replace("--exponents 3 1", "");
    let said = costate(folder.path(), &format!("{call} --base table --search --noise acc=0.03[g],table=0.01 --json"));
    let answer = said.json();
    let found = errors(&answer, 0, |x| [force(x, 0.0)[0], force(0.0, x)[1]]);
    println!("{}: {found:?}, response {}", answer["exponents"], answer["response_percent"]);
    assert!(found[0][0] < 5.0 && number(&answer["response_percent"][0]) < 20.0, "{found:?} {answer}");
    // without their uncertain ends, curves are too short for the response
    let said = costate(folder.path(), &format!("{call} --base table --exponents 3 1 --uncertain 1"));
    said.prints(3, &["doubtful: the response leaves the ", "the curve is not identified beyond its ends"]);
    // with a stiffness that is far off, curves explain nothing, however large the numbers
    let said = costate(folder.path(), &format!("{call} --base table").replace("1e7", "1e3"));
    assert!(said.code != Some(0) && said.stdout.lines().chain(said.stderr.lines()).all(|line| line.len() < 400));
    // with a mass that is far off, the filter follows the system rarely, or never
    let call = format!("{call} --base table").replace("--mass 4", "--mass 400");
    costate(folder.path(), &call).prints(3, &["doubtful: the filter follows the system at "]);
    let said = costate(folder.path(), &format!("{call} --exponents 3 1"));
    said.refuses(1, "there are no curves, as the filter follows the system at 0.0 % of the samples");
}

#[test]
fn an_unknown_mass_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, amplitude) in [("mass.csv", 20.0), ("low.csv", 0.02)] {
        record_of_mass(folder.path(), name, amplitude, false);
    }
    let said = costate(
        folder.path(),
        "restoring-force mass.csv --mass 5 --unknown-mass --inertia-record low.csv --force shaker --motion acc \
             --stiffness 1e7 --exponents 3 1 --json",
    );
    let answer = said.json();
    let inverse = number(&answer["inverse_inertia"][0][0]);
    let [[error, _], _] = errors(&answer, 0, |x| [force(x, 0.0)[0], force(0.0, x)[1]]);
    println!("inverse mass {inverse}, elastic curve {error} % off");
    assert!((4.0 * inverse - 1.0).abs() < 0.03 && error < 5.0, "{inverse} {error} {}", said.stderr);
}

fn write(folder: &Path, structure: &Value) {
    fs::write(folder.join("structure.json"), structure.to_string()).unwrap();
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
    let mut structure: Value =
        serde_json::from_str(include_str!("../../templates/structures/two_masses.json")).unwrap();
    structure["forces"] = json!([{ "channel": "shaker", "mass": 2 }]);
    let found = |structure: &Value| {
        write(folder.path(), structure);
        costate(folder.path(), "restoring-force record.csv --structure structure.json --json").json()
    };
    let curves = found(&structure);
    for (j, stiffness) in [4e6, 2e6].into_iter().enumerate() {
        let [[error, _], _] = errors(&curves, j, |z| [stiffness * z, 150.0 * stiffness / 1e6 * z]);
        let response = number(&curves["response_percent"][j]);
        assert!(error < 5.0 && response < 6.0, "element {}: {error} {response}", j + 1);
    }
    // the same structure with the matrix of these coordinates, and directions in place of masses
    structure["inertia"] = json!({ "mass": [[6.0, 2.0], [2.0, 2.0]] });
    structure["base"] = json!([{ "channel": "table", "directions": [-1.0, 0.0] }]);
    structure["forces"] = json!([{ "channel": "shaker", "directions": [1.0, 1.0] }]);
    structure["sensors"] = json!([
        { "channel": "lower mass", "kind": "acceleration", "element": 1 },
        { "channel": "upper mass", "kind": "acceleration", "weights": [1.0, 1.0] },
    ]);
    let again = found(&structure);
    let last = |value: &Value| number(&value["elastic"][1].as_array().unwrap().last().unwrap()[1]);
    assert!((last(&again) / last(&curves) - 1.0).abs() < 1e-6, "{} {}", last(&again), last(&curves));
}

#[test]
fn wrong_structures_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..9).map(|i| format!("{i},1,1,{i},1\n")).collect();
    let heading = "time [s],base [g],acceleration 1 [g],acceleration 2 [m],acceleration 3 [g]\n";
    fs::write(folder.path().join("record.csv"), format!("{heading}{rows}")).unwrap();
    let matrix: Value = serde_json::from_str(include_str!("../../templates/structures/plate.json")).unwrap();
    let masses: Value = serde_json::from_str(include_str!("../../templates/structures/two_masses.json")).unwrap();
    let call = "restoring-force record.csv --structure structure.json";
    let cases: [(&str, Value, &Value, &str); 20] = [
        ("/inertia", json!({"inverse": [[1.0]]}), &matrix, "`inertia.inverse` is 1 x 1; there are 3 elements"),
        ("/inertia", json!({"mass": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}), &matrix, "write a positive definite matrix"),
        ("/inertia", json!({"mass": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}), &matrix, "write a symmetric matrix"),
        ("/inertia", json!({"weight": 3}), &matrix, "unknown variant `weight`"),
        ("/inertia", json!({"masses": [4]}), &masses, "`inertia.masses` is a list of 1; there are 2 elements"),
        ("/inertia", json!({"masses": [4, -2]}), &masses, "`inertia.masses[2]` is -2; write a positive number of kg"),
        ("/elements/1/between", json!([0, 3]), &masses, "`elements[2].between` is [0, 3]; write two different numbers"),
        ("/elements/1/between", json!([1, 0]), &masses, "a structure with loose masses; join every mass to the base"),
        ("/elements/1/between", Value::Null, &masses, "`elements[2].between` is missing"),
        (
            "/elements/0/stiffness",
            json!(-5.0),
            &matrix,
            "`elements[1].stiffness` is -5; write a positive number of N/m",
        ),
        ("/elements/2/damping", json!(0), &matrix, "`elements[3].damping` is 0; write a guess of N s/m that is not 0"),
        ("/elements", json!([]), &matrix, "`elements` is empty; write one for each degree of freedom"),
        ("/base/0/directions", json!([-1]), &matrix, "`base[1].directions` is a list of 1; write 3 numbers"),
        ("/base/0/directions", json!([-1, 0]), &masses, "`base[1].directions` is given; it follows"),
        ("/sensors/0/element", json!(4), &matrix, "`sensors[1].element` is 4; write a number from 1 to 3"),
        ("/sensors/0/mass", json!(1), &matrix, "`sensors[1]` is ambiguous; write `element`, `mass` or `weights`"),
        ("/sensors/2/element", json!(1), &matrix, "the sensors cannot observe"),
        ("/scale", json!(0), &matrix, "`scale` is 0"),
        ("/unknown_inertia", json!([[0, 1]]), &matrix, "`unknown_inertia[1]` is [0, 1]; write two numbers from 1 to 3"),
        ("/sensors/1/channel", json!("left"), &matrix, "`left`"),
    ];
    for (at, value, structure, message) in cases {
        let mut structure = structure.clone();
        match structure.pointer_mut(at) {
            Some(place) => *place = value,
            None => {
                let (parent, key) = at.rsplit_once('/').unwrap();
                structure.pointer_mut(parent).unwrap()[key] = value;
            }
        }
        write(folder.path(), &structure);
        costate(folder.path(), call).refuses(1, message);
    }
    write(folder.path(), &matrix);
    costate(folder.path(), call).refuses(1, "`acceleration 2`");
    costate(folder.path(), "restoring-force record.csv --structure nowhere.json")
        .refuses(1, "cannot read `nowhere.json`");
    fs::write(folder.path().join("structure.json"), "{\"elements\": 3}").unwrap();
    costate(folder.path(), call).refuses(1, "is no structure");
    for (arguments, code, message) in [
        ("", 2, "--structure"),
        ("--mass 4", 2, "--motion"),
        ("--mass 4 --motion base --stiffness 1e6 --unknown-mass", 2, "--force"),
        ("--mass -4 --motion base --stiffness 1e6", 2, "write a number above 0"),
        ("--mass 4 --motion nothing --stiffness 1e6", 1, "`nothing` is no channel with a unit"),
        (
            "--mass 4 --motion base --stiffness 1e6 --noise other=1",
            1,
            "`--noise other` names no channel of the structure",
        ),
        ("--mass 4 --motion base --stiffness 1e6 -o f.txt", 1, "`f.txt` has an ending that is no format here"),
    ] {
        costate(folder.path(), &format!("restoring-force record.csv {arguments}")).refuses(code, message);
    }
}
