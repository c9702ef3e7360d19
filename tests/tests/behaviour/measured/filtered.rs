//! Measurements whose record and output pass the same filter.

use anyhow::{Context, Result};
use costate::identify::{Correction, DataError, IdentificationError, Measurement};
use costate::signal::{Filter, SignalError};
use costate::{Identification, Record, Simulation};

use super::Oscillator;

fn drive(t: f64) -> f64 {
    10.0 * (15.0 * t * t).sin()
}

fn simulation(model: &Oscillator) -> Simulation<Oscillator> {
    Simulation::new(model).input(Oscillator::DRIVE, drive).step(2e-3).until(3.0)
}

/// The acceleration every `interval` s, with a hum at 50 Hz and a drift if it is disturbed.
fn record(interval: f64, disturbed: bool) -> Result<Record> {
    let run = simulation(&Oscillator::default()).run()?;
    let (times, values) = (run.times(), run.output(Oscillator::ACCELERATION));
    let whole = Record::new(times)?.with_channel("acceleration", Some("m/s^2"), values)?.resampled(interval)?;
    let disturbance = |t: f64| if disturbed { (314.0 * t).sin() + 2.0 * (0.4 * t).sin() } else { 0.0 };
    let values = whole.times().iter().zip(whole.channel("acceleration")?.values()).map(|(t, a)| a + disturbance(*t));
    Ok(Record::new(whole.times().to_vec())?.with_channel("acceleration", Some("m/s^2"), values.collect())?)
}

fn filters() -> [Filter; 3] {
    let band = Filter::band_pass(3, 1.5, 20.0);
    [Filter::low_pass(2, 9.0), band.clone(), band.forward_and_backward()]
}

fn identification(measurement: Measurement) -> Identification<Oscillator> {
    let start = Oscillator { c: 760.0, d: 3.5, ..Oscillator::default() };
    let unknowns = [Oscillator::C, Oscillator::C_3, Oscillator::D];
    Identification::new(&simulation(&start)).unknown(unknowns).measured(Oscillator::ACCELERATION, measurement)
}

#[test]
fn gradients_have_the_transpose_of_the_filter() -> Result<()> {
    // between the steps
    let record = record(4.4e-3, true)?;
    for filter in filters() {
        let plain = Measurement::new(&record).filtered(&filter);
        let corrected = plain
            .clone()
            .gain(Correction::unknown(1.02))
            .offset(Correction::unknown(0.1))
            .delay(Correction::unknown(1e-3).within(-5e-3, 5e-3));
        for measurement in [plain.clone(), corrected, plain.standard_deviation(0.3)] {
            let check = identification(measurement).check_gradient()?;
            assert!(check.agrees(1e-10), "{filter}: {check}");
        }
    }
    Ok(())
}

#[test]
fn what_the_filter_takes_away_does_not_move_the_found_values() -> Result<()> {
    let record = record(4e-3, true)?;
    let band = Filter::band_pass(3, 1.5, 20.0).forward_and_backward();
    let fit = identification(Measurement::new(&record).filtered(&band)).run()?;
    let error = |found: f64| (found / 800.0 - 1.0).abs();
    let plain = identification(Measurement::new(&record)).run()?;
    assert!(error(fit.model().c) < 0.2 * error(plain.model().c), "{fit}\n{plain}");
    assert!(fit.to_string().contains("band pass of order 3 from 1.5 to 20 Hz forward and backward"), "{fit}");
    // and without a disturbance, every filter finds the truth
    for filter in filters() {
        let fit = identification(Measurement::new(&self::record(4e-3, false)?).filtered(&filter)).run()?;
        assert!((fit.model().c - 800.0).abs() < 0.5 && (fit.model().d - 3.0).abs() < 0.02, "{filter}: {fit}");
    }
    Ok(())
}

#[test]
fn samples_that_cannot_be_filtered_are_refused() -> Result<()> {
    let record = record(4e-3, false)?;
    let low = Filter::low_pass(2, 9.0);
    let masked = Measurement::new(&record).without(1.0, 1.5).filtered(&low);
    let refused = identification(masked).run().map(drop).err().context("not refused")?;
    assert!(matches!(reason(&refused), Some(SignalError::Uneven { .. })), "{refused:?}");
    let high = Measurement::new(&record).filtered(&Filter::low_pass(2, 900.0));
    let refused = identification(high).run().map(drop).err().context("not refused")?;
    assert!(matches!(reason(&refused), Some(SignalError::Number { .. })), "{refused:?}");
    Ok(())
}

fn reason(error: &IdentificationError) -> Option<&SignalError> {
    match error {
        IdentificationError::Data(DataError::Filter { source, .. }) => Some(source),
        _ => None,
    }
}
