costate::model! {
    pub Mechanism {
        coordinates { x: m }
        kinetic { motion: dot(x)^2/2, motion: dot(x)^2, x: dot(x)^2 }
    }
}
