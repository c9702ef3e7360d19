costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        bodies { top: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 2[kg*m^2]) } }
        joints { pin: revolute(rod[1], top) }
        elements { strut: spring(top, rod[2], stiffness = 3) }
    }
}
