//! `costate run`.

use std::path::Path;

use serde_json::Value;

use super::support::{OSCILLATOR, Said, costate, folder_with, number, position, refused};

fn run(folder: &Path, arguments: &str) -> Said {
    costate(folder, &format!("run model.rs {arguments}"))
}

/// Numbers of a run for other programs.
fn numbers(folder: &Path, arguments: &str) -> Value {
    let said = run(folder, &format!("{arguments} --json"));
    assert!(said.success, "{}", said.stderr);
    said.json()
}

#[test]
fn the_motion_is_that_of_the_equation() {
    let folder = folder_with(OSCILLATOR);
    let found = numbers(folder.path(), "--until 1 --step 5e-4");
    let position_of = &found["outputs"][0];
    assert_eq!((&position_of["name"], &position_of["unit"]), (&"position".into(), &"mm".into()));
    let end = 100.0 * position(1.0);
    assert!((number(&position_of["end"]) - end).abs() < 0.02, "{position_of} {end}");
    assert_eq!((number(&position_of["largest"]), number(&position_of["largest_time"])), (100.0, 0.0));
    // half a period later
    let half = std::f64::consts::PI / 99_f64.sqrt();
    assert!((number(&position_of["least"]) - 100.0 * position(half)).abs() < 0.02, "{position_of}");
    assert!((number(&position_of["least_time"]) - half).abs() < 1e-3, "{position_of}");
    assert_eq!((&found["steps"], &found["step_origin"]), (&2000.into(), &"given".into()));
    assert_eq!(found["inputs_at_zero"], serde_json::json!(["push"]));
    let accuracy = &found["accuracy"];
    assert!((1e-6..1e-3).contains(&number(&accuracy["relative"])) && found["doubt"].is_null(), "{accuracy}");
    assert_eq!(accuracy["outputs"][1]["name"], "velocity");
}

#[test]
fn for_people() {
    let folder = folder_with(OSCILLATOR);
    let said = run(folder.path(), "--until 0.5 --step 0.001 -p x_0=0.05 --input push=10*t");
    assert!(said.success && said.stderr.is_empty(), "{}", said.stderr);
    insta::assert_snapshot!(said.stdout);
}

/// Values with units, and a force that keeps the mass where the spring ends up.
#[test]
fn parameters_and_inputs_have_units() {
    let folder = folder_with(OSCILLATOR);
    let plain = numbers(folder.path(), "--until 1 --step 1e-3 -p c=200 -p x_0=0.05 -i push=10");
    let with_units = "--until 1 --step 1e-3 -p c=0.2[N/mm] -p x_0=50[mm] -i push=0.01[kN]";
    let with_units = numbers(folder.path(), with_units);
    assert_eq!(plain["outputs"], with_units["outputs"]);
    // at rest from the start
    assert!((number(&plain["outputs"][0]["least"]) - 50.0).abs() < 1e-6, "{plain}");
    assert!((number(&plain["outputs"][0]["largest"]) - 50.0).abs() < 1e-6, "{plain}");
}

#[test]
fn inputs_are_expressions_and_records() {
    let folder = folder_with(OSCILLATOR);
    let end = |input: &str| {
        let arguments = format!("--until 1 --step 1e-3 -p x_0=0 --input '{input}'");
        number(&numbers(folder.path(), &arguments)["outputs"][0]["end"])
    };
    // a constant force from 0.5 s on, within half a step: 100 mm less what is left of the swing
    let step = 100.0 * (1.0 - position(0.5));
    assert!((end("push=10*step(t - 0.5)") - step).abs() < 0.4, "{} {step}", end("push=10*step(t - 0.5)"));
    assert_eq!(end("push=10*step(t - 0.5)"), end("push=if t >= 0.5 { 10 } else { 0 }"));
    assert_eq!(end("push=500*sin(60*t^2)"), end("push=0.5[kN]*sin(60[1/s^2]*t^2)"));
    assert_eq!(end("push=2*pulse(t - 0.2, 0.1)"), end("push=if 0.2 <= t && t <= 0.3 { 2 } else { 0 }"));
    // the frequency of a chirp that does not change
    assert!((end("push=chirp(t, 3, 3, 1)") - end("push=sin(2*pi*3*t)")).abs() < 1e-9);
    let mut text = "time [ms],force [kN],push [N]\n".to_owned();
    (0..=10).for_each(|k| text += &format!("{},{},{}\n", 100 * k, 0.001 * f64::from(k), f64::from(k)));
    std::fs::write(folder.path().join("bench.csv"), text).unwrap();
    let ramp = end("push=10*t");
    assert!((end("push=bench.csv:force") - ramp).abs() < 1e-9, "{ramp}");
    assert!((end("push=bench.csv") - ramp).abs() < 1e-9, "{ramp}");
}

