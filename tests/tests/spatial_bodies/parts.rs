//! Every spatial joint, coupler and element, in a few mechanisms.

costate::model! {
    /// Joints between frames beside the origin, turned frames, a full tensor of inertia and a centre of mass beside the
    /// origin.
    pub SpatialJoints {
        parameters {
            m: kg = 1.2, j: kg*m^2 = 0.07, c: m = 0.1, l: m = 0.7, tilt: rad = 0.3, g: m/s^2 = 9.81, w: rad/s = 2,
        }
        gravity { (0.1*g, 0, -g) }
        bodies {
            a: spatial { mass: m, inertia: (j, 2*j, 2.5*j, 0.1*j, -0.2*j, 0.3*j), center: (c, -c/2, 2*c) },
            for i in 1..=6 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } },
        }
        joints {
            base: revolute(ground.at(0.1, l, 0), a.at(-l, 0.2, c), axis = (1, 2, 3)),
            weld: fixed(a.at(l, 0, 0).rotated((0, 1, 0), tilt), b[1].at(0, l/2, 0).rotated((1, 1, 0), 0.2)),
            slide: prismatic(b[1].at(0, -l, 0), b[2].rotated((0, 0, 1), tilt), axis = (0, 1, 0)),
            ball: spherical(b[2].at(l, 0, 0), b[3].at(0, 0, l)),
            cross: universal(b[3].at(0, 0, -l), b[4].at(0, l, 0), axis = (1, 0, 0), second_axis = (0, 1, 0)),
            sleeve: cylindrical(b[4].at(0, -l, 0), b[5], axis = (0, 0, 1)),
            rope: distance(b[5].at(l, 0, 0), b[6].at(0, 0.1, 0), length = 2*l),
            motor: drive(base, angle = 0.3*sin(w*t) + tilt),
            feed: drive(slide, displacement = 0.1*t + l),
        }
        outputs {
            x: m = a.at(l, l, 0).position.x,
            speed: m/s = b[4].at(l, 0, 0).velocity.y,
            acceleration: m/s^2 = b[4].at(0, l, 0).acceleration.x,
            rate: rad/s = a.angular_velocity.x + b[4].local_angular_velocity.y + b[4].angular_acceleration.z*1[s],
            load_x: N = base.reaction.x + slide.reaction.y + sleeve.reaction.z + weld.reaction.x,
            moment: N*m = weld.torque.x + slide.torque.y + base.torque.z + motor.torque.x + cross.torque.y,
            position: m = slide.displacement + base.angle*l + sleeve.displacement*sleeve.angle,
            pull: N = rope.reaction.x + ball.reaction.y + feed.reaction.z,
        }
    }
}

costate::model! {
    /// Joints that leave much freedom, couplers.
    pub SpatialCouplers {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3, ratio: 1 = -1.7, radius: m = 0.2 }
        bodies { for i in 1..=5 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            shaft[1]: revolute(ground, b[1].at(0, 0, l), axis = (0, 0, 1)),
            shaft[2]: revolute(ground.rotated((1, 0, 0), tilt), b[2], axis = (0, 0, 1)),
            rail: prismatic(ground.at(1, 0, 0), b[3], axis = (1, 0, 0)),
            wheels: gear(shaft[1], shaft[2], ratio = ratio, offset = 0.1),
            pinion: rack(shaft[2], rail, radius = radius),
            table: planar(b[3].rotated((0, 1, 0), tilt), b[4].at(0, 0, l), normal = (0, 0, 1)),
            groove: point_on_line(b[4], b[5].at(l, 0, 0), axis = (0, 1, 1)),
        }
        outputs {
            angle: rad = wheels.angle_1 + pinion.angle_1,
            moment: N*m = wheels.torque.z + pinion.torque.x,
            load: N = table.reaction.z + groove.reaction.x,
        }
    }
}

costate::model! {
    /// Every force element between spatial bodies.
    pub SpatialElements {
        parameters {
            m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3, c: N/m = 90, d: N*s/m = 3, rest: m = 0.4,
            kt: N*m = 8, dt: N*m*s = 0.4,
        }
        inputs { push: N }
        tables { stop(compression: mm): N = "data/bump_stop.csv" }
        bodies { for i in 1..=3 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        elements {
            strut: spring(b[1].at(0, 0, l), b[2].at(l, 0, 0), stiffness = c, damping = d, length = rest,
                force = c*(strut.length - rest)^3 + stop(strut.length - rest)),
            twist: torsional(b[1].rotated((1, 0, 0), tilt), b[3], axis = (0, 1, 1), stiffness = kt, damping = dt,
                angle = 0.2, torque = kt*twist.angle^3),
            mount: bushing(ground.rotated((1, 0, 0), tilt), b[3].at(0.1, l, 0), stiffness = (c, 2*c, c),
                damping = (d, d/2, d), torsional_stiffness = (kt, kt, 2*kt), torsional_damping = (dt, dt, dt)),
            rubber: bushing(b[2].at(0, l, 0), b[3].at(0, 0, l), stiffness = (c, 2*c, c), damping = (d, d/2, d),
                torsional_stiffness = (kt, kt, 2*kt), torsional_damping = (dt, dt, dt)),
            load: force(b[1].at(l, l, 0), (push, -d*b[1].at(l, l, 0).velocity.y, 0), frame = b[1]),
            drag: force(b[2].at(0, l, 0), -d*b[2].at(0, l, 0).velocity/2),
            brake: torque(b[3], -dt*b[3].angular_velocity),
            motor: torque(b[2], (push*0.1[m], 0, kt), frame = b[2].rotated((0, 0, 1), tilt)),
        }
        outputs { pull: N = strut.force*strut.length/1[m], torque: N*m = twist.torque*twist.angle }
    }
}
