costate::model! {
    M {
        parameters { m: kg = 1, c: N/m = 1 }
        tables { force(): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
    }
}
