costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { sin(x: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -sin(x) }
    }
}
