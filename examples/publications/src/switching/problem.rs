//! A linear system whose input switches between its bounds.

use nalgebra::{DMatrix, DVector};

use super::error::SwitchingError;
use costate_numerics::linalg::MatrixFault;

/// z' = A z + b u + c, z(0) = z_0, u in [u-, u+], with the cost J = int_0^T h dt to be minimised, where
/// h = -1/2 (z, 1)^T W (z, 1) is minus what is to be large, and end conditions z_k(T) = 0 (OB 5.3.1).
///
/// With H = h + p^T (A z + b u + c) the adjoint variables obey p' = -H_z^T, p_k(T) = 0 but where there is an end
/// condition; Pontryagin's principle, OB (5.21), makes u the lower bound where s = p^T b > 0 and the upper one where s
/// < 0.
///
/// ```
/// use costate_publications::switching::{Bound, SwitchingProblem};
/// use nalgebra::{DMatrix, DVector};
///
/// // The oscillator x'' = -x + u and its sensitivity x_c'' = -x_c - x (OB 5.23): h = -1/2 x_c^2.
/// let a = DMatrix::from_row_slice(4, 4, &[
///     0.0, 1.0, 0.0, 0.0,
///     -1.0, 0.0, 0.0, 0.0,
///     0.0, 0.0, 0.0, 1.0,
///     -1.0, 0.0, -1.0, 0.0,
/// ]);
/// let b = DVector::from_vec(vec![0.0, 1.0, 0.0, 0.0]);
/// let weight = DMatrix::from_diagonal(&DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]));
/// let problem = SwitchingProblem::new(a, b, weight, 2.0 * std::f64::consts::PI)?.within(-1.0, 1.0)?;
/// let extremal = problem.extremal(Bound::Upper, &[3.0])?;
/// assert!(extremal.pontryagin.is_satisfied());
/// # Ok::<(), costate_publications::switching::SwitchingError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SwitchingProblem {
    /// [[A, c], [0, 0]].
    pub(super) system: DMatrix<f64>,
    /// (b, 0).
    pub(super) input: DVector<f64>,
    /// W.
    pub(super) weight: DMatrix<f64>,
    /// (z_0, 1).
    pub(super) initial: DVector<f64>,
    pub(super) bounds: (f64, f64),
    pub(super) end: f64,
    pub(super) end_conditions: Vec<usize>,
}

/// A bound of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// u-.
    Lower,
    /// u+.
    Upper,
}

impl Bound {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

impl SwitchingProblem {
    /// A problem with A (n x n), b (n), the symmetric Q (n x n) of h = -1/2 z^T Q z, and the end time T in s; at rest
    /// at t = 0, without c and end conditions, and with |u| <= 1.
    ///
    /// # Errors
    /// [`SwitchingError::Matrix`], [`SwitchingError::End`].
    pub fn new(
        system: DMatrix<f64>,
        input: DVector<f64>,
        weight: DMatrix<f64>,
        end: f64,
    ) -> Result<Self, SwitchingError> {
        let n = input.len();
        check("system", &system, (n, n))?;
        check("input", &input, (n.max(1), 1))?;
        check("weight", &weight, (n, n))?;
        MatrixFault::check_symmetric(&weight).map_err(|fault| SwitchingError::Matrix { field: "weight", fault })?;
        if !(end > 0.0 && end.is_finite()) {
            return Err(SwitchingError::End { end });
        }
        let mut initial = DVector::zeros(n + 1);
        initial[n] = 1.0;
        Ok(Self {
            system: system.resize(n + 1, n + 1, 0.0),
            input: input.resize_vertically(n + 1, 0.0),
            weight: weight.resize(n + 1, n + 1, 0.0),
            initial,
            bounds: (-1.0, 1.0),
            end,
            end_conditions: Vec::new(),
        })
    }

    /// z_0 (n).
    ///
    /// # Errors
    /// [`SwitchingError::Matrix`].
    pub fn starting_at(mut self, initial: &DVector<f64>) -> Result<Self, SwitchingError> {
        let n = self.states();
        check("initial", initial, (n, 1))?;
        self.initial.rows_mut(0, n).copy_from(initial);
        Ok(self)
    }

