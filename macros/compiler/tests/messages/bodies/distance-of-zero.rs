costate::model! {
    pub Mechanism {
        parameters { m: kg = 2, j: kg*m^2 = 0.1, l: m = 1 }
        bodies { rod: planar { mass: m, inertia: j }, top: spatial { mass: m, inertia: (j, j, j) } }
        joints { rope: distance(ground, rod.at(l, 0), length = 0), ball: distance(ground, top, length = l - l) }
    }
}
