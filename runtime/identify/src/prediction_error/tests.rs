//! The gradient of -2 log L against differences, at random points.

use costate_measure::record::Record;
use costate_optimize::Variable;
use costate_system::model::Model;
use costate_system::simulation::Simulation;

use super::NoiseDeviation;
use super::fit::tests_of_gradients::with_likelihood;
use super::noise::ProcessNoise;
use super::objective::Likelihood;
use crate::Identification;

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
        .measured(Pendulum::ACROSS, &record)
        .measured(Pendulum::UPWARDS, &record);
    let noise =
        ProcessNoise::new().on_velocity(Pendulum::X, NoiseDeviation::Unknown(0.3)).on_start(Pendulum::Y, 0.03, 0.1);
    with_likelihood(&identification.definition, &noise.settings, Pendulum::dual_equations(), |likelihood, all| {
        assert_eq!(all.len(), 6);
        check(likelihood, all, 2);
    });
}
