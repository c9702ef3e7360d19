costate::model! {
    pub Chain(masses: usize = 3) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=mases]: m, y[1..=masses]: m }
        mass { for i in 1..=mass { y[i]: m } }
        forces { for i in 1..=masses { y[i]: -c*masse*y[i] } }
    }
}
