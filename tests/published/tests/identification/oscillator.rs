//! The oscillator's cost and gradient against their exact values (OB 3.14), with the order of the scheme.

use std::f64::consts::PI;

use costate::cost::{BolzaCost, Cost, LeastSquares, Quadrature};
use costate::differentiate::adjoint_history;
use costate::{Model, Simulation, gradient};
use costate_models::{Oscillator, oscillator};

/// J, dJ/dc and dJ/dd with N steps: J = 1/2 integral of x^2 by the trapezoidal rule.
fn cost_and_gradient(steps: usize, alpha: f64) -> [f64; 3] {
    let model = Oscillator::default();
    let h = oscillator::END / steps as f64;
    let problem = Simulation::new(&model).step(h).until(oscillator::END).alpha(alpha).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let outputs = trajectory.outputs();
    let times: Vec<f64> = (0..=steps).map(|i| i as f64 * h).collect();
    let cost = LeastSquares::new(h, steps + 1, Quadrature::Trapezoid)
        .with_channel(Oscillator::POSITION, &times, &vec![0.0; steps + 1], 1.0)
        .unwrap();
    let output_gradient = cost.output_gradient(&outputs);
    let unknown = [Oscillator::C, Oscillator::D];
    let gradient = gradient(&problem, &trajectory, &output_gradient, &unknown).unwrap();
    [cost.value(&outputs), gradient[0], gradient[1]]
}

