costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { force(x: m, y: m, z: m): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -force(x, 1, 2) }
    }
}
