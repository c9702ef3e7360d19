costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2, inertia: 0.1 } }
        bodies { top: spatial { mass: 1, inertia: (1, 1, 2) } }
        joints { pin: revolute(rod[1], top) }
        elements { strut: spring(top, rod[2], stiffness = 3) }
    }
}

fn main() {}
