//! Fits of a half car to its frequency responses from the road, and of one model to records in time, orders and
//! predictions together.

use costate_cost::{
    ComplexForm, InForm, OrderLine, SpectralValue, SpectrumCost, SpectrumForm, Window, order_coefficients,
};
use costate_identify::{ComplexCurve, Identification, MeasuredNumbers, Measurement};
use costate_interpreter::LoadedModel;
use costate_measure::record::Record;
use costate_system::prediction::Prediction;
use costate_vibration::{EquilibriumSearch, ModalPrediction, ResponsePrediction};

use crate::fits::Noise;
use crate::{assert_near, loaded, simulation};

/// A body with pitch on two axles, each with its tyre on its own road.
const HALF_CAR: &str = "pub HalfCar {
    parameters {
        m: kg = 600, j: kg*m^2 = 900, a: m = 1.2, b: m = 1.4, m_f: kg = 40, m_r: kg = 45, g: m/s^2 = 9.81,
        c_f: N/m = 18e3, c_r: N/m = 22e3, d_f: N*s/m = 1200, d_r: N*s/m = 1500, c_t: N/m = 180e3,
    }
    inputs { road_f: m, road_r: m }
    coordinates { body: m, pitch: rad, axle_f: m, axle_r: m }
    mass { body: m, pitch: j, axle_f: m_f, axle_r: m_r }
    let front = body + a*sin(pitch) - axle_f;
    let rear = body - b*sin(pitch) - axle_r;
    let strut_f = -c_f*front - d_f*dot(front);
    let strut_r = -c_r*rear - d_r*dot(rear);
    forces {
        body: strut_f + strut_r - m*g,
        pitch: (a*strut_f - b*strut_r)*cos(pitch),
        axle_f: -strut_f - m_f*g - c_t*(axle_f - road_f),
        axle_r: -strut_r - m_r*g - c_t*(axle_r - road_r),
    }
    initial { body = 0[m], pitch = 0[rad], axle_f = 0[m], axle_r = 0[m] }
    outputs { heave: m/s^2 = ddot(body), nod: rad/s^2 = ddot(pitch) }
}";

const UNKNOWN: [&str; 6] = ["c_f", "c_r", "d_f", "d_r", "c_t", "j"];
const CURVES: [&str; 4] = ["heave/road_f", "heave/road_r", "nod/road_f", "nod/road_r"];

fn defaults(model: LoadedModel) -> Vec<f64> {
    model.defaults().iter().map(|value| value.unwrap()).collect()
}

/// The responses of both accelerations to both roads.
fn responses(model: LoadedModel) -> ResponsePrediction {
    let [front, rear] = ["road_f", "road_r"].map(|name| model.input(name).unwrap());
    let search = EquilibriumSearch::new(&simulation(model).input(front, 0.0).input(rear, 0.0));
    let frequencies: Vec<f64> = (0..24).map(|k| 0.5 * 1.17f64.powi(k)).collect();
    let mut made = ResponsePrediction::of("rig", &search, model.dual_equations(), &frequencies).unwrap();
    for name in ["heave", "nod"] {
        for input in [front, rear] {
            made = made.response(input, model.output(name).unwrap()).unwrap();
        }
    }
    made
}

/// Fits the responses with 1 % noise, and returns the errors of the unknowns in standard deviations.
fn errors(model: LoadedModel, prediction: &InForm, numbers: &[f64], seed: u64) -> Vec<f64> {
    let true_values = defaults(model);
    let frequencies = prediction.groups()[0].places.clone();
    let mut noise = Noise(seed);
    let mut measured = Vec::new();
    for (name, numbers) in CURVES.iter().zip(numbers.chunks(2 * frequencies.len())) {
        let (real, imaginary) = numbers.split_at(frequencies.len());
        let deviations: Vec<f64> = real.iter().zip(imaginary).map(|(a, b)| 0.01 * a.hypot(*b)).collect();
        let mut noisy = |part: &[f64]| -> Vec<f64> {
            part.iter().zip(&deviations).map(|(value, deviation)| value + deviation * noise.next()).collect()
        };
        let (real, imaginary) = (noisy(real), noisy(imaginary));
        let curve = ComplexCurve::new(frequencies.clone(), real, imaginary).deviations(deviations);
        measured.extend(curve.numbers(prediction, name).unwrap());
    }
    let unknown = UNKNOWN.map(|name| model.parameter(name).unwrap());
    let mut start = simulation(model);
    for name in ["road_f", "road_r"] {
        start = start.input(model.input(name).unwrap(), 0.0);
    }
    for (parameter, factor) in unknown.into_iter().zip([1.3, 0.8, 0.6, 1.5, 0.8, 1.2]) {
        start = start.parameter(parameter, factor * true_values[parameter.index()]);
    }
    let fit = Identification::of(model.system(), &start)
        .unknown(unknown)
        .predicted(prediction.clone(), measured)
        .run()
        .unwrap();
    let error = |parameter| {
        let found = fit.parameter(parameter).unwrap();
        (found.found - true_values[parameter.index()]) / found.standard_deviation
    };
    unknown.into_iter().map(error).collect()
}

