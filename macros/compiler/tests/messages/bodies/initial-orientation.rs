costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        bodies { top: spatial { mass: 1[kg], inertia: (1[kg*m^2], 1[kg*m^2], 2[kg*m^2]) } }
        initial {
            rod[1].orientation = rotation((0, 0, 1), 1),
            top.angular_velocity = (0, 0, 1[rad/s]),
            top.orientation = 3,
        }
    }
}
