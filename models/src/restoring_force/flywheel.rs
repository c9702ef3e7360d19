//! A dual mass flywheel on a shaker, as virtual test benches (KE chapter 5). The thesis gives the mass of the secondary
//! flywheel, the sweep's frequencies under it, the angles of the sensors and the sampling rates; all other data are
//! chosen.

use costate::simulate::SimulationError;
use nalgebra::DMatrix;

use super::experiment::{TRANSIENT, motion, motion_after};
use super::{END, Motion, Sampling, Sweep};

costate::model! {
    #[interpreted]
    /// Axial motion of the secondary flywheel relative to the primary one, without axial preload (KE 5.1): arc springs
    /// hold it in the axial play of a bearing, between an end stop and a softer stop, which lose energy as they are
    /// pressed.
    pub SecondaryFlywheel {
        parameters {
            /// Mass.
            m: kg = 4.96,
            /// Arc springs: stiffness, damping, friction and the speed over which it changes its sign.
            c: N/m = 6e6,
            d: N*s/m = 500,
            friction: N = 8,
            turn: m/s = 4e-3,
            /// Deformations from the position of rest at which end stop and stop are touched.
            gap_below: m = 4e-6,
            gap_above: m = 12e-6,
            /// Stiffness of both, and the deformation over which it grows.
            c_below: N/m = 2.4e7,
            c_above: N/m = 1.2e7,
            round: m = 3e-6,
            /// Loss of the stops, per speed of pressing.
            loss: s/m = 2,
        }
        inputs { base: m/s^2 }
        coordinates { z: m }
        mass { z: m }
        let below = 0.5*(-z - gap_below + sqrt((z + gap_below)^2 + round^2));
        let above = 0.5*(z - gap_above + sqrt((z - gap_above)^2 + round^2));
        let stops = c_above*above*(1 + loss*dot(z)) - c_below*below*(1 - loss*dot(z));
        let rest_below = 0.5*c_below*(sqrt(gap_below^2 + round^2) - gap_below);
        let rest_above = 0.5*c_above*(sqrt(gap_above^2 + round^2) - gap_above);
        let arcs = c*z + d*dot(z) + friction*tanh(dot(z)/turn);
        let force = arcs + stops + rest_below - rest_above;
        forces { z: -force - m*base }
        outputs {
            /// Acceleration measured on the mass.
            acceleration: m/s^2 = -force/m,
            deformation: m = z,
            velocity: m/s = dot(z),
        }
    }
}

impl SecondaryFlywheel {
    /// Axial acceleration of the platform.
    pub const SWEEP: Sweep = Sweep { amplitude: 25.0, from: 200.0, to: 400.0 };

    /// Sampling of 3 s at 20 kHz.
    pub const SAMPLING: Sampling = Sampling { interval: 5e-5, samples: (END / 5e-5 + 0.5) as usize + 1 };

    /// Evaluates the restoring force in N at a deformation in m and a rate in m/s.
    pub fn force(&self, z: f64, v: f64) -> f64 {
        let pressed = |by: f64| 0.5 * (by + by.hypot(self.round));
        let stops = |z: f64, v: f64| {
            let below = self.c_below * pressed(-z - self.gap_below) * (1.0 - self.loss * v);
            let above = self.c_above * pressed(z - self.gap_above) * (1.0 + self.loss * v);
            above - below
        };
        let arcs = self.c * z + self.d * v + self.friction * (v / self.turn).tanh();
        arcs + stops(z, v) - stops(0.0, 0.0)
    }

    /// Simulates the motion on the platform; the record begins when the vibration at the first frequency has
    /// become steady.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn motion(&self) -> Result<Motion, SimulationError> {
        motion_after(TRANSIENT, self, Self::BASE, Self::SWEEP, Self::SAMPLING)
    }
}

