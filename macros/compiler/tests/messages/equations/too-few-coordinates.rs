costate::model! {
    Points {
        parameters { m: kg = 1, l: m = 3 }
        coordinates { x: m, y: m, z: m, w: m }
        mass { x: m, y: m, z: m, w: m }
        constraints { rod: x^2 + y^2 - l^2, other: z - w, slope: x - y, height: y - l }
    }
}
