costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, M: kg = 3.0, c: N/m = 50.0 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: M }
        forces { x: drive - c*x, y: -c*y }
    }
}
