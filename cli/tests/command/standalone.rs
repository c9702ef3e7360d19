//! Expanded code in a crate that depends on the runtime alone, without the macro and the compiler.

use super::support::{checkout, costate, run};

/// Simulates an engine and compares its derivatives with dual numbers.
const PROGRAM: &str = r#"
#[allow(dead_code)]
mod engine;

use costate::{Simulation, check_derivatives};
use costate::verify::random_points;
use engine::FourCylinderEngine as Engine;

fn main() {
    assert_eq!(Engine::CYLINDERS, 6);
    let engine = Engine::default();
    let report = check_derivatives(&random_points(&engine, 3, 7), 1e-12);
    assert!(report.mismatches.is_empty() && report.skipped == 0, "{report}");
    let run = Simulation::new(&engine)
        .input(Engine::Q_RUN, |t: f64| 157.0 * t)
        .input(Engine::V_RUN, 157.0)
        .step(5e-5)
        .until(0.02)
        .alpha(-0.1)
        .run()
        .unwrap();
    let twist = run.output(Engine::TWIST);
    let largest = twist.iter().fold(0.0, |largest: f64, twist| largest.max(twist.abs()));
    // The gas forces twist the shaft by fractions of a degree.
    assert!((1e-4..1e-1).contains(&largest), "{largest}");
    println!("{} samples", twist.len());
}
"#;

#[test]
fn six_cylinders() {
    let folder = tempfile::tempdir().unwrap();
    let sources = folder.path().join("src");
    std::fs::create_dir(&sources).unwrap();
    let checkout = checkout();
    let (runtime, file) = (checkout.join("runtime"), checkout.join("models/src/four_cylinder_engine.rs"));
    let manifest = format!(
        "[package]\nname = \"standalone\"\nedition = \"2024\"\n\
         [dependencies]\ncostate = {{ path = {runtime:?}, default-features = false }}\n"
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(sources.join("main.rs"), PROGRAM).unwrap();
    let model = ["--model", "FourCylinderEngine", "--set", "cylinders=6"];
    let (expand, output) = (["compile", file.to_str().unwrap()], ["-o", "src/engine.rs"]);
    let said = costate(folder.path(), &[&expand[..], &model, &output].concat());
    assert!(said.success, "{}", said.stderr);
    assert_eq!(run(folder.path()), "401 samples\n");
}
