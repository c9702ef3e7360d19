costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        forces { x[1..=3]: -c*x[1] }
    }
}
