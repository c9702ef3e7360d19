costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, wrong: kg = -1 }
        bodies {
            rod: planar { mass: -m, inertia: j },
            cart: planar { mass: wrong, inertia: -j },
            top: spatial { mass: -3[kg], inertia: (j, -2[kg*m^2], j, -j, 0, 0) },
        }
    }
}
