costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints {
            pin: revolute(ground, rod[1]),
            rail: prismatic(ground, rod[2], axis = (1, 0)),
            wheels: gear(pin, rail, ratio = 2),
            pinion: rack(pin, pin, radius = l),
            wheel: rack(pin, rail),
        }
    }
}
