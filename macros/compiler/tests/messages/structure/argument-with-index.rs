costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = n[1], c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c*n[i]*x[i] } }
    }
}
