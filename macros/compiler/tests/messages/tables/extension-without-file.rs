costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(periodic x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x) }
    }
}
