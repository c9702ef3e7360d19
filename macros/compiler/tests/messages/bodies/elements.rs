costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        elements {
            strut: sprng(ground, rod[1], stiffness = 2),
            idle: spring(ground, rod[1]),
            load: force(ground, (1, 2)),
            drag: force(rod[1], 3),
            turn: torque(rod[1], (0, 0, 1)),
        }
    }
}
