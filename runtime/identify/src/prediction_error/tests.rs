//! -2 log L against the density of all samples, and its gradient against differences, at random points.

use costate_cost::SmoothStencil;
use costate_measure::record::Record;
use costate_optimize::Variable;
use costate_system::model::Model;
use costate_system::simulation::Simulation;

use nalgebra::{DMatrix, DVector};

use super::NoiseDeviation;
use super::fit::tests_of_gradients::with_likelihood;
use super::noise::ProcessNoise;
use super::objective::Likelihood;
use crate::Identification;
use crate::definition::correction::Correction;
use crate::definition::measurement::Measurement;

costate::model! {
    #[interpreted]
    /// A driven oscillator with a cubic spring.
    pub Oscillator {
        parameters { m: kg = 1.2, c: N/m = 30, cubic: N/m^3 = 40, d: N*s/m = 0.5, x0: m = 0.2, v0: m/s = 0.1 }
        inputs { force: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: force - c*x - cubic*x^3 - d*dot(x) }
        initial { x = x0, dot(x) = v0 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A pendulum in redundant coordinates.
    pub Pendulum {
        parameters { m: kg = 0.8, l: m = 1.1, d: N*s/m = 0.2, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: -d*dot(x), y: -m*g - d*dot(y) }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(0.9), y = -l*cos(0.9), dot(x) = 0.3[m/s]*cos(0.9), dot(y) = 0.3[m/s]*sin(0.9) }
        outputs { across: m = x, upwards: m/s^2 = ddot(y), pull: N = 2*l*multiplier(rod) }
    }
}

const STEP: f64 = 0.02;

/// A reproducible number in [-1, 1).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as f64 / 2f64.powi(30) - 1.0
}

/// Compares the gradient at three random points with central differences, extrapolated twice.
fn check(likelihood: &Likelihood<'_>, variables: &[Variable], seed: u64) {
    let mut state = seed;
    let free: Vec<usize> = (0..variables.len()).collect();
    for _ in 0..3 {
        let z: Vec<f64> = variables.iter().map(|v| v.start() * (1.0 + 0.1 * random(&mut state))).collect();
        let gradient = likelihood.gradient(&z, &free).unwrap();
        for (k, derivative) in gradient.iter().enumerate() {
            let difference = |h: f64| {
                let value = |sign: f64| {
                    let mut moved = z.clone();
                    moved[k] += sign * h;
                    likelihood.value(&moved).unwrap()
                };
                (value(1.0) - value(-1.0)) / (2.0 * h)
            };
            let h = 4e-3 * z[k].abs();
            let [one, half, quarter, eighth] = [1.0, 0.5, 0.25, 0.125].map(|part| difference(part * h));
            let next = |coarse: f64, fine: f64, factor: f64| fine + (fine - coarse) / (factor - 1.0);
            let [a, b, c] = [next(one, half, 4.0), next(half, quarter, 4.0), next(quarter, eighth, 4.0)];
            let [a, b] = [next(a, b, 16.0), next(b, c, 16.0)];
            let extrapolated = next(a, b, 64.0);
            // relative to the largest change of the value by a change of its own size
            let scale = derivative.abs().max(1e-3 * likelihood.value(&z).unwrap().abs() / z[k].abs());
            let error = (derivative - extrapolated).abs() / scale;
            assert!(error < 1e-9, "{}: {derivative} and {extrapolated}", variables[k].name());
        }
    }
}

fn noisy(values: &[f64], size: f64, state: &mut u64) -> Vec<f64> {
    values.iter().enumerate().map(|(i, y)| if i % 9 == 4 { f64::NAN } else { y + size * random(state) }).collect()
}

#[test]
fn the_gradient_of_a_driven_oscillator_is_exact() {
    let model = Oscillator::default();
    let force = |t: f64| 3.0 * (4.0 * t).sin();
    let simulation = Simulation::new(&model).input(Oscillator::FORCE, force).step(STEP).until(1.0);
    let run = simulation.run().unwrap();
    let mut state = 5;
    let mut record = Record::new(run.times()).unwrap();
    for (name, unit, output, size) in
        [("position", "m", Oscillator::POSITION, 0.01), ("acceleration", "m/s^2", Oscillator::ACCELERATION, 0.3)]
    {
        record = record.with_channel(name, Some(unit), noisy(&run.output(output), size, &mut state)).unwrap();
    }
    let identification = Identification::new(&simulation)
        .unknown([Oscillator::C, Oscillator::CUBIC, Oscillator::D, Oscillator::X0, Oscillator::V0])
        .measured(Oscillator::POSITION, &record)
        .measured(Oscillator::ACCELERATION, &record);
    let noise = ProcessNoise::new()
        .on_velocity(Oscillator::X, NoiseDeviation::Unknown(0.2))
        .on_input(Oscillator::FORCE, NoiseDeviation::Unknown(0.5))
        .on_start(Oscillator::X, 0.05, 0.02);
    with_likelihood(&identification.definition, &noise.settings, Oscillator::dual_equations(), |likelihood, all| {
        assert_eq!(all.len(), 9);
        check(likelihood, all, 1);
    });
}

