//! Errors for bad data, settings and states: each names the place, the value and the remedy.

use costate::{Parameter, Record, Simulation};
use costate_models::{DiscreteOscillator, EngineMount, engine_mount};

/// Checks that the message of an error contains all of these parts.
fn says(error: impl std::error::Error, parts: &[&str]) {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        message += &format!(": {inner}");
        source = inner.source();
    }
    for part in parts {
        assert!(message.contains(part), "`{message}` does not say `{part}`");
    }
}

fn csv(text: &str, parts: &[&str]) {
    says(Record::from_csv(text.as_bytes(), "bench.csv").unwrap_err(), &[&["bench.csv"], parts].concat());
}

#[test]
fn records() {
    csv("", &["empty"]);
    csv("time,a\n", &["no"]);
    csv("time,a\n0,1\n0.1\n", &["line 3"]);
    csv("time,a\n0,1\n0.1,x2\n", &["line 3", "`a`", "x2"]);
    csv("time,a\n0,1\nNaN,1\n", &["line 3", "`time`", "NaN"]);
    csv("time,a\n0,1\n0.2,1\n0.1,1\n", &["line 4", "0.1", "0.2"]);
    csv("time,a\n0,1\n0,1\n", &["line 3"]);
    csv("seconds,a\n0,1\n", &["time"]);
    csv("time,a,a\n0,1,2\n", &["`a`"]);
    says(Record::read_csv("no/such/file.csv").unwrap_err(), &["no/such/file.csv"]);
    let record = Record::from_csv("time [s],a [m/s^2]\n0,1\n0.1,2\n".as_bytes(), "bench.csv").unwrap();
    says(record.channel("b").unwrap_err(), &["`b`", "a"]);
}

#[test]
fn settings() {
    let model = DiscreteOscillator::default();
    let run = |h, end, alpha| Simulation::new(&model).step(h).until(end).alpha(alpha).run().unwrap_err();
    says(run(0.0, 1.0, 0.0), &["`step`", "0", "positive"]);
    says(run(-0.1, 1.0, 0.0), &["`step`", "-0.1"]);
    says(run(0.1, 1.0, -0.4), &["`alpha`", "-0.4", "[-1/3, 0]"]);
    says(run(0.1, 1.0, 0.1), &["`alpha`", "0.1"]);
    says(run(0.1, 1.05, 0.0), &["`end`", "1.05", "nearest"]);
    says(Simulation::new(&model).until(1.0).run().unwrap_err(), &["`step`", "missing"]);
    says(Simulation::new(&model).step(1e-9).until(1e3).memory_limit(1 << 30).run().unwrap_err(), &["memory_limit"]);
}

#[test]
fn names_from_files() {
    says(Parameter::<EngineMount>::named("c_e3").unwrap_err(), &["EngineMount", "c_e3", "c_e1, c_e2"]);
}

#[test]
fn inputs() {
    let mount = EngineMount::default();
    let simulation = || Simulation::new(&mount).step(1e-3).until(0.1);
    says(simulation().run().unwrap_err(), &["`drive`", ".input("]);
    let broken = |t: f64| if t > 0.05 { f64::NAN } else { 0.0 };
    says(simulation().input(EngineMount::DRIVE, broken).run().unwrap_err(), &["`drive`", "NaN", "0.051"]);
}

#[test]
fn parameters_that_explode() {
    // With a negative cubic stiffness the mount diverges within the run.
    let mount = EngineMount { c_e2: -1e13, ..EngineMount::default() };
    let error = Simulation::new(&mount)
        .input(EngineMount::DRIVE, |t| 1e3 * engine_mount::sweep(t))
        .step(1e-3)
        .until(1.0)
        .run()
        .unwrap_err();
    says(error, &["step", " s"]);
}

costate::model! {
    #[interpreted]
    /// A body whose mass vanishes during the motion.
    Vanishing {
        parameters { v_0: m/s = 1 }
        coordinates { x: m }
        mass { x: if x < 0.1[m] { 1 } else { 0 } }
        forces { x: 1[m/s^2] }
        initial { dot(x) = v_0 }
    }
}

#[test]
fn singular_newton_matrix() {
    let error = Simulation::new(&Vanishing::default()).step(0.01).until(1.0).run().unwrap_err();
    says(error, &["singular", "`x`", "mass"]);
}

costate::model! {
    #[interpreted]
    /// The positions given do not satisfy the constraint, and nothing is open.
    Contradiction {
        parameters { l: m = 2 }
        coordinates { x: m, y: m }
        mass { x: 1, y: 1 }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = 1[m], y = 1[m] }
    }
}

costate::model! {
    #[interpreted]
    /// A constraint that is given twice, unless the parameters make the second one a different one.
    Redundant {
        parameters { a: 1 = 2, b: 1 = 2 }
        coordinates { x: m, y: m }
        mass { x: 1, y: 1 }
        constraints { first: x - y, second: a*x - b*y }
    }
}

costate::model! {
    #[interpreted]
    /// Nothing determines the motion of y.
    Undetermined {
        coordinates { x: m, y: m }
        parameters { c: N/m = 1 }
        mass { x: 1[kg] }
        forces { x: -c*x, y: c*(x - y) }
    }
}

#[test]
fn initial_states() {
    says(
        Simulation::new(&Contradiction::default()).step(0.01).until(1.0).run().unwrap_err(),
        &["`rod`", "-2", "initial"],
    );
    says(Simulation::new(&Redundant::default()).step(0.01).until(1.0).run().unwrap_err(), &["`first`", "`second`"]);
    says(Simulation::new(&Undetermined::default()).step(0.01).until(1.0).run().unwrap_err(), &["`y`", "mass"]);
}