costate::model! {
    #[interpreted]
    /// Axial motion of the primary flywheel as a rigid plate on three springs, in the coordinates of their deformations
    /// (KE 5.2): nearly linear elastic forces and nonlinear dissipative ones.
    pub PrimaryFlywheel {
        parameters {
            /// Entries of the mass matrix, the inverse of [`PrimaryFlywheel::inverse_inertia`].
            m_11: kg = 1.537,
            m_12: kg = -0.368,
            m_13: kg = -0.368,
            m_22: kg = 1.695,
            m_23: kg = -0.527,
            m_33: kg = 1.695,
            /// Stiffness, and its growth.
            c[1..=3]: N/m = [5e6, 1.4e6, 1.7e6],
            growth: N/m^3 = 1e14,
            /// Damping, and its growth at the third spring.
            d[1..=3]: N*s/m = [150, 100, 120],
            cubic: N*s^3/m^3 = 3e4,
            /// Friction of the screws, and the speed over which it changes its sign.
            friction[1..=3]: N = [2, 1, 0.5],
            turn: m/s = 5e-3,
        }
        inputs { base: m/s^2 }
        coordinates { z[1..=3]: m }
        mass {
            z[1]: m_11, z[2]: m_22, z[3]: m_33,
            (z[1], z[2]): m_12, (z[1], z[3]): m_13, (z[2], z[3]): m_23,
        }
        forces {
            for i in 1..=3 {
                z[i]: -c[i]*z[i] - growth*z[i]^3 - d[i]*dot(z[i]) - friction[i]*tanh(dot(z[i])/turn),
            },
            z[1]: -(m_11 + m_12 + m_13)*base,
            z[2]: -(m_12 + m_22 + m_23)*base,
            z[3]: -(m_13 + m_23 + m_33)*base - cubic*dot(z[3])^3,
        }
        outputs {
            for i in 1..=3 { acceleration[i]: m/s^2 = ddot(z[i]) + base },
            for i in 1..=3 { deformation[i]: m = z[i] },
            for i in 1..=3 { velocity[i]: m/s = dot(z[i]) },
        }
    }
}

impl PrimaryFlywheel {
    /// Axial acceleration of the platform.
    pub const SWEEP: Sweep = Sweep { amplitude: 10.0, from: 100.0, to: 500.0 };

    /// Angles of the springs and sensors in degrees.
    pub const ANGLES: [f64; 3] = [0.0, 120.0, 240.0];

    /// Computes M^-1 in 1/kg (KE 3.11) for 2.4 kg and springs at radii of 0.92 and 0.85 times the radii of inertia.
    pub fn inverse_inertia() -> DMatrix<f64> {
        let (translation, about_eta, about_xi) = (1.0 / 2.4, 0.35, 0.3);
        let angles = Self::ANGLES.map(f64::to_radians);
        DMatrix::from_fn(3, 3, |i, j| {
            let (a, b) = (angles[i], angles[j]);
            translation + about_eta * a.cos() * b.cos() + about_xi * a.sin() * b.sin()
        })
    }

    /// Returns the flywheel with the mass matrix that has exactly this inverse.
    pub fn chosen() -> Self {
        let mass = Self::inverse_inertia().try_inverse().unwrap_or_else(|| DMatrix::zeros(3, 3));
        Self {
            m_11: mass[(0, 0)],
            m_12: mass[(0, 1)],
            m_13: mass[(0, 2)],
            m_22: mass[(1, 1)],
            m_23: mass[(1, 2)],
            m_33: mass[(2, 2)],
            ..Self::default()
        }
    }

    /// Evaluates the elastic forces of the springs in N at a deformation in m.
    pub fn elastic(&self, z: f64) -> [f64; 3] {
        [self.c_1, self.c_2, self.c_3].map(|c| c * z + self.growth * z.powi(3))
    }

    /// Evaluates the dissipative forces of the springs in N at a rate in m/s.
    pub fn dissipative(&self, v: f64) -> [f64; 3] {
        let sign = (v / self.turn).tanh();
        [
            self.d_1 * v + self.friction_1 * sign,
            self.d_2 * v + self.friction_2 * sign,
            self.d_3 * v + self.friction_3 * sign + self.cubic * v.powi(3),
        ]
    }

    /// Simulates the motion on the platform, from rest.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn motion(&self) -> Result<Motion, SimulationError> {
        motion(self, Self::BASE, Self::SWEEP)
    }
}
