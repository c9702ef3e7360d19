costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(x: m): N = data }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x) }
    }
}
