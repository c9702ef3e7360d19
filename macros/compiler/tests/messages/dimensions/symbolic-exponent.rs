costate::model! {
    pub Slider {
        parameters { m: kg = 2, c: N/m = 50, l: m = 0.5, w: rad/s = 4, n: 1 = 1.5 }
        inputs { drive: N }
        coordinates { x: m, phi: rad }
        mass { x: m, phi: m*l^2 }
        forces { x: drive - c*x^n, phi: -c*l^2*phi^n }
        initial { dot(phi) = w }
    }
}
