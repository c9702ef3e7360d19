//! The cart with one pendulum of OB 5.3.4 in minimal coordinates, whose length and damping are to be identified. OB
//! does not print the data; these are chosen.

/// Largest magnitude of the force in N.
pub const LARGEST_FORCE: f64 = 5.0;

/// Length of the experiment in s.
pub const DURATION: f64 = 4.0;

/// Step size and sampling interval in s.
pub const STEP: f64 = 0.01;

costate::model! {
    /// Cart with one pendulum, which hangs at phi = 0 (OB 5.3.4).
    pub PendulumOnCart {
        parameters {
            m_c: kg = 1,
            m_p: kg = 0.5,
            /// Distance from the joint to the pendulum's centre of mass.
            s_p: m = 0.5,
            /// Moment of inertia of the pendulum about its centre of mass.
            j_p: kg*m^2 = 0.0417,
            /// Friction between cart and ground.
            d_c: N*s/m = 0.1,
            /// Friction in the joint.
            d_p: N*m*s = 0.01,
            g: m/s^2 = 9.81,
        }
        inputs {
            /// Force on the cart.
            force: N,
        }
        coordinates { x: m, phi: rad }
        let across = x + s_p*sin(phi);
        let height = -s_p*cos(phi);
        kinetic {
            m_c/2*dot(x)^2 + m_p/2*(dot(across)^2 + dot(height)^2) + j_p/2*dot(phi)^2,
        }
        potential { m_p*g*height }
        dissipation { d_c/2*dot(x)^2 + d_p/2*dot(phi)^2 }
        forces { x: force }
        initial { x = 0, phi = 0 }
        outputs {
            /// Angle of the pendulum.
            angle: rad = phi,
        }
    }
}
