//! The cart with a chain of three rods in redundant coordinates: 10 coordinates, 6 constraints (FD 5.1, OB 4.4.1).

costate::model! {
    /// Cart with a chain of three uniform rods, in redundant coordinates.
    pub CartPendulum {
        parameters {
            m_c: kg = 1.0, m_p: kg = 0.5, l: m = 1.0, g: m/s^2 = 9.81,
            d_c: N*s/m = 0.01, d_1: N*m*s = 0.02, c_f: N*m = 10.0, d_f: N*m*s = 0.02,
        }
        inputs { drive: N }
        coordinates { x_c: m, x[1..=3]: m, y[1..=3]: m, phi[1..=3]: rad }
        let inertia = m_p*l^2/12;
        mass { x_c: m_c, for i in 1..=3 { x[i]: m_p, y[i]: m_p, phi[i]: inertia } }
        forces {
            x_c: drive - d_c*dot(x_c),
            phi[1]: -d_1*dot(phi[1]),
            for i in 1..=3 { y[i]: -m_p*g },
            for i in 1..=2 {
                let torque = c_f*(phi[i+1] - phi[i]) + d_f*(dot(phi[i+1]) - dot(phi[i]));
                phi[i]: torque,
                phi[i+1]: -torque,
            },
        }
        constraints {
            pin_x[1]: x[1] - l/2*sin(phi[1]) - x_c,
            pin_y[1]: y[1] + l/2*cos(phi[1]),
            for i in 2..=3 {
                pin_x[i]: x[i] - l/2*sin(phi[i]) - (x[i-1] + l/2*sin(phi[i-1])),
                pin_y[i]: y[i] + l/2*cos(phi[i]) - (y[i-1] - l/2*cos(phi[i-1])),
            },
        }
        initial { for i in 1..=3 { y[i] = -(i - 1/2)*l } }
        outputs { angle: rad = phi[1], pin_force: N = multiplier(pin_y[1]) }
    }
}

/// One of the two published set-ups, which differ in gravity and excitation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variant {
    /// Gravity in m/s^2.
    pub gravity: f64,
    /// Amplitude of the cart force in N.
    pub amplitude: f64,
}

/// FD 5.1: natural frequencies 0.172, 1.364 and 3.709 Hz.
pub const FD: Variant = Variant { gravity: 1.3, amplitude: 1.0 };
/// OB 4.4.1: natural frequencies 0.467, 1.660 and 4.017 Hz.
pub const OB: Variant = Variant { gravity: 9.81, amplitude: 5.0 };

impl Variant {
    /// The model with the true parameters.
    pub fn model(self) -> CartPendulum {
        CartPendulum { g: self.gravity, ..CartPendulum::default() }
    }

    /// The model at the start of the identification of c_f and d_f.
    pub fn start(self) -> CartPendulum {
        CartPendulum { c_f: 8.5, d_f: 0.15, ..self.model() }
    }

    /// The cart force in N: a sweep from 0.05 to 3 Hz over [`END`].
    pub fn force(self, t: f64) -> f64 {
        let frequency = 0.05 + (3.0 - 0.05) * t / (2.0 * END);
        self.amplitude * (2.0 * std::f64::consts::PI * frequency * t).sin()
    }
}

/// Step size in s.
pub const STEP: f64 = 2e-3;
/// Length of the record in s.
pub const END: f64 = 20.0;
/// Numerical damping of the HHT integration.
pub const ALPHA: f64 = -0.05;
