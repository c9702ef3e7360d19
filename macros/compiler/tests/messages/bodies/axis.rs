costate::model! {
    pub Mechanism {
        parameters { l: 1 = 1 }
        bodies { rod[1..=2]: spatial { mass: 2[kg], inertia: (1[kg*m^2], 1[kg*m^2], 1[kg*m^2]) } }
        joints {
            pin[1]: revolute(ground, rod[1]),
            pin[2]: revolute(rod[1], rod[2], axis = (0, 0, 0)),
            pin[3]: revolute(rod[1], rod[2], axis = (0, l, 0)),
            pin[4]: prismatic(rod[1], rod[2], axis = (0, 1)),
        }
    }
}
