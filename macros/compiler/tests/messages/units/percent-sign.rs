costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: % = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x, y: -c*y }
    }
}
