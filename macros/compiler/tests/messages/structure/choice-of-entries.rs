costate::model! {
    pub Strut(damped: bool = true) {
        parameters { c: N/m = 40, d: N*s/m = 2 }
        coordinates { x: m, y: m }
        mass { x: 1[kg], y: 1[kg] }
        forces { if x > 0 { x: -c*x }, if damp { x: -d*dot(x) }, if damped x: 0, y: -c*y, if damped { y: -k*y } }
    }
}
