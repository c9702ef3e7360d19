costate::model! {
    pub Sensor {
        parameters { m: kg = 2, c: N/m = 50 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
        outputs { a: g = ddot(x) }
    }
}
