costate::model! {
    pub Mechanism {
        parameters { m: kg = 1, j: kg*m^2 = 1 }
        body { rod: planar { mass: m, inertia: j } }
        joint { pin: revolute(ground, rod) }
        elements { weight: gravity(rod) }
        initial { dot(rod.position) = (0, 0) }
    }
}
