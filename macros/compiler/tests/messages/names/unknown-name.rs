costate::model! {
    pub Slider {
        parameters { mass_m: kg = 2.0, stiffness: N/m = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: mass_m, y: mass_m }
        forces { x: drive - stifness*x, y: -q*y }
    }
}
