costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        forces { for i in 1..=3 { for i in 1..=2 { x[i]: -c*x[i] } } }
    }
}
