//! The four-cylinder engine with a torsional vibration damper (FD 5.2 and appendix A, OB 4.4.2): 26 coordinates,
//! 16 constraints. The numbers of cylinders and of Maxwell elements stand in the model's header: it is an inline engine
//! of any of the usual sizes.
//!
//! The equations are the published ones; where signs are misprinted there (the dashpots of the Maxwell elements, some
//! offsets of the shaft's springs), torques are equal and opposite here. The data are those of a plausible engine: the
//! publications do not give theirs.

use std::f64::consts::PI;

// Nodes of the shaft: the first one with the flywheel, one for every cylinder (cylinder k on node k + 1), the free end.
costate::model! {
    /// Crankshaft of an inline four-cylinder engine with slider-cranks, dual-mass flywheel, pulley and a torsional
    /// vibration damper of one spring and two Maxwell elements (Oberpeilsteiner et al. 2018, section 5.2).
    pub FourCylinderEngine(
        /// Number of cylinders, 1 to 6 or 8, in line and with even firing intervals.
        cylinders: usize = 4,
        /// Number of Maxwell elements of the damper.
        maxwell_elements: usize = 2,
    ) {
        parameters {
            /// Moment of inertia of the crankshaft's first node, with the flywheel.
            j[1]: kg*m^2 = 0.12,
            /// Moment of inertia of a node of the crankshaft at a throw.
            j[2..=cylinders + 1]: kg*m^2 = 0.0065,
            /// Moment of inertia of the crankshaft's free end.
            j[cylinders + 2]: kg*m^2 = 0.004,
            /// Angle of the first node in the undeformed shaft.
            rest[1]: deg = 0,
            // The gas pressure repeats itself every second revolution, so that the angles of the throws also set the
            // firing order: a throw at 540 deg fires when the shaft has turned by 720 deg - 540 deg.
            /// Angle of a throw in the undeformed shaft, over the two revolutions of a working cycle.
            rest[2..=cylinders + 1]: deg = if cylinders == 1 {
                [0]
            } else if cylinders == 2 {
                // 1-2
                [0, 360]
            } else if cylinders == 3 {
                // 1-3-2
                [0, 240, 480]
            } else if cylinders == 4 {
                // 1-2-4-3
                [360, 180, 540, 0]
            } else if cylinders == 5 {
                // 1-2-4-5-3
                [0, 576, 144, 432, 288]
            } else if cylinders == 6 {
                // 1-5-3-6-2-4
                [0, 240, 480, 120, 600, 360]
            } else {
                // 8 cylinders, 1-6-2-5-8-3-7-4; for other numbers, this list does not fit
                [0, 540, 270, 90, 450, 630, 180, 360]
            },
            /// Angle of the free end in the undeformed shaft.
            rest[cylinders + 2]: deg = 0,
            /// Torsional stiffness of the shaft between flywheel and first throw.
            c[1]: N*m = 6e5,
            for i in 2..=cylinders {
                /// Torsional stiffness of the shaft between two throws.
                c[i]: N*m = 4.5e5,
            },
            /// Torsional stiffness of the shaft between last throw and free end.
            c[cylinders + 1]: N*m = 3e5,
            /// Torsional damping of the shaft between two nodes.
            d: N*m*s = 3,
            /// Dual-mass flywheel: linear stiffness.
            c_dmf: N*m = 600,
            /// Dual-mass flywheel: cubic stiffness.
            c_dmf3: N*m = 2000,
            /// Dual-mass flywheel: damping.
            d_dmf: N*m*s = 8,
            /// Crank radius.
            r: m = 0.045,
            /// Length of the conrod.
            l: m = 0.145,
            /// Distance of the conrod's centre of mass from the crank pin.
            s: m = 0.042,
            /// Mass of a conrod.
            m_cr: kg = 0.55,
            /// Moment of inertia of a conrod about its centre of mass.
            j_cr: kg*m^2 = 0.0022,
            /// Mass of a piston.
            m_p: kg = 0.45,
            /// Area of a piston.
            a_p: m^2 = 5.41e-3,
            /// Cylinder pressure away from combustion.
            p_0: Pa = 1e5,
            /// Rise of the pressure in combustion at low speed.
            p_c: Pa = 50e5,
            /// Rise of the pressure in combustion per speed of the throw.
            p_v: Pa*s = 8e5/628.3,
            /// Sharpness of the pressure's peak over the crank angle.
            p_s: 1 = 40,
            /// Angle of the pressure's peak behind firing dead centre.
            delay: rad = 0.15,
            /// Moment of inertia of the damper's ring.
            j_tvd: kg*m^2 = 0.0065,
            /// Stiffness of the damper's spring.
            cs_par: N*m = 1.5e4,
            // The elements relax ten times slower from one to the next: 0.25 ms, 2.5 ms ...
            for i in 1..=maxwell_elements {
                /// Stiffness of a Maxwell element of the damper.
                cs[i]: N*m = 2e4*0.4^(i - 1),
            },
            for i in 1..=maxwell_elements {
                /// Damping of a Maxwell element of the damper.
                ds[i]: N*m*s = 5*4^(i - 1),
            },
            /// Moment of inertia of the pulley.
            j_pw: kg*m^2 = 0.003,
            /// Stiffness between shaft and pulley.
            c_pw: N*m = 600,
            /// Damping between shaft and pulley.
            d_pw: N*m*s = 0.5,
            /// Speed of the shaft at t = 0.
            speed_0: rpm = 1500,
        }
        inputs {
            /// Angle of the flywheel's driven side.
            q_run: rad,
            /// Speed of the flywheel's driven side.
            v_run: rad/s,
        }
        coordinates {
            /// Angle of a node of the crankshaft.
            phi[1..=cylinders + 2]: rad,
            for k in 1..=cylinders {
                /// Centre of mass of a conrod, across the cylinder's axis.
                x[k]: m,
                /// Centre of mass of a conrod, along the cylinder's axis.
                y[k]: m,
                /// Angle of a conrod.
                w[k]: rad,
            },
            /// Position of a piston.
            z[1..=cylinders]: m,
            /// Angle of the damper's ring.
            ring: rad,
            for i in 1..=maxwell_elements {
                /// Angle of the node between spring and damper of a Maxwell element; without mass.
                maxwell[i]: rad,
            },
            /// Angle of the pulley.
            pulley: rad,
        }
        mass {
            for i in 1..=cylinders + 2 { phi[i]: j[i] },
            for k in 1..=cylinders { x[k]: m_cr, y[k]: m_cr, w[k]: j_cr, z[k]: m_p },
            ring: j_tvd,
            pulley: j_pw,
        }
        let windup = phi[1] - q_run;
        forces {
            phi[1]: -(c_dmf*windup + c_dmf3*windup^3) + d_dmf*(v_run - dot(phi[1])),
            for i in 1..=cylinders + 1 {
                let twist_i = phi[i + 1] - phi[i] - (rest[i + 1] - rest[i]);
                let torque = c[i]*twist_i + d*(dot(phi[i + 1]) - dot(phi[i]));
                phi[i]: torque,
                phi[i + 1]: -torque,
            },
            for k in 1..=cylinders {
                let peak = exp(p_s*(cos((phi[k + 1] - delay)/2) - 1));
                let pressure = p_0 + (p_c + p_v*dot(phi[k + 1]))*peak;
                z[k]: -pressure*a_p,
            },
            let parallel = cs_par*(ring - phi[cylinders + 2]);
            phi[cylinders + 2]: parallel,
            ring: -parallel,
            for i in 1..=maxwell_elements {
                let spring = cs[i]*(maxwell[i] - ring);
                let dashpot = ds[i]*(dot(maxwell[i]) - dot(phi[cylinders + 2]));
                phi[cylinders + 2]: dashpot,
                maxwell[i]: -spring - dashpot,
                ring: spring,
            },
            let belt = c_pw*(pulley - phi[cylinders + 2]) + d_pw*(dot(pulley) - dot(phi[cylinders + 2]));
            phi[cylinders + 2]: belt,
            pulley: -belt,
        }
        constraints {
            for k in 1..=cylinders {
                /// The piston's pin stays on the cylinder's axis.
                axis[k]: r*sin(phi[k + 1]) - l*sin(w[k]),
                /// The conrod's centre of mass across the axis.
                across[k]: x[k] + r*sin(phi[k + 1]) - s*sin(w[k]),
                /// The conrod's centre of mass along the axis.
                along[k]: y[k] - r*cos(phi[k + 1]) - s*cos(w[k]),
                /// The piston's position on the axis.
                piston[k]: z[k] - r*cos(phi[k + 1]) - l*cos(w[k]),
            },
        }
        initial {
            for i in 1..=cylinders + 2 { phi[i] = rest[i], dot(phi[i]) = speed_0 },
            // Conrods and pistons follow from the constraints, the Maxwell nodes' velocities from their forces.
            ring = 0, dot(ring) = speed_0,
            for i in 1..=maxwell_elements { maxwell[i] = 0 },
            pulley = 0, dot(pulley) = speed_0,
        }
        outputs {
            /// Twist of the crankshaft between flywheel and free end.
            twist: rad = phi[cylinders + 2] - phi[1],
            /// Speed of the flywheel.
            speed: rpm = dot(phi[1]),
        }
    }
}

