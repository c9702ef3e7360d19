//! The hydraulic engine mount of DA 5, whose elastomer and fluid damping are identified from an acceleration.
//!
//! One definition gives the published mount and its variants, without the membrane that decouples small displacements
//! and with other laws of the elastomer.

costate::model! {
    /// Hydraulic engine mount (Lauss et al. 2018, section 5).
    pub EngineMount(
        /// True if a membrane beside the channel gives way to the fluid; without it, all fluid moves through the
        /// channel.
        membrane: bool = true,
        /// True if the elastomer has a cubic stiffness as well as a linear one.
        progressive: bool = true,
        /// Number of Maxwell elements of the elastomer, beside its spring and its damper.
        maxwell_elements: usize = 0,
        /// True if a spring of the test bench presses on the mount, and its displacement and the force below it are
        /// measured as well.
        preloaded: bool = false,
    ) {
        parameters {
            /// Engine mass carried by the mount.
            m_l: kg = 20.0,
            if membrane { m_m: kg = 0.002 },
            m_h: kg = 0.0019,
            /// Elastomer: linear and cubic stiffness, damping.
            c_e1: N/m = 123e3,
            if progressive { c_e2: N/m^3 = 2.5e9 },
            d_e: N*s/m = 5.0,
            // The elements relax ten times slower from one to the next: 1 ms, 10 ms ...
            for i in 1..=maxwell_elements {
                /// Stiffness of a Maxwell element of the elastomer.
                c_r[i]: N/m = 30e3,
                /// Damping of a Maxwell element of the elastomer.
                d_r[i]: N*s/m = 30*10^(i - 1),
            },
            c_h: N/m = 375e3,
            d_h1: N*s/m = 0.08,
            d_h2: N*s^3/m^3 = 2.0,
            if membrane { c_m: N/m = 9e3, d_m: N*s/m = 10.0 },
            a: m = 0.095,
            b: m = 0.0036,
            g: m/s^2 = 9.81,
            if preloaded {
                /// Constant force of the test bench beside the weight.
                preload: N = 0.0,
            },
        }
        inputs { drive: N }
        coordinates {
            x1: m,
            x2: m,
            if membrane { x3: m },
            x4: m,
            for i in 1..=maxwell_elements {
                /// Displacement of the node between spring and damper of a Maxwell element; without mass.
                relaxation[i]: m,
            },
        }
        mass { x1: m_l, if membrane { x3: m_m }, x4: m_h }
        let elastomer = c_e1*x1 + (if progressive { c_e2*x1^3 } else { 0 }) + d_e*dot(x1);
        let fluid = c_h*(x1 - x2);
        forces {
            x1: drive + m_l*g - elastomer - fluid,
            if preloaded { x1: preload },
            for i in 1..=maxwell_elements {
                let spring = c_r[i]*(x1 - relaxation[i]);
                x1: -spring,
                relaxation[i]: spring - d_r[i]*dot(relaxation[i]),
            },
            x2: fluid,
            if membrane { x3: -(c_m*x3 + d_m*dot(x3)) },
            x4: -(d_h1*dot(x4) + d_h2*dot(x4)^3),
        }
        constraints { lever: x2*(a + b) - (if membrane { x3*b } else { 0 }) - x4*a }
        outputs {
            acceleration: m/s^2 = ddot(x1),
            // without the inertia of the mass
            if preloaded { displacement: m = x1, transmitted: N = elastomer + fluid },
        }
    }

    /// [`EngineMount`] without membrane: its fluid goes through the channel, however small the displacement.
    pub MountWithoutMembrane = EngineMount(membrane = false);

    /// [`EngineMount`] with the linear elastomer of Kelvin and Voigt, a spring beside a damper.
    pub LinearMount = EngineMount(progressive = false);

    /// [`EngineMount`] on a test bench that presses on it.
    pub PreloadedMount = EngineMount(preloaded = true);

    /// [`EngineMount`] with an elastomer that relaxes: two Maxwell elements beside a linear spring and a damper.
    pub RelaxingMount = EngineMount(progressive = false, maxwell_elements = 2);
}

impl EngineMount {
    /// Returns the start of the identification of DA table 1: c_E1, c_E2, d_E and d_H2 are wrong, all other
    /// parameters are right.
    pub fn start() -> Self {
        Self { c_e1: 73.8e3, c_e2: 4e9, d_e: 0.5, d_h2: 1.2, ..Self::default() }
    }
}

/// Evaluates the excitation of DA 5, an exponential sweep: A sin(omega0 C^t t) in N, with A = 100 N, omega0 = 4
/// pi 1/s and C = 25.
pub fn sweep(t: f64) -> f64 {
    100.0 * (4.0 * std::f64::consts::PI * 25f64.powf(t) * t).sin()
}

/// Step size of the published example in s.
pub const STEP: f64 = 1e-4;
/// Length of the published record in s.
pub const END: f64 = 1.0;
/// Numerical damping of the published HHT integration.
pub const ALPHA: f64 = -0.1;
