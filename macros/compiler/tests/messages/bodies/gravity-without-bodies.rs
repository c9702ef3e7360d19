costate::model! {
    pub Mechanism {
        coordinates { x: m }
        mass { x: 1 }
        gravity { (0, -9.81) }
    }
}
