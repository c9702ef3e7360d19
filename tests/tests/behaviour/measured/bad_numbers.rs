//! Measured numbers that do not fit a prediction are refused.

use anyhow::{Context, Result};
use costate::identify::{
    DataError, Experiment, IdentificationError, MeasuredNumbers, NumbersError, Prediction, Prior, Refinement,
    SpecificationError, StartingTable, UnknownTable, Weighting,
};
use costate::model::Model;
use costate::table::{Curve, Extension};
use costate::{Identification, Simulation};

use super::closed_forms::{modes, stiffness};
use super::{Damped, Oscillator};

fn refused(numbers: MeasuredNumbers) -> Result<NumbersError> {
    let prediction = stiffness(&[1e-3, 2e-3, 3e-3]);
    let fit = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([Oscillator::C])
        .predicted(prediction, [numbers])
        .run();
    match fit.map(drop).err().context("not refused")? {
        IdentificationError::Data(DataError::Numbers { prediction, source, .. }) => {
            assert_eq!(prediction, "dynamic stiffness");
            Ok(source)
        }
        other => Err(other.into()),
    }
}

fn numbers(values: [f64; 3]) -> MeasuredNumbers {
    MeasuredNumbers::new("dynamic stiffness", values)
}

#[test]
fn numbers_that_do_not_fit_are_refused() -> Result<()> {
    let good = [800.0, 801.0, 802.0];
    assert!(matches!(refused(numbers([800.0, f64::NAN, 802.0]))?, NumbersError::NotFinite { index: 1, .. }));
    let few = MeasuredNumbers::new("dynamic stiffness", [800.0, 801.0]);
    assert_eq!(refused(few)?, NumbersError::Count { what: "values", given: 2, needed: 3 });
    for deviation in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(numbers(good).deviation(deviation))?, NumbersError::Deviation { index: 0, .. }));
    }
    let wrong = numbers(good).deviations([1.0, 0.0, 1.0]);
    assert_eq!(refused(wrong)?, NumbersError::Deviation { index: 1, deviation: 0.0 });
    let few = numbers(good).relative_deviations([1.0]);
    assert!(matches!(refused(few)?, NumbersError::Count { what: "standard deviations", .. }));
    assert!(matches!(refused(numbers(good).unit("N"))?, NumbersError::Unit(_)));
    assert!(matches!(refused(numbers(good).unit("stone"))?, NumbersError::Unit(_)));
    for places in [[1.0, 1.0, 3.0], [1.0, 3.0, 2.0], [1.0, f64::NAN, 3.0]] {
        assert!(matches!(refused(numbers(good).over(places, "mm"))?, NumbersError::Places { whose: "measured", .. }));
    }
    let elsewhere = refused(numbers(good).over([1.0, 2.0, 4.0], "mm"))?;
    assert!(matches!(elsewhere, NumbersError::OtherPlace { index: 2, .. }), "{elsewhere}");
    assert!(matches!(refused(numbers(good).over([1.0, 2.0, 3.0], "Hz"))?, NumbersError::Unit(_)));
    let unknown = refused(MeasuredNumbers::new("loss angle", good))?;
    assert!(unknown.to_string().contains("`dynamic stiffness`"), "{unknown}");
    Ok(())
}

#[test]
fn numbers_in_other_units_are_converted() -> Result<()> {
    let prediction = stiffness(&[1e-3, 2e-3, 3e-3]);
    let per_metre = prediction.values(&[2.0, 800.0, 2e5, 3.0])?;
    let per_millimetre: Vec<f64> = per_metre.iter().map(|value| 1e-3 * value).collect();
    let measured = MeasuredNumbers::new("dynamic stiffness", per_millimetre).unit("N/mm").deviation(1e-3);
    let fit = Identification::new(&Simulation::new(&Oscillator { c: 700.0, ..Oscillator::default() }))
        .unknown([Oscillator::C])
        .predicted(prediction, [measured])
        .run()?;
    assert!((fit.model().c - 800.0).abs() < 1e-6, "{fit}");
    assert!((fit.summary().parameters[0].standard_deviation - 3f64.sqrt().recip()).abs() < 1e-9, "{fit}");
    Ok(())
}

