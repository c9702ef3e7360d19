costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        joints { pin: revolute(ground, rod[1]) }
        elements { friction: torque(rod[1], -0.1*pin.reaction.x) }
    }
}
