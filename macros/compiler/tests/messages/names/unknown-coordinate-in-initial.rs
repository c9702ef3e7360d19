costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        inputs { drive: N }
        coordinates { phi: rad, psi: rad }
        mass { phi: m, psi: m }
        initial { phy = 0.1, dot(psy) = 2 }
    }
}
