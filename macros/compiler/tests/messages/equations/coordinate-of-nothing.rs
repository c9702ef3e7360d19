costate::model! {
    Chain {
        parameters { m: kg = 1, c: N/m = 3 }
        inputs { drive: N }
        coordinates { x: m, y: m, z: m, end: m }
        mass { x: m, y: m }
        forces { x: -c*(x - y), y: c*(x - y), z: drive, end: c*x }
    }
}
