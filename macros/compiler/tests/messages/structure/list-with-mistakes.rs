costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c[1..=n]: N/m = [10, 1/0, n/0], d[1..=n]: 1 = [1; 3], e[1..=n]: 1 = [1..=3], f[1..=n]: mm = [1, 2, 3][mm] }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -c[i]*x[i] } }
    }
}
