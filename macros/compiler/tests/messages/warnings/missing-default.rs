#![deny(warnings)]

costate::model! {
    pub Chain {
        parameters { m: kg, c: N/m = 3, l[1..=2]: m }
        coordinates { x[1..=2]: m }
        mass { for i in 1..=2 { x[i]: m } }
        forces { for i in 1..=2 { x[i]: -c*(x[i] - l[i]) } }
    }
}
