costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2, inertia: 0.1 } }
        gravity { (0, -9.81) }
        gravity { (0, -1.62) }
    }
}

fn main() {}
