costate::model! {
    pub Slider {
        parameters { m: kg = 2, c: N/m = 50[N*m], l: m = 0.5, w: rad/s = 4 }
        inputs { drive: N }
        coordinates { x: m, phi: rad }
        mass { x: m*l, phi: m*l^2 }
        forces { x: drive - c*x^2 - stiffness*x, phi: -c*phi }
        initial { dot(phi) = l }
        constraints { rod: x - phi }
        outputs { angle: deg = x }
    }
}
