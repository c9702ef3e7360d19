costate::model! {
    Mass {
        parameters { m: kg = 1, c: N/m = 3 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        forces { for i in 1..=3 { x[i]: -c*x[i]/(i - 2), x[i]: if i == 3 { 0 } else { c*x[i]/(i - 3) } } }
    }
}
