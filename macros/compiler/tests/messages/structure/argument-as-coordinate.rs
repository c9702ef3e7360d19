costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { n: -c*x[1] }
        initial { n = 2, dot(x[1]) = n*1[m/s] }
    }
}
