costate::model! {
    pub Slider {
        parameters { m: kg = 2, c: N/m = 50, d: N*s/m = 3, l: m = 0.5, w: rad/s = 4 }
        inputs { drive: N }
        coordinates { x: m, phi: rad }
        mass { x: m, phi: m*l^2 }
        forces { x: -1[N]*value(x, mm)^1.3 - d*dot(x), phi: -1[N*m]*value(phi, mm)*value(x, N) }
        initial { dot(phi) = w }
    }
}
