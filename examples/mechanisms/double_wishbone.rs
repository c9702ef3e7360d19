costate::model! {
    #[interpreted]
    /// The front left corner of a car that stands still while the road moves under its wheel: two arms, an upright, a
    /// tie rod, a wheel that turns, a strut. x is forward, y to the left, z up.
    pub DoubleWishbone {
        parameters {
            m_l: kg = 4, m_u: kg = 2.5, m_k: kg = 6, m_w: kg = 18,
            /// Strut.
            c: N/m = 6e4, d: N*s/m = 2500, free: m = 0.42,
            /// Tyre.
            c_t: N/m = 2e5, d_t: N*s/m = 200, r: m = 0.31,
            /// Turning of the wheel, which its bearing slows down.
            spin: rad/s = 20, d_w: N*m*s = 0.2,
            g: m/s^2 = 9.81,
        }
        inputs {
            /// Height of the road.
            road: m,
        }
        gravity { (0, 0, -g) }
        bodies {
            /// Lower arm, whose origin is between its pivots and its ball joint.
            lower: spatial { mass: m_l, inertia: (0.05[kg*m^2], 0.03[kg*m^2], 0.07[kg*m^2]) },
            /// Upper arm.
            upper: spatial { mass: m_u, inertia: (0.03[kg*m^2], 0.02[kg*m^2], 0.04[kg*m^2]) },
            /// Upright, which carries the wheel.
            upright: spatial { mass: m_k, inertia: (0.06[kg*m^2], 0.05[kg*m^2], 0.03[kg*m^2]) },
            wheel: spatial {
                mass: m_w,
                inertia: (0.6[kg*m^2], 1[kg*m^2], 0.6[kg*m^2]),
                shape: [cylinder(r, 0.2[m], axis = (0, 1, 0)), box(0.4[m], 0.21[m], 0.05[m])],
            },
        }
        // where the arms' bushings are, which pictures show
        let _lower_front = lower.at(0.15[m], -0.18[m], 0);
        let _lower_rear = lower.at(-0.15[m], -0.18[m], 0);
        let lower_ball = lower.at(0, 0.18[m], 0);
        let _upper_front = upper.at(0.12[m], -0.12[m], 0);
        let _upper_rear = upper.at(-0.12[m], -0.12[m], 0);
        let upper_ball = upper.at(0, 0.12[m], 0);
        let track = upright.at(-0.12[m], 0, -0.08[m]);
        let strut_foot = lower.at(0, 0.1[m], 0.02[m]);
        joints {
            lower_pivot: revolute(ground.at(0, 0.36[m], 0.2[m]), lower.at(0, -0.18[m], 0), axis = (1, 0, 0)),
            upper_pivot: revolute(ground.at(0, 0.44[m], 0.46[m]), upper.at(0, -0.12[m], 0), axis = (1, 0, 0)),
            lower_joint: spherical(lower_ball, upright.at(0, 0.02[m], -0.11[m])),
            upper_joint: spherical(upper_ball, upright.at(0, -0.02[m], 0.15[m])),
            tie_rod: distance(ground.at(-0.12[m], 0.37[m], 0.22[m]), track, length = 0.33[m]),
            hub: revolute(upright.at(0, 0.1[m], 0), wheel, axis = (0, 1, 0)),
        }
        let contact = road + r - wheel.z;
        elements {
            strut: spring(ground.at(0, 0.5[m], 0.58[m]), strut_foot, stiffness = c, damping = d, length = free),
            tyre: force(wheel, (0, 0, c_t*contact - d_t*dot(wheel.z))),
            bearing: torque(wheel, (0, -d_w*wheel.angular_velocity.y, 0)),
        }
        initial {
            lower.position ~ (0, 0.54[m], 0.2[m]),
            upper.position ~ (0, 0.56[m], 0.46[m]),
            upright.position ~ (0, 0.7[m], 0.31[m]),
            wheel.position ~ (0, 0.8[m], 0.31[m]),
            dot(wheel.e2) = spin/2,
        }
        outputs {
            bounce: mm = wheel.z - r,
            strut_force: kN = strut.force,
            /// Pull of the tie rod.
            steering: N = norm(tie_rod.reaction),
        }
    }
}
