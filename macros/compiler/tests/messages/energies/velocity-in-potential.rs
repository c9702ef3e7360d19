costate::model! {
    pub Mechanism {
        coordinates { x: m }
        kinetic { dot(x)^2/2 }
        potential { 3*x^2 + dot(x) }
    }
}