#[test]
fn identifications_that_cannot_have_predictions_say_so() -> Result<()> {
    let simulation = Simulation::new(&Oscillator::default());
    let of = |identification: Identification<Oscillator>| identification.run().map(drop).err().context("not refused");
    let frequency = || [MeasuredNumbers::new("natural frequency", [3.2]).deviation(0.01)];
    let begun = || Identification::new(&simulation).unknown([Oscillator::C]);
    let none: [MeasuredNumbers; 0] = [];
    let refused = of(begun().predicted(modes(), none))?;
    assert!(matches!(refused, IdentificationError::Data(DataError::NothingMeasured { .. })), "{refused}");
    let [one] = frequency();
    let refused = of(begun().predicted(modes(), [one.clone(), one]))?;
    assert!(refused.to_string().contains("natural frequency"), "{refused}");
    let refused = of(begun().predicted(modes(), frequency()).weighting(Weighting::Given))?;
    assert!(matches!(refused, IdentificationError::Specification(SpecificationError::NeedsLikelihood { .. })));
    let beside = begun().experiment(Experiment::new("one").predicted(modes(), frequency()));
    let refused = of(beside.predicted(modes(), frequency()))?;
    assert!(matches!(refused, IdentificationError::Specification(SpecificationError::BesideExperiments { .. })));
    // one number cannot determine two unknowns, unless there is a prior
    let two = || begun().unknown([Oscillator::D]).predicted(modes(), frequency());
    let refused = of(two())?;
    assert!(matches!(refused, IdentificationError::Data(DataError::TooFewSamples { samples: 1, unknowns: 2 })));
    let refused = of(two().prior(Oscillator::C, Prior::Normal { mean: 800.0, standard_deviation: 10.0 }))?;
    assert!(refused.to_string().contains("`d`"), "{refused}");
    Ok(())
}

#[test]
fn predictions_that_break_their_promise_are_named() -> Result<()> {
    let of = |prediction: super::closed_forms::ClosedForm<super::closed_forms::Modes>| {
        let numbers = [MeasuredNumbers::new("natural frequency", [3.2]).deviation(0.01)];
        let fit = Identification::new(&Simulation::new(&Oscillator::default()))
            .unknown([Oscillator::C])
            .predicted(prediction, numbers)
            .run();
        Ok::<_, anyhow::Error>(format!("{:#}", anyhow::Error::from(fit.map(drop).err().context("not refused")?)))
    };
    let mut short = modes();
    short.groups[1].places.push(2.0);
    let words = of(short)?;
    assert!(words.contains("2 numbers, and its groups have 3"), "{words}");
    let mut reversed = modes();
    (reversed.groups[0].places, reversed.groups[1].places) = (vec![2.0, 1.0], Vec::new());
    let words = of(reversed)?;
    assert!(words.contains("1 values are given for 2 predicted numbers"), "{words}");
    Ok(())
}

#[test]
fn distributed_identifications_have_no_predictions() -> Result<()> {
    let executor = costate::ensemble::Threads;
    let share = costate::identify::ExperimentShare::new(&executor, 1)?;
    let numbers = [MeasuredNumbers::new("natural frequency", [3.2]).deviation(0.01)];
    let refused = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([Oscillator::C])
        .experiment(Experiment::new("one").predicted(modes(), numbers))
        .distributed(share)
        .err()
        .context("not refused")?;
    assert!(refused.to_string().contains("a prediction is not possible in a distributed"), "{refused}");
    Ok(())
}

#[test]
fn tables_are_not_found_from_predictions() -> Result<()> {
    let line = || Curve::new(vec![-1.0, 0.0, 1.0], vec![-3.0, 0.0, 3.0], Extension::Linear);
    let simulation = Simulation::new(&Damped::default()).table(Damped::DAMPER, line()?).step(1e-2).until(1.0);
    let identification = || {
        let mut prediction = modes();
        prediction.of_model = Damped::description().name;
        let numbers = [MeasuredNumbers::new("natural frequency", [3.2]).deviation(0.01)];
        Identification::new(&simulation).unknown([Damped::C]).predicted(prediction, numbers)
    };
    let is_it = |error: &IdentificationError| {
        let said = matches!(error, IdentificationError::Specification(SpecificationError::NotPredicted { .. }));
        said && error.to_string().contains("`modes`")
    };
    let refused = identification().unknown_table(UnknownTable::new(Damped::DAMPER, 3.0)).run().map(drop);
    assert!(refused.as_ref().is_err_and(is_it), "{refused:?}");
    let table = StartingTable::curve(Damped::DAMPER, line()?).knots(5);
    let refused = Refinement::new(identification()).table(table).run().map(drop);
    assert!(refused.as_ref().is_err_and(is_it), "{refused:?}");
    // and predictions of another model
    let of_other = Identification::new(&simulation).unknown([Damped::C]);
    let numbers = [MeasuredNumbers::new("natural frequency", [3.2]).deviation(0.01)];
    let refused = of_other.predicted(modes(), numbers).run().map(drop);
    let is_other = |error: &IdentificationError| {
        matches!(error, IdentificationError::Specification(SpecificationError::OtherPrediction { .. }))
    };
    assert!(refused.as_ref().is_err_and(is_other), "{refused:?}");
    Ok(())
}
