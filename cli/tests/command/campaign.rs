//! `costate fit` with a campaign file, its template, and the state of an interrupted fit.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::bench::{folder, measure, measured_folder};
use super::support::{Said, costate, number};

/// Two experiments with different masses on one mount, and a third one that validates.
const CAMPAIGN: &str = r#"
[model]
file = "mount.rs"
name = "EngineMount"

[parameters]
c_e1 = "90[N/mm]"

[unknowns.c_e1]
bounds = ["10[N/mm]", 1e6]

[unknowns.m_l]
of = "experiment"
bounds = [1, 100]

[measured.acceleration]
deviation = 0.6

[[experiment]]
name = "light"
record = "light.csv"

[[experiment]]
name = "heavy"
record = "heavy.csv"
parameters = { m_l = 25 }
run = { end = "150[ms]" }

[[experiment]]
name = "check"
record = "check.csv"
validation = true

[output]
folder = "results"
"#;

fn campaign_folder() -> tempfile::TempDir {
    let folder = folder();
    for (seed, (name, m_l)) in [("light.csv", 18.0), ("heavy.csv", 27.0), ("check.csv", 20.0)].into_iter().enumerate() {
        measure(folder.path(), name, &[("m_l", m_l)], seed as u64);
    }
    fs::write(folder.path().join("campaign.toml"), CAMPAIGN).unwrap();
    folder
}

#[test]
fn two_experiments_with_an_unknown_of_each() {
    let folder = campaign_folder();
    let said = costate(folder.path(), "fit campaign.toml --json");
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    let answer = said.json();
    let fitted = answer["fit"]["parameters"].as_array().unwrap();
    let expected = [("c_e1", 123e3), ("m_l [light]", 18.0), ("m_l [heavy]", 27.0)];
    assert_eq!(fitted.len(), expected.len());
    for (fitted, (name, truth)) in fitted.iter().zip(expected) {
        let [found, deviation] = ["found", "standard_deviation"].map(|field| fitted[field].as_f64().unwrap());
        assert_eq!(fitted["name"], name);
        assert!(deviation > 0.0 && (found - truth).abs() < 3.0 * deviation && deviation < 0.05 * truth, "{fitted}");
    }
    let runs = answer["fit"]["settings"]["runs"].as_array().unwrap();
    let ends: Vec<f64> = runs.iter().map(|run| run["end"].as_f64().unwrap()).collect();
    assert_eq!(ends, [0.2, 0.15]);
    assert_eq!(answer["fit"]["validation"][0]["experiment"], "check");
    assert_eq!(answer["fit"]["validation"][0]["failed"], Value::Null);
    assert!(folder.path().join("results/parameters.csv").exists());
}

