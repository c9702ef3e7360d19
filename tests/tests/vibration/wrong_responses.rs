//! Measured responses with a wrong unit, sign or sense of angles, or a delay: fits name these, of right models none,
//! and never of incomplete ones.

use std::f64::consts::TAU;

use costate_cost::residuals::{Cause, ResponseChange, Suspicion};
use costate_cost::{ComplexForm, InForm};
use costate_identify::{ComplexCurve, Fit, Identification};
use costate_interpreter::LoadedModel;
use costate_system::prediction::Prediction;
use costate_vibration::{Complex, EquilibriumSearch, ResponsePrediction};

use crate::fits::Noise;
use crate::{loaded, simulation};

/// Two masses on springs and dampers, a force on the first one.
const PAIR: &str = "pub Pair {
    parameters { m: kg = 2, m_2: kg = 0.8, c: N/m = 8e3, d: N*s/m = 6, c_2: N/m = 5e3, d_2: N*s/m = 4,
        c_3: N/m = 3e3, d_3: N*s/m = 1 }
    inputs { force: N }
    coordinates { x: m, y: m }
    mass { x: m, y: m_2 }
    let link = c_2*(y - x) + d_2*(dot(y) - dot(x));
    forces { x: force - c*x - d*dot(x) + link, y: -link - c_3*y - d_3*dot(y) }
    initial { x = 0[m], y = 0[m] }
    outputs { position: m = x, acceleration: m/s^2 = ddot(x), other: mm = y }
}";

/// The first mass alone.
const SINGLE: &str = "pub Single {
    parameters { m: kg = 2, c: N/m = 8e3, d: N*s/m = 6 }
    inputs { force: N }
    coordinates { x: m }
    mass { x: m }
    forces { x: force - c*x - d*dot(x) }
    initial { x = 0[m] }
    outputs { position: m = x, acceleration: m/s^2 = ddot(x), other: mm = x }
}";

const COUNT: usize = 80;

struct Random(Noise);

impl Random {
    fn of(seed: u64) -> Self {
        let mut noise = Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(77));
        noise.next();
        Self(noise)
    }

    /// A factor between 1/most and most.
    fn factor(&mut self, most: f64) -> f64 {
        let uniform = (self.0.next() * 1000.0).rem_euclid(1.0);
        most.powf(2.0 * uniform - 1.0)
    }
}

/// A measured response and the model that is fitted to it.
struct Case<'a> {
    model: LoadedModel,
    output: &'a str,
    unknown: &'a [&'a str],
    /// Values of parameters at the start.
    start: Vec<(&'a str, f64)>,
    frequencies: Vec<f64>,
    values: Vec<Complex<f64>>,
    /// Standard deviation of both parts relative to the magnitude.
    part: f64,
    form: ComplexForm,
    has_deviations: bool,
}

fn of_model(model: LoadedModel, output: &str, values: &[(&str, f64)], frequencies: &[f64]) -> ResponsePrediction {
    let force = model.input("force").unwrap();
    let mut run = simulation(model).input(force, 0.0);
    for (name, value) in values {
        run = run.parameter(model.parameter(name).unwrap(), *value);
    }
    let search = EquilibriumSearch::new(&run);
    let made = ResponsePrediction::of("tap", &search, model.dual_equations(), frequencies).unwrap();
    made.response(force, model.output(output).unwrap()).unwrap()
}

/// The response of a model with these parameters.
fn computed(model: LoadedModel, output: &str, values: &[(&str, f64)], frequencies: &[f64]) -> Vec<Complex<f64>> {
    let mut parameters: Vec<f64> = model.defaults().iter().map(|value| value.unwrap()).collect();
    for (name, value) in values {
        parameters[model.parameter(name).unwrap().index()] = *value;
    }
    let numbers = of_model(model, output, &[], frequencies).values(&parameters).unwrap();
    let (real, imaginary) = numbers.split_at(frequencies.len());
    real.iter().zip(imaginary).map(|(re, im)| Complex::new(*re, *im)).collect()
}

impl Case<'_> {
    fn fit(&self, random: &mut Random) -> Fit {
        let Self { model, part, .. } = *self;
        let mut noise = || part * random.0.next();
        let noisy = |value: &Complex<f64>| value + value.norm() * Complex::new(noise(), noise());
        let measured: Vec<Complex<f64>> = self.values.iter().map(noisy).collect();
        let parts = |of: fn(&Complex<f64>) -> f64| measured.iter().map(of).collect::<Vec<f64>>();
        let curve = ComplexCurve::new(self.frequencies.clone(), parts(|one| one.re), parts(|one| one.im));
        let curve = match self.has_deviations {
            true => curve.deviations(measured.iter().map(|one| part * one.norm()).collect::<Vec<f64>>()),
            false => curve,
        };
        let prediction = InForm::new(of_model(model, self.output, &self.start, &self.frequencies), self.form).unwrap();
        let numbers = curve.numbers(&prediction, &prediction.curves()[0].name).unwrap();
        let mut start = simulation(model).input(model.input("force").unwrap(), 0.0);
        for (name, value) in &self.start {
            start = start.parameter(model.parameter(name).unwrap(), *value);
        }
        let unknown = self.unknown.iter().map(|name| model.parameter(name).unwrap());
        let fit = Identification::of(model.system(), &start).unknown(unknown).predicted(prediction, numbers);
        fit.run().unwrap()
    }
}

