costate::model! {
    /// Divided by the mass, but for one term.
    Oscillator {
        parameters { c: 1/s^2 = 1, d: 1/s = 0.5 }
        coordinates { x: m, y: m }
        mass { x: 1, y: 1 }
        forces { x: -c*(x - y) - 2*d*dot(x), y: -c*(y - x) + d*y }
    }
}