/// Spectra beside samples in time, a sensor with an unknown delay and zero, several starts, and data that are drawn
/// again.
#[test]
fn everything_at_once() {
    let folder = measured_folder();
    let campaign = r#"
model = { file = "mount.rs", name = "EngineMount" }
run = { step = 1e-4 }
unknowns.c_e1 = { start = 110e3, bounds = [5e4, 3e5] }
unknowns.d_e = { bounds = [0.1, 100], prior = { median = 6, log_deviation = 0.5 } }
multistart = { starts = 2, seed = 3 }
resampling = { bootstrap = 3, of = "residuals" }

[[experiment]]
name = "time"
record = "bench.csv"
[experiment.measured.acceleration]
offset = { start = 0, bounds = [-5, 5] }
delay = { start = 0, bounds = [-1e-3, 1e-3] }
without = [[0.1, 0.11]]

[[experiment]]
name = "spectrum"
record = "bench.csv"
[[experiment.spectra]]
output = "acceleration"
band = [10, 60]
form = "coefficients"
window = "rectangular"
"#;
    fs::write(folder.path().join("campaign.toml"), campaign).unwrap();
    let said = costate(folder.path(), "fit campaign.toml --json");
    let answer = said.json();
    let fitted = answer["fit"]["parameters"].as_array().unwrap();
    let expected =
        [("c_e1", 123e3), ("d_e", 5.0), ("offset of acceleration [time]", 0.0), ("delay of acceleration [time]", 0.0)];
    assert_eq!(fitted.len(), expected.len(), "{answer}");
    for (fitted, (name, truth)) in fitted.iter().zip(expected) {
        let [found, deviation] = ["found", "standard_deviation"].map(|field| fitted[field].as_f64().unwrap());
        assert_eq!(fitted["name"], name);
        assert!((found - truth).abs() < 4.0 * deviation, "{fitted}");
    }
    assert_eq!(answer["fit"]["starts"].as_array().unwrap().len(), 2);
    assert_eq!(answer["fit"]["costs"][0]["experiment"], "spectrum");
    assert!(answer["fit"]["measurements"][0]["masked"].as_u64().unwrap() >= 100);
    assert_eq!(answer["bootstrap"]["found"].as_array().unwrap().len(), 3);
    // the logs of a multistart that is done are not kept
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// Runs the campaign until its first iterations are shown, and sends Ctrl-C.
#[cfg(unix)]
fn interrupted(folder: &Path) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let mut child = Command::new(env!("CARGO_BIN_EXE_costate"))
        .current_dir(folder)
        .args(["fit", "campaign.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut text = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        if line.starts_with("iteration 1:") {
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        }
        text += &format!("{line}\n");
    }
    (child.wait().unwrap().code(), text)
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_continues() {
    let folder = campaign_folder();
    let whole = costate(folder.path(), "fit campaign.toml --json");
    let (code, text) = interrupted(folder.path());
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("run the same again to continue from `campaign.toml.state`"), "{text}");
    assert!(folder.path().join("campaign.toml.state").exists());

    // another campaign is refused, and says what differs
    fs::write(folder.path().join("campaign.toml"), CAMPAIGN.replace("1e6]", "2e6]")).unwrap();
    let said = costate(folder.path(), "fit campaign.toml");
    assert_eq!(said.code, Some(1));
    let message =
        "error: the state file `campaign.toml.state` was written with other settings or data: the bounds of `c_e1`";
    assert!(
        said.stderr.contains(message) && said.stderr.contains("delete the file to start afresh"),
        "{}",
        said.stderr
    );

    // so are other data
    fs::write(folder.path().join("campaign.toml"), CAMPAIGN).unwrap();
    let record = fs::read_to_string(folder.path().join("light.csv")).unwrap();
    measure(folder.path(), "light.csv", &[("m_l", 18.0)], 77);
    let said = costate(folder.path(), "fit campaign.toml");
    said.refuses(1, "the values of measurement 1");

    // and another text of the model, though all names are the same
    fs::write(folder.path().join("light.csv"), record).unwrap();
    let model = fs::read_to_string(folder.path().join("mount.rs")).unwrap();
    fs::write(folder.path().join("mount.rs"), format!("{model}\n// changed\n")).unwrap();
    let said = costate(folder.path(), "fit campaign.toml");
    said.refuses(1, "the text of the model");

    fs::write(folder.path().join("mount.rs"), model).unwrap();
    let said = costate(folder.path(), "fit campaign.toml --json");
    assert!(said.success && said.stderr.contains("continues from `campaign.toml.state`"), "{}", said.stderr);
    assert!(!said.stderr.contains("iteration 0:"), "{}", said.stderr);
    assert!(!folder.path().join("campaign.toml.state").exists());
    let found = |said: &Said| -> Vec<f64> {
        let answer = said.json();
        answer["fit"]["parameters"].as_array().unwrap().iter().map(|one| number(&one["found"])).collect()
    };
    // the same bits as without the interruption
    assert_eq!(found(&said), found(&whole));
}

/// The template runs as it is.
#[test]
fn the_template_runs() {
    let folder = measured_folder();
    let said = costate(folder.path(), "fit --template mount.rs --model EngineMount -o campaign.toml");
    assert!(said.success, "{}", said.stderr);
    assert_eq!(said.stdout, "`campaign.toml` is written: `costate fit campaign.toml` runs it\n");
    let said = costate(folder.path(), "fit campaign.toml");
    assert!(said.success, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("c_e1"), "{}", said.stdout);

    // a template of a call knows its record and its unknowns
    let said =
        costate(folder.path(), "fit --template mount.rs --model EngineMount --unknown c_e1,d_e --record bench.csv");
    assert!(said.success, "{}", said.stderr);
    for line in ["[unknowns.c_e1]", "[unknowns.d_e]", "#[unknowns.m_l]", "record = \"bench.csv\"", "#m_l = 20.0"] {
        assert!(said.stdout.lines().any(|written| written == line), "{line}");
    }
    let said = costate(folder.path(), "fit --template campaign.toml");
    assert_eq!(
        (said.code, &*said.stderr),
        (Some(2), "error: `campaign.toml` is a campaign; give the file of a model to `--template`\n")
    );
}

