//! Predictions: which motion counts, derivatives as those of motions, and fits of the engine mount to stiffness with
//! noise.

use costate_cost::{ComplexForm, InForm};
use costate_identify::{ComplexCurve, Identification};
use costate_interpreter::LoadedModel;
use costate_system::prediction::Prediction;
use costate_vibration::harmonic::{HarmonicBalance, HarmonicError, RatioPrediction};

use super::models::{DUFFING, MOUNT};
use crate::fits::{Noise, assert_normal};
use crate::{loaded, simulation};

const UNKNOWN: [&str; 4] = ["c_e1", "c_e2", "d_e", "d_h2"];
const AMPLITUDES: [f64; 3] = [0.2e-3, 1e-3, 2e-3];

fn defaults(model: LoadedModel) -> Vec<f64> {
    model.defaults().iter().map(|value| value.unwrap()).collect()
}

fn frequencies() -> Vec<f64> {
    (0..12).map(|k| 4.0 + 4.0 * f64::from(k)).collect()
}

fn balance(model: LoadedModel) -> HarmonicBalance {
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    HarmonicBalance::new(&simulation(model)).controlled(displacement, drive, AMPLITUDES).stability(false)
}

fn stiffness(model: LoadedModel) -> RatioPrediction {
    let prediction = balance(model).predict("rig", &frequencies()).unwrap();
    prediction.stiffness(model.input("drive").unwrap(), model.output("displacement").unwrap()).unwrap()
}

#[test]
fn numbers_and_derivatives_are_those_of_motions() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let transmitted = model.output("transmitted").unwrap();
    let prediction = stiffness(model).ratio(transmitted, drive).unwrap();
    let names: Vec<&str> = prediction.groups().iter().map(|group| group.name.as_str()).collect();
    assert_eq!(
        names[..2],
        ["drive/displacement at 0.0002 m: real part", "drive/displacement at 0.0002 m: imaginary part"]
    );
    assert_eq!(names[11], "transmitted/drive at 0.002 m: imaginary part");
    assert_eq!((prediction.groups()[0].unit.as_str(), prediction.groups()[6].unit.as_str()), ("N/m", "1"));
    let parameters = UNKNOWN.map(|name| model.parameter(name).unwrap());
    let unknown = parameters.map(|parameter| parameter.index());
    let values = defaults(model);
    let (numbers, exact) = prediction.derivatives(&values, &unknown).unwrap();
    assert_eq!(numbers, prediction.values(&values).unwrap());
    assert_eq!((numbers.len(), exact.shape()), (144, (144, 4)));
    let response = balance(model).sensitivities(parameters).response(&frequencies()).unwrap();
    for (k, curve) in response.curves.iter().enumerate() {
        for (j, motion) in curve.motions.iter().enumerate() {
            let row = 24 * k + j;
            let value = motion.stiffness(drive, displacement).unwrap().value;
            assert_eq!([numbers[row], numbers[row + 12]], [value.re, value.im]);
            for (column, &parameter) in parameters.iter().enumerate() {
                let change = motion.stiffness_by(drive, displacement, parameter).unwrap();
                assert_eq!([exact[(row, column)], exact[(row + 12, column)]], [change.re, change.im]);
            }
        }
    }
}

#[test]
fn a_sweep_upwards_stays_on_the_upper_motion() {
    let model = loaded(DUFFING);
    let (drive, position) = (model.input("drive").unwrap(), model.output("position").unwrap());
    let balance = HarmonicBalance::new(&simulation(model)).input(drive, [0.2]).error_limit(None);
    let frequencies: Vec<f64> = (0..24).map(|k| 0.1 + 0.01 * f64::from(k)).collect();
    let response = balance.response(&frequencies).unwrap();
    let prediction = balance.predict("sweep", &frequencies).unwrap().ratio(position, drive).unwrap();
    let numbers = prediction.values(&defaults(model)).unwrap();
    let mut several = 0;
    for (j, &frequency) in frequencies.iter().enumerate() {
        let own: Vec<_> = response.curves[0].motions.iter().filter(|motion| motion.frequency == frequency).collect();
        let sizes = own.iter().map(|motion| motion.ratio(position, drive).unwrap().magnitude());
        let largest = sizes.fold(0.0, f64::max);
        assert_eq!(numbers[j].hypot(numbers[frequencies.len() + j]), largest, "{frequency}");
        several += usize::from(own.len() == 3);
    }
    assert!(several > 0);
}

