costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { bearing(x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -baering(x) }
    }
}
