//! Every planar joint, coupler and element in one mechanism.

costate::model! {
    #[interpreted]
    /// Every planar joint, coupler and element, with frames beside the origin, turned frames and a centre of mass
    /// beside the origin.
    pub PlanarParts {
        parameters {
            m: kg = 1.2, j: kg*m^2 = 0.07, cx: m = 0.1, cy: m = -0.05, l: m = 0.7, tilt: rad = 0.3, c: N/m = 90,
            d: N*s/m = 3, rest: m = 0.4, kt: N*m = 8, dt: N*m*s = 0.4, g: m/s^2 = 9.81, w: rad/s = 2,
            ratio: 1 = -1.7, radius: m = 0.2,
        }
        inputs { push: N }
        tables { stop(spline compression: mm): N = "data/bump_stop.csv" }
        gravity { (0.1*g, -g) }
        bodies {
            /// Body on the ground.
            a: planar { mass: m, inertia: j, center: (cx, cy) },
            for i in 1..=7 { b[i]: planar { mass: m*i, inertia: j/i, center: (cx/i, cy) } },
        }
        joints {
            base: revolute(ground.at(0.1[m], l), a.at(-l, 0.2[m])),
            weld: fixed(a.at(l, 0).rotated(tilt), b[1].at(0, l/2).rotated(0.2)),
            slide: prismatic(b[1].at(0, -l), b[2].rotated(tilt), axis = (1, 2)),
            rope: distance(b[2].at(l, 0), b[3].at(0, 0.1[m]), length = 2*l),
            groove: point_on_line(b[3].rotated(tilt), b[4].at(0.1[m], 0.1[m]), axis = (0, 1)),
            pin[1]: revolute(ground, b[5].at(0, l)),
            pin[2]: revolute(ground.at(1[m], 0), b[6].at(0, l)),
            rail: prismatic(ground.at(1[m], 1[m]).rotated(tilt), b[7], axis = (1, 0)),
            motor: drive(base, angle = 0.3*sin(w*t) + tilt),
            feed: drive(slide, displacement = 0.1[m/s]*t + l),
            wheels: gear(pin[1], pin[2], ratio = ratio, offset = 0.1),
            pinion: rack(pin[2], rail, radius = radius),
        }
        elements {
            strut: spring(a, b[4].at(0, l), stiffness = c, damping = d, length = rest,
                force = c*(strut.length - rest)^3/1[m^2] + stop(strut.length - rest)),
            shaft: torsional(ground.rotated(tilt), b[3], stiffness = kt, damping = dt, angle = 0.2,
                torque = kt*shaft.angle^3),
            mount: bushing(b[4].at(0.2[m], 0).rotated(tilt), b[5].at(0.1[m], l), stiffness = (c, 2*c), damping = (d,
            d/2),
                torsional_stiffness = kt, torsional_damping = dt),
            load: force(b[4].at(l, l), (push, -d*b[4].at(l, l).velocity.y), frame = b[4].rotated(tilt)),
            drag: force(b[3].at(0, l), -d*b[3].at(0, l).velocity/2 + (push, 0)),
            brake: torque(b[4], -dt*b[4].angular_velocity*abs(b[4].angular_velocity)*1[s]),
        }
        initial {
            a.angle ~ tilt, b[3].position ~ (1[m], l), b[4].position ~ (2[m], l), dot(b[4].angle) = 0.4[rad/s],
            b[4].angle = 0.2,
        }
        outputs {
            x: m = a.at(l, l).position.x,
            speed: m/s = b[4].at(l, 0).velocity.y,
            acceleration: m/s^2 = b[4].at(0, l).acceleration.x,
            rate: rad/s = a.angular_velocity + b[4].angular_acceleration*1[s],
            load_x: N = base.reaction.x + slide.reaction.y + groove.reaction.x,
            moment: N*m = weld.torque + slide.torque + base.torque + motor.torque + wheels.torque,
            pull: N = strut.force + rope.reaction.x,
            twist: N*m = shaft.torque*shaft.angle,
            position: m = slide.displacement + base.angle*l + strut.length,
        }
    }
}
