//! A car on four double wishbones, of one component used four times.

costate::model! {
    /// A car that stands on a road which moves under its wheels: a chassis on four double wishbones with tie rods,
    /// struts, and wheels that turn on tyres of springs and dampers. x is forward, y to the left, z up. The corners on
    /// the right are the mirror images of those on the left.
    pub Car {
        /// The front left corner; its place on the chassis is the middle of the axle, at the height of the centre of
        /// mass.
        component Corner {
            connections {
                /// The chassis at the middle of the axle.
                chassis: spatial,
            }
            parameters {
                // lower and upper arm, upright, wheel
                m_l: kg, m_u: kg, m_k: kg, m_w: kg,
                // strut
                c: N/m, d: N*s/m, free: m,
                // tyre: upright, along, sideways, radius
                c_t: N/m, d_t: N*s/m, d_x: N*s/m, d_y: N*s/m, r: m,
            }
            inputs { road: m }
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
                    shape: cylinder(r, 0.2[m], axis = (0, 1, 0)),
                },
            }
            joints {
                lower_pivot: revolute(
                    chassis.at(0, 0.36[m], -0.3[m]), lower.at(0, -0.18[m], 0), axis = (1, 0, 0)
                ),
                upper_pivot: revolute(
                    chassis.at(0, 0.44[m], -0.04[m]), upper.at(0, -0.12[m], 0), axis = (1, 0, 0)
                ),
                lower_joint: spherical(lower.at(0, 0.18[m], 0), upright.at(0, 0.02[m], -0.11[m])),
                upper_joint: spherical(upper.at(0, 0.12[m], 0), upright.at(0, -0.02[m], 0.15[m])),
                tie_rod: distance(
                    chassis.at(-0.12[m], 0.37[m], -0.28[m]), upright.at(-0.12[m], 0, -0.08[m]), length = 0.33[m]
                ),
                hub: revolute(upright.at(0, 0.1[m], 0), wheel, axis = (0, 1, 0)),
            }
            let slip = d_x*(wheel.velocity.x - r*wheel.angular_velocity.y);
            let push = max(c_t*(road + r - wheel.z) - d_t*dot(wheel.z), 0);
            elements {
                strut: spring(
                    chassis.at(0, 0.5[m], 0.08[m]), lower.at(0, 0.1[m], 0.02[m]),
                    stiffness = c, damping = d, length = free
                ),
                tyre: force(wheel, (-slip, -d_y*wheel.velocity.y, push)),
                traction: torque(wheel, (0, r*slip, 0)),
            }
            initial {
                lower ~ chassis.at(0, 0.54[m], -0.3[m]),
                upper ~ chassis.at(0, 0.56[m], -0.04[m]),
                upright ~ chassis.at(0, 0.7[m], -0.19[m]),
                wheel ~ chassis.at(0, 0.8[m], -0.19[m]),
            }
            outputs {
                /// Height of the wheel above where it stands on an even road.
                bounce: mm = wheel.z - r,
                /// Force of the road on the wheel.
                load: kN = push,
            }
        }
        parameters {
            /// Mass and moments of inertia of the chassis.
            m_c: kg = 1300, i_x: kg*m^2 = 450, i_y: kg*m^2 = 1900, i_z: kg*m^2 = 2100,
            /// Lower arm, upper arm, upright and wheel.
            m_l: kg = 4, m_u: kg = 2.5, m_k: kg = 6, m_w: kg = 18,
            /// Strut.
            c: N/m = 9e4, d: N*s/m = 4500, free: m = 0.45,
            /// Tyre: upright, along the road and sideways.
            c_t: N/m = 2e5, d_t: N*s/m = 200, d_x: N*s/m = 500, d_y: N*s/m = 500,
            /// Radius of a wheel.
            r: m = 0.31,
            g: m/s^2 = 9.81,
        }
        inputs {
            /// Height of the road under a wheel: front and rear, left and right.
            road_fl: m, road_fr: m, road_rl: m, road_rr: m,
        }
        gravity { (0, 0, -g) }
        bodies {
            /// Chassis, whose origin is its centre of mass; drawn as wide as there is room between the suspensions.
            chassis: spatial {
                mass: m_c,
                inertia: (i_x, i_y, i_z),
                shape: extrusion(
                    [
                        (-2.1[m], -0.2[m]), (2.1[m], -0.2[m]), (2.15[m], 0.1[m]), (2[m], 0.25[m]), (1[m], 0.38[m]),
                        (0.4[m], 0.82[m]), (-0.9[m], 0.85[m]), (-1.6[m], 0.45[m]), (-2.15[m], 0.4[m]),
                    ],
                    0.7[m],
                    axis = (0, 1, 0)
                ),
            },
        }
        components {
            fl: Corner { chassis = chassis.at(1.35[m], 0, 0), road = road_fl, m_l = m_l, m_u = m_u, m_k = m_k,
            m_w = m_w,
                c = c, d = d, free = free, c_t = c_t, d_t = d_t, d_x = d_x, d_y = d_y, r = r },
            fr: mirror(fl) { road = road_fr },
            rl: Corner { chassis = chassis.at(-1.35[m], 0, 0), road = road_rl, m_l = m_l, m_u = m_u, m_k = m_k,
            m_w = m_w,
                c = c, d = d, free = free, c_t = c_t, d_t = d_t, d_x = d_x, d_y = d_y, r = r },
            rr: mirror(rl) { road = road_rr },
        }
        initial {
            chassis.position = (0, 0, 0.5[m]),
            chassis.orientation = rotation((0, 0, 1), 0),
        }
        outputs {
            heave: mm = chassis.z - 0.5[m],
            /// Sine of the angle, positive with the nose down.
            pitch: deg = -2*(chassis.e1*chassis.e3 - chassis.e0*chassis.e2),
            pitch_rate: rad/s = chassis.angular_velocity.y,
            /// Sine of the angle, positive with the left side up.
            roll: deg = 2*(chassis.e2*chassis.e3 + chassis.e0*chassis.e1),
        }
    }
}
