costate::model! {
    Point {
        parameters { m: kg = 1 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        constraints { always: x - x, never: y - y + 2[m] }
    }
}
