costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c[1..=n]: N/m = if m > 2 { [10, 20] } else { [10, 20, 30] }, d: 1 = if t < 1 || x[1] > 0 { 1 } else { 2 } }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c[i]*x[i] } }
    }
}
