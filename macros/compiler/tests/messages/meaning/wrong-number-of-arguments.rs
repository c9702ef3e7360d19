costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: sin(x, y) + atan2(x) + min(y), y: smooth_step(x, 0) + dot(x, y) + cos() }
    }
}
