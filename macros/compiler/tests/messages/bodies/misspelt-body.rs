costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints { pin: revolute(ground, rd[1]), pin_2: revolute(l, rod[2].at(0, l)), pin_3: revolute(rod[1], rod[3]) }
    }
}
