costate::model! {
    pub Chain {
        parameters { m: kg = [1, 2], c[1]: N/m = [50.0] }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c[1]*x }
    }
}
