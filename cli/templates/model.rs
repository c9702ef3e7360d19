//! The model.

costate::model! {
    /// A pendulum whose pivot is moved sideways.
    pub Pendulum {
        parameters {
            /// Mass of the bob.
            m: kg = 0.5,
            /// Length of the rod.
            l: m = 0.4,
            /// Damping of the bearing.
            d: N*m*s = 0.01,
            /// Acceleration of gravity.
            g: m/s^2 = 9.81,
            /// Angle at t = 0.
            start: deg = 20,
        }
        inputs {
            /// Acceleration of the pivot.
            shake: m/s^2,
        }
        coordinates {
            /// Angle from the downward vertical.
            phi: rad,
        }
        mass { phi: m*l^2 }
        forces { phi: -m*g*l*sin(phi) - m*l*shake*cos(phi) - d*dot(phi) }
        initial { phi = start }
        outputs { angle: deg = phi, speed: rad/s = dot(phi) }
    }
}
