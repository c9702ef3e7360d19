costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c[1..=n]: N/m = if n == 2 { [m, 20] } else if n == 3 { [10, 20, 30] } else if k == 2 { stiff(2) } else { [[1], pi] } }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c[i]*x[i] } }
    }
}
