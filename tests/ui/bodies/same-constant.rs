costate::model! {
    pub Mechanism {
        parameters { rod_x: m = 2 }
        bodies { rod: planar { mass: rod_x } }
    }
}

fn main() {}
