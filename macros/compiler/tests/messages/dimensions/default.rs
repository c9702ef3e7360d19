costate::model! {
    pub Slider {
        parameters { m: kg = 2[g], c: N/m = 50[N], d: N*s/m = 3, l: mm = 2[cm] + 3, w: rad/s = 40[rpm] }
        inputs { drive: N }
        coordinates { x: m, phi: rad }
        mass { x: m, phi: m*l^2 }
        forces { x: drive - c*x - d*dot(x), phi: -c*l^2*phi }
        initial { dot(phi) = w }
    }
}
