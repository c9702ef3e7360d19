//! Every force element between spatial bodies.

costate::model! {
    #[interpreted]
    pub Spring {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, c: N/m = 90, d: N*s/m = 3, rest: m = 0.4 }
        tables { stop(spline compression: mm): N = "data/bump_stop.csv" }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        elements {
            strut: spring(b[1].at(0, 0, l), b[2].at(l, 0, 0), stiffness = c, damping = d, length = rest,
                force = c*(strut.length - rest)^3*1[1/m^2] + stop(strut.length - rest)),
        }
        outputs { pull: N = strut.force*strut.length/1[m] }
    }
}

costate::model! {
    #[interpreted]
    pub Torsional {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, tilt: rad = 0.3, kt: N*m = 8, dt: N*m*s = 0.4 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        elements {
            twist: torsional(b[1].rotated((1, 0, 0), tilt), b[2], axis = (0, 1, 1), stiffness = kt, damping = dt,
                angle = 0.2, torque = kt*twist.angle^3),
        }
        outputs { torque: N*m = twist.torque*twist.angle }
    }
}

costate::model! {
    #[interpreted]
    pub Bushing {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3, c: N/m = 90, d: N*s/m = 3,
        kt: N*m = 8, dt: N*m*s = 0.4 }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        elements {
            mount: bushing(ground.rotated((1, 0, 0), tilt), b[2].at(0.1[m], l, 0), stiffness = (c, 2*c, c),
                damping = (d, d/2, d), torsional_stiffness = (kt, kt, 2*kt), torsional_damping = (dt, dt, dt)),
            rubber: bushing(b[1].at(0, l, 0), b[2].at(0, 0, l), stiffness = (c, 2*c, c),
                torsional_stiffness = (kt, kt, 2*kt)),
        }
    }
}

costate::model! {
    #[interpreted]
    pub Loads {
        parameters { m: kg = 1.2, j: kg*m^2 = 0.07, l: m = 0.7, tilt: rad = 0.3, d: N*s/m = 3, kt: N*m = 8,
        dt: N*m*s = 0.4 }
        inputs { push: N }
        bodies { for i in 1..=2 { b[i]: spatial { mass: m, inertia: (j, 2*j, 2.5*j) } } }
        elements {
            load: force(b[1].at(l, l, 0), (push, -d*b[1].at(l, l, 0).velocity.y, 0), frame = b[1]),
            drag: force(b[2].at(0, l, 0), -d*b[2].at(0, l, 0).velocity/2),
            brake: torque(b[1], -dt*b[1].angular_velocity),
            motor: torque(b[2], (push*0.1[m], 0, kt), frame = b[2].rotated((0, 0, 1), tilt)),
        }
    }
}
