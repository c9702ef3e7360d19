costate::model! {
    /// The nodes pull at x and nothing holds them.
    Chain {
        parameters { m: kg = 1, c: N/m = 3 }
        coordinates { x: m, left: m, right: m }
        mass { x: m }
        forces { x: c*(left + right - x), left: c*x, right: c*x }
    }
}
