//! Wrong calls: statuses and messages, and no crash.

use std::ffi::{CString, c_void};
use std::fs;
use std::ptr;

use costate_fmi::Status;
use costate_fmi::exports::*;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::support::{Fmu, Instance, MOUNT, has_logged};

#[test]
fn calls_out_of_order_are_refused() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let instance = fmu.co_simulation();
    assert_eq!(fmi3ExitInitializationMode(instance.pointer()), Status::Error);
    assert!(has_logged("`fmi3ExitInitializationMode` is called in state Instantiated"));
    assert_eq!(instance.step(0.0, 1e-3), Status::Error);
    assert_eq!(fmi3EnterInitializationMode(instance.pointer(), false, 0.0, 1.0, false, 0.0), Status::Error);
    assert!(has_logged("runs of costate begin at 0 s"));
    let instance = instance.initialized(false);
    assert_eq!(fmi3EnterContinuousTimeMode(instance.pointer()), Status::Error);
    assert_eq!(instance.step(0.5, 1e-3), Status::Error);
    assert!(has_logged("a step from 0.5 s is asked for at 0 s"));
    for length in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
        assert_eq!(instance.step(0.0, length), Status::Error);
    }
    assert_eq!(fmi3Terminate(instance.pointer()), Status::Ok);
    assert_eq!(instance.step(0.0, 1e-3), Status::Error);
    assert_eq!(fmi3Reset(instance.pointer()), Status::Ok);
    let instance = instance.initialized(false);
    assert_eq!(instance.step(0.0, 1e-3), Status::Ok);
}

#[test]
fn wrong_arguments_are_refused() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let instance = fmu.co_simulation();
    let inputs = fmu.references("causality=\"input\"");
    assert_eq!(instance.set(&[4_000_000_000], &[1.0]), Status::Error);
    assert!(has_logged("no variable with the value reference 4000000000"));
    assert_eq!(instance.set(&inputs, &[f64::NAN]), Status::Error);
    assert!(has_logged("`drive` is set to NaN"));
    assert_eq!(instance.set(&inputs, &[1.0, 2.0]), Status::Error);
    assert_eq!(instance.set(&fmu.references("causality=\"output\"")[..1], &[1.0]), Status::Error);
    assert!(has_logged("`acceleration` cannot be set"));
    // SAFETY: null pointers are what is tested.
    unsafe {
        assert_eq!(fmi3SetFloat64(instance.pointer(), ptr::null(), 1, ptr::null(), 1), Status::Error);
        assert_eq!(fmi3GetFloat64(instance.pointer(), inputs.as_ptr(), 1, ptr::null_mut(), 1), Status::Error);
        assert_eq!(fmi3GetFloat64(instance.pointer(), inputs.as_ptr(), 1, ptr::null_mut(), usize::MAX), Status::Error);
        assert_eq!(fmi3GetFMUState(instance.pointer(), ptr::null_mut()), Status::Error);
        let mut one = 0.0;
        assert_eq!(fmi3GetFloat64(ptr::null_mut(), inputs.as_ptr(), 1, &mut one, 1), Status::Error);
    }
    let stale: *mut c_void = ptr::without_provenance_mut(0x7fff_0001);
    assert_eq!(fmi3Reset(stale), Status::Error);
    fmi3FreeInstance(stale);
    fmi3FreeInstance(ptr::null_mut());
    let instance = instance.initialized(false);
    // a negative mass has no motion, and the instance goes on
    assert_eq!(instance.step(0.0, 1e-3), Status::Ok);
    assert_eq!(fmi3ActivateModelPartition(instance.pointer(), 0, 0.0), Status::Error);
    assert_eq!(fmi3GetInt32(instance.pointer(), ptr::null(), 0, ptr::null_mut(), 0), Status::Ok);
    assert_eq!(fmi3GetInt32(instance.pointer(), ptr::null(), 1, ptr::null_mut(), 1), Status::Error);
}

