//! Estimated errors of multipliers where they are largest, after jumps of a driven motion's jerk and after changes of
//! the step, and the scales of errors.

use costate::simulate::{ScaleKind, Scheme, SimulationError};
use costate::table::{Curve, Extension, Interpolation};
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

costate::model! {
    #[interpreted]
    /// Two masses with a spring between them that is so stiff that no step resolves its oscillation.
    pub Stiff {
        parameters { m: kg = 1, c: N/m = 100, c_2: N/m = 1e8, stretch: m = 0 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: c_2*(y - x) - c*x, y: -c_2*(y - x) }
        initial { x = 0.1[m], y = 0.1[m] + stretch }
        outputs { force: N = c_2*(y - x), place: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// A mass that is pulled through dry friction by a spring.
    pub Rubbing {
        parameters { m: kg = 1, c: N/m = 100, mu: N = 3, v_s: m/s = 0.01 }
        inputs { pull: m }
        coordinates { x: m }
        mass { x: m }
        forces { x: c*(pull - x) - mu*tanh(dot(x)/v_s) }
        outputs { friction: N = mu*tanh(dot(x)/v_s), energy: J = m*dot(x)^2/2 }
    }
}

costate::model! {
    #[interpreted]
    /// A crank whose drive turns it by many degrees in a step, with a slider in one of two places for every angle.
    pub Crank {
        parameters { r: m = 0.1, l: m = 0.25, w: rad/s = 10, m: kg = 1 }
        coordinates { phi: rad, psi: rad, s: m }
        mass { phi: 0.1[kg*m^2], psi: 0.1[kg*m^2], s: m }
        constraints { drive: phi - w*t, along: r*cos(phi) + l*cos(psi) - s, across: r*sin(phi) - l*sin(psi) }
        initial { s = r + l }
        outputs { slider: m = s, torque: N*m = multiplier(drive) }
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

costate::model! {
    #[interpreted]
    /// An oscillator that a force moves.
    pub Tapped {
        parameters { m: kg = 2, c: N/m = 250, d: N*s/m = 3 }
        inputs { force: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: force - c*x - d*dot(x) }
        initial { x = 0.01[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}

fn tone(t: f64, frequency: f64) -> f64 {
    (std::f64::consts::TAU * frequency * t).sin()
}

#[test]
fn forces_that_steps_pass_over_are_errors() {
    // all are equal at the ends of steps of 1 ms
    let inputs: [fn(f64) -> f64; 6] = [
        |t| 20.0 + 2000.0 * tone(t, 500.0).powi(2),
        |t| 20.0 + 2000.0 * tone(t, 1000.0).powi(2),
        |t| 20.0 + 2000.0 * tone(t, 1500.0).powi(2),
        |t| 20.0 + 2000.0 * tone(t, 500.0).abs(),
        |t| 20.0 * tone(t + 2.5e-4, 1000.0),
        |t| if (0.5073..0.508).contains(&t) { 1000.0 } else { 0.0 },
    ];
    for (k, input) in inputs.into_iter().enumerate() {
        let simulation = || Simulation::new(&Tapped::default()).input(Tapped::FORCE, input).until(1.0);
        assert!(simulation().step(1e-3).run().is_err(), "{k}");
        let truth = simulation().step(1e-5).error_limit(None).run().unwrap().output(Tapped::POSITION);
        let largest = |positions: &[f64]| positions.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if let Ok(run) = simulation().step_for(1e-3).and_then(|step| simulation().step(step).run()) {
            let ratio = largest(&run.output(Tapped::POSITION)) / largest(&truth);
            assert!((ratio - 1.0).abs() < 0.02, "{k}: {ratio}");
        } else {
            assert!(k >= 3, "{k} has a step");
        }
    }
}

costate::model! {
    #[interpreted]
    /// An oscillator with a kick of its own.
    pub Kicked {
        parameters { m: kg = 2, c: N/m = 250, d: N*s/m = 3, kick: N = 1000, begin: s = 0.5073, length: s = 0.0007 }
        coordinates { x: m }
        mass { x: m }
        let force = if t < begin { 0[N] } else if t < begin + length { kick } else { 0[N] };
        forces { x: force - c*x - d*dot(x) }
        initial { x = 0.01[m] }
    }
}

/// Kicks between the ends of steps are errors, or named: halves of steps see none of them, or the same by chance.
#[test]
fn kicks_of_the_model_that_no_step_sees_are_errors() {
    let mut unseen = 0;
    for k in 0..60 {
        let begin = 0.5 + 1e-3 * (0.37 * f64::from(k)).fract();
        let length = 1e-3 * (0.06 + 0.02 * f64::from(k));
        let model = Kicked { begin, length, ..Kicked::default() };
        match Simulation::new(&model).until(1.0).step(1e-3).run() {
            Err(SimulationError::UnseenChange(change)) => {
                assert!((begin..begin + length).contains(&change.time) && change.value > 900.0, "{change}");
                unseen += 1;
            }
            Err(error) => assert!(matches!(error, SimulationError::Inaccurate(_)), "{error}"),
            Ok(run) => {
                let truth = kicked_range((begin, length));
                let largest = run.coordinate(Kicked::X).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                assert!((largest / truth - 1.0).abs() < 0.35, "{begin} {length}: {largest} for {truth}");
            }
        }
    }
    assert!(unseen > 0, "none is named");
}

costate::model! {
    #[interpreted]
    /// An oscillator with a force that a table gives over time.
    pub Pulsed {
        parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 1 }
        tables { pulse(t: s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: pulse(t) - c*x - d*dot(x) }
        outputs { place: m = x }
    }
}

/// A pulse of 0.2 ms in a table, between the ends of steps of all lengths, and of their thirds.
#[test]
fn pulses_in_tables_that_no_step_sees_are_named() {
    for k in 0..20 {
        let begin = 0.5 + 0.0137 * f64::from(k);
        let knots = vec![0.0, begin, begin + 1e-4, begin + 2e-4, 2.0];
        let pulse = Curve::new(knots, vec![0.0, 0.0, 1000.0, 0.0, 0.0], Extension::Clamped).unwrap();
        let pulse = pulse.interpolated(Interpolation::Straight);
        let simulation = Simulation::new(&Pulsed::default()).table(Pulsed::PULSE, pulse).until(2.0);
        for step in [0.2, 0.02, 1e-3] {
            let error = simulation.clone().step(step).run().unwrap_err();
            let is_seen = match &error {
                SimulationError::UnseenChange(change) => (begin..begin + 2e-4).contains(&change.time),
                // halves of the steps see it by chance
                error => step < 0.01 && matches!(error, SimulationError::Inaccurate(_)),
            };
            assert!(is_seen, "{step}: {error}");
        }
        // many short steps
        if k % 10 > 0 {
            continue;
        }
        match simulation.step_for(0.05) {
            Ok(step) => {
                let run = simulation.step(step).error_limit(None).run().unwrap();
                let largest = run.output(Pulsed::PLACE).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
                // an impulse of 0.1 N s, with the damping of a quarter of a period
                let truth = 0.1 / 10.0 * f64::exp(-0.5 * 0.152);
                assert!((largest / truth - 1.0).abs() < 0.07, "{begin}, {step} s: {largest} for {truth}");
            }
            Err(error) => assert!(matches!(error, SimulationError::Inaccurate(_)), "{error}"),
        }
    }
}

/// The largest position of `Tapped` within 1 s under a kick of 1000 N.
fn kicked_range(kick: (f64, f64)) -> f64 {
    (0..10_000).map(|k| kicked(1e-4 * f64::from(k), kick).abs()).fold(0.0, f64::max)
}

/// Position and velocity of `Tapped` after a time under a constant force, in closed form.
fn moved([x, v]: [f64; 2], force: f64, time: f64) -> [f64; 2] {
    let (m, c, d) = (2.0, 250.0, 3.0);
    let (decay, rest) = (d / (2.0 * m), force / c);
    let rate = f64::sqrt(c / m - decay * decay);
    let (cosine, sine) = ((rate * time).cos(), (rate * time).sin());
    let (a, fade) = (x - rest, (-decay * time).exp());
    let b = (v + decay * a) / rate;
    [rest + fade * (a * cosine + b * sine), fade * ((b * rate - decay * a) * cosine - (a * rate + decay * b) * sine)]
}

/// The position of `Tapped` under a force of 1000 N from `begin` on for `length`.
fn kicked(time: f64, (begin, length): (f64, f64)) -> f64 {
    let phases = [(begin, 0.0), (begin + length, 1000.0), (f64::INFINITY, 0.0)];
    let (mut state, mut from) = ([0.01, 0.0], 0.0);
    for (end, force) in phases {
        let to = time.min(end);
        state = moved(state, force, (to - from).max(0.0));
        from = to.max(from);
    }
    state[0]
}

/// Rectangular kicks of 0.3 to 2 steps: the ends of steps, and of half of them, see the same impulse by chance.
#[test]
fn kicks_shorter_than_a_step_are_in_the_estimate() {
    for (order, step) in [(2, 1e-3), (2, 2e-3), (4, 2e-3), (4, 1e-2), (6, 1e-2)] {
        let (mut ratios, mut accepted) = (Vec::new(), 0);
        for k in 0..40 {
            let kick = (0.5 + step * (0.37 * f64::from(k)).fract(), step * (0.3 + 0.17 * f64::from(k % 11)));
            let force = move |t: f64| if (kick.0..kick.0 + kick.1).contains(&t) { 1000.0 } else { 0.0 };
            let simulation =
                Simulation::new(&Tapped::default()).input(Tapped::FORCE, force).until(1.0).step(step).order(order);
            let run = simulation.error_limit(None).run().unwrap();
            let positions = run.output(Tapped::POSITION);
            let truth: Vec<f64> = run.times().iter().map(|time| kicked(*time, kick)).collect();
            let fold = |f: fn(f64, f64) -> f64, start: f64| truth.iter().fold(start, |most, x| f(most, *x));
            let range = fold(f64::max, f64::NEG_INFINITY) - fold(f64::min, f64::INFINITY);
            let error = positions.iter().zip(&truth).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs())) / range;
            let accuracy = run.accuracy().unwrap();
            let estimate = accuracy.output(Tapped::POSITION).unwrap().relative();
            // what no half of a step sees is named in place of an estimate
            if accuracy.unseen.is_none() {
                ratios.push(estimate / error);
            }
            if accuracy.within(0.05).is_ok() {
                accepted += 1;
                assert!(error < 0.07, "order {order}, {step} s, {kick:?}: {error} is taken for {estimate}");
            }
        }
        let low = ratios.iter().filter(|ratio| **ratio < 0.4).count();
        assert!(low <= 2, "order {order}, {step} s, {accepted} accepted: {ratios:?}");
    }
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

/// Tests that an oscillation which the steps damp away is an error of a force in the spring, 10 N large by the slow
/// motion, and none where it is small beside this force. Its scale is 40 N at least, a millionth of the terms of the
/// force, c_2 y and c_2 x.
#[test]
fn oscillations_that_steps_damp_away_are_errors() {
    let schemes = [Scheme::default(), Scheme::Hht { alpha: -0.3 }, Scheme::GeneralizedAlpha { rho_inf: 0.2 }];
    for (scheme, order) in schemes.into_iter().map(|scheme| (scheme, 2)).chain([(Scheme::default(), 4)]) {
        for k in 0..20 {
            let amplitude = 5e-3 * 10f64.powf(0.3 * f64::from(k));
            // the slow motion begins with a force of 5 N
            let model = Stiff { stretch: (amplitude + 5.0) / 1e8, ..Stiff::default() };
            let run = Simulation::new(&model).scheme(scheme).order(order).step(5e-3).until(2.0).run();
            let part = amplitude / 10.0;
            match run {
                Ok(_) => assert!(part < 0.15, "{scheme:?}, order {order}: {amplitude} N"),
                Err(SimulationError::Inaccurate(error)) => {
                    assert!(part > 0.02, "{scheme:?}, order {order}: {amplitude} N: {error}");
                    assert!(error.quantity == "force" && error.scale < 2.5 * amplitude + 50.0, "{error}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn errors_of_friction_are_relative_to_friction() {
    for k in 0..20 {
        let model = Rubbing { v_s: 10f64.powf(-2.0 + 0.05 * f64::from(k)), ..Rubbing::default() };
        let pull = |t: f64| 0.1 * (3.0 * t).sin();
        let run = Simulation::new(&model).input(Rubbing::PULL, pull).step(1e-3).until(5.0).run().unwrap();
        let accuracy = run.accuracy().unwrap();
        let friction = accuracy.output(Rubbing::FRICTION).unwrap();
        assert!(friction.scale < 1.2 * friction.range && (4.0..=6.0).contains(&friction.range), "{accuracy}");
        assert!(accuracy.to_string().contains(&friction.kind.to_string()), "{accuracy}");
        let energy = accuracy.output(Rubbing::ENERGY).unwrap();
        assert!(energy.kind != ScaleKind::Terms || energy.scale < 1.2 * energy.range, "{accuracy}");
    }
}

#[test]
fn cranks_stay_in_their_assembly_or_are_refused() {
    let truth = |phi: f64| 0.1 * phi.cos() + (0.25f64.powi(2) - (0.1 * phi.sin()).powi(2)).sqrt();
    let mut refused = 0;
    for order in [2, 4] {
        for k in 0..40 {
            let (turn, model) = (0.25 + 0.25 * f64::from(k), Crank::default());
            let simulation =
                |step: f64, steps: f64| Simulation::new(&model).order(order).step(step).until(steps * step);
            let step = turn / model.w;
            let is_right = |run: &Run<Crank>| {
                let slider = run.times().into_iter().zip(run.output(Crank::SLIDER));
                slider.fold(true, |right, (time, found)| right && (found - truth(model.w * time)).abs() < 1e-9)
            };
            match simulation(step, 12.0).run() {
                Ok(run) => assert!(is_right(&run), "{turn} rad a step, order {order}"),
                Err(error) => {
                    refused += 1;
                    let text = error.to_string();
                    assert!(turn > 1.0 && text.contains("take steps of"), "{turn} rad a step, order {order}: {text}");
                    let SimulationError::Inaccurate(error) = error else { panic!("{text}") };
                    let advised = match error.remedy {
                        costate::simulate::Remedy::Step { advised, .. } => advised,
                        _ => panic!("{text}"),
                    };
                    let run = simulation(advised, 12.0 * step / advised).run().unwrap();
                    assert!(is_right(&run), "{turn} rad a step, order {order}: {advised}");
                }
            }
        }
    }
    assert!(refused > 0);
}
