costate::model! {
    Points {
        parameters { m: kg = 1, l: m = 3 }
        coordinates { x: m, y: m, z: m, w: m }
        mass { x: m, y: m, z: m, w: m }
        constraints { first: x - y, second: y - z - l, other: w + 2*x, third: x - z }
    }
}
