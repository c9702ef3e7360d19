costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -m*x }
    }
}
