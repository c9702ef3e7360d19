costate::model! {
    pub Slider {
        parameters { m: kg = 2.0, c: N/m = 50.0, l: m = 0.5 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        forces { x: -c*x[1], x[2]: -c*x }
    }
}
