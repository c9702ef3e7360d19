costate::model! {
    /// Five mistakes, five messages.
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = m }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m*dot(x) }
        forces { x: drive - stiffness*x, z: -c*y }
        constraints { joint: x - drive }
        outputs { load: N = multiplier(joint), power: W = sinn(x)*dot(x) }
    }
}
