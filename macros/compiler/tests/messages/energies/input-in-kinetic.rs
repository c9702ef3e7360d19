costate::model! {
    pub Mechanism {
        inputs { u: N }
        coordinates { x: m }
        kinetic { u*dot(x)^2/2 }
    }
}
