//! A test bench: records of the engine mount with known parameters and known noise.

use std::path::Path;

use costate::interpreted::LoadedModel;
use costate::measure::Record;
use costate_compiler::{Arguments, ModelFile};

/// Step and end of the records in s.
const STEP: f64 = 1e-4;
const END: f64 = 0.2;

/// Standard deviation of the noise in m/s^2.
pub const NOISE: f64 = 0.6;

/// The folder of a test, with the file of the mount, `mount.rs`.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/src/engine_mount.rs");
    std::fs::copy(model, folder.path().join("mount.rs")).unwrap();
    folder
}

/// The force on the mount in N.
fn drive(t: f64) -> f64 {
    300.0 * (60.0 * t + 1200.0 * t * t).sin()
}

/// Writes what a bench with this mount would measure: the force in kN and the acceleration, with noise of this seed.
/// `changed` are the parameters of the mount that differ from their defaults.
pub fn measure(folder: &Path, name: &str, changed: &[(&str, f64)], seed: u64) {
    let file = ModelFile::read(folder.join("mount.rs")).unwrap();
    let mount = LoadedModel::of_file(&file, Some("EngineMount"), &Arguments::new()).unwrap();
    let simulation = mount.simulation().unwrap().input(mount.input("drive").unwrap(), drive);
    let with = |simulation: costate::simulate::Simulation, (name, value): &(&str, f64)| {
        simulation.parameter(mount.parameter(name).unwrap(), *value)
    };
    let run = changed.iter().fold(simulation, with).step(STEP).until(END).run().unwrap();
    let mut state = seed;
    let mut even = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2f64.powi(31)
    };
    let mut noise = || NOISE * ((0..12).map(|_| even()).sum::<f64>() - 6.0);
    let measured: Vec<f64> = run.output(mount.output("acceleration").unwrap()).iter().map(|a| a + noise()).collect();
    let force = run.times().iter().map(|t| 1e-3 * drive(*t)).collect();
    let record = Record::new(run.times()).unwrap().with_channel("drive", Some("kN"), force).unwrap();
    let record = record.with_channel("acceleration", Some("m/s^2"), measured).unwrap();
    record.write_csv(folder.join(name)).unwrap();
}

/// Writes `bench.csv` with the mount of the model's defaults.
pub fn measured_folder() -> tempfile::TempDir {
    let folder = folder();
    measure(folder.path(), "bench.csv", &[], 1);
    folder
}
