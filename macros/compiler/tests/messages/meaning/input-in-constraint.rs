costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        inputs { base: m }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        constraints { joint: x - base }
    }
}
