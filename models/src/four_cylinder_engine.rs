//! The four-cylinder engine with a torsional vibration damper (FD 5.2 and appendix A, OB 4.4.2): 26 coordinates,
//! 16 constraints. The numbers of cylinders and of Maxwell elements stand in the model's header: it is an inline engine
//! of 1 to 8 cylinders, `costate compile four_cylinder_engine.rs --model FourCylinderEngine --set cylinders=6`.
//!
//! The equations are the published ones; where signs are misprinted there (the dashpots of the Maxwell elements,
//! some offsets of the shaft's springs), torques are equal and opposite here. The data are those of a plausible
//! engine, as the publications do not give theirs.
//!
//! The gas pressure is a formula in [`FourCylinderEngine`], for comparisons with other programs, and a map of a
//! thermodynamic [`Cycle`] in [`MappedEngine`].

mod cycle;
mod drive;

pub use cycle::Cycle;
pub use drive::{Drive, RUN_UP};

// Nodes of the shaft: the first one with the flywheel, one for every cylinder (cylinder k on node k + 1), the free end.
costate::model! {
    /// Crankshaft of an inline four-cylinder engine with flywheel, slider-cranks, pulley and torsional vibration damper
    /// (FD 5.2).
    pub FourCylinderEngine(
        /// Number of cylinders, 1 to 8, in line and with even firing intervals.
        cylinders: usize = 4,
        /// Number of Maxwell elements of the damper.
        maxwell_elements: usize = 2,
        /// True if the gas pressure is a map over speed and crank angle, false if it is a formula.
        pressure_map: bool = false,
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
            // The gas pressure repeats itself every second revolution, so that the angles of the throws also set
            // the firing order: a throw at 540 deg fires when the shaft has turned by 720 deg - 540 deg.
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
            } else if cylinders == 7 {
                // 1-2-4-6-7-5-3
                [0, 720*6/7, 720/7, 720*5/7, 720*2/7, 720*4/7, 720*3/7]
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
            if !pressure_map {
                /// Cylinder pressure away from combustion.
                p_0: Pa = 1e5,
                /// Rise of the pressure in combustion at low speed.
                p_c: Pa = 50e5,
                /// Rise of the pressure in combustion per speed of the throw.
                p_v: Pa*s = 8e5/628.3,
                /// Sharpness of the pressure's peak over the crank angle.
                p_s: 1 = 40,
                /// Angle of the pressure's peak after firing dead centre.
                delay: rad = 0.15,
            },
        }
        tables {
            if pressure_map {
                /// Absolute gas pressure in a cylinder over its throw's speed and angle, 0 at firing dead centre.
                pressure(speed: rpm, periodic angle: deg): bar = "data/cylinder_pressure.csv",
            },
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
                let theta = phi[k + 1];
                let omega = dot(phi[k + 1]);
                let gas = if pressure_map {
                    pressure(omega, theta)
                } else {
                    p_0 + (p_c + p_v*omega)*exp(p_s*(cos((theta - delay)/2) - 1))
                };
                z[k]: -gas*a_p,
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

    /// [`FourCylinderEngine`] with a map of the gas pressure over speed and crank angle in place of a formula.
    pub MappedEngine = FourCylinderEngine(pressure_map = true);
}

impl FourCylinderEngine {
    /// Returns the start of the identification of the damper: stiffness and damping of both Maxwell elements are
    /// wrong, all other parameters are right. For a number of elements other than two, this function has to be changed.
    pub fn start() -> Self {
        Self { cs_1: 1.4e4, ds_1: 8.0, cs_2: 1.2e4, ds_2: 12.0, ..Self::default() }
    }
}

impl MappedEngine {
    /// Returns the start of the identification of the damper, as [`FourCylinderEngine::start`].
    pub fn start() -> Self {
        Self { cs_1: 1.4e4, ds_1: 8.0, cs_2: 1.2e4, ds_2: 12.0, ..Self::default() }
    }
}

/// Step size in s.
pub const STEP: f64 = 5e-5;
/// Length of the run-up's record in s.
pub const END: f64 = 8.4;
/// Numerical damping of the HHT integration.
pub const ALPHA: f64 = -0.1;
