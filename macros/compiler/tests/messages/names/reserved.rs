costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, t: s = 0.5, pi: 1 = 3.0, sin: 1 = 1.0 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x*pi*t*sin, y: -c*y }
    }
}
