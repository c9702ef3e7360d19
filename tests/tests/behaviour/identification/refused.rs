//! Identifications that are refused, with their reasons.

use costate::cost::MeasurementError;
use costate::differentiate::SelectionError;
use costate::identify::{
    DataError, IdentificationError, Measurement, SpecificationError, StartValuesError, UnknownParameter,
};
use costate::{Identification, Record, Simulation};

use super::{Duffing, END, STEP, drive, identification, identification_of, record, simulation, start};

#[test]
fn numbers_that_overflow_at_the_start_are_refused_with_their_reason() {
    let record = record(0.01).unwrap();
    // the force is unchanged, while its derivative by `gain` overflows
    let huge = Duffing { gain: 3e-308, k: 1e308, ..Duffing::default() };
    let gain = UnknownParameter::from(Duffing::GAIN).within(1e-308, 1e-300);
    let huge = Simulation::new(&huge).input(Duffing::DRIVE, drive);
    let huge = Identification::new(&huge).unknown([Duffing::C]).unknown([gain]);
    let huge = huge.measured(Duffing::ACCELERATION, &record);
    let refused = huge.run().unwrap_err();
    let is_told = matches!(&refused,
    IdentificationError::StartValues(StartValuesError::NotFinite { output: "acceleration", by: Some(by),
    .. }) if by.contains("gain"));
    assert!(is_told, "{refused}");
    // residuals whose squares overflow
    let far = vec![1e200; record.times().len()];
    let far = Record::new(record.times().to_vec()).unwrap().with_channel("acceleration", None, far).unwrap();
    let refused = identification(&far).run().unwrap_err();
    assert!(matches!(refused, IdentificationError::StartValues(StartValuesError::StartNotFinite)), "{refused}");
}

#[test]
fn more_unknowns_than_samples_are_refused() {
    let record = record(0.0).unwrap();
    let few = |channel: &str| record.channel(channel).unwrap().values()[..2].to_vec();
    let few = Record::new(record.times()[..2].to_vec())
        .unwrap()
        .with_channel("acceleration", None, few("acceleration"))
        .unwrap();
    let refused = identification_of(&simulation().step(STEP), &few).run().unwrap_err();
    assert!(
        matches!(refused, IdentificationError::Data(DataError::TooFewSamples { samples: 2, unknowns: 3 })),
        "{refused}"
    );
}

/// Checks that an input that is taken by name from a record is not extrapolated beyond the record.
#[test]
fn runs_that_go_on_after_the_record_of_their_input_are_refused() {
    let record = record(0.0).unwrap();
    let values = record.times().iter().map(|t| drive(*t)).collect();
    let record = record.with_channel("drive", Some("N"), values).unwrap();
    let undriven = || Simulation::new(&start());
    let id = |simulation: Simulation<Duffing>| {
        Identification::new(&simulation).unknown([Duffing::C]).measured(Duffing::POSITION, &record)
    };
    assert!(id(undriven()).run().is_ok() && id(undriven().step(0.7 * STEP)).check().is_ok());
    let refused = id(undriven().until(2.0 * END)).run().unwrap_err().to_string();
    assert!(refused.contains("extend the record or shorten the run"), "{refused}");
}

#[test]
fn mistakes_have_their_own_errors() {
    let record = record(0.0).unwrap();
    let new = || Identification::new(&simulation());
    let none = new().measured(Duffing::POSITION, &record).run();
    assert!(matches!(
        none,
        Err(IdentificationError::Specification(SpecificationError::NoUnknowns { model: "Duffing" }))
    ));
    let twice = identification(&record).unknown([Duffing::C]).run();
    assert!(matches!(
        twice,
        Err(IdentificationError::Specification(SpecificationError::Selection(SelectionError::Repeated {
            name: "c",
            ..
        })))
    ));
    let unmeasured = new().unknown([Duffing::C]).run();
    assert!(matches!(unmeasured, Err(IdentificationError::Specification(SpecificationError::NoMeasurement { .. }))));
    let outside = new().unknown([UnknownParameter::from(Duffing::C).within(1.0, 2.0)]);
    let outside = outside.measured(Duffing::POSITION, &record).run().unwrap_err().to_string();
    assert_eq!(outside, "the start value 200 of `c` is outside its bounds [1, 2]; change one of them");
    let channel = Measurement::new(&record).channel("speed");
    let channel = new().unknown([Duffing::C]).measured(Duffing::POSITION, channel).run();
    assert!(matches!(channel, Err(IdentificationError::Data(DataError::Record(_)))), "{channel:?}");
    let late = identification_of(&simulation().until(1.0), &record).run();
    let outside = |source: &MeasurementError| matches!(source, MeasurementError::Outside { sample: 201, .. });
    assert!(
        matches!(late, Err(IdentificationError::Data(DataError::Measurement { ref source, .. })) if outside(source))
    );
    let undriven = Identification::new(&Simulation::new(&start()))
        .unknown([Duffing::C])
        .measured(Duffing::POSITION, &record)
        .run();
    assert!(matches!(undriven, Err(IdentificationError::Simulation(_))));
    let irregular = Record::new(vec![0.0, 0.1, 0.3]).unwrap().with_channel("x", None, vec![0.0; 3]).unwrap();
    let irregular = new().unknown([Duffing::C]).measured(Duffing::POSITION, &irregular).run();
    assert!(matches!(irregular, Err(IdentificationError::Specification(SpecificationError::NoStep { .. }))));
}