/// x(t) = -cos t + exp(-t/2) (cos(w t) + sin(w t)/(2 w)), w = sqrt(3)/2, integrated by Simpson's rule.
fn exact_cost() -> f64 {
    let omega = 3f64.sqrt() / 2.0;
    let x = |t: f64| -t.cos() + (-t / 2.0).exp() * ((omega * t).cos() + (omega * t).sin() / (2.0 * omega));
    let (n, h) = (20_000, 6.0 * PI / 20_000.0);
    let sum: f64 = (0..=n)
        .map(|i| {
            let weight = if i == 0 || i == n {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight * x(i as f64 * h).powi(2)
        })
        .sum();
    0.5 * sum * h / 3.0
}

#[test]
fn exact_values_in_the_limit() {
    for alpha in [0.0, -0.05] {
        // Richardson extrapolation of a second-order scheme.
        let (coarse, fine) = (cost_and_gradient(4000, alpha), cost_and_gradient(8000, alpha));
        let limit: Vec<f64> = coarse.iter().zip(fine).map(|(coarse, fine)| fine + (fine - coarse) / 3.0).collect();
        for (limit, printed) in limit.iter().zip([4.2123, -0.7498, -14.8474]) {
            assert!((limit - printed).abs() <= 0.5e-4, "{limit}, not {printed} (alpha = {alpha})");
        }
        assert!((limit[0] - exact_cost()).abs() < 1e-8, "{} {}", limit[0], exact_cost());
    }
}

#[test]
fn second_order_in_the_step_size() {
    for alpha in [0.0, -0.1, -0.3] {
        let [a, b, c] = [1000, 2000, 4000].map(|steps| cost_and_gradient(steps, alpha));
        for i in 0..3 {
            let order = ((a[i] - b[i]) / (b[i] - c[i])).log2();
            assert!((order - 2.0).abs() < 0.05, "entry {i}: order {order} (alpha = {alpha})");
        }
    }
}

/// x, its rate and p_1, p_2 of OB (3.25) at the times of `steps` steps, by Runge-Kutta steps back from T.
fn exact_adjoint(steps: usize) -> Vec<[f64; 2]> {
    const FINER: usize = 8;
    let omega = 3f64.sqrt() / 2.0;
    let x = |t: f64| -t.cos() + (-t / 2.0).exp() * ((omega * t).cos() + (omega * t).sin() / (2.0 * omega));
    // c = 1, d = 1/2
    let slope = |t: f64, [p, s]: [f64; 2]| [-x(t) + s, -p + s];
    let h = -oscillator::END / (steps * FINER) as f64;
    let (mut p, mut t) = ([0.0; 2], oscillator::END);
    let mut found = vec![p];
    for _ in 0..steps {
        for _ in 0..FINER {
            let ahead = |k: [f64; 2], by: f64| [p[0] + by * k[0], p[1] + by * k[1]];
            let k_1 = slope(t, p);
            let k_2 = slope(t + 0.5 * h, ahead(k_1, 0.5 * h));
            let k_3 = slope(t + 0.5 * h, ahead(k_2, 0.5 * h));
            let k_4 = slope(t + h, ahead(k_3, h));
            p = [0, 1].map(|j| p[j] + h / 6.0 * (k_1[j] + 2.0 * k_2[j] + 2.0 * k_3[j] + k_4[j]));
            t += h;
        }
        found.push(p);
    }
    found.reverse();
    found
}

/// OB (3.26): p_2 as printed, and p_1 without its two misprints.
#[test]
fn the_adjoint_variables_are_the_published_ones() {
    use std::f64::consts::PI;
    let root = 3f64.sqrt();
    let steps = 2000;
    for (i, [p, s]) in exact_adjoint(steps).into_iter().enumerate() {
        let t = oscillator::END * i as f64 / steps as f64;
        let (sine, cosine) = (0.5 * root * t).sin_cos();
        let (late_sine, late_cosine) = (0.5 * root * (6.0 * PI - t)).sin_cos();
        let (last_sine, last_cosine) = (0.5 * root * (12.0 * PI - t)).sin_cos();
        let (factor, start, grown, middle) = ((-0.5 * t - 6.0 * PI).exp(), (6.0 * PI).exp(), t.exp(), (3.0 * PI).exp());
        let swing = (3.0 * start - 2.0 * grown) * cosine;
        let p_1 = factor / 3.0 * (swing + grown * (middle * (root * late_sine + 3.0 * late_cosine) - last_cosine))
            + t.sin()
            - t.cos();
        let p_2 = factor / 6.0
            * (swing
                - root * (start - 2.0 * grown) * sine
                - grown * (root * (last_sine - 4.0 * middle * late_sine) + last_cosine))
            + t.sin();
        assert!((p - p_1).abs() < 1e-9 && (s - p_2).abs() < 1e-9, "{t}: {p} {p_1}, {s} {p_2}");
    }
}

/// The largest differences of the adjoint variables over time from the exact ones, and those at the start.
fn adjoint_errors(steps: usize, alpha: f64) -> [f64; 2] {
    let model = Oscillator::default();
    let h = oscillator::END / steps as f64;
    let problem = Simulation::new(&model).step(h).until(oscillator::END).alpha(alpha).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let cost = BolzaCost::new(h, steps + 1).with_integrand([Oscillator::POSITION], |_, x| x[0] * x[0] * 0.5);
    let output_gradient = cost.output_gradient(&trajectory.outputs());
    let found = adjoint_history::<Oscillator>(&problem, &trajectory, &output_gradient).unwrap();
    let difference = |i: usize, exact: &[f64; 2]| {
        (found.coordinates.row(i)[0] - exact[0]).abs().max((found.velocities.row(i)[0] - exact[1]).abs())
    };
    let exact = exact_adjoint(steps);
    let largest = exact.iter().enumerate().fold(0.0_f64, |largest, (i, exact)| largest.max(difference(i, exact)));
    [largest, difference(0, &exact[0])]
}

#[test]
fn adjoint_variables_are_those_of_the_continuous_adjoint_in_the_limit() {
    for alpha in [0.0, -0.1] {
        let [a, b] = [1000, 2000].map(|steps| adjoint_errors(steps, alpha));
        // a jump at a sample acts half a step away from it, but the start is one of the scheme
        assert!(b[0] < 0.55 * a[0] && b[0] < 2e-2, "{a:?} {b:?} (alpha = {alpha})");
        assert!(b[1] < 0.3 * a[1] && b[1] < 1e-4, "{a:?} {b:?} (alpha = {alpha})");
    }
}

#[test]
fn raising_the_damping_lowers_the_cost() {
    // The source says the opposite in words; its formula has the right sign.
    assert!(cost_and_gradient(2000, 0.0)[2] < 0.0);
}
