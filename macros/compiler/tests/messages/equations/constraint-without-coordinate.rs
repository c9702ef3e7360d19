costate::model! {
    Point {
        parameters { m: kg = 1, l: m = 3, speed: m/s = 2 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        constraints { motion: l - speed*t, lengths: l - 2[m]*m/m }
    }
}