#[test]
fn resources_that_do_not_fit_are_refused() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let resources = fmu.folder.path().join("unpacked/resources");
    let refused = |fmu: &Fmu, part: &str| {
        let instance = fmu.co_simulation();
        assert_eq!(instance.0, 0);
        assert!(has_logged(part), "{part}");
    };
    let mut other = Fmu::of_text(MOUNT, &["-p", "c=1"]);
    other.token = CString::new("another").unwrap();
    refused(&other, "the instantiation token `another` is not that of the model");
    other.resources = CString::new("/nowhere/").unwrap();
    refused(&other, "unpack the whole FMU");

    let settings = fs::read_to_string(resources.join("costate.json")).unwrap();
    let write = |text: &str| fs::write(resources.join("costate.json"), text).unwrap();
    write(&settings.replace(&format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"version\": \"0.0.1\""));
    refused(&fmu, "the model was packed by costate 0.0.1");
    write(&settings[..settings.len() / 2]);
    refused(&fmu, "is damaged");
    write(&settings);
    let text = fs::read_to_string(resources.join("model.model")).unwrap();
    fs::write(resources.join("model.model"), text.replace("100e3", "200e3")).unwrap();
    refused(&fmu, "was changed after the export");
    fs::write(resources.join("model.model"), text.replace("forces", "farces")).unwrap();
    refused(&fmu, "farces");
    fs::write(resources.join("model.model"), text).unwrap();
    assert_ne!(fmu.co_simulation().0, 0);
}

#[test]
fn read_only_folders_with_blanks_serve() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    for entry in fs::read_dir(fmu.folder.path().join("unpacked/resources")).unwrap() {
        let path = entry.unwrap().path();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
    }
    assert!(fmu.resources.to_str().unwrap().contains("costate fmü "));
    assert_eq!(fmu.co_simulation().initialized(false).step(0.0, 1e-3), Status::Ok);
}

/// A number that may be wrong.
fn number(random: &mut SmallRng) -> f64 {
    match random.random_range(0..12) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 1e300,
        3 => -1.0,
        4 => 0.0,
        5 => 1e-3,
        6 => 2e-3,
        _ => random.random_range(-0.1..0.1),
    }
}

