costate::model! {
    pub Chain(n: usize = 0) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m, y: m }
        mass { y: m }
        forces { y: -c*y }
    }
}
