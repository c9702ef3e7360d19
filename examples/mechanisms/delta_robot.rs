//! A delta robot by bodies in space.

costate::model! {
    /// Delta robot with data of our own: three arms on motors carry a platform, which two parallel rods from each arm
    /// keep from turning. The rods are distances; half of their mass belongs to the arms, half to the platform. z is
    /// up.
    pub DeltaRobot {
        parameters {
            /// Arms: mass, moments of inertia along and across with the rotor of the motor, length, and from the motor
            /// to the centre of mass.
            m: kg = 0.7, along: kg*m^2 = 5e-4, across: kg*m^2 = 0.05, l: m = 0.25, s: m = 0.14,
            /// Platform: mass, moments of inertia, and what it carries at its middle.
            m_p: kg = 0.8, flat: kg*m^2 = 8e-4, payload: kg = 1,
            /// Length of the rods, and half the distance of parallel ones.
            rod: m = 0.6, w: m = 0.04,
            /// From the axis of the robot to the motors, and from that of the platform to the rods.
            base: m = 0.15, edge: m = 0.06,
            /// Controllers of the motors.
            c: N*m = 400, d: N*m*s = 20,
            g: m/s^2 = 9.81,
            /// Arms below the horizontal at the start.
            start: deg = 20,
        }
        inputs {
            /// Angles below the horizontal to which the motors turn their arms.
            target[1..=3]: deg,
        }
        gravity { (0, 0, -g) }
        bodies {
            arm[1..=3]: spatial {
                mass: m,
                inertia: (along, across, across),
                shape: box(l, w, w).at(l/2 - s, 0, 0),
            },
            platform: spatial { mass: m_p + payload, inertia: (flat, flat, 2*flat), shape: cylinder(edge, w/2) },
        }
        let motor[i in 1..=3] = ground.rotated((0, 0, 1), 120[deg]*(i - 1)).at(base, 0, 0);
        let side[i in 1..=3] = platform.rotated((0, 0, 1), 120[deg]*(i - 1)).at(edge, 0, 0);
        joints {
            for i in 1..=3 {
                hinge[i]: revolute(motor[i], arm[i].at(-s, 0, 0), axis = (0, 1, 0)),
                left[i]: distance(arm[i].at(l - s, w, 0), side[i].at(0, w, 0), length = rod),
                right[i]: distance(arm[i].at(l - s, -w, 0), side[i].at(0, -w, 0), length = rod),
            },
        }
        elements {
            for i in 1..=3 {
                controller[i]: torsional(
                    motor[i],
                    arm[i].at(-s, 0, 0),
                    axis = (0, 1, 0), stiffness = c, damping = d, angle = target[i],
                ),
            },
        }
        let out = base + l*cos(start) - edge;
        initial {
            for i in 1..=3 {
                let azimuth = 120[deg]*(i - 1);
                let middle = base + s*cos(start);
                arm[i].orientation = rotation((0, 0, 1), azimuth)*rotation((0, 1, 0), start),
                arm[i].position ~ (middle*cos(azimuth), middle*sin(azimuth), -s*sin(start)),
            },
            platform.position ~ (0, 0, -l*sin(start) - sqrt(rod^2 - out^2)),
        }
        outputs {
            x: mm = platform.x,
            y: mm = platform.y,
            z: mm = platform.z,
            for i in 1..=3 {
                /// Torque of a motor against the weight.
                torque[i]: N*m = controller[i].torque,
            },
            /// Force in a rod.
            force: N = norm(left[1].reaction),
        }
    }
}
