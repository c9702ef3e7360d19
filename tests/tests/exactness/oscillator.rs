//! The oscillator's cost and gradient against their exact values (OB 3.14), with the order of the scheme.

use std::f64::consts::PI;

use costate::cost::{Cost, LeastSquares, Quadrature};
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
        let limit: Vec<f64> =
            coarse.iter().zip(fine).map(|(coarse, fine)| fine + (fine - coarse) / 3.0).collect();
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

#[test]
fn raising_the_damping_lowers_the_cost() {
    // The source says the opposite in words; its formula has the right sign.
    assert!(cost_and_gradient(2000, 0.0)[2] < 0.0);
}
