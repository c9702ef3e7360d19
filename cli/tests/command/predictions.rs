//! `costate fit` with measured modes, frequency responses and dynamic stiffness.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use super::support::{costate, folder_with};
use costate::measure::{FrequencyResponse, write_responses_uff};

/// A mass on a spring that becomes stiffer.
const RIG: &str = "costate::model! {
    pub Rig {
        parameters { m: kg = 2, c: N/m = 760, c_3: N/m^3 = 1.5e6, d: N*s/m = 3.6 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        initial { x = 0.01[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}";

const CAMPAIGN: &str = r#"
[model]
file = "model.rs"

[unknowns.c]
[unknowns.c_3]
[unknowns.d]

[[experiment]]
name = "taps"

[[experiment.modes]]
frequencies = ["3.1831[Hz]"]
frequency_deviations = 0.003
ratios = [0.0375]
ratio_deviations = 0.001

[[experiment.modes]]
name = "modes again"
file = "modes.csv"

[[experiment.responses]]
file = "receptance.csv"
input = "drive"
output = "position"

[[experiment.responses]]
name = "stiffness of taps"
file = "stiffness.unv"
function = 2
input = "drive"
output = "position"
stiffness = true
band = [2, 5]
averages = 51

[[experiment]]
name = "run"
record = "run.csv"
run = { step = 2e-3 }
inputs = { drive = 0.0 }
measured.position = { deviation = 2e-4 }

[[experiment.stiffness]]
files = ["small.csv", "large.csv"]
amplitudes = ["1[mm]", "10[mm]"]
input = "drive"
output = "position"
form = "magnitude_and_phase"
"#;

/// Parts with an error of a part of the magnitude whose sign changes.
fn with_errors(values: &[[f64; 2]], part: f64) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let each = values.iter().enumerate().map(|(k, [re, im])| {
        let deviation = part * re.hypot(*im);
        let signs = ([1.0, -0.6, 0.3, -1.1][k % 4], [-0.9, 0.7, 1.2, -0.8][(k / 2) % 4]);
        (re + deviation * signs.0, (im + deviation * signs.1, deviation))
    });
    let (real, rest): (Vec<f64>, Vec<(f64, f64)>) = each.unzip();
    let (imaginary, deviations) = rest.into_iter().unzip();
    (real, imaginary, deviations)
}

/// m s^2 + d s + c at s = decay + 2 pi i f.
fn stiffness(c: f64, decay: f64, frequency: f64) -> [f64; 2] {
    let omega = TAU * frequency;
    let real = 2.0 * (decay * decay - omega * omega) + 3.0 * decay + c;
    [real, (4.0 * decay + 3.0) * omega]
}

fn inverse([re, im]: [f64; 2]) -> [f64; 2] {
    let size = re * re + im * im;
    [re / size, -im / size]
}

fn written(folder: &Path) {
    let frequencies: Vec<f64> = (0..24).map(|k| 1.5 + 0.2 * f64::from(k)).collect();
    let of = |value: &dyn Fn(f64) -> [f64; 2]| {
        let values: Vec<[f64; 2]> = frequencies.iter().map(|frequency| value(*frequency)).collect();
        let (real, imaginary, deviations) = with_errors(&values, 0.01);
        let made = FrequencyResponse::new("tap", frequencies.clone(), real, imaginary).unwrap();
        (made, deviations.iter().map(|one| one * one).collect::<Vec<f64>>())
    };
    // measured with an exponential window
    let (receptance, variances) = of(&|frequency| inverse(stiffness(800.0, 2.0, frequency)));
    let mut receptance = receptance.with_variances(variances).unwrap().in_units("m", "N");
    receptance.added_decay = 2.0;
    receptance.write_csv(folder.join("receptance.csv")).unwrap();
    let (taps, _) = of(&|frequency| stiffness(800.0, 0.0, frequency));
    let taps = taps.in_units("N", "m").with_coherence(vec![1.0 / 1.01; 24]).unwrap();
    assert_eq!(write_responses_uff(&[taps.clone(), taps], folder.join("stiffness.unv")).unwrap(), [""; 0]);
    for (name, amplitude) in [("small.csv", 1e-3f64), ("large.csv", 10e-3)] {
        let c = 800.0 + 0.75 * 2e6 * amplitude * amplitude;
        let (made, variances) = of(&|frequency| stiffness(c, 0.0, frequency));
        let made = made.with_variances(variances).unwrap().in_units("N", "m");
        made.write_csv(folder.join(name)).unwrap();
    }
    fs::write(folder.join("modes.csv"), "mode,frequency [Hz],frequency deviation [Hz]\n1,3.184,0.004\n").unwrap();
    let model = "truth.rs";
    let truth =
        RIG.replace("c: N/m = 760, c_3: N/m^3 = 1.5e6, d: N*s/m = 3.6", "c: N/m = 800, c_3: N/m^3 = 2e6, d: N*s/m = 3");
    fs::write(folder.join(model), truth).unwrap();
    let run = ["run", model, "--input", "drive=0", "--step", "2e-3", "--until", "1", "-o", "run.csv"];
    let said = costate(folder, &run);
    assert!(said.success, "{}", said.stderr);
}

#[test]
fn modes_responses_and_stiffness_beside_a_record() {
    let folder = folder_with(RIG);
    written(folder.path());
    fs::write(folder.path().join("campaign.toml"), CAMPAIGN).unwrap();
    let said = costate(folder.path(), "fit campaign.toml --json");
    assert!(!said.stdout.is_empty(), "{}", said.stderr);
    let answer = said.json();
    let groups: Vec<[&str; 3]> = answer["fit"]["predictions"]
        .as_array()
        .unwrap_or_else(|| panic!("{}{}", said.stdout, said.stderr))
        .iter()
        .map(|group| ["experiment", "prediction", "group"].map(|field| group[field].as_str().unwrap()))
        .collect();
    let expected = [
        ["taps", "modes", "natural frequencies"],
        ["taps", "modes", "damping ratios"],
        ["taps", "modes again", "natural frequencies"],
        ["taps", "position/drive", "position/drive: real part"],
        ["taps", "position/drive", "position/drive: imaginary part"],
        ["taps", "stiffness of taps", "drive/position: real part"],
        ["taps", "stiffness of taps", "drive/position: imaginary part"],
        ["run", "stiffness", "drive/position at 0.001 m: magnitude"],
        ["run", "stiffness", "drive/position at 0.001 m: phase"],
        ["run", "stiffness", "drive/position at 0.01 m: magnitude"],
        ["run", "stiffness", "drive/position at 0.01 m: phase"],
    ];
    assert_eq!(groups, expected);
    assert_eq!(answer["fit"]["measurements"][0]["output"], "position", "{}", answer["fit"]["measurements"]);
    assert_eq!(answer["fit"]["predictions"][3]["source"], "receptance.csv");
    assert_eq!(answer["fit"]["predictions"][5]["places"].as_array().unwrap().len(), 15);
    let fitted = answer["fit"]["parameters"].as_array().unwrap();
    for (fitted, (name, truth)) in fitted.iter().zip([("c", 800.0), ("c_3", 2e6), ("d", 3.0)]) {
        assert_eq!(fitted["name"], name);
        let [found, deviation] = ["found", "standard_deviation"].map(|field| fitted[field].as_f64().unwrap());
        assert!((found - truth).abs() < 4.0 * deviation && deviation < 0.03 * truth, "{fitted}");
    }
}

/// A quarter car.
const CAR: &str = "costate::model! {
    pub Car {
        parameters { m: kg = 300, m_w: kg = 35, c: N/m = 18e3, d: N*s/m = 1400, c_t: N/m = 190e3 }
        inputs { road: mm }
        coordinates { body: m, wheel: m }
        mass { body: m, wheel: m_w }
        let s = body - wheel;
        let strut = -c*s - d*dot(s);
        forces { body: strut, wheel: -strut - c_t*(wheel - road) }
        outputs { acceleration: m/s^2 = ddot(body), travel: mm = s }
    }
}";

/// Fits `c` and `d` to a table of responses of the quarter car, from values that are up to 2.5 times off.
fn fit_of_car(folder: &Path, table: &str, outputs: &[&str]) -> super::support::Said {
    let responses = outputs.iter().map(|output| {
        format!("[[experiment.responses]]\nfile = \"{table}\"\ninput = \"road\"\noutput = \"{output}\"\n")
    });
    let head = "[model]\nfile = \"model.rs\"\n[parameters]\nc = 9e3\nd = 3500\n[unknowns.c]\n[unknowns.d]\n\
                [[experiment]]\nname = \"tap\"\ninputs.road = 0.0\n";
    fs::write(folder.join("car.toml"), responses.fold(head.to_owned(), |text, one| text + &one)).unwrap();
    costate(folder, "fit car.toml --json")
}

#[test]
fn responses_are_read_as_the_command_writes_them() {
    let folder = folder_with(CAR);
    let folder = folder.path();
    for (outputs, read) in [
        ("travel", &["travel"][..]),
        ("acceleration,travel", &["travel"]),
        ("acceleration,travel", &["acceleration", "travel"]),
    ] {
        let call = format!("response model.rs --from road --to {outputs} --frequencies 0.5:20:60 -o out.csv");
        assert_eq!(costate(folder, &call).code, Some(0));
        let said = fit_of_car(folder, "out.csv", read);
        assert!(!said.stdout.is_empty(), "{}", said.stderr);
        let answer = said.json();
        for (fitted, truth) in answer["fit"]["parameters"].as_array().unwrap().iter().zip([18e3, 1400.0]) {
            assert!((fitted["found"].as_f64().unwrap() / truth - 1.0).abs() < 1e-5, "{answer}");
        }
    }
    // a table with other responses has none of this name
    let said = fit_of_car(folder, "out.csv", &["acceleration", "travel"]);
    assert!(said.stderr.is_empty() || !said.stderr.contains("error"), "{}", said.stderr);
    assert_eq!(costate(folder, "response model.rs --from road --to acceleration,travel -o out.csv").code, Some(0));
    let renamed = fs::read_to_string(folder.join("out.csv")).unwrap().replace("travel/road", "stroke/road");
    fs::write(folder.join("other.csv"), renamed).unwrap();
    let said = fit_of_car(folder, "other.csv", &["travel"]);
    assert!(said.stderr.contains("has 2 responses") && said.stderr.contains("stroke/road"), "{}", said.stderr);
}

#[test]
fn wrong_responses_are_named_in_text_and_json() {
    let folder = folder_with(CAR);
    let folder = folder.path();
    let call = "response model.rs --from road --to acceleration --frequencies 0.5:20:60 -o out.csv";
    assert_eq!(costate(folder, call).code, Some(0));
    let table = fs::read_to_string(folder.join("out.csv")).unwrap();
    type Change = fn(f64, f64, f64) -> [f64; 2];
    let delayed: Change = |frequency, re, im| {
        let (sine, cosine) = (-TAU * frequency * 4e-3).sin_cos();
        [cosine * re - sine * im, cosine * im + sine * re]
    };
    let cases: [(Change, &str, &str); 4] = [
        (|_, re, im| [re / 9.80665, im / 9.80665], "is the response in `g/mm`, and not in `m/s^2/mm`?", "Scale"),
        (|_, re, im| [-re, -im], "is the sign of a sensor or of the input reversed?", "Sign"),
        (|_, re, im| [re, -im], "does the file count angles the other way, as with exp(-i w t)?", "Conjugate"),
        (delayed, "measured values follow the computed ones by 4 ms", "Delay"),
    ];
    for (change, text, kind) in cases {
        let changed = table.lines().enumerate().map(|(number, line)| {
            let numbers: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
            match numbers[..] {
                [frequency, re, im] if number > 0 => {
                    let [re, im] = change(frequency, re, im);
                    format!("{frequency},{re},{im}\n")
                }
                _ => format!("{line}\n"),
            }
        });
        fs::write(folder.join("changed.csv"), changed.collect::<String>()).unwrap();
        let answer = fit_of_car(folder, "changed.csv", &["acceleration"]).json();
        let cause = &answer["fit"]["verdict"]["suspicions"][0]["cause"]["Response"];
        assert!(cause["explained"].as_f64().is_some_and(|percent| percent > 99.0), "{answer}");
        assert!(cause["change"] == kind || cause["change"][kind].is_object(), "{answer}");
        assert_eq!(answer["fit"]["deviations_valid"], false);
        let said = costate(folder, "fit car.toml");
        assert!(said.code == Some(3) && said.stdout.contains(text), "{}", said.stdout);
        assert!(!said.stdout.contains("incomplete") && said.stdout.contains("are not shown"), "{}", said.stdout);
    }
}

/// Two masses on springs of 114 and 169 N/m, whose frequencies are 1.1 and 3.2 Hz.
#[test]
fn frequencies_of_other_modes_and_in_other_units_are_questioned() {
    let folder = folder_with(
        "costate::model! { pub Two {
            parameters { k: N/m = 100, l: N/m = 150 }
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces { x: -k*x - l*(x - y), y: l*(x - y) }
        } }",
    );
    let fit = |unknowns: &str, frequencies: &str| {
        let head = format!("[model]\nfile = \"model.rs\"\n[unknowns]\n{unknowns}\n[[experiment]]\n");
        let modes = format!("[[experiment.modes]]\nfrequencies = [{frequencies}]\nfrequency_deviations = 0.01\n");
        fs::write(folder.path().join("c.toml"), head + &modes).unwrap();
        costate(folder.path(), "fit c.toml")
    };
    let right = fit("k = {}\nl = {}", "1.1, 3.2");
    assert_eq!(right.code, Some(0), "{}{}", right.stdout, right.stderr);
    for (unknowns, frequencies, words) in [
        ("k = {}", "3.2, 1.1", "Hz that is measured as"),
        ("k = {}\nl = {}", "6.9, 20.1", "2 pi times those of the start values: are they in rad/s"),
    ] {
        let said = fit(unknowns, frequencies);
        assert!(said.code == Some(3) && said.stdout.contains(words), "{words}: {}{}", said.stdout, said.stderr);
    }
}
