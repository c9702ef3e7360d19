costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(x: m) = "missing.csv" }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x) }
    }
}
