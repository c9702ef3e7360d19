costate::model! {
    pub Planar {
        parameters { m: kg = 2, l: m = 0.5, c: N/m = 10, d: N*s/m = 2, kt: N*m = 3, dt: N*m*s = 1 }
        tables { stop(compression: mm): N = "data/bump_stop.csv" }
        inputs { push: N }
        bodies { rod[1..=2]: planar { mass: m, inertia: m*l^2 } }
        elements {
            strut: spring(rod[1], rod[2], stiffness = d, damping = c, length = 0.3, force = c*(strut.length - l)^2),
            hard: spring(ground, rod[2], force = stop(1 - l)),
            twist: torsional(rod[1], rod[2], stiffness = c, damping = kt, angle = l, torque = push),
            mount: bushing(rod[1], rod[2], stiffness = (c, c*l), damping = (dt, d), torsional_stiffness = c,
                torsional_damping = kt),
            load: force(rod[1], (push, push*l)),
            drag: force(rod[1], -c*rod[1].velocity),
            turn: torque(rod[2], push),
            brake: torque(rod[2], -kt*rod[2].angular_velocity),
        }
    }
}

costate::model! {
    pub Spatial {
        parameters { m: kg = 2, l: m = 0.5, c: N/m = 10, d: N*s/m = 2, kt: N*m = 3 }
        bodies { top: spatial { mass: m, inertia: (m*l^2, m*l^2, m*l^2) } }
        elements {
            load: force(top, (c*l, c, 0)),
            turn: torque(top, -d*top.angular_velocity),
            mount: bushing(ground, top, stiffness = (c, c, kt), torsional_stiffness = (kt, c*l, kt)),
        }
    }
}
