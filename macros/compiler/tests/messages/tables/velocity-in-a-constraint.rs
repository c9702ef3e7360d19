costate::model! {
    M {
        parameters { m: kg = 1 }
        tables { path(v: m/s): m }
        coordinates { x: m }
        mass { x: m }
        constraints { guide: x - path(dot(x)) }
    }
}
