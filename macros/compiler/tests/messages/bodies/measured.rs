costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2[kg], inertia: 0.1[kg*m^2] } }
        forces { rod[1].x: rod[1].velocity, rod[2].x: rod[1].velocity.z, rod[2].y: rod[1].angle.x }
        forces { rod[1].angle: rod[1].speed, rod[2].angle: rod[1].at(0, l) + rod[1].at(0, l).velocty.x }
    }
}
