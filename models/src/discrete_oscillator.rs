//! The oscillator of DA 4, whose discrete adjoint is written out there: m q'' = -c q - d q', measured by its
//! acceleration.

costate::model! {
    /// Free oscillator with an acceleration sensor (DA 4).
    pub DiscreteOscillator {
        parameters {
            m: kg = 1.0,
            c: N/m = 1.0,
            d: N*s/m = 0.5,
            /// Initial displacement.
            q_0: m = 1.0,
        }
        coordinates { q: m }
        mass { q: m }
        forces { q: -c*q - d*dot(q) }
        initial { q = q_0 }
        outputs { acceleration: m/s^2 = ddot(q) }
    }
}
