//! The two mass oscillator of OB 5.3.3, whose second spring is to be identified: wall, spring and damper, m_1, spring
//! and damper, m_2. OB does not print the data; these are chosen.

/// Largest magnitude of the force in N.
pub const LARGEST_FORCE: f64 = 10.0;

/// Length of the experiment in s.
pub const DURATION: f64 = 1.0;

/// Step size and sampling interval in s: 60 of them are the shorter period.
pub const STEP: f64 = 2e-3;

costate::model! {
    #[interpreted]
    /// Two mass oscillator (OB 5.3.3).
    pub TwoMasses {
        parameters {
            /// First mass, on which the force acts.
            m_1: kg = 1,
            /// Second mass, whose position is measured.
            m_2: kg = 0.5,
            /// Stiffness between wall and first mass.
            c_1: N/m = 2000,
            /// Stiffness between the masses.
            c_2: N/m = 1000,
            d_1: N*s/m = 2,
            d_2: N*s/m = 1,
        }
        inputs {
            /// Force on the first mass.
            force: N,
        }
        coordinates { x[1..=2]: m }
        mass { x[1]: m_1, x[2]: m_2 }
        forces {
            let spring = c_2*(x[2] - x[1]) + d_2*(dot(x[2]) - dot(x[1]));
            x[1]: force - c_1*x[1] - d_1*dot(x[1]) + spring,
            x[2]: -spring,
        }
        initial { x[1] = 0, x[2] = 0 }
        outputs {
            /// Position of the second mass.
            position: m = x[2],
        }
    }
}
