costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(x: m, v: m/s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x) }
    }
}
