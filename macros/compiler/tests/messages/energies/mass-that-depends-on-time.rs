costate::model! {
    pub Mechanism {
        coordinates { x: m }
        kinetic { (1 + (t/1[s])^2)*dot(x)^2/2 }
    }
}
