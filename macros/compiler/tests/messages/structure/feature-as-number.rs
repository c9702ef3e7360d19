costate::model! {
    pub Strut(damped: bool = true, n: usize = damped, elements: bool = 2) {
        parameters { c: N/m = 40, d: N*s/m = 2 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x - damped*d*dot(x) }
    }
}
