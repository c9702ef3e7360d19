//! The engine of `costate_models::FourCylinderEngine` as bodies and joints.

costate::model! {
    #[interpreted]
    /// Crankshaft with flywheel, slider-cranks, pulley and torsional vibration damper (FD 5.2) as planar bodies; the
    /// Maxwell nodes, which have no mass, are coordinates.
    pub EngineBodies(
        /// Number of cylinders.
        cylinders: usize = 4,
        /// Number of Maxwell elements of the damper.
        maxwell_elements: usize = 2,
    ) {
        parameters {
            j[1]: kg*m^2 = 0.12, j[2..=cylinders + 1]: kg*m^2 = 0.0065, j[cylinders + 2]: kg*m^2 = 0.004,
            rest[1]: deg = 0, rest[2..=cylinders + 1]: deg = [360, 180, 540, 0], rest[cylinders + 2]: deg = 0,
            c[1]: N*m = 6e5, for i in 2..=cylinders { c[i]: N*m = 4.5e5 }, c[cylinders + 1]: N*m = 3e5,
            d: N*m*s = 3, c_dmf: N*m = 600, c_dmf3: N*m = 2000, d_dmf: N*m*s = 8,
            r: m = 0.045, l: m = 0.145, s: m = 0.042, m_cr: kg = 0.55, j_cr: kg*m^2 = 0.0022, m_p: kg = 0.45,
            a_p: m^2 = 5.41e-3, j_tvd: kg*m^2 = 0.0065, cs_par: N*m = 1.5e4,
            for i in 1..=maxwell_elements { cs[i]: N*m = 2e4*0.4^(i - 1), ds[i]: N*m*s = 5*4^(i - 1) },
            j_pw: kg*m^2 = 0.003, c_pw: N*m = 600, d_pw: N*m*s = 0.5, speed_0: rpm = 1500,
            p_0: Pa = 1e5, p_c: Pa = 50e5, p_v: Pa*s = 8e5/628.3, p_s: 1 = 40, delay: rad = 0.15,
        }
        inputs { q_run: rad, v_run: rad/s }
        bodies {
            for i in 1..=cylinders + 2 { node[i]: planar { mass: 1[kg], inertia: j[i] } },
            for k in 1..=cylinders {
                conrod[k]: planar { mass: m_cr, inertia: j_cr },
                piston[k]: planar { mass: m_p },
            },
            ring: planar { mass: 1[kg], inertia: j_tvd },
            pulley: planar { mass: 1[kg], inertia: j_pw },
        }
        coordinates { maxwell[1..=maxwell_elements]: rad }
        joints {
            for i in 1..=cylinders + 2 { bearing[i]: revolute(ground, node[i]) },
            for k in 1..=cylinders {
                big_end[k]: revolute(node[k + 1].at(0, r), conrod[k].at(0, -s)),
                gudgeon[k]: revolute(conrod[k].at(0, l - s), piston[k]),
                cylinder[k]: prismatic(ground, piston[k], axis = (0, 1)),
            },
            hub: revolute(ground, ring),
            belt: revolute(ground, pulley),
        }
        let windup = node[1].angle - q_run;
        elements {
            flywheel: torque(node[1],
                -(c_dmf*windup + c_dmf3*windup^3) + d_dmf*(v_run - node[1].angular_velocity)),
            for i in 1..=cylinders + 1 {
                shaft[i]: torsional(node[i], node[i + 1], stiffness = c[i], damping = d,
                    angle = rest[i + 1] - rest[i]),
            },
            for k in 1..=cylinders {
                let pressure = p_0 + (p_c + p_v*node[k + 1].angular_velocity)
                    *exp(p_s*(cos((node[k + 1].angle - delay)/2) - 1));
                gas[k]: force(piston[k], (0, -pressure*a_p)),
            },
            parallel: torsional(node[cylinders + 2], ring, stiffness = cs_par),
            drive: torsional(node[cylinders + 2], pulley, stiffness = c_pw, damping = d_pw),
        }
        forces {
            for i in 1..=maxwell_elements {
                let spring = cs[i]*(maxwell[i] - ring.angle);
                let dashpot = ds[i]*(dot(maxwell[i]) - dot(node[cylinders + 2].angle));
                node[cylinders + 2].angle: dashpot,
                maxwell[i]: -spring - dashpot,
                ring.angle: spring,
            },
        }
        initial {
            for i in 1..=cylinders + 2 { node[i].angle = rest[i], dot(node[i].angle) = speed_0 },
            for k in 1..=cylinders { piston[k].y ~ l },
            ring.angle = 0, dot(ring.angle) = speed_0, pulley.angle = 0, dot(pulley.angle) = speed_0,
            for i in 1..=maxwell_elements { maxwell[i] = 0 },
        }
        outputs { twist: rad = node[cylinders + 2].angle - node[1].angle }
    }
}
