costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { x[[1]]: -c*x[[2]] }
    }
}
