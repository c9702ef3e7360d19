//! Oscillators with one degree of freedom, z'' = -c(z, z')/m - u.

costate::model! {
    #[interpreted]
    /// Additive restoring force with a soft saturation and cubic damping (KE 3.1.1).
    pub AdditiveOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Stiffness.
            c: N/m = 5e5,
            /// Force of the saturation, and its rate.
            f: N = 45,
            rate: 1/m = 4e5,
            /// Linear and cubic damping.
            d: N*s/m = 50,
            d_3: N*s^3/m^3 = 25e6,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let force = c*z + f*tanh(rate*z) + d*dot(z) + d_3*dot(z)^3;
        forces { z: -force - m*base }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}

costate::model! {
    #[interpreted]
    /// Spring with backlash (KE 3.1.2).
    pub BacklashOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Half of the gap.
            gap: m = 4e-6,
            /// Stiffness outside of it.
            c: N/m = 5e6,
            /// Damping.
            d: N*s/m = 400,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let spring = if z > gap { c*(z - gap) } else { if z < -gap { c*(z + gap) } else { 0 } };
        let force = spring + d*dot(z);
        forces { z: -force - m*base }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}

costate::model! {
    #[interpreted]
    /// Asymmetric spring with Coulomb friction (KE 3.1.3).
    pub FrictionOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Stiffness, and its growth on one side.
            c: N/m = 4e6,
            c_2: N/m^2 = 1.5e11,
            /// Damping.
            d: N*s/m = 150,
            /// Friction, and its rate.
            f: N = 3,
            rate: s/m = 2000,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let spring = if z > 0 { c*z + c_2*z^2 } else { c*z };
        let force = spring + d*dot(z) + f*tanh(rate*dot(z));
        forces { z: -force - m*base }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}

costate::model! {
    #[interpreted]
    /// Van der Pol oscillator (KE 3.2).
    pub VanDerPol {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Stiffness.
            c: N/m = 5e6,
            /// Damping, which is negative for |z| < 1/rate.
            d: N*s/m = 1500,
            rate: 1/m = 7e4,
            /// Start.
            z_0: m = 1e-6,
            v_0: m/s = 1e-3,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let force = c*z + d*((rate*z)^2 - 1)*dot(z);
        forces { z: -force - m*base }
        initial { z = z_0, dot(z) = v_0 }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}

costate::model! {
    #[interpreted]
    /// Oscillator with a cubic spring, by which sampling is studied (KE 3.19).
    pub CubicOscillator {
        parameters {
            /// Mass.
            m: kg = 4,
            /// Linear and cubic stiffness.
            c: N/m = 2e6,
            c_3: N/m^3 = 2e17,
            /// Damping.
            d: N*s/m = 1250,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let force = c*z + c_3*z^3 + d*dot(z);
        forces { z: -force - m*base }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}
