costate::model! {
    pub Slider {
        parameters { m: kg = 2.0 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: -x*1[N/m], y: -y*1[N/m] }
        initial { equilibrium x ~ 0.1[m], held(), held(x y) }
    }
}
