costate::model! {
    /// Without mass, a tie determines the distance of its ends, but not where they are.
    Tie {
        parameters { m: kg = 1, c: N/m = 3 }
        inputs { drive: N }
        coordinates { x: m, left: m, right: m }
        mass { x: m }
        forces { x: -c*x, left: drive }
        constraints { tie: left - right }
    }
}
