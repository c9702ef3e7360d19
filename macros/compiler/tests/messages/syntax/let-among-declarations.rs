costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, let stiffness = 50; c: N/m = 50, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x, y: -c*y }
    }
}
