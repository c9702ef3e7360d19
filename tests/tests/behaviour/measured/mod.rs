//! Identifications of one model from records that are filtered, and from numbers that are predicted without a run.

mod bad_numbers;
mod closed_forms;
mod complex_curves;
mod filtered;
mod predictions;

costate::model! {
    #[interpreted]
    /// A mass on a spring with a drive.
    pub Oscillator {
        parameters { m: kg = 2, c: N/m = 800, c_3: N/m^3 = 2e5, d: N*s/m = 3 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        initial { x = 0.02[m], dot(x) = 0[m/s] }
        outputs { acceleration: m/s^2 = ddot(x), position: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// A mass on a spring, with a damper whose curve may be unknown.
    pub Damped {
        parameters { m: kg = 2, c: N/m = 800 }
        tables { damper(speed: m/s): N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - damper(dot(x)) }
        initial { x = 0.02[m], dot(x) = 0[m/s] }
        outputs { position: m = x }
    }
}
