costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        inputs { turn: rad }
        joints {
            pin: revolute(ground, rod[1]),
            rail: prismatic(ground, rod[2], axis = (1, 0)),
            motor[1]: drive(pin, angle = turn),
            motor[2]: drive(rail, angle = t),
            motor[3]: drive(pin, displacement = t),
            motor[4]: drive(pin),
            motor[5]: drive(rod[1], angle = t),
        }
    }
}