#[test]
fn mistakes_are_found_before_a_fit() {
    let model = loaded(MOUNT);
    let (drive, displacement) = (model.input("drive").unwrap(), model.output("displacement").unwrap());
    let acceleration = model.output("acceleration").unwrap();
    let error = stiffness(model).stiffness(drive, acceleration).unwrap_err();
    assert!(matches!(error, HarmonicError::NotStiffness { .. }), "{error}");
    let error = stiffness(model).ratio(drive, displacement).unwrap_err();
    assert_eq!(error, HarmonicError::RepeatedRatio { name: "drive/displacement".to_owned() });
    let error = balance(model).predict("rig", &[5.0, 4.0]).unwrap_err();
    assert_eq!(error, HarmonicError::Order { value: 4.0, before: 5.0 });
    let none = HarmonicBalance::new(&simulation(model));
    assert!(matches!(none.predict("rig", &[5.0]), Err(HarmonicError::NoDrive { .. })));
    let other = loaded(DUFFING).output("position").unwrap();
    assert!(matches!(stiffness(model).ratio(other, drive), Err(HarmonicError::OtherModel(_))));
    // a parameter that is no number is a failed trial
    let mut values = defaults(model);
    values[model.parameter("c_e1").unwrap().index()] = f64::NAN;
    let error = stiffness(model).values(&values).unwrap_err();
    assert!(!error.fails_anywhere(), "{error}");
}

/// Fits stiffness with 1 % noise, and returns the errors of the unknowns in standard deviations.
fn errors(model: LoadedModel, numbers: &[f64], seed: u64) -> Vec<f64> {
    let true_values = defaults(model);
    let count = frequencies().len();
    let mut noise = Noise(seed);
    let predicted = InForm::new(stiffness(model), ComplexForm::RealAndImaginary).unwrap();
    let mut measured = Vec::new();
    for (amplitude, numbers) in AMPLITUDES.iter().zip(numbers.chunks(2 * count)) {
        let (real, imaginary) = numbers.split_at(count);
        let deviations: Vec<f64> = real.iter().zip(imaginary).map(|(a, b)| 0.01 * a.hypot(*b)).collect();
        let mut noisy = |part: &[f64]| -> Vec<f64> {
            part.iter().zip(&deviations).map(|(value, deviation)| value + deviation * noise.next()).collect()
        };
        let (real, imaginary) = (noisy(real), noisy(imaginary));
        let curve = ComplexCurve::new(frequencies(), real, imaginary).deviations(deviations);
        let name = format!("drive/displacement at {amplitude} m");
        measured.extend(curve.numbers(&predicted, &name).unwrap());
    }
    let unknown = UNKNOWN.map(|name| model.parameter(name).unwrap());
    let mut start = simulation(model);
    for (parameter, factor) in unknown.into_iter().zip([1.3, 0.6, 2.0, 0.6]) {
        start = start.parameter(parameter, factor * true_values[parameter.index()]);
    }
    let fit = Identification::of(model.system(), &start).unknown(unknown).predicted(predicted, measured).run().unwrap();
    let error = |parameter| {
        let found = fit.parameter(parameter).unwrap();
        (found.found - true_values[parameter.index()]) / found.standard_deviation
    };
    unknown.into_iter().map(error).collect()
}

#[test]
fn stiffness_with_noise() {
    let model = loaded(MOUNT);
    let numbers = stiffness(model).values(&defaults(model)).unwrap();
    let all: Vec<f64> = (0..40).flat_map(|seed| errors(model, &numbers, 1000 + seed)).collect();
    assert_normal(&all);
}
