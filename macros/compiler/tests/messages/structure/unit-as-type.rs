costate::model! {
    pub Chain(n: kg*m^2 = 3, k: = 2) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c*x[i] } }
    }
}
