costate::model! {
    pub Slider {
        parameters { c: N/m = 2*stiffness, m: kg = 2.0, stiffness: N/m = 25.0, l: m = dot(x) }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - c*x, y: -c*y }
    }
}
