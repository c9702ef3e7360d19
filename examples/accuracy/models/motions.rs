//! Motions whose accelerations and errors are evaluated over the whole run: a pendulum that starts in motion, and
//! a mass on a spring under loads that jump, have kinks or last for a moment, all at ends of steps.

use costate::Simulation;

costate::model! {
    #[interpreted]
    /// A pendulum of a point mass in Cartesian coordinates, which starts in motion.
    pub Swinging {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 0.7, spin: rad/s = 3 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(start), y ~ -l, dot(x) = l*cos(start)*spin }
        outputs { tension: N = 2*l*multiplier(rod) }
    }
}

costate::model! {
    #[interpreted]
    /// The pendulum `Swinging` in its angle, with the states of that model as outputs.
    pub Turning {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 0.7, spin: rad/s = 3 }
        coordinates { phi: rad }
        mass { phi: m*l^2 }
        forces { phi: -m*g*l*sin(phi) }
        initial { phi = start, dot(phi) = spin }
        let tension = m*g*cos(phi) + m*l*dot(phi)^2;
        outputs {
            x: m = l*sin(phi),
            y: m = -l*cos(phi),
            v_x: m/s = l*cos(phi)*dot(phi),
            v_y: m/s = l*sin(phi)*dot(phi),
            a_x: m/s^2 = l*cos(phi)*ddot(phi) - l*sin(phi)*dot(phi)^2,
            a_y: m/s^2 = l*sin(phi)*ddot(phi) + l*cos(phi)*dot(phi)^2,
            multiplier_of_rod: N/m = tension/(2*l),
            tension_of_rod: N = tension,
        }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a spring under a load.
    pub Loaded {
        parameters { m: kg = 1, c: N/m = 400, d: N*s/m = 4 }
        inputs { load: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: load - c*x - d*dot(x) }
        initial { x = 0, dot(x) = 0 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

/// Time at which the loads begin, in s.
const BEGIN: f64 = 0.1;

/// Evaluates a load that jumps to 10 N.
pub fn jump(t: f64) -> f64 {
    if t >= BEGIN { 10.0 } else { 0.0 }
}

/// Evaluates a load that rises from [`BEGIN`] on, at a constant rate.
pub fn kink(t: f64) -> f64 {
    100.0 * (t - BEGIN).max(0.0)
}

/// Evaluates half a sine of 4 ms, an impulse between the ends of two steps.
pub fn impulse(t: f64) -> f64 {
    let part = (t - BEGIN) / 4e-3;
    if (0.0..=1.0).contains(&part) { 200.0 * (std::f64::consts::PI * part).sin() } else { 0.0 }
}

/// Sets up the mass under one of these loads.
pub fn loaded(model: &Loaded, load: fn(f64) -> f64) -> Simulation<Loaded> {
    Simulation::new(model).input(Loaded::LOAD, load).until(1.0)
}