#[test]
fn steps_are_found() {
    let folder = folder_with(OSCILLATOR);
    let found = numbers(folder.path(), "--until 1");
    let relative = number(&found["accuracy"]["relative"]);
    assert!(found["step_origin"] == "found" && relative < 1.5e-3 && relative > 1e-5, "{found}");
    let found = numbers(folder.path(), "--until 1 --tolerance 1e-5");
    assert!(found["step_origin"] == "adaptive" && number(&found["step"]) == 1e-3, "{found}");
    assert!((number(&found["outputs"][0]["end"]) - 100.0 * position(1.0)).abs() < 0.1, "{found}");
}

/// -1/x^2 pulls a mass from 1 m to 0 within pi/(2 sqrt(2)) s, where no run can go on.
#[test]
fn a_force_without_bound_has_no_error_in_numbers() {
    let folder = folder_with(
        "costate::model! { pub Falling {
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: -1[N*m^2]/x^2 }
            initial { x = 1[m], dot(x) = 0[m/s] }
            outputs { position: m = x }
        } }",
    );
    let said = run(folder.path(), "--until 2 --step 0.001");
    said.prints(3, &["the error of `position` is not known", "a force may grow without bound"]);
}

#[test]
fn a_coarse_run_is_doubtful() {
    let folder = folder_with(OSCILLATOR);
    let said = run(folder.path(), "--until 1 --step 0.1");
    assert_eq!(said.code, Some(3), "{}{}", said.stdout, said.stderr);
    let last = said.stdout.lines().last().unwrap();
    assert!(last.starts_with("doubtful: ") && last.contains("step"), "{last}");
    let said = run(folder.path(), "--until 1 --step 0.1 --json");
    assert!(said.code == Some(3) && said.json()["doubt"].is_string());
    assert!(run(folder.path(), "--until 1 --step 0.1 --error-limit 9").success);
}

#[test]
fn tables_and_pictures() {
    let folder = folder_with(OSCILLATOR);
    let found = numbers(folder.path(), "--until 1 --step 1e-3 -o run.csv -o run.html -o run.svg -o run.json");
    assert_eq!(found["files"], serde_json::json!(["run.csv", "run.html", "run.svg", "run.json"]));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let table = read("run.csv");
    assert!(table.starts_with("time [s],position [mm],velocity [m/s]\n0.0,100.0,0.0\n"), "{table}");
    assert_eq!(table.lines().count(), 1002);
    let svg = read("run.svg");
    assert!(svg.starts_with("<svg") && svg.contains("position [mm]") && svg.contains("velocity [m/s]"), "{svg}");
    assert!(read("run.html").contains("\"name\":\"velocity\""));
    let json: Value = serde_json::from_str(&read("run.json")).unwrap();
    let last = |series: &Value| number(&series.as_array().unwrap()[1000]);
    assert_eq!((last(&json["time"]), last(&json["series"]["position"])), (1.0, number(&json["outputs"][0]["end"])));
}

#[test]
fn mistakes() {
    let folder = folder_with(OSCILLATOR);
    let cases = [
        ("--until 1 -p k=3", 1, "error: model `Oscillator` has no parameter `k`"),
        ("--until 1 -p c=80[kg]", 1, "error: `c` is given as `80[kg]`: `kg` is in SI units `kg`, which does not fit"),
        ("--until 1 -p c=soft", 2, "error: invalid value 'c=soft' for '--parameter <NAME=VALUE>': `soft` is no number"),
        ("--until 1 -i push=5*velocity", 1, "error: unknown name `velocity`"),
        ("--until 1 -i push=5[m]*sin(t/1[s])", 1, "error: the value of `push` has the unit `m`, expected the unit `N`"),
        ("--until 1 -i push=step(t", 1, "error: "),
        ("--until 1 -i push=pulse(t)", 1, "error: write `pulse(x, length)`"),
        ("--until 1 -i pull=5", 1, "error: model `Oscillator` has no input `pull`"),
        ("--until 1 -i push=none.csv:force", 1, "error: cannot access `none.csv`: "),
        ("--step 0.1", 2, "error: the end of the run is not given; write `--until SECONDS`"),
        (
            "--until 1 --step 0.3",
            1,
            "error: the end of the run (`--until`) is 1 s, not a whole number of steps of 0.3 s",
        ),
        ("--until 1 --scheme euler", 2, "error: invalid value 'euler' for '--scheme <SCHEME>': write `alpha:RHO`"),
        (
            "--until 1 -o run.png",
            1,
            "error: `run.png` has an ending that is no format here; write one of `.csv`, `.html`",
        ),
    ];
    refused(folder.path(), "run model.rs", &cases);
    for (arguments, code, _) in cases {
        let said = run(folder.path(), &format!("{arguments} --json"));
        let error = said.json();
        assert!(said.code == Some(code) && error["error"].is_string(), "{error}");
    }
    // mistakes of expressions are marked
    let said = run(folder.path(), "--until 1 -i push=5*velocity");
    assert!(said.stderr.contains("--> --input push:1:3") && said.stderr.contains("^^^^^^^^"), "{}", said.stderr);
    let said = run(folder.path(), "--until 1 -i push=5*velocity --json");
    let diagnostics = &said.json()["diagnostics"][0];
    assert_eq!((&diagnostics["line"], &diagnostics["column"]), (&1.into(), &3.into()));
}

