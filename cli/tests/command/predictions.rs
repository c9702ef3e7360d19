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

[inputs]
drive = 0.0

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