fn suspicions(fit: &Fit) -> Vec<Suspicion> {
    fit.summary().verdict.as_ref().map_or_else(Vec::new, |verdict| verdict.suspicions.clone())
}

fn lines(first: f64, last: f64) -> Vec<f64> {
    (0..COUNT).map(|k| first + (last - first) * k as f64 / (COUNT - 1) as f64).collect()
}

const OUTPUTS: [&str; 3] = ["position", "acceleration", "other"];
const FORMS: [ComplexForm; 3] =
    [ComplexForm::RealAndImaginary, ComplexForm::DecibelsAndPhase, ComplexForm::MagnitudeAndPhase];
const UNKNOWN: [&str; 4] = ["c", "d", "c_2", "d_2"];

/// Fits the pair to a response of it that was changed, from start values that are up to 3 times off.
fn fit_of_pair(seed: u64, change: impl Fn(f64, Complex<f64>) -> Complex<f64>) -> Fit {
    let model = loaded(PAIR);
    let mut random = Random::of(seed);
    let output = OUTPUTS[seed as usize % 3];
    let mut parameter = |(name, value): (&'static str, f64)| (name, value * random.factor(1.5));
    let truth = [("c", 8e3), ("d", 6.0), ("c_2", 5e3), ("d_2", 4.0)].map(&mut parameter);
    let frequencies = lines(2.0, 30.0);
    let values = computed(model, output, &truth, &frequencies);
    let values = frequencies.iter().zip(&values).map(|(f, value)| change(*f, *value)).collect();
    let start = truth.iter().map(|(name, value)| (*name, value * random.factor(3.0))).collect();
    let form = if seed % 5 == 4 { FORMS[1 + (seed % 2) as usize] } else { FORMS[0] };
    let has_deviations = seed % 3 != 1;
    let case = Case { model, output, unknown: &UNKNOWN, start, frequencies, values, part: 0.02, form, has_deviations };
    case.fit(&mut random)
}

/// Three of 32 searches, from start values that are 3 times off in all, end in other minima.
#[test]
fn wrong_responses_are_named() {
    let mut named = 0;
    for seed in 0..32 {
        // 0.2 to 20 ms
        let delay = 2e-3 * 10_f64.powf(seed as f64 / 16.0 - 1.0);
        let (kind, is_acceleration) = (seed % 8, OUTPUTS[seed as usize % 3] == "acceleration");
        let fit = fit_of_pair(seed, |f, value| match kind {
            0 if is_acceleration => value / 9.80665,
            0 => value * 1e-3,
            1 | 2 => value * 1e3,
            3 => -value,
            4 => value.conj(),
            _ => value * Complex::new(0.0, -TAU * f * delay).exp(),
        });
        let suspicions = suspicions(&fit);
        let Some(Suspicion { cause: Cause::Response { change, explained, question }, .. }) = suspicions.first() else {
            assert!(!fit.summary().deviations_valid, "{seed}: {fit}");
            continue;
        };
        let is_right = match (kind, *change) {
            (0, ResponseChange::Scale { ratio }) if is_acceleration => {
                question.as_ref().unwrap().contains("`g/N`") && (ratio * 9.80665 - 1.0).abs() < 0.05
            }
            (0, ResponseChange::Scale { ratio }) => (ratio * 1e3 - 1.0).abs() < 0.05,
            (1 | 2, ResponseChange::Scale { ratio }) => {
                question.as_ref().unwrap().contains("/kN`") && (ratio * 1e-3 - 1.0).abs() < 0.05
            }
            (3, ResponseChange::Sign) | (4, ResponseChange::Conjugate) => true,
            (5.., ResponseChange::Delay { delay: found }) => (found - delay).abs() < 0.1e-3 + 0.02 * delay,
            _ => false,
        };
        assert!(is_right && *explained > 90.0 && suspicions.len() == 1, "{seed}: {suspicions:?}");
        assert!(!fit.summary().deviations_valid && !fit.to_string().contains("the model is incomplete"), "{fit}");
        named += 1;
    }
    assert!(named >= 29, "{named} of 32");
}

#[test]
fn right_responses_are_not_suspected() {
    for seed in 100..124 {
        let fit = fit_of_pair(seed, |_, value| value);
        assert!(suspicions(&fit).is_empty(), "{seed}: {fit}");
    }
}

/// Models without a mode, a spring, or friction.
#[test]
fn incomplete_models_are_not_taken_for_wrong_responses() {
    let (pair, single) = (loaded(PAIR), loaded(SINGLE));
    let mut insufficient = 0;
    for seed in 0..48 {
        let mut random = Random::of(2000 + seed);
        let output = OUTPUTS[(seed / 6) as usize % 3];
        let typical = [("c", 8e3), ("d", 6.0), ("c_2", 5e3), ("d_2", 4.0), ("c_3", 5e3), ("d_3", 3.0), ("m_2", 0.8)];
        let truth = typical.map(|(name, value)| (name, value * random.factor(3.0)));
        let frequencies = lines(2.0 * random.factor(2.0), 25.0 * random.factor(1.6));
        let (model, unknown, missing): (_, &[&str], &[&str]) = match seed % 6 {
            0 => (single, &["c", "d"], &[]),
            1 => (single, &["m", "c", "d"], &[]),
            2 => (pair, &UNKNOWN, &["c_3"]),
            3 => (pair, &["c", "c_2"], &["d", "d_3"]),
            4 => (pair, &["c", "d", "c_2"], &["d_2"]),
            _ => (pair, &["c_2", "d_2", "d"], &["c"]),
        };
        let values = computed(pair, output, &truth, &frequencies);
        let known = truth.iter().filter(|(name, _)| seed % 6 > 1 || ["c", "d"].contains(name));
        let start = known.map(|(name, value)| match name {
            _ if missing.contains(name) => (*name, 0.0),
            _ if unknown.contains(name) => (*name, value * random.factor(2.0)),
            _ => (*name, *value),
        });
        let (start, has_deviations) = (start.collect(), seed % 4 != 1);
        let form = FORMS[0];
        let case = Case { model, output, unknown, start, frequencies, values, part: 0.02, form, has_deviations };
        let fit = case.fit(&mut random);
        let of_response = suspicions(&fit).iter().any(|one| matches!(one.cause, Cause::Response { .. }));
        assert!(!of_response, "{seed}: {fit}");
        let text = fit.to_string();
        let is_insufficient = text.contains("the model is insufficient");
        insufficient += usize::from(is_insufficient);
        // both parts together lie between the parts
        let explained = || fit.summary().predictions.iter().filter_map(|one| one.fit_percent);
        if is_insufficient && explained().all(|percent| percent < 50.0) {
            assert!(
                !fit.summary().deviations_valid && text.contains("deviations of the found values are not"),
                "{fit}"
            );
        }
    }
    assert!(insufficient >= 40, "{insufficient} of 48");
}

/// Tests that of two responses to one force the one with the wrong sign is named, and both where both have one cause.
#[test]
fn one_of_two_responses_is_named() {
    let model = loaded(PAIR);
    let frequencies = lines(2.0, 30.0);
    let start = [("c", 1.6e4), ("d", 12.0), ("c_2", 4e3), ("d_2", 5.0)];
    for (changed, conjugate) in [(&["acceleration"][..], false), (&["position", "acceleration"], true)] {
        let mut random = Random::of(5);
        let mut run = simulation(model).input(model.input("force").unwrap(), 0.0);
        for (name, value) in start {
            run = run.parameter(model.parameter(name).unwrap(), value);
        }
        let mut fit = Identification::of(model.system(), &run);
        for output in ["position", "acceleration"] {
            let values = computed(model, output, &[], &frequencies).into_iter().map(|value| {
                let noisy = value + 0.02 * value.norm() * Complex::new(random.0.next(), random.0.next());
                match changed.contains(&output) {
                    true if conjugate => noisy.conj(),
                    true => -noisy,
                    false => noisy,
                }
            });
            let values: Vec<Complex<f64>> = values.collect();
            let parts = |of: fn(&Complex<f64>) -> f64| values.iter().map(of).collect::<Vec<f64>>();
            let curve = ComplexCurve::new(frequencies.clone(), parts(|one| one.re), parts(|one| one.im));
            let curve = curve.deviations(values.iter().map(|one| 0.02 * one.norm()).collect::<Vec<f64>>());
            let prediction = InForm::new(of_model(model, output, &start, &frequencies), FORMS[0]).unwrap();
            let numbers = curve.numbers(&prediction, &prediction.curves()[0].name).unwrap();
            fit = fit.predicted(prediction, numbers);
        }
        let fit = fit.unknown(UNKNOWN.map(|name| model.parameter(name).unwrap())).run().unwrap();
        let suspicions = suspicions(&fit);
        let names: Vec<&str> = suspicions.iter().map(|one| one.channel.as_str()).collect();
        assert!(names.len() == changed.len() && names.iter().zip(changed).all(|(a, b)| a.contains(b)), "{fit}");
        let wanted = if conjugate { ResponseChange::Conjugate } else { ResponseChange::Sign };
        let is_it = |one: &Suspicion| matches!(one.cause, Cause::Response { change, .. } if change == wanted);
        assert!(suspicions.iter().all(is_it), "{fit}");
    }
}
