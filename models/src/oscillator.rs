//! The forced oscillator of OB 3.1.1, 3.2.1 and 3.3.3: x'' = -c x - 2 d x' + sin t, at rest at t = 0.
//!
//! The cost is J = 1/2 integral of x^2 over 0 <= t <= 6 pi (OB 3.14), for which the exact values are known.

costate::model! {
    /// Oscillator with a harmonic force, all divided by the mass (OB 3.1.1).
    pub Oscillator {
        parameters {
            /// Stiffness over mass, the square of the natural frequency.
            c: 1/s^2 = 1.0,
            /// Damping over twice the mass.
            d: 1/s = 0.5,
        }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x - 2*d*dot(x) + 1[m/s^2]*sin(1[rad/s]*t) }
        outputs {
            /// Position.
            position: m = x,
        }
    }
}

/// End of the cost's interval in s, 6 pi.
pub const END: f64 = 6.0 * std::f64::consts::PI;
