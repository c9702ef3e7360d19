//! Every spatial joint, with frames beside the origin, turned frames, a full tensor of inertia and a centre of mass
//! beside the origin.

costate::model! {
    #[interpreted]
    pub Revolute {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, c: m = 0.1, l: m = 0.7, tilt: rad = 0.3, g: m/s^2 = 9.81,
        w: rad/s = 2 }
        gravity { (0.1*g, 0, -g) }
        bodies {
            a: spatial { mass: m, inertia: (j, 2*j, 2.5*j, 0.1*j, -0.2*j, 0.3*j), center: (c, -c/2, 2*c) },
        }
        joints {
            base: revolute(ground.at(0.1[m], l, 0).rotated((1, 1, 0), tilt), a.at(-l, 0.2[m], c), axis = (1, 2, 3)),
            motor: drive(base, angle = 0.3*sin(w*t) + tilt),
        }
        outputs {
            x: m = a.at(l, l, 0).position.x,
            acceleration: m/s^2 = a.at(0, l, 0).acceleration.x,
            rate: rad/s = a.angular_velocity.x + a.local_angular_velocity.y + a.angular_acceleration.z*1[s],
            load: N = base.reaction.x,
            moment: N*m = base.torque.z + motor.torque.x,
            angle: rad = base.angle,
        }
    }
}

costate::model! {
    #[interpreted]
    pub Fixed {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            weld: fixed(b[1].at(l, 0, 0).rotated((0, 1, 0), tilt), b[2].at(0, l/2, 0).rotated((1, 1, 0), 0.2)),
        }
        outputs { load: N = weld.reaction.x, moment: N*m = weld.torque.x }
    }
}

costate::model! {
    #[interpreted]
    pub Prismatic {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            slide: prismatic(b[1].at(0, -l, 0), b[2].rotated((0, 0, 1), tilt), axis = (0, 1, 0)),
            feed: drive(slide, displacement = 0.1[m/s]*t + l),
        }
        outputs { load: N = slide.reaction.y + feed.reaction.z, moment: N*m = slide.torque.y,
        s: m = slide.displacement }
    }
}

costate::model! {
    #[interpreted]
    pub SphericalAndUniversal {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            ball: spherical(ground.at(l, 0, 0), b[1].at(0, 0, l)),
            cross: universal(b[1].at(0, 0, -l), b[2].at(0, l, 0), axis = (1, 0, 0), second_axis = (0, 1, 0)),
        }
        outputs { load: N = ball.reaction.x, moment: N*m = cross.torque.y }
    }
}

costate::model! {
    #[interpreted]
    pub CylindricalAndDistance {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            sleeve: cylindrical(ground.rotated((1, 0, 0), tilt), b[1].at(0, -l, 0), axis = (0, 0, 1)),
            rope: distance(b[1].at(l, 0, 0), b[2].at(0, 0.1[m], 0), length = 2*l),
        }
        outputs {
            load: N = sleeve.reaction.z + rope.reaction.x,
            position: m = sleeve.displacement*sleeve.angle,
        }
    }
}

costate::model! {
    #[interpreted]
    pub PlanarAndPointOnLine {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            table: planar(ground.rotated((0, 1, 0), tilt), b[1].at(0, 0, l), normal = (0, 0, 1)),
            groove: point_on_line(b[1], b[2].at(l, 0, 0), axis = (0, 1, 1)),
        }
        outputs { load: N = table.reaction.z + groove.reaction.x, moment: N*m = table.torque.x }
    }
}

costate::model! {
    #[interpreted]
    pub GearAndRack {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3, ratio: 1 = -1.7, radius: m = 0.2 }
        bodies { for i in 1..=3 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        joints {
            shaft[1]: revolute(ground, b[1].at(0, 0, l), axis = (0, 0, 1)),
            shaft[2]: revolute(ground.rotated((1, 0, 0), tilt), b[2], axis = (0, 0, 1)),
            rail: prismatic(ground.at(1[m], 0, 0), b[3], axis = (1, 0, 0)),
            wheels: gear(shaft[1], shaft[2], ratio = ratio, offset = 0.1),
            pinion: rack(shaft[2], rail, radius = radius),
        }
        outputs { angle: rad = wheels.angle_1 + pinion.angle_1, moment: N*m = wheels.torque.z + pinion.torque.x }
    }
}
