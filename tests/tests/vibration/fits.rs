use std::f64::consts::TAU;

use costate_cost::{ComplexForm, InForm};
use costate_identify::{ComplexCurve, CurveError, Identification, MeasuredNumbers};
use costate_interpreter::LoadedModel;
use costate_measure::record::FrequencyResponse;
use costate_system::prediction::Prediction;
use costate_vibration::{Complex, EquilibriumSearch, ModalPrediction, ResponsePrediction};

use crate::derivatives::LEVER;
use crate::{assert_near, loaded, simulation};

const UNKNOWN: [&str; 4] = ["c", "d", "c_r", "d_r"];

fn search(model: LoadedModel) -> EquilibriumSearch {
    EquilibriumSearch::new(&simulation(model).input(model.input("force").unwrap(), 5.0))
}

fn response(model: LoadedModel) -> ResponsePrediction {
    let frequencies: Vec<f64> = (0..30).map(|k| 0.8 * 1.18f64.powi(k)).collect();
    let prediction = ResponsePrediction::of("receptance", &search(model), model.dual_equations(), &frequencies);
    prediction.unwrap().response(model.input("force").unwrap(), model.output("position").unwrap()).unwrap()
}

/// Normal numbers that are the same in every run: the sum of twelve of a linear congruential generator.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| uniform()).sum::<f64>() - 6.0
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
    let fit = Identification::of(model.system(), &start).unknown(unknown).predicted(predicted, numbers).run().unwrap();
    unknown
        .iter()
        .map(|&parameter| {
            let found = fit.parameter(parameter).unwrap();
            (found.found - true_values[parameter.index()]) / found.standard_deviation
        })
        .collect()
}

/// Checks that about a twentieth of 160 errors is beyond 2 deviations, and next to none beyond 3.
#[track_caller]
pub fn assert_normal(errors: &[f64]) {
    let beyond = |limit: f64| errors.iter().filter(|error| error.abs() > limit).count();
    assert!(beyond(3.0) <= errors.len() / 100, "{} of {} beyond 3 deviations", beyond(3.0), errors.len());
    assert!((1..=18).contains(&beyond(2.0)), "{} of {} beyond 2 deviations", beyond(2.0), errors.len());
}

#[test]
fn receptances_with_noise() {
    let model = loaded(LEVER);
    let all: Vec<f64> = (0..40).flat_map(|seed| errors(model, 1000 + seed)).collect();
    assert_normal(&all);
}

#[test]
fn frequencies_and_damping_ratios() {
    let model = loaded(LEVER);
    let true_values: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    let prediction = ModalPrediction::of_modes("modes", &search(model), model.dual_equations(), &[0]).unwrap();
    let numbers = prediction.values(&true_values).unwrap();
    let [c, d] = ["c", "d"].map(|name| model.parameter(name).unwrap());
    let start = simulation(model).input(model.input("force").unwrap(), 5.0).parameter(c, 700.0).parameter(d, 20.0);
    let measured = [
        MeasuredNumbers::new("natural frequencies", [numbers[0]]).unit("Hz").deviation(1e-3),
        MeasuredNumbers::new("damping ratios", [numbers[1]]).unit("1").deviation(1e-4),
    ];
    let fit = Identification::of(model.system(), &start).unknown([c, d]).predicted(prediction, measured).run().unwrap();
    for parameter in [c, d] {
        let (found, wanted) = (fit.parameter(parameter).unwrap().found, true_values[parameter.index()]);
        assert!((found / wanted - 1.0).abs() < 1e-6, "{} {found} {wanted}", parameter.name());
    }
}

/// Tests that a response that was measured with an exponential window is compared with one of the same decay, and finds
/// the damping of the model; without the decay it would find more.
#[test]
fn a_response_with_added_decay_is_refused_or_predicted_so() {
    let model = loaded(
        "pub Oscillator {
            parameters { m: kg = 2, c: N/m = 800, d: N*s/m = 3 }
            inputs { force: N }
            coordinates { x: m }
            mass { x: m }
            forces { x: force - c*x - d*dot(x) }
            initial { x = 0[m] }
            outputs { acceleration: m/s^2 = ddot(x) }
        }",
    );
    let (force, acceleration) = (model.input("force").unwrap(), model.output("acceleration").unwrap());
    let frequencies: Vec<f64> = (1..30).map(|k| 0.25 * f64::from(k)).collect();
    let exact = |frequency: f64| {
        let s = Complex::new(4.0, TAU * frequency);
        s * s / (s * s * 2.0 + s * 3.0 + 800.0)
    };
    // in mm/s^2 per N
    let [real, imaginary] = [|value: Complex<f64>| value.re, |value: Complex<f64>| value.im]
        .map(|part| frequencies.iter().map(|f| 1e3 * part(exact(*f))).collect::<Vec<f64>>());
    let response = FrequencyResponse::new("tip", frequencies.clone(), real, imaginary).unwrap();
    let response = response.in_units("mm/s^2", "N").with_variances(vec![1e-4; 29]).unwrap();
    let mut windowed = response.clone();
    windowed.added_decay = 4.0;
    let [c, d] = ["c", "d"].map(|name| model.parameter(name).unwrap());
    let start = simulation(model).input(force, 0.0).parameter(c, 700.0).parameter(d, 1.0);
    let prediction = |decay: f64| {
        let search = EquilibriumSearch::new(&start);
        let made = ResponsePrediction::of("tip", &search, model.dual_equations(), &frequencies).unwrap();
        let made = made.response(force, acceleration).unwrap().added_decay(decay).unwrap();
        InForm::new(made, ComplexForm::RealAndImaginary).unwrap()
    };
    let name = "acceleration/force";
    let refused = |response: &FrequencyResponse, decay: f64| {
        ComplexCurve::of_response(response).numbers(&prediction(decay), name).unwrap_err()
    };
    let error = refused(&windowed, 0.0);
    let curve = name.to_owned();
    assert_eq!(error, CurveError::AddedDecay { curve, measured: 4.0, predicted: 0.0 });
    assert!(error.to_string().contains("write `predict_responses(..)?.added_decay(4)?`"), "{error}");
    assert!(matches!(refused(&response, 4.0), CurveError::AddedDecay { .. }));
    assert!(matches!(refused(&windowed, 4.1), CurveError::AddedDecay { .. }));
    let negative = ResponsePrediction::of("tip", &EquilibriumSearch::new(&start), model.dual_equations(), &[1.0]);
    assert!(negative.unwrap().added_decay(-1.0).is_err());

    let fit = |response: &FrequencyResponse, decay: f64| {
        let predicted = prediction(decay);
        let numbers = ComplexCurve::of_response(response).numbers(&predicted, name).unwrap();
        let fit = Identification::of(model.system(), &start).unknown([c, d]).predicted(predicted, numbers);
        let fit = fit.run().unwrap();
        [c, d].map(|parameter| fit.parameter(parameter).unwrap().found)
    };
    let [stiffness, damping] = fit(&windowed, 4.0);
    assert_near(stiffness, 800.0, 1e-9);
    assert_near(damping, 3.0, 1e-9);
    // the window looks like 2 m times its decay
    assert!(fit(&response, 0.0)[1] > 15.0);
}
