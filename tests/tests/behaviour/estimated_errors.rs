//! Estimated errors of multipliers where they are largest: after jumps of a driven motion's jerk, and after changes
//! of the step.

use costate::{Output, Run, Simulation};

costate::model! {
    #[interpreted]
    /// A mass that is driven, with a jerk that jumps, and one on a spring.
    pub Ramp {
        parameters { m: kg = 2, m_y: kg = 0.5, c: N/m = 200, k: m/s^3 = 5, begin: s = 0.2 }
        coordinates { x: m, y: m }
        mass { x: m, y: m_y }
        forces { x: c*(y - x), y: c*(x - y) }
        constraints { drive: x - k*max(t - begin, 0)^3 }
        initial { x = 0, y = 0, dot(y) = 0 }
        outputs { force: N = multiplier(drive), acceleration: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A pendulum that begins at rest, level with its pivot.
    pub Rod {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: (x^2 + y^2 - l^2)/2 }
        initial { x = l, y ~ 0 }
        outputs { tension: N/m = multiplier(rod) }
    }
}

/// Estimated over true error of an output whose exact values are known.
fn ratio<M>(run: &Run<M>, output: Output<M>, exact: impl Fn(f64) -> f64) -> f64 {
    let pairs = run.times().into_iter().zip(run.output(output));
    let error = pairs.map(|(time, found)| (found - exact(time)).abs()).fold(0.0, f64::max);
    run.accuracy().unwrap().output(output).unwrap().error / error
}

#[test]
fn a_jump_of_jerk_is_in_the_estimate() {
    let mut ratios = Vec::new();
    for h in [4e-3, 2e-3, 1e-3] {
        for k in 0..20 {
            let model = Ramp { begin: 0.2 + 0.0137 * f64::from(k), ..Ramp::default() };
            let run = Simulation::new(&model).step(h).until(0.8).error_limit(None).run().unwrap();
            let frequency = (model.c / model.m_y).sqrt();
            let since = |time: f64| (time - model.begin).max(0.0);
            let lag = |time: f64| {
                let since = since(time);
                6.0 * model.k * ((frequency * since).sin() / frequency.powi(3) - since / frequency.powi(2))
            };
            let force = |time: f64| model.c * lag(time) - model.m * 6.0 * model.k * since(time);
            ratios.push(ratio(&run, Ramp::FORCE, force));
            ratios.push(ratio(&run, Ramp::ACCELERATION, |time| 6.0 * model.k * since(time)));
        }
    }
    // errors are small by luck where the jump is near to the place that the steps take it for
    assert!(ratios.iter().all(|ratio| (1.0..5.0).contains(ratio)), "{ratios:?}");
    let far = ratios.iter().filter(|ratio| **ratio > 3.0).count();
    assert!(8 * far < ratios.len(), "{far} of {}: {ratios:?}", ratios.len());
}

/// The height of the pendulum `Rod` at these times, by Runge and Kutta's method.
fn heights(times: &[f64]) -> Vec<f64> {
    let rate = |[angle, speed]: [f64; 2]| [speed, -9.81 * angle.sin()];
    let plus = |a: [f64; 2], factor: f64, b: [f64; 2]| [a[0] + factor * b[0], a[1] + factor * b[1]];
    let (mut state, mut now) = ([std::f64::consts::FRAC_PI_2, 0.0], 0.0);
    let to = |time: &f64| {
        let h = (time - now) / 100.0;
        for _ in 0..100 {
            let a = rate(state);
            let b = rate(plus(state, 0.5 * h, a));
            let c = rate(plus(state, 0.5 * h, b));
            let d = rate(plus(state, h, c));
            let sum = plus(plus(plus(a, 2.0, b), 2.0, c), 1.0, d);
            state = plus(state, h / 6.0, sum);
        }
        now = *time;
        -state[0].cos()
    };
    times.iter().map(to).collect()
}

#[test]
fn errors_after_changes_of_the_step_are_in_the_estimate() {
    let model = Rod::default();
    for k in 0..20 {
        let tolerance = 10f64.powf(-4.0 - 0.15 * f64::from(k));
        let simulation = Simulation::new(&model).step(2e-2).until(4.0).adaptive(tolerance);
        let run = simulation.error_limit(None).run().unwrap();
        let times: Vec<f64> = run.times().into_iter().collect();
        let heights = heights(&times);
        // three times the weight at the lowest point, by the energy
        let tension = |time: f64| -3.0 * 9.81 * heights[times.iter().position(|own| *own == time).unwrap()];
        let found = ratio(&run, Rod::TENSION, tension);
        assert!((1.0 / 3.0..3.0).contains(&found), "{tolerance:e}: {found}");
    }
}
