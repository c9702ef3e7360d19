costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x1: m, y1: m }
        mass { x1: m, (x1, y2): m }
        forces { x1: drive }
    }
}
