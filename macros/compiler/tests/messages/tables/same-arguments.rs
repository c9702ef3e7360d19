costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(x: m, x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x, x) }
    }
}
