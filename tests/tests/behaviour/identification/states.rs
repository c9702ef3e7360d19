//! State files of identifications, and parameters in files.

use std::fs;

use costate::identify::{IdentificationError, ParameterSet, ParameterSetError, StateFileError};
use costate::optimize::OptimizerSettings;
use costate::simulate::{Interrupt, InterruptedWork, Scheme};
use costate::{Identification, Simulation};

use super::{Duffing, STEP, drive, identification, identification_of, record, simulation, start};
use crate::file;

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)))
}

#[test]
fn an_interrupted_identification_continues_bit_by_bit() {
    let record = record(0.01).unwrap();
    let full = identification(&record).run().unwrap();
    let path = file("interrupted.json");
    for stop in [2, 4] {
        let interrupt = Interrupt::new();
        let handle = interrupt.clone();
        let error = identification_of(&simulation().interrupt(interrupt), &record)
            .state_file(&path)
            .run_observed(move |iteration| {
                if iteration.number == stop {
                    handle.trigger()
                }
            })
            .unwrap_err();
        match error {
            IdentificationError::Interrupted(stopped) => {
                assert_eq!(stopped.work, InterruptedWork::Identification { iterations: stop });
                assert_eq!(stopped.state_file.as_ref(), Some(&path));
            }
            other => panic!("{other:?}"),
        }
    }
    let mut numbers = Vec::new();
    let resumed = identification(&record).state_file(&path).run_observed(|i| numbers.push(i.number)).unwrap();
    assert_eq!(numbers[0], 5);
    assert_eq!(resumed.summary().history, full.summary().history);
    assert_eq!(resumed.summary().covariance, full.summary().covariance);
    // Another run has nothing left to do.
    let again = identification(&record).state_file(&path).run_observed(|_| panic!("no iteration")).unwrap();
    assert_eq!(again.summary().history, full.summary().history);
}

#[test]
fn a_state_of_another_identification_is_refused() {
    let record = record(0.01).unwrap();
    let path = file("other.json");
    let few = || OptimizerSettings::default().with_maximum_iterations(2);
    identification(&record).state_file(&path).optimizer(few()).run().unwrap();
    let differs = |id: Identification<Duffing>, expected: &str| match id.state_file(&path).run() {
        Err(IdentificationError::StateFile(StateFileError::Differs { differences, .. })) => {
            assert_eq!(differences[0].to_string(), expected)
        }
        other => panic!("{expected}: {other:?}"),
    };
    differs(
        identification(&record).unknown([Duffing::M]),
        "the unknown parameters: d, c, c3 in the file, now d, c, c3, m",
    );
    differs(
        identification_of(&simulation().scheme(Scheme::GeneralizedAlpha { rho_inf: 0.6 }), &record),
        "`scheme.GeneralizedAlpha.rho_inf` of the simulation: 0.8 in the file, now 0.6",
    );
    let (least, largest) = range((0..=400).map(|i| drive(f64::from(i) * STEP)));
    differs(
        identification_of(&simulation().input(Duffing::DRIVE, |t: f64| t), &record),
        &format!("input `drive`: 401 values from {least} to {largest} in the file, now 401 values from 0 to 2"),
    );
    let silent_once = |t: f64| if t == 1.0 { 0.0 } else { drive(t) };
    differs(
        identification_of(&simulation().input(Duffing::DRIVE, silent_once), &record),
        &format!("input `drive`: not as in the file, though both are 401 values from {least} to {largest}"),
    );
    differs(
        identification(&record).measured(Duffing::POSITION, &record),
        "the weight of measurement 2 (output `position`): not in the file, now 1.0",
    );
    differs(
        identification(&record).optimizer(few().with_first_step(0.2)),
        "`first_step` of the optimizer: 0.1 in the file, now 0.2",
    );
    let other = Simulation::new(&Duffing { m: 3.0, ..start() }).input(Duffing::DRIVE, drive);
    differs(identification_of(&other, &record), "parameter `m`: 2.0 in the file, now 3.0");
    // More iterations are not a difference.
    let full = identification(&record).run().unwrap();
    let more = identification(&record).state_file(&path).run().unwrap();
    assert_eq!(more.summary().history, full.summary().history);

    fs::write(&path, "{}").unwrap();
    let content = identification(&record).state_file(&path).run();
    assert!(matches!(content, Err(IdentificationError::StateFile(StateFileError::Content { .. }))));
    let nowhere = identification(&record).state_file("/no/such/folder/state.json").run();
    assert!(matches!(nowhere, Err(IdentificationError::StateFile(StateFileError::Write { .. }))));
}

#[test]
fn parameter_sets_by_name() {
    let set = ParameterSet::of(&start());
    let text = serde_json::to_string(&set).unwrap();
    assert_eq!(text, r#"{"m":2.0,"d":0.3,"c":200.0,"c3":20000.0,"gain":1.5,"k":2.0,"edge":10.0}"#);
    let back: ParameterSet = serde_json::from_str(&text).unwrap();
    assert_eq!(back.to_model::<Duffing>().unwrap().c, 200.0);
    let part: ParameterSet = serde_json::from_str(r#"{"c": 7}"#).unwrap();
    assert_eq!(part.apply(&start()).unwrap().c, 7.0);
    assert_eq!(part.apply(&start()).unwrap().d, 0.3);
    match part.to_model::<Duffing>() {
        Err(ParameterSetError::Missing { missing, .. }) => {
            assert_eq!(missing, ["m", "d", "c3", "gain", "k", "edge"])
        }
        other => panic!("{other:?}"),
    }
    let wrong: ParameterSet = serde_json::from_str(r#"{"stiffness": 7}"#).unwrap();
    let error = wrong.apply(&start()).unwrap_err().to_string();
    assert_eq!(error, "model `Duffing` has no parameter `stiffness`; it has m, d, c, c3, gain, k, edge");
    assert!(serde_json::from_str::<ParameterSet>(r#"{"c": 7, "c": 8}"#).is_err());
}
