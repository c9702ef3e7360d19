costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2, inertia: 0.1 } }
        initial { dot(rod[1].x) ~ 3, rod[1].velocity ~ (1, 2) }
    }
}
