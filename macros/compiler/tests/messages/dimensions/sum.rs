costate::model! {
    pub Slider {
        parameters { m: kg = 2, c: N/m = 50, d: N*s/m = 3, l: m = 0.5, w: rad/s = 4 }
        inputs { drive: N }
        coordinates { x: m, phi: rad }
        mass { x: m, phi: m*l^2 }
        forces { x: drive - c*x - d*x, phi: -c*l^2*phi }
        initial { dot(phi) = w }
    }
}
