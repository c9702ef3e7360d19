//! Motions that constraints prescribe: accelerations and forces of long steps, beside the closed form.

use costate::Simulation;

costate::model! {
    #[interpreted]
    /// A press: a crank whose speed varies moves a slider against a spring and a force. All motion is prescribed.
    pub Press {
        parameters {
            m: kg = 2, j: kg*m^2 = 0.05, r: m = 0.1, l: m = 0.3, w: rad/s = 30, e: 1 = 0.3, c: N/m = 50,
        }
        inputs { load: N }
        coordinates { phi: rad, x: m }
        mass { phi: j, x: m }
        forces { x: load - c*x }
        constraints { drive: phi - w*t - e*sin(2*w*t), rod: (x - r*cos(phi))^2 + (r*sin(phi))^2 - l^2 }
        initial { x ~ r + l, phi ~ 0 }
        outputs { torque: N*m = -multiplier(drive), acceleration: m/s^2 = ddot(x), speed: m/s = dot(x) }
    }
}

/// Force on the slider in N.
fn load(time: f64) -> f64 {
    20.0 * (7.0 * time).cos()
}

/// Torque, acceleration and speed at a time: derivatives of the slider's place by the angle, and virtual work.
fn exact(model: &Press, time: f64) -> [f64; 3] {
    let Press { m, j, r, l, w, e, c, .. } = *model;
    let phi = w * time + e * (2.0 * w * time).sin();
    let rate = w + 2.0 * e * w * (2.0 * w * time).cos();
    let change = -4.0 * e * w * w * (2.0 * w * time).sin();
    let (sin, cos) = phi.sin_cos();
    let root = (l * l - r * r * sin * sin).sqrt();
    let x = r * cos + root;
    let by_angle = -r * sin - r * r * sin * cos / root;
    let twice = -r * cos - r * r * (cos * cos - sin * sin) / root - (r * r * sin * cos).powi(2) / root.powi(3);
    let acceleration = twice * rate * rate + by_angle * change;
    [j * change + by_angle * (m * acceleration + c * x - load(time)), acceleration, by_angle * rate]
}

#[test]
fn forces_of_a_prescribed_motion_are_right_at_long_steps() {
    // parts of the ranges, with 21 to 39 steps to a turn of the crank; order 2 is up to 0.3 off
    for (order, limit) in [(4, 0.03), (6, 5e-4)] {
        for k in 0..20 {
            let model = Press { w: 16.0 + 0.7 * f64::from(k), e: 0.015 * f64::from(k), ..Press::default() };
            let simulation = Simulation::new(&model).input(Press::LOAD, load).order(order).step(1e-2).until(1.0);
            let run = simulation.run().unwrap();
            for (index, output) in [Press::TORQUE, Press::ACCELERATION, Press::SPEED].into_iter().enumerate() {
                let found = run.output(output);
                let truth: Vec<f64> = run.times().into_iter().map(|time| exact(&model, time)[index]).collect();
                let range = truth.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
                let error = truth.iter().zip(&found).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
                assert!(error < limit * range, "order {order}, {k}: {error:e} of {range}");
            }
        }
    }
}