#[test]
fn the_gradient_by_what_sensors_do_is_exact() {
    let model = Oscillator::default();
    let force = |t: f64| 3.0 * (4.0 * t).sin();
    let simulation = Simulation::new(&model).input(Oscillator::FORCE, force).step(STEP).until(1.0);
    let run = simulation.run().unwrap();
    let mut state = 11;
    let mut record = Record::new(run.times()).unwrap();
    for (name, unit, output, size) in
        [("position", "m", Oscillator::POSITION, 0.01), ("acceleration", "m/s^2", Oscillator::ACCELERATION, 0.3)]
    {
        record = record.with_channel(name, Some(unit), noisy(&run.output(output), size, &mut state)).unwrap();
    }
    // random points stay between two steps, where the interpolation is smooth
    let delay = Correction::unknown(1.5 * STEP).within(-STEP, 3.0 * STEP);
    let position = Measurement::new(&record).offset(Correction::unknown(0.02)).delay(delay);
    let acceleration = Measurement::new(&record).gain(Correction::unknown(1.1)).delay(0.3 * STEP);
    let identification = Identification::new(&simulation)
        .unknown([Oscillator::C, Oscillator::X0])
        .measured(Oscillator::POSITION, position)
        .measured(Oscillator::ACCELERATION, acceleration);
    let noise = ProcessNoise::new()
        .on_velocity(Oscillator::X, NoiseDeviation::Unknown(0.2))
        .on_input(Oscillator::FORCE, NoiseDeviation::Unknown(0.5))
        .drift_of(Oscillator::POSITION, NoiseDeviation::Unknown(0.04))
        .drift_of(Oscillator::ACCELERATION, NoiseDeviation::Unknown(0.4))
        .on_start(Oscillator::X, 0.005, 0.02);
    with_likelihood(&identification.definition, &noise.settings, Oscillator::dual_equations(), |likelihood, all| {
        assert_eq!(all.len(), 11);
        check(likelihood, all, 3);
    });
}

