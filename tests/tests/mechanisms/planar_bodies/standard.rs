//! Published standard problems, by bodies.

costate::model! {
    #[interpreted]
    /// Andrews' squeezing mechanism as seven bodies.
    pub Squeezer {
        parameters {
            m_1: kg = 0.04325, m_2: kg = 0.00365, m_3: kg = 0.02373, m_4: kg = 0.00706, m_5: kg = 0.07050,
            m_6: kg = 0.00706, m_7: kg = 0.05498,
            i_1: kg*m^2 = 2.194e-6, i_2: kg*m^2 = 4.410e-7, i_3: kg*m^2 = 5.255e-6, i_4: kg*m^2 = 5.667e-7,
            i_5: kg*m^2 = 1.169e-5, i_6: kg*m^2 = 5.667e-7, i_7: kg*m^2 = 1.912e-5,
            xa: m = -0.06934, ya: m = -0.00227, xb: m = -0.03635, yb: m = 0.03273, xc: m = 0.014, yc: m = 0.072,
            c_0: N/m = 4530, l_0: m = 0.07785, torque_0: N*m = 0.033,
            d: m = 0.028, da: m = 0.0115, e: m = 0.02, ea: m = 0.01421, rr: m = 0.007, ra: m = 0.00092,
            ss: m = 0.035, sa: m = 0.01874, sb: m = 0.01043, sc: m = 0.018, sd: m = 0.02,
            ta: m = 0.02308, tb: m = 0.00916, u: m = 0.04, ua: m = 0.01228, ub: m = 0.00449,
            zf: m = 0.02, zt: m = 0.04, fa: m = 0.01421,
            beta_0: rad = -0.0617138900142764496358948458001, gamma_0: rad = 0.455279819163070380255912382449,
            phi_0: rad = 0.222668390165885884674473185609, delta_0: rad = 0.487364979543842550225598953530,
            omega_0: rad = -0.222668390165885884674473185609, epsilon_0: rad = 1.23054744454982119249735015568,
        }
        bodies {
            crank: planar { mass: m_1, inertia: i_1, center: (ra, 0) },
            // from the point that all rods share
            rod: planar { mass: m_2, inertia: i_2, center: (d - da, 0) },
            lever: planar { mass: m_3, inertia: i_3, center: (sb, -sa) },
            upper: planar { mass: m_4, inertia: i_4, center: (0, ea - e) },
            upper_arm: planar { mass: m_5, inertia: i_5, center: (ta, tb) },
            lower: planar { mass: m_6, inertia: i_6, center: (zf - fa, 0) },
            lower_arm: planar { mass: m_7, inertia: i_7, center: (-ub, -ua) },
        }
        joints {
            origin: revolute(ground, crank),
            pivot_b: revolute(ground.at(xb, yb), lever),
            pivot_upper: revolute(ground.at(xa, ya), upper_arm),
            pivot_lower: revolute(ground.at(xa, ya), lower_arm),
            crank_pin: revolute(crank.at(rr, 0), rod.at(d, 0)),
            upper_pin: revolute(upper_arm.at(zt, 0), upper),
            lower_pin: revolute(lower_arm.at(0, -u), lower),
            share[1]: revolute(rod, lever.at(0, -ss)),
            share[2]: revolute(rod, upper.at(0, -e)),
            share[3]: revolute(rod, lower.at(zf, 0)),
        }
        elements {
            motor: torque(crank, torque_0),
            pull: spring(ground.at(xc, yc), lever.at(sd, -sc), stiffness = c_0, length = l_0),
        }
        initial {
            crank.angle = beta_0, rod.angle ~ beta_0, lever.angle ~ gamma_0, upper.angle ~ phi_0 + delta_0,
            upper_arm.angle ~ delta_0, lower.angle ~ omega_0 + epsilon_0, lower_arm.angle ~ epsilon_0,
            dot(crank.angle) = 0,
        }
        outputs {
            beta: rad = crank.angle,
            theta: rad = rod.angle - crank.angle,
            gamma: rad = lever.angle,
            phi: rad = upper.angle - upper_arm.angle,
            delta: rad = upper_arm.angle,
            omega: rad = lower.angle - lower_arm.angle,
            epsilon: rad = lower_arm.angle,
        }
    }
}

costate::model! {
    #[interpreted]
    /// Car axis of the test set: half an axle on two stiff springs, one of them on a road, held by a rod.
    pub CarAxis {
        parameters {
            axis: kg = 10, small: 1 = 1e-2, length: m = 1, spring: m = 0.5, height: m = 0.1, w: rad/s = 10,
            c: N/m = 1, g: m/s^2 = 1, speed: m/s = 1,
        }
        let y_b = height*sin(w*t);
        let x_b = sqrt(length^2 - y_b^2);
        gravity { (0, -g) }
        bodies {
            left: planar { mass: axis*small^2/2, inertia: 1e-3[kg*m^2] },
            right: planar { mass: axis*small^2/2, inertia: 1e-3[kg*m^2] },
        }
        joints { beam: distance(left, right, length = length) }
        elements { suspension: spring(ground, left, stiffness = c, length = spring) }
        // the other end of the right spring moves on the road
        let stretch = sqrt((right.x - x_b)^2 + (right.y - y_b)^2);
        forces {
            right.x: c*(spring - stretch)/stretch*(right.x - x_b),
            right.y: c*(spring - stretch)/stretch*(right.y - y_b),
        }
        constraints { rod: x_b*left.x + y_b*left.y }
        initial {
            left.position = (0, spring), right.position = (length, spring), left.angle = 0, right.angle = 0,
            left.velocity = (-speed*spring/length, 0), right.velocity = (-speed*spring/length, 0), dot(left.angle) = 0,
            dot(right.angle) = 0,
        }
    }
}
