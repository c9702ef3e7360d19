costate::model! {
    pub Chain(n: usize = 3) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        forces { for i in 1..=n { x[i]: -[c, c]*x[i] } }
        let stiffness = [c, 2*c];
        initial { x[1] = if n > 2 { [1] } else { 0 } }
    }
}
