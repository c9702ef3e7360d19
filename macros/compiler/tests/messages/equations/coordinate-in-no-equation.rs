costate::model! {
    Chain {
        parameters { m: kg = 1, c: N/m = 3 }
        coordinates { x: m, node: m }
        mass { x: m }
        forces { x: -c*x, node: c*x }
    }
}