    /// The constant part c (n) of the right-hand side.
    ///
    /// # Errors
    /// [`SwitchingError::Matrix`].
    pub fn with_constant(mut self, constant: &DVector<f64>) -> Result<Self, SwitchingError> {
        let n = self.states();
        check("constant", constant, (n, 1))?;
        self.system.view_mut((0, n), (n, 1)).copy_from(constant);
        Ok(self)
    }

    /// The linear part r (n) of h = -1/2 z^T Q z - r^T z - ...
    ///
    /// # Errors
    /// [`SwitchingError::Matrix`].
    pub fn with_linear_weight(mut self, linear: &DVector<f64>) -> Result<Self, SwitchingError> {
        let n = self.states();
        check("linear weight", linear, (n, 1))?;
        self.weight.view_mut((0, n), (n, 1)).copy_from(linear);
        self.weight.view_mut((n, 0), (1, n)).copy_from(&linear.transpose());
        Ok(self)
    }

    /// The constant part w of h = ... - w/2, which changes J but not the switching times.
    ///
    /// # Errors
    /// [`SwitchingError::Matrix`].
    pub fn with_constant_weight(mut self, constant: f64) -> Result<Self, SwitchingError> {
        let n = self.states();
        check("constant weight", &DVector::from_element(1, constant), (1, 1))?;
        self.weight[(n, n)] = constant;
        Ok(self)
    }

    /// The bounds u- and u+ of the input.
    ///
    /// # Errors
    /// [`SwitchingError::Bounds`].
    pub fn within(mut self, lower: f64, upper: f64) -> Result<Self, SwitchingError> {
        if !(lower < upper && (upper - lower).is_finite()) {
            return Err(SwitchingError::Bounds { lower, upper });
        }
        self.bounds = (lower, upper);
        Ok(self)
    }

    /// z_k(T) = 0 for these k, from 0; their adjoint variables p_k(T) are unknown then.
    ///
    /// # Errors
    /// [`SwitchingError::EndCondition`].
    pub fn ending_at_zero(mut self, states: impl IntoIterator<Item = usize>) -> Result<Self, SwitchingError> {
        let n = self.states();
        for state in states {
            if state >= n || self.end_conditions.contains(&state) {
                return Err(SwitchingError::EndCondition { state, limit: n.saturating_sub(1) });
            }
            self.end_conditions.push(state);
        }
        Ok(self)
    }

    /// Number of states n.
    pub fn states(&self) -> usize {
        self.input.len() - 1
    }

    /// End time T in s.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The states that are 0 at the end.
    pub fn end_conditions(&self) -> &[usize] {
        &self.end_conditions
    }

    /// The value of a bound.
    pub fn value(&self, bound: Bound) -> f64 {
        match bound {
            Bound::Lower => self.bounds.0,
            Bound::Upper => self.bounds.1,
        }
    }

    /// The matrix of e' = F e with the input at this bound.
    pub(super) fn matrix(&self, bound: Bound) -> DMatrix<f64> {
        let mut matrix = self.system.clone();
        let n = self.states();
        let mut last = matrix.column_mut(n);
        last.axpy(self.value(bound), &self.input, 1.0);
        matrix
    }

    /// The bound in every interval between switching times.
    pub(super) fn bounds_from(first: Bound, intervals: usize) -> impl Iterator<Item = Bound> {
        (0..intervals).map(move |i| if i % 2 == 0 { first } else { first.other() })
    }

    pub(super) fn check_times(&self, times: &[f64]) -> Result<(), SwitchingError> {
        let mut before = 0.0;
        for (index, &time) in times.iter().enumerate() {
            if !(time >= before && time <= self.end) {
                return Err(SwitchingError::Order { index, time, end: self.end });
            }
            before = time;
        }
        Ok(())
    }
}

fn check<R: nalgebra::Dim, C: nalgebra::Dim, S: nalgebra::RawStorage<f64, R, C>>(
    field: &'static str,
    matrix: &nalgebra::Matrix<f64, R, C, S>,
    size: (usize, usize),
) -> Result<(), SwitchingError> {
    MatrixFault::check_size(matrix, size)
        .and_then(|()| MatrixFault::check_finite(matrix))
        .map_err(|fault| SwitchingError::Matrix { field, fault })
}
