//! Models whose restoring forces are tables, to be given to a run.

use nalgebra::DMatrix;

costate::model! {
    /// An oscillator with an elastic and a dissipative curve.
    pub IdentifiedOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Start.
            z_0: m = 0,
            v_0: m/s = 0,
        }
        inputs { base: m/s^2 }
        tables {
            /// c_E(z).
            elastic(deformation: m): N,
            /// c_D(v).
            dissipative(velocity: m/s): N,
        }
        coordinates { z: m }
        mass { z: m }
        let force = elastic(z) + dissipative(dot(z));
        forces { z: -force - m*base }
        initial { z = z_0, dot(z) = v_0 }
        outputs { acceleration: m/s^2 = -force/m, position: m = z, speed: m/s = dot(z) }
    }
}

costate::model! {
    #[interpreted]
    /// An oscillator with a restoring force surface.
    pub CoupledOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Start.
            z_0: m = 0,
            v_0: m/s = 0,
        }
        inputs { base: m/s^2 }
        tables {
            /// c(z, v).
            restoring(deformation: m, velocity: m/s): N,
        }
        coordinates { z: m }
        mass { z: m }
        let force = restoring(z, dot(z));
        forces { z: -force - m*base }
        initial { z = z_0, dot(z) = v_0 }
        outputs { acceleration: m/s^2 = -force/m, position: m = z, speed: m/s = dot(z) }
    }
}

costate::model! {
    #[interpreted]
    /// A plate on three elements with elastic and dissipative curves.
    pub IdentifiedPlate {
        parameters {
            /// Inverse inertia matrix, as KE has it.
            mu_11: 1/kg = 0.408, mu_12: 1/kg = 0.046, mu_13: 1/kg = 0.046,
            mu_22: 1/kg = 0.408, mu_23: 1/kg = 0.046, mu_33: 1/kg = 0.408,
            /// Start.
            z_0[1..=3]: m = 0,
            v_0[1..=3]: m/s = 0,
        }
        inputs { base: m/s^2 }
        tables {
            /// c_E(z) of the elements.
            elastic_1(deformation: m): N,
            elastic_2(deformation: m): N,
            elastic_3(deformation: m): N,
            /// c_D(v) of the elements.
            dissipative_1(velocity: m/s): N,
            dissipative_2(velocity: m/s): N,
            dissipative_3(velocity: m/s): N,
        }
        coordinates { z[1..=3]: m }
        let det = mu_11*(mu_22*mu_33 - mu_23^2) - mu_12*(mu_12*mu_33 - mu_13*mu_23) + mu_13*(mu_12*mu_23 - mu_13*mu_22);
        let m_11 = (mu_22*mu_33 - mu_23^2)/det;
        let m_22 = (mu_11*mu_33 - mu_13^2)/det;
        let m_33 = (mu_11*mu_22 - mu_12^2)/det;
        let m_12 = (mu_13*mu_23 - mu_12*mu_33)/det;
        let m_13 = (mu_12*mu_23 - mu_13*mu_22)/det;
        let m_23 = (mu_12*mu_13 - mu_11*mu_23)/det;
        mass {
            z[1]: m_11, z[2]: m_22, z[3]: m_33,
            (z[1], z[2]): m_12, (z[1], z[3]): m_13, (z[2], z[3]): m_23,
        }
        forces {
            z[1]: -elastic_1(z[1]) - dissipative_1(dot(z[1])) - (m_11 + m_12 + m_13)*base,
            z[2]: -elastic_2(z[2]) - dissipative_2(dot(z[2])) - (m_12 + m_22 + m_23)*base,
            z[3]: -elastic_3(z[3]) - dissipative_3(dot(z[3])) - (m_13 + m_23 + m_33)*base,
        }
        initial { for i in 1..=3 { z[i] = z_0[i], dot(z[i]) = v_0[i] } }
        outputs { for i in 1..=3 { acceleration[i]: m/s^2 = ddot(z[i]) + base } }
    }
}

impl IdentifiedPlate {
    /// With this M^-1, of which the upper triangle counts; it must be 3 by 3.
    pub fn with_inverse_inertia(inverse: &DMatrix<f64>) -> Self {
        Self {
            mu_11: inverse[(0, 0)],
            mu_12: inverse[(0, 1)],
            mu_13: inverse[(0, 2)],
            mu_22: inverse[(1, 1)],
            mu_23: inverse[(1, 2)],
            mu_33: inverse[(2, 2)],
            ..Self::default()
        }
    }
}
