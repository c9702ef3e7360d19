costate::model! {
    Point {
        parameters { m: kg = 1, l: m = 3 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        constraints { rod: x^2 + y^2 + l^2, circle: exp(x/l) + 1 }
    }
}
