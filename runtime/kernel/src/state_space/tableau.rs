//! The explicit formulas of Runge and Kutta.

/// Which explicit formula takes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RungeKutta {
    /// Third order (KE 2.42 to 2.45): enough where a record has twenty samples per period.
    #[default]
    Third,
    /// The classical formula of fourth order.
    Fourth,
}

impl RungeKutta {
    /// Coefficients of the stages before, times of the stages, and weights, of which only `stages` count.
    pub(super) fn tableau(self) -> Tableau {
        match self {
            Self::Third => Tableau {
                stages: 3,
                coefficients: [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [-1.0, 2.0, 0.0, 0.0], [0.0; 4]],
                times: [0.0, 0.5, 1.0, 0.0],
                weights: [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0],
            },
            Self::Fourth => Tableau {
                stages: 4,
                coefficients: [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
                times: [0.0, 0.5, 0.5, 1.0],
                weights: [1.0 / 6.0, 2.0 / 6.0, 2.0 / 6.0, 1.0 / 6.0],
            },
        }
    }
}

/// A formula in numbers: coefficients of the stages before, times of the stages in parts of the step, weights.
pub(super) struct Tableau {
    pub stages: usize,
    pub coefficients: [[f64; 4]; 4],
    pub times: [f64; 4],
    pub weights: [f64; 4],
}