/// Makes a random call; statuses may be any.
fn random_call(fmu_variables: u32, instance: &Instance, states: &mut Vec<*mut c_void>, random: &mut SmallRng) {
    let pointer = match random.random_range(0..50) {
        0 => ptr::null_mut(),
        1 => ptr::without_provenance_mut(random.random_range(0..1 << 40)),
        _ => instance.pointer(),
    };
    let count = random.random_range(0..4_usize);
    let given = if random.random_range(0..10) == 0 { random.random_range(0..4) } else { count };
    let references: [u32; 4] = std::array::from_fn(|_| random.random_range(0..fmu_variables + 2));
    let mut values: [f64; 4] = std::array::from_fn(|_| number(random));
    let [mut a, mut b, mut c, mut d, mut e] = [false; 5];
    let (mut real, mut size) = (0.0, 0);
    let mut state = states.last().copied().unwrap_or(ptr::null_mut());
    if random.random_range(0..8) == 0 {
        state = ptr::without_provenance_mut(random.random_range(0..1 << 20));
    }
    let times = [number(random).abs(), number(random)];
    // SAFETY: all arrays are longer than their counts say, and all places live beyond the call.
    unsafe {
        match random.random_range(0..30) {
            0 => {
                let _ = fmi3EnterInitializationMode(pointer, false, 0.0, 0.0, false, 0.0);
            }
            1 => {
                let _ = fmi3EnterInitializationMode(pointer, true, times[0], times[1], true, real);
            }
            2 | 3 => {
                let _ = fmi3ExitInitializationMode(pointer);
            }
            4 => {
                let _ = fmi3EnterContinuousTimeMode(pointer);
            }
            5 => {
                let _ = fmi3EnterEventMode(pointer);
            }
            6 if random.random_range(0..4) == 0 => {
                let _ = fmi3Terminate(pointer);
            }
            7 if random.random_range(0..2) == 0 => {
                let _ = fmi3Reset(pointer);
            }
            8 | 9 => {
                let _ = fmi3SetFloat64(pointer, references.as_ptr(), count, values.as_ptr(), given);
            }
            10 | 11 => {
                let _ = fmi3GetFloat64(pointer, references.as_ptr(), count, values.as_mut_ptr(), given);
            }
            12..=14 => {
                let length = if random.random_range(0..3) == 0 { times[0].min(0.02) } else { 1e-3 };
                let mut now = [0.0];
                let _ = fmi3GetFloat64(pointer, [0].as_ptr(), 1, now.as_mut_ptr(), 1);
                {
                    let _ = fmi3DoStep(pointer, now[0], length, true, &mut a, &mut b, &mut c, &mut real);
                }
            }
            15 => {
                let _ = fmi3DoStep(pointer, times[1], times[0].min(0.05), true, &mut a, &mut b, &mut c, &mut real);
            }
            16 => {
                let mut saved = ptr::null_mut();
                if fmi3GetFMUState(pointer, &mut saved) == Status::Ok {
                    states.push(saved);
                }
            }
            17 => {
                let _ = fmi3SetFMUState(pointer, state);
            }
            18 => {
                let _ = fmi3FreeFMUState(pointer, &mut state);
            }
            19 => {
                let mut bytes = [0_u8; 4000];
                if fmi3SerializedFMUStateSize(pointer, state, &mut size) == Status::Ok && size <= bytes.len() {
                    let _ = fmi3SerializeFMUState(pointer, state, bytes.as_mut_ptr(), size);
                    if random.random_range(0..2) == 0 {
                        bytes[random.random_range(0..size)] ^= 1 << random.random_range(0..8);
                    }
                    {
                        let _ = fmi3DeserializeFMUState(pointer, bytes.as_ptr(), size, &mut state);
                    }
                }
            }
            20 => {
                let known: [u32; 4] = std::array::from_fn(|_| random.random_range(0..fmu_variables + 2));
                let (unknowns, knowns, seed) = (references.as_ptr(), known.as_ptr(), values.as_mut_ptr());
                let mut result = [0.0; 4];
                let to = result.as_mut_ptr();
                {
                    let _ =
                        fmi3GetDirectionalDerivative(pointer, unknowns, count, knowns, given, seed, given, to, count);
                }
                {
                    let _ = fmi3GetAdjointDerivative(pointer, unknowns, count, knowns, given, seed, count, to, given);
                }
            }
            21 => {
                let _ = fmi3SetTime(pointer, times[1]);
            }
            22 => {
                let _ = fmi3SetContinuousStates(pointer, values.as_ptr(), 2);
            }
            23 => {
                let _ = fmi3GetContinuousStates(pointer, values.as_mut_ptr(), count);
            }
            24 => {
                let _ = fmi3GetContinuousStateDerivatives(pointer, values.as_mut_ptr(), 2);
            }
            25 => {
                let _ = fmi3CompletedIntegratorStep(pointer, true, &mut a, &mut b);
            }
            26 => {
                let _ = fmi3UpdateDiscreteStates(pointer, &mut a, &mut b, &mut c, &mut d, &mut e, &mut real);
            }
            27 => {
                let _ = fmi3GetNumberOfContinuousStates(pointer, &mut size);
            }
            28 => {
                let _ = fmi3SetDebugLogging(pointer, true, 0, ptr::null());
            }
            _ => {
                let _ = fmi3GetString(pointer, references.as_ptr(), count, ptr::null_mut(), given);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_random_sequences_crash_nothing() {
    let fmu = Fmu::of_text(MOUNT, &[]);
    let variables = fmu.references("<Float64 ").len() as u32;
    let (mut instances, mut states) = (Vec::new(), Vec::new());
    for sequence in 0..100_000_u64 {
        let mut random = SmallRng::seed_from_u64(sequence);
        // an instance is used by several sequences, each of which begins anew
        if instances.len() < 2 || sequence % 500 == 0 {
            (instances, states) = (vec![fmu.co_simulation(), fmu.model_exchange()], Vec::new());
        }
        let instance = &instances[(sequence % 2) as usize];
        let _ = fmi3Reset(instance.pointer());
        for _ in 0..random.random_range(3..15) {
            random_call(variables, instance, &mut states, &mut random);
        }
        super::support::LOGGED.lock().unwrap().truncate(1000);
    }
    let instance = fmu.co_simulation().initialized(false);
    assert_eq!(instance.step(0.0, 1e-3), Status::Ok);
    assert!(!has_logged("a mistake of costate"));
}