/// The density of all samples of a linear oscillator at once: states at all steps are sums of what drives them, and
/// samples are sums of states at steps, of offsets that drift, and of errors.
#[test]
fn the_likelihood_of_what_sensors_do_is_that_of_the_dense_covariance() {
    const STEPS: usize = 30;
    const DELAYS: [(f64, f64, f64); 5] =
        [(0.0, 0.0, 0.0), (1.3, 1.3, 1.3), (2.4, -0.7, 4.2), (-1.6, -3.0, 0.5), (8.5, 8.0, 9.0)];
    let (drives, drifts, error, start) = (0.4, 0.07, 0.02, [0.05, 0.3]);
    let model = Oscillator { cubic: 0.0, ..Oscillator::default() };
    let simulation = Simulation::new(&model).input(Oscillator::FORCE, 0.0).step(STEP).until(STEPS as f64 * STEP);
    let run = simulation.run().unwrap();
    let mut state = 3;
    let values = noisy(&run.output(Oscillator::POSITION), 0.05, &mut state);
    let record = Record::new(run.times()).unwrap().with_channel("position", Some("m"), values.clone()).unwrap();
    // x_i = F x_i-1 with the series of a Runge-Kutta step
    let a = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -model.c / model.m, -model.d / model.m]) * STEP;
    let unit = DMatrix::<f64>::identity(2, 2);
    let transition = &unit + &a * (&unit + &a / 2.0 * (&unit + &a / 3.0 * (&unit + &a / 4.0)));
    let half = DMatrix::from_diagonal(&DVector::from_vec(vec![0.0, 0.5 * STEP * drives * drives]));
    let noise = &transition * &half * transition.transpose() + &half;
    for (delay, least, most) in DELAYS {
        let given = match least == most {
            true => Correction::known(delay * STEP),
            false => Correction::unknown(delay * STEP).within(least * STEP, most * STEP),
        };
        let measurement = Measurement::new(&record).gain(1.2).offset(0.03).delay(given);
        let identification = Identification::new(&simulation)
            .unknown([Oscillator::C])
            .measured(Oscillator::POSITION, measurement.standard_deviation(error));
        let settings = ProcessNoise::new()
            .on_velocity(Oscillator::X, drives)
            .drift_of(Oscillator::POSITION, drifts)
            .on_start(Oscillator::X, start[0], start[1])
            .settings;
        let mut mean = vec![DVector::from_vec(vec![model.x0, model.v0])];
        let mut powers = vec![unit.clone()];
        for i in 0..STEPS {
            mean.push(&transition * &mean[i]);
            powers.push(&transition * &powers[i]);
        }
        let initial = DMatrix::from_diagonal(&DVector::from_vec(vec![start[0] * start[0], start[1] * start[1]]));
        let of_states = |i: usize, k: usize| {
            let driven = (1..=i.min(k)).map(|j| &powers[i - j] * &noise * powers[k - j].transpose());
            driven.fold(&powers[i] * &initial * powers[k].transpose(), |sum, one| sum + one)[(0, 0)]
        };
        let at = |sample: usize, delay: f64| SmoothStencil::at((sample as f64 - delay) * STEP, STEP, STEPS + 1);
        let is_within = |sample: &usize| at(*sample, least).is_some() && at(*sample, most).is_some();
        let samples: Vec<usize> = (0..=STEPS).filter(is_within).filter(|&sample| !values[sample].is_nan()).collect();
        let weights = |sample: usize| at(sample, delay).into_iter().flat_map(|stencil| stencil.weights());
        let innovation = samples.iter().map(|&sample| {
            let position: f64 = weights(sample).map(|(step, weight)| weight * mean[step][0]).sum();
            values[sample] - 1.2 * position - 0.03
        });
        let innovation = DVector::from_iterator(samples.len(), innovation);
        let covariance = DMatrix::from_fn(samples.len(), samples.len(), |a, b| {
            let pairs = weights(samples[a]).flat_map(|one| weights(samples[b]).map(move |other| (one, other)));
            let of_positions: f64 = pairs.map(|((i, v), (k, w))| 1.44 * v * w * of_states(i, k)).sum();
            let of_errors = if a == b { error * error } else { 0.0 };
            of_positions + drifts * drifts * STEP * samples[a].min(samples[b]) as f64 + of_errors
        });
        let factor = covariance.cholesky().unwrap();
        let exact = innovation.dot(&factor.solve(&innovation))
            + 2.0 * factor.l().diagonal().map(f64::ln).sum()
            + samples.len() as f64 * std::f64::consts::TAU.ln();
        with_likelihood(&identification.definition, &settings, Oscillator::dual_equations(), |likelihood, all| {
            let z: Vec<f64> = all.iter().map(Variable::start).collect();
            let found = likelihood.value(&z).unwrap();
            assert!((found / exact - 1.0).abs() < 1e-10, "{delay}: {found} and {exact}");
        });
    }
}

#[test]
fn the_gradient_of_a_pendulum_with_a_constraint_is_exact() {
    let model = Pendulum::default();
    let simulation = Simulation::new(&model).step(STEP).until(1.0);
    let run = simulation.run().unwrap();
    let mut state = 9;
    let mut record = Record::new(run.times()).unwrap();
    for (name, unit, output, size) in
        [("across", "m", Pendulum::ACROSS, 0.02), ("upwards", "m/s^2", Pendulum::UPWARDS, 0.5)]
    {
        record = record.with_channel(name, Some(unit), noisy(&run.output(output), size, &mut state)).unwrap();
    }
    let identification = Identification::new(&simulation)
        .unknown([Pendulum::L, Pendulum::D, Pendulum::G])
        .measured(Pendulum::ACROSS, Measurement::new(&record).delay(0.4 * STEP))
        .measured(Pendulum::UPWARDS, &record);
    let noise =
        ProcessNoise::new().on_velocity(Pendulum::X, NoiseDeviation::Unknown(0.3)).on_start(Pendulum::Y, 0.03, 0.1);
    with_likelihood(&identification.definition, &noise.settings, Pendulum::dual_equations(), |likelihood, all| {
        assert_eq!(all.len(), 6);
        check(likelihood, all, 2);
    });
}
