costate::model! {
    Masses {
        parameters { m: kg = 1, n: kg = 0, k: kg = 2, l: m = 3 }
        coordinates { x: m, y: m, z: m, phi: rad }
        mass { x: -2[kg], y: n*2, z: m - k, phi: -m^2/1[kg]*l^2 }
        forces { x: -2[N/m]*x }
    }
}
