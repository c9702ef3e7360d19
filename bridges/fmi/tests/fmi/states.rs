//! Saved states: in memory, as bytes, and in another process.

use std::process::Command;
use std::{env, fs};

use costate_fmi::Status;
use costate_fmi::exports::{fmi3FreeFMUState, fmi3SetFMUState};

use super::support::{CRANK, Fmu, Instance, LOGGED, MOUNT, has_logged};

/// Makes steps with inputs that change, and returns the bits of the outputs.
fn continued(fmu: &Fmu, instance: &Instance, from: usize, steps: usize) -> Vec<u64> {
    let (inputs, outputs) = (fmu.references("causality=\"input\""), fmu.references("causality=\"output\""));
    let mut bits = Vec::new();
    for step in from..from + steps {
        assert_eq!(instance.set(&inputs, &[3.0 * (0.3 * step as f64).cos()]), Status::Ok);
        assert_eq!(instance.step(1e-3 * step as f64, 1e-3), Status::Ok, "{:?}", LOGGED.lock().unwrap());
        bits.extend(instance.get(&outputs).iter().map(|value| value.to_bits()));
    }
    bits
}

/// A chain of links, whose matrix is factorised by the library with pivots of its own.
fn chain() -> Fmu {
    let folder = tempfile::tempdir().unwrap();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/src/pendulum_chain.rs");
    Fmu::of(folder, &path, &["--model", "PendulumChain", "--set", "links=12"])
}

#[test]
fn states_are_restored_to_the_bit() {
    let adaptive = Fmu::of_text(CRANK, &["--step", "0.01", "--tolerance", "1e-5"]);
    for fmu in [Fmu::of_text(MOUNT, &[]), Fmu::of_text(CRANK, &[]), chain(), adaptive] {
        let instance = fmu.co_simulation().initialized(false);
        for from in [0, 1, 37] {
            let start = instance.save();
            let between = continued(&fmu, &instance, 0, from);
            let state = instance.save();
            let bytes = instance.serialise(state);
            let expected = continued(&fmu, &instance, from, 40);
            assert_eq!(fmi3SetFMUState(instance.pointer(), state), Status::Ok);
            assert_eq!(continued(&fmu, &instance, from, 40), expected);

            let other = fmu.co_simulation().initialized(false);
            let (status, read) = other.deserialise(&bytes);
            assert_eq!(status, Status::Ok, "{:?}", LOGGED.lock().unwrap());
            assert_eq!(fmi3SetFMUState(other.pointer(), read), Status::Ok);
            assert_eq!(continued(&fmu, &other, from, 40), expected);

            assert_eq!(fmi3SetFMUState(instance.pointer(), start), Status::Ok);
            assert_eq!(continued(&fmu, &instance, 0, from), between);
            assert_eq!(fmi3SetFMUState(instance.pointer(), start), Status::Ok);
            for mut own in [start, state] {
                // SAFETY: the place lives beyond the call.
                assert_eq!(unsafe { fmi3FreeFMUState(instance.pointer(), &mut own) }, Status::Ok);
                assert!(own.is_null());
            }
        }
    }
}

/// The variable with the folder of an FMU, for the second process.
const FOLDER: &str = "COSTATE_FMI_TEST_FOLDER";

#[test]
fn states_go_to_another_process() {
    if let Some(folder) = env::var_os(FOLDER) {
        // the second process
        let folder = std::path::PathBuf::from(folder);
        let fmu = Fmu::of_text(CRANK, &[]);
        let instance = fmu.co_simulation().initialized(false);
        let (status, state) = instance.deserialise(&fs::read(folder.join("state")).unwrap());
        assert_eq!(status, Status::Ok);
        assert_eq!(fmi3SetFMUState(instance.pointer(), state), Status::Ok);
        fs::write(folder.join("continued"), format!("{:?}", continued(&fmu, &instance, 21, 30))).unwrap();
        return;
    }
    let fmu = Fmu::of_text(CRANK, &[]);
    let instance = fmu.co_simulation().initialized(false);
    continued(&fmu, &instance, 0, 21);
    let state = instance.save();
    fs::write(fmu.folder.path().join("state"), instance.serialise(state)).unwrap();
    let own = Command::new(env::current_exe().unwrap())
        .args(["states::states_go_to_another_process", "--exact"])
        .env(FOLDER, fmu.folder.path())
        .output()
        .unwrap();
    assert!(own.status.success(), "{}", String::from_utf8_lossy(&own.stdout));
    let expected = format!("{:?}", continued(&fmu, &instance, 21, 30));
    assert_eq!(fs::read_to_string(fmu.folder.path().join("continued")).unwrap(), expected);
}

#[test]
fn states_of_model_exchange_are_restored() {
    let fmu = Fmu::of_text(CRANK, &[]);
    let instance = fmu.model_exchange().initialized(true);
    let (states, derivatives) = (fmu.references("name=\"dot("), fmu.references(" derivative=\""));
    let bits = |instance: &Instance| instance.get(&derivatives).iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let state = instance.save();
    let bytes = instance.serialise(state);
    let before = bits(&instance);
    assert_eq!(instance.set(&states[..1], &[-1.0]), Status::Ok);
    assert_ne!(bits(&instance), before);
    assert_eq!(fmi3SetFMUState(instance.pointer(), state), Status::Ok);
    assert_eq!(bits(&instance), before);
    let other = fmu.model_exchange();
    let (status, read) = other.deserialise(&bytes);
    assert_eq!(status, Status::Ok);
    assert_eq!(fmi3SetFMUState(other.pointer(), read), Status::Ok);
    assert_eq!(bits(&other), before);
}

#[test]
fn damaged_states_are_refused() {
    let (fmu, other) = (Fmu::of_text(MOUNT, &[]), Fmu::of_text(CRANK, &[]));
    let instance = fmu.co_simulation().initialized(false);
    continued(&fmu, &instance, 0, 5);
    let state = instance.save();
    let bytes = instance.serialise(state);
    for length in (0..bytes.len()).step_by(7) {
        assert_eq!(instance.deserialise(&bytes[..length]).0, Status::Error);
    }
    assert_eq!(other.co_simulation().initialized(false).deserialise(&bytes).0, Status::Error);
    assert_eq!(fmu.model_exchange().deserialise(&bytes).0, Status::Error);
    assert!(has_logged("damaged"));
    // any byte changed: refused, or a state that steps may refuse, but nothing else
    for place in (0..bytes.len()).step_by(3) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x5a;
        if let (Status::Ok, read) = instance.deserialise(&changed) {
            let _ = fmi3SetFMUState(instance.pointer(), read);
            let _ = instance.step(5e-3, 1e-3);
            assert_eq!(fmi3SetFMUState(instance.pointer(), state), Status::Ok);
        }
    }
    // a state of another instance
    assert_eq!(fmi3SetFMUState(fmu.co_simulation().pointer(), state), Status::Error);
}