#[test]
fn responses_from_the_road_with_noise() {
    let model = loaded(HALF_CAR);
    let prediction = responses(model);
    let numbers = prediction.values(&defaults(model)).unwrap();
    let prediction = InForm::new(prediction, ComplexForm::RealAndImaginary).unwrap();
    let names: Vec<&str> = prediction.curves().iter().map(|curve| curve.name.as_str()).collect();
    assert_eq!(names, CURVES);
    let all: Vec<f64> = (0..40).flat_map(|seed| errors(model, &prediction, &numbers, 1000 + seed)).collect();
    let beyond = |limit: f64| all.iter().filter(|error| error.abs() > limit).count();
    assert!(beyond(3.0) <= all.len() / 100, "{} of {} beyond 3 deviations", beyond(3.0), all.len());
    // a twentieth beyond 2 deviations, give or take
    assert!((2..=25).contains(&beyond(2.0)), "{} of {} beyond 2 deviations", beyond(2.0), all.len());
}

/// A machine on a spring, which a shaft excites with twice its angle.
const MACHINE: &str = "pub Machine {
    parameters { m: kg = 20, c: N/m = 9e3, d: N*s/m = 60, u: N = 25, speed: rad/s = 12 }
    inputs { push: N }
    coordinates { phi: rad, x: m }
    mass { phi: 0.1[kg*m^2], x: m }
    forces { x: push + u*cos(2*phi) - c*x - d*dot(x) }
    initial { phi = 0[rad], dot(phi) = speed, x = 0[m], dot(x) = 0[m/s] }
    outputs { position: m = x, angle: rad = phi }
}";

