costate::model! {
    pub Mechanism {
        coordinates { x: m }
        outputs { energy: J = motion }
        kinetic { motion: dot(x)^2/2 }
    }
}