/// Tests that Ctrl-C ends a long run in order.
#[cfg(unix)]
#[test]
fn an_interrupted_run() {
    use std::process::{Command, Stdio};
    let folder = folder_with(OSCILLATOR);
    let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
    command.current_dir(folder.path()).args(["run", "model.rs", "--until", "500", "--step", "1e-4", "--json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let interrupt = ["-s", "INT", &child.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").args(interrupt).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(error["error"].as_str().unwrap().contains("interrupted"), "{error}");
}

/// Tests runs of high order against the closed form of a mass on a rod that turns and swings along its axis.
#[test]
fn runs_of_high_order() {
    let folder = tempfile::tempdir().unwrap();
    let model = "Rod { parameters { m: kg = 1, l: m = 1, c: N/m = 30 }
        coordinates { x: m, y: m, z: m } mass { x: m, y: m, z: m } forces { z: -c*z }
        constraints { rod: (x^2 + y^2 - l^2)/(2*l) }
        initial { x = 1[m], dot(y) = 3[m/s], z = 0.1[m] }
        outputs { across: m = x, along: m = z } }";
    std::fs::write(folder.path().join("rod.model"), model).unwrap();
    let error = |order: &str| {
        let arguments = ["run", "rod.model", "--until", "2", "--step", "0.02", "--order", order, "--json"];
        let said = costate(folder.path(), &arguments).json();
        let end = |i: usize| number(&said["outputs"][i]["end"]);
        let exact = [6f64.cos(), 0.1 * (30f64.sqrt() * 2.0).cos()];
        (end(0) - exact[0]).abs().max((end(1) - exact[1]).abs())
    };
    let [second, fourth] = ["2", "4"].map(error);
    assert!((1e-4..1e-1).contains(&second) && fourth < 1e-2 * second, "{second:e} {fourth:e}");

    let run = |options: &[&str]| costate(folder.path(), &[&["run", "rod.model", "--until", "1"], options].concat());
    let said = run(&["--step", "0.02", "--order", "7"]);
    assert!(said.code != Some(0) && said.stderr.contains("7 is not in 2..=6"), "{}", said.stderr);
    let said = run(&["--tolerance", "1e-5", "--order", "4"]);
    assert!(said.code != Some(0) && said.stderr.contains("the order 4 needs constant steps"), "{}", said.stderr);
}

/// A mass on springs that rests: its accelerations are rounding of lengths that are a thousand times its position.
#[test]
fn a_mechanism_at_rest_has_adaptive_steps() {
    let model = "Tub { parameters { m: kg = 45, c: N/mm = 5, l_0: mm = 200, d: N*s/m = 150, g: m/s^2 = 9.81 } \
         gravity { (0, -g) } bodies { tub: planar { mass: m, inertia: 2[kg*m^2] } } \
         elements { \
         left: spring(ground.at(-0.28[m], 0.45[m]), tub.at(-0.22[m], 0.20[m]), stiffness = c, length = l_0), \
         right: spring(ground.at(0.28[m], 0.45[m]), tub.at(0.22[m], 0.20[m]), stiffness = c, length = l_0), \
         low: spring(ground.at(0[m], -0.5[m]), tub.at(0[m], -0.26[m]), damping = d) } \
         initial { equilibrium } outputs { lift: mm = tub.y } }";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.model"), model).unwrap();
    for tolerance in ["1e-3", "1e-4", "1e-6", "1e-9"] {
        let said = costate(folder.path(), &["run", "m.model", "--until", "1", "--tolerance", tolerance]);
        assert!(said.success, "{tolerance}: {}", said.stderr);
    }
}

/// Numbers that a person reads have six digits at most; files and `--json` have all.
#[test]
fn steps_are_said_with_six_digits() {
    let folder = folder_with(OSCILLATOR);
    let said = run(folder.path(), "--until 0.30000000000000004 --step 0.0010000000000000002");
    assert!(said.stdout.contains("steps of 0.001 s to 0.3 s"), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("estimated errors at steps of 0.001 s"), "{}", said.stdout);
}
