costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        gravity { (0, -9.81[m/s^2]) }
        gravity { (0, -1.62) }
    }
}