impl FourCylinderEngine {
    /// The start of the identification of the damper: stiffness and damping of both Maxwell elements are off,
    /// everything else is right. With another number of elements than two, this function needs a change of its own.
    pub fn start() -> Self {
        Self { cs_1: 1.4e4, ds_1: 8.0, cs_2: 1.2e4, ds_2: 12.0, ..Self::default() }
    }
}

/// What drives the engine: a speed that rises linearly between two times and is constant before and after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    /// Speed in rpm until `begin`; the engine's `speed_0` has to be the same.
    pub from: f64,
    /// Speed in rpm from `end` on.
    pub to: f64,
    /// When the speed begins to rise, in s.
    pub begin: f64,
    /// When the speed stops rising, in s; later than `begin`.
    pub end: f64,
}

/// The run-up of the example, from 1500 to 6000 rpm.
pub const RUN_UP: Drive = Drive { from: 1500.0, to: 6000.0, begin: 0.2, end: 8.2 };

/// One revolution per minute in rad/s.
const RPM: f64 = 2.0 * PI / 60.0;

impl Drive {
    /// Constant speed in rpm.
    pub const fn constant(speed: f64) -> Self {
        Self { from: speed, to: speed, begin: 0.0, end: 1.0 }
    }

    /// Angle in rad at time `t`, for the input `q_run`.
    pub fn angle(self, t: f64) -> f64 {
        let rising = self.rising(t);
        let behind = (self.to - self.from) * RPM * (t - self.end).max(0.0);
        self.from * RPM * t + self.rise() * rising * rising / 2.0 + behind
    }

    /// Speed in rad/s at time `t`, for the input `v_run`.
    pub fn speed(self, t: f64) -> f64 {
        self.from * RPM + self.rise() * self.rising(t)
    }

    /// For how long the speed has been rising at time `t`, in s.
    fn rising(self, t: f64) -> f64 {
        (t - self.begin).max(0.0).min(self.end - self.begin)
    }

    /// Angular acceleration in rad/s^2 while the speed rises.
    fn rise(self) -> f64 {
        (self.to - self.from) * RPM / (self.end - self.begin)
    }
}

/// Step size in s.
pub const STEP: f64 = 5e-5;
/// Length of the run-up's record in s.
pub const END: f64 = 8.4;
/// Numerical damping of the HHT integration.
pub const ALPHA: f64 = -0.1;
