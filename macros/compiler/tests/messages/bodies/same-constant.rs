costate::model! {
    pub Mechanism {
        parameters { rod_x: kg = 2 }
        bodies { rod: planar { mass: rod_x } }
    }
}