/// The messages of mistakes in a campaign, with their lines.
#[test]
fn mistakes_in_campaigns() {
    let folder = measured_folder();
    let campaign = "[model]\nfile = \"mount.rs\"\nname = \"EngineMount\"\n\n[unknowns.c_e1]\nbounds = [1e4, \
         1e6]\n\n[[experiment]]\nrecord = \"bench.csv\"\n";
    for (old, new, line, message) in [
        (
            "bounds =",
            "bound =",
            6,
            "`unknowns.c_e1.bound`: there is no field `bound` in `unknowns.c_e1`; did you mean `bounds`?",
        ),
        ("[unknowns", "[unknown", 5, "there is no field `unknown`; did you mean `unknowns`?"),
        ("unknowns.c_e1", "unknowns.c_E", 5, "the model has no parameter `c_E`; did you mean `c_e1`?"),
        ("1e4, 1e6", "1e6, 1e4", 6, "the lower bound 1000000 is not below the upper bound 10000"),
        ("[1e4, 1e6]", "[\"1[kg]\", 1e6]", 6, "1 [kg] cannot be a value of `c_e1`, which is in `N/m`"),
        ("[1e4, 1e6]", "\"wide\"", 6, "`\"wide\"` cannot stand here; write a list in brackets"),
        ("bench.csv", "bank.csv", 9, "`experiment.record`: cannot access `bank.csv`"),
        (
            "record = \"bench.csv\"",
            "name = \"sweep\"",
            8,
            "the field `record` is missing; add it, e.g. `record = \"bench.csv\"`",
        ),
        ("bounds = [1e4, 1e6]", "of = \"grup\"", 6, "`grup` cannot stand here; did you mean `group`?"),
        ("bounds = [1e4", "bounds = [1e4, [", 6, "not TOML"),
        ("name = \"EngineMount\"", "name = 3", 3, "`model.name`: `3` cannot stand here; write a text in quotes"),
        (
            "[[experiment]]",
            "[optimizer]\nmethod = \"newton\"\n[[experiment]]",
            9,
            "`newton` cannot stand here; write one of `automatic`, `steepest_descent`",
        ),
        ("bench.csv\"", "bench.csv\"\ninputs.drive = \"3*s(t)\"", 10, "`3*s(t)` is no signal"),
        (
            "bench.csv\"",
            "bench.csv\"\nmeasured.acceleration = { noise = { order = 2 }, deviation = 1 }",
            10,
            "exclude each other; remove one of them",
        ),
        (
            "bench.csv\"",
            "bench.csv\"\nmeasured.acceleration = { unit = \"g\" }",
            10,
            "the channel `acceleration` of `bench.csv` is in `m/s^2` by its heading; remove `unit`",
        ),
        (
            "bench.csv\"\n",
            "bench.csv\"\n[[experiment]]\nrecord = \"bench.csv\"\n",
            10,
            "the experiment `bench` is given twice",
        ),
    ] {
        assert!(campaign.contains(old), "{old}");
        fs::write(folder.path().join("campaign.toml"), campaign.replace(old, new)).unwrap();
        let said = costate(folder.path(), "fit campaign.toml --json");
        let answer = said.json();
        assert_eq!(said.code, Some(1), "{}", said.stderr);
        let said = answer["error"].as_str().unwrap();
        assert!(said.contains(message), "{message}\n{said}");
        assert!(said.starts_with(&format!("`campaign.toml`, line {line}")), "{said}");
        assert_eq!(answer["diagnostics"][0]["line"], line, "{answer}");
    }
    // text for people shows the line
    fs::write(folder.path().join("campaign.toml"), campaign.replace("bounds =", "bound =")).unwrap();
    let said = costate(folder.path(), "fit campaign.toml");
    insta::assert_snapshot!(said.stderr);
}
