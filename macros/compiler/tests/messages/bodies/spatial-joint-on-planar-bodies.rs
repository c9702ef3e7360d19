costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints { ball: spherical(ground, rod[1].at(0, l)) }
    }
}
