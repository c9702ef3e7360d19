costate::model! {
    pub Mechanism {
        parameters { l: m = 1 }
        bodies { rod[1..=2]: planar { mass: 2, inertia: 0.1 } }
        forces { rod[1].x: (1, 2) }
    }
}

fn main() {}
