costate::model! {
    pub Mechanism {
        coordinates { x: m }
        kinetic { dot(x)^2/2 }
        dissipation { ddot(x)*dot(x) }
    }
}
