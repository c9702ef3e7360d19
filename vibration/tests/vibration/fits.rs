use costate_cost::{ComplexForm, InForm};
use costate_identify::{ComplexCurve, Identification, MeasuredNumbers};
use costate_interpreter::LoadedModel;
use costate_system::prediction::Prediction;
use costate_vibration::{EquilibriumSearch, ModalPrediction, ResponsePrediction};

use crate::derivatives::LEVER;
use crate::{derivative, loaded, simulation};

const UNKNOWN: [&str; 4] = ["c", "d", "c_r", "d_r"];

fn search(model: LoadedModel) -> EquilibriumSearch {
    EquilibriumSearch::new(&simulation(model).input(model.input("force").unwrap(), 5.0))
}

fn response(model: LoadedModel) -> ResponsePrediction {
    let frequencies: Vec<f64> = (0..30).map(|k| 0.8 * 1.18f64.powi(k)).collect();
    let prediction =
        ResponsePrediction::of("receptance", &search(model), model.dual_equations(), &frequencies);
    prediction.unwrap().response(model.input("force").unwrap(), model.output("position").unwrap()).unwrap()
}

/// Normal numbers that are the same in every run: the sum of twelve of a linear congruential generator.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| uniform()).sum::<f64>() - 6.0
    }
}

#[test]
fn derivatives_of_predictions() {
    let model = loaded(LEVER);
    let values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    let modes = ModalPrediction::of_modes("modes", &search(model), model.dual_equations(), &[0]).unwrap();
    let stiffness = response(model)
        .dynamic_stiffness(model.input("force").unwrap(), model.output("position").unwrap())
        .unwrap()
        .ratio(
            model.input("force").unwrap(),
            model.output("reaction").unwrap(),
            model.output("position").unwrap(),
        )
        .unwrap();
    let all: Vec<usize> = (0..values.len()).collect();
    for prediction in [&modes as &dyn Prediction, &stiffness] {
        let (numbers, exact) = prediction.derivatives(&values, &all).unwrap();
        assert_eq!(numbers, prediction.values(&values).unwrap());
        assert_eq!(numbers.len(), prediction.groups().iter().map(|group| group.places.len()).sum::<usize>());
        let largest = numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
        for (column, &value) in values.iter().enumerate() {
            for row in (0..numbers.len()).step_by(7) {
                let at = |changed: f64| {
                    let mut values = values.clone();
                    values[column] = changed;
                    prediction.values(&values).unwrap()[row]
                };
                let found = derivative(at, value, 0.02 * value);
                let limit = 1e-8 * found.abs().max(numbers[row].abs().max(1e-6 * largest) / value);
                assert!(
                    (exact[(row, column)] - found).abs() <= limit,
                    "{row} {column} {} {found}",
                    exact[(row, column)]
                );
            }
        }
    }
}

/// Fits a response with 1 % noise, and returns the errors of the unknowns in standard deviations.
fn errors(model: LoadedModel, seed: u64) -> Vec<f64> {
    let prediction = response(model);
    let true_values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    let numbers = prediction.values(&true_values).unwrap();
    let count = numbers.len() / 2;
    let mut noise = Noise(seed);
    let size = |k: usize| numbers[k].hypot(numbers[count + k]);
    let measured = |part: usize, noise: &mut Noise| -> Vec<f64> {
        (0..count).map(|k| numbers[part * count + k] + 0.01 * size(k) * noise.next()).collect()
    };
    let (real, imaginary) = (measured(0, &mut noise), measured(1, &mut noise));
    let frequencies = prediction.groups()[0].places.clone();
    let deviations: Vec<f64> = (0..count).map(|k| 0.01 * size(k)).collect();
    let curve = ComplexCurve::new(frequencies, real, imaginary).deviations(deviations);
    let predicted = InForm::new(prediction, ComplexForm::RealAndImaginary).unwrap();
    let numbers = curve.numbers(&predicted, "position/force").unwrap();
    let mut start = simulation(model).input(model.input("force").unwrap(), 5.0);
    for (name, factor) in UNKNOWN.iter().zip([1.4, 0.5, 1.5, 0.7]) {
        let parameter = model.parameter(name).unwrap();
        start = start.parameter(parameter, factor * true_values[parameter.index()]);
    }
    let unknown = UNKNOWN.map(|name| model.parameter(name).unwrap());
    let fit = Identification::of(model.system(), &start)
        .unknown(unknown)
        .predicted(predicted, numbers)
        .run()
        .unwrap();
    unknown
        .iter()
        .map(|&parameter| {
            let found = fit.parameter(parameter).unwrap();
            (found.found - true_values[parameter.index()]) / found.standard_deviation
        })
        .collect()
}

#[test]
fn receptances_with_noise() {
    let model = loaded(LEVER);
    let all: Vec<f64> = (0..40).flat_map(|seed| errors(model, 1000 + seed)).collect();
    let beyond = |limit: f64| all.iter().filter(|error| error.abs() > limit).count();
    assert!(beyond(3.0) <= all.len() / 100, "{} of {} beyond 3 deviations", beyond(3.0), all.len());
    // a twentieth beyond 2 deviations, give or take
    assert!((1..=18).contains(&beyond(2.0)), "{} of {} beyond 2 deviations", beyond(2.0), all.len());
}

#[test]
fn frequencies_and_damping_ratios() {
    let model = loaded(LEVER);
    let true_values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    let prediction =
        ModalPrediction::of_modes("modes", &search(model), model.dual_equations(), &[0]).unwrap();
    let numbers = prediction.values(&true_values).unwrap();
    let [c, d] = ["c", "d"].map(|name| model.parameter(name).unwrap());
    let start =
        simulation(model).input(model.input("force").unwrap(), 5.0).parameter(c, 700.0).parameter(d, 20.0);
    let measured = [
        MeasuredNumbers::new("natural frequencies", [numbers[0]]).unit("Hz").deviation(1e-3),
        MeasuredNumbers::new("damping ratios", [numbers[1]]).unit("1").deviation(1e-4),
    ];
    let fit = Identification::of(model.system(), &start)
        .unknown([c, d])
        .predicted(prediction, measured)
        .run()
        .unwrap();
    for parameter in [c, d] {
        let (found, wanted) = (fit.parameter(parameter).unwrap().found, true_values[parameter.index()]);
        assert!((found / wanted - 1.0).abs() < 1e-6, "{} {found} {wanted}", parameter.name());
    }
}
