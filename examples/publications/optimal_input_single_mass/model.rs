//! The single mass, all divided by the mass.

costate::model! {
    /// The undamped oscillator x'' = -c x + u of OB 5.3.2, omega = 1.
    pub SingleMass {
        parameters {
            /// Stiffness over mass, omega^2.
            c: 1/s^2 = 1,
        }
        inputs {
            /// Force over mass.
            u: m/s^2,
        }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x + u }
        outputs { position: m = x }
    }
}

/// End time T in s.
pub const END: f64 = 2.0 * std::f64::consts::PI;

/// Bounds of the input.
pub const BOUNDS: (f64, f64) = (-1.0, 1.0);
