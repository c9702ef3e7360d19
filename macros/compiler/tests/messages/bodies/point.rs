costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints { pin: revolute(ground.at(1, 2, 3), rod[1].at(l)), weld: fixed(ground, rod[2].rotated((0, 0, 1), l)) }
    }
}