/// Tests one identification with a record in time, orders over an angle, modes and a frequency response: all are named,
/// and all count.
#[test]
fn a_record_orders_and_predictions_are_one_identification() {
    const STEP: f64 = 1e-3;
    let model = loaded(MACHINE);
    let [position, angle] = ["position", "angle"].map(|name| model.output(name).unwrap());
    let (push, phi) = (model.input("push").unwrap(), model.system().coordinate("phi").unwrap());
    let unknown = ["c", "d", "u"].map(|name| model.parameter(name).unwrap());
    let true_values = defaults(model);
    let truth = simulation(model).input(push, 0.0).step(STEP).until(4.0);
    let run = truth.run().unwrap();
    let mut noise = Noise(7);
    let (angles, positions) = (run.output(angle), run.output(position));
    let noisy = positions.iter().map(|x| x + 1e-4 * noise.next()).collect::<Vec<f64>>();
    // two revolutions, after the beginning has decayed
    let lines = [2.0, 4.0].map(|order| OrderLine::new(order, 30.0, 2, std::f64::consts::TAU, Window::Hann).unwrap());
    let coefficients = order_coefficients(&angles, &positions, &lines).unwrap();
    let mut orders = SpectrumCost::new(STEP, positions.len(), SpectrumForm::Coefficients);
    for (line, mut measured) in lines.into_iter().zip(coefficients) {
        measured.cosine += 2e-5 * noise.next();
        measured.sine += 2e-5 * noise.next();
        orders = orders.with_order(position, angle, line, SpectralValue::from(measured), 2e-5f64.powi(-2)).unwrap();
    }
    let record = Record::new(run.times()).unwrap().with_channel("position", Some("m"), noisy).unwrap();

    let mut start = truth.clone();
    for (parameter, factor) in unknown.into_iter().zip([1.1, 0.8, 1.2]) {
        start = start.parameter(parameter, factor * true_values[parameter.index()]);
    }
    let search = EquilibriumSearch::new(&start).held([phi]);
    let dual = model.dual_equations();
    let modes = ModalPrediction::of_modes("modes", &search, dual, &[1]).unwrap();
    let numbers = modes.values(&true_values).unwrap();
    let modes_measured = [
        MeasuredNumbers::new("natural frequencies", [numbers[0] + 2e-3]).unit("Hz").deviation(3e-3),
        MeasuredNumbers::new("damping ratios", [numbers[1] - 2e-4]).unit("1").deviation(3e-4),
    ];
    let frequencies: Vec<f64> = (0..30).map(|k| 1.0 + 0.2 * f64::from(k)).collect();
    let response = ResponsePrediction::of("tap", &search, dual, &frequencies).unwrap();
    let response = response.response(push, position).unwrap();
    let exact = response.values(&true_values).unwrap();
    let response = InForm::new(response, ComplexForm::RealAndImaginary).unwrap();
    let mut part =
        |from: usize| -> Vec<f64> { exact[from..from + 30].iter().map(|value| value + 1e-6 * noise.next()).collect() };
    let curve = ComplexCurve::new(frequencies, part(0), part(30)).deviations(vec![1e-6; 30]);
    let curve = curve.numbers(&response, "position/push").unwrap();

    let base = || Identification::of(model.system(), &start).unknown(unknown);
    let of_record = |own: Identification| own.measured(position, Measurement::new(&record).standard_deviation(1e-4));
    let together = of_record(base())
        .cost(1.0, orders.clone())
        .predicted(modes.clone(), modes_measured.clone())
        .predicted(response.clone(), curve.clone());
    let fit = together.run().unwrap();
    let summary = fit.summary();
    assert_eq!(summary.measurements.len(), 1);
    assert_eq!(summary.costs.len(), 1);
    let groups: Vec<&str> = summary.predictions.iter().map(|group| group.group.as_str()).collect();
    let expected =
        ["natural frequencies", "damping ratios", "position/push: real part", "position/push: imaginary part"];
    assert_eq!(groups, expected);
    let verdict = summary.verdict.as_ref().unwrap();
    assert!(verdict.to_string().contains("sufficient") && verdict.to_string().contains("5 channels"), "{verdict}");
    let text = fit.to_string();
    let report = std::env::temp_dir().join(format!("costate all together {}.html", std::process::id()));
    fit.report(&report).unwrap();
    let page = std::fs::read_to_string(&report).unwrap();
    std::fs::remove_file(&report).unwrap();
    for name in ["position", "orders of position"].into_iter().chain(expected) {
        assert!(text.contains(name), "`{name}` is not in\n{text}");
        assert!(page.contains(name), "`{name}` is not in the report");
    }
    // what does not fit to the rest is named
    let too_large = ComplexCurve::new(
        response.groups()[0].places.clone(),
        exact[..30].iter().map(|value| 1.2 * value).collect::<Vec<f64>>(),
        exact[30..].iter().map(|value| 1.2 * value).collect::<Vec<f64>>(),
    );
    let too_large = too_large.deviations(vec![1e-6; 30]).numbers(&response, "position/push").unwrap();
    let doubtful = of_record(base())
        .cost(1.0, orders.clone())
        .predicted(modes.clone(), modes_measured.clone())
        .predicted(response.clone(), too_large)
        .run()
        .unwrap();
    let verdict = doubtful.summary().verdict.clone().unwrap().to_string();
    assert!(verdict.contains("position/push: real part"), "{verdict}");
    // each kind of data alone knows no more than all of them
    let alone = [
        of_record(base()).run().unwrap(),
        of_record(base()).cost(1.0, orders).run().unwrap(),
        of_record(base()).predicted(modes, modes_measured).run().unwrap(),
        of_record(base()).predicted(response, curve).run().unwrap(),
    ];
    for parameter in unknown {
        let found = fit.parameter(parameter).unwrap();
        let error = (found.found - true_values[parameter.index()]) / found.standard_deviation;
        assert!(error.abs() < 3.5, "{} {error}", parameter.name());
        for less in &alone {
            let less = less.parameter(parameter).unwrap().standard_deviation;
            assert!(found.standard_deviation < less * (1.0 + 1e-3), "{} {less}", parameter.name());
        }
    }
    assert_near(fit.parameter(unknown[0]).unwrap().found, 9e3, 1e-2);
}
