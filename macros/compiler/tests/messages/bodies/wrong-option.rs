costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints { rail: prismatic(ground, rod[1], axs = (1, 0)), pin: revolute(rod[1], rod[2], axis = (1, 0)) }
        elements { strut: spring(ground, rod[1], stiffness = 2, stiffness = 3) }
    }
}
