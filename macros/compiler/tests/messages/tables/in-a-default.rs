costate::model! {
    M {
        parameters { m: kg = 1, c: N = force(2) }
        tables { force(x: m): N }
        coordinates { x: m }
        mass { x: m }
    }
}
