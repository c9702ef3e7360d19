//! The objective of a minimisation, and the failures of its evaluation.

use std::error::Error;

use super::method::Method;

/// Reason why a cost or gradient could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure<E> {
    /// No evaluation at this point: the line search takes the cost as infinite there and steps back.
    Here(E),
    /// No evaluation at all: the minimisation ends with this error.
    Stop(E),
}

/// A cost J(p) and its gradient.
pub trait Objective {
    /// Reason why the objective cannot be evaluated.
    type Error;

    /// Evaluates J at `parameters`, one per variable.
    ///
    /// # Errors
    /// [`Failure`]; a cost that is not finite counts as [`Failure::Here`].
    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<Self::Error>>;

    /// Announces the next likely calls of [`cost`](Objective::cost), in this order: an objective may evaluate
    /// several of these parameters at once, faster than one after the other. Its results must not depend on
    /// announcements.
    fn announce(&mut self, _parameters: &[Vec<f64>]) {}

    /// Writes dJ/dp to `gradient`. The parameters are always those of the latest call of
    /// [`cost`](Objective::cost), which succeeded.
    ///
    /// # Errors
    /// [`Failure`].
    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Self::Error>>;
}

/// Residuals r(p) of a cost J = 1/2 r^T r, and their derivatives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinearResiduals {
    /// r, weights included: sqrt(w_j) (s_j - measured_j).
    pub values: Vec<f64>,
    /// dr/dp_k of all residuals, for every parameter k.
    pub derivatives: Vec<Vec<f64>>,
}

impl LinearResiduals {
    /// 1/2 r^T r.
    pub fn cost(&self) -> f64 {
        0.5 * self.values.iter().map(|r| r * r).sum::<f64>()
    }

    pub(super) fn check(&self, parameters: usize) -> Result<(), MethodError> {
        let residuals = self.values.len();
        let (columns, rows) = (self.derivatives.len(), self.derivatives.iter().map(Vec::len));
        match rows.clone().find(|rows| *rows != residuals) {
            None if columns == parameters => Ok(()),
            wrong => {
                let rows = wrong.unwrap_or(residuals);
                Err(MethodError::Shape { residuals, parameters, columns, rows })
            }
        }
    }
}

/// A cost J(p) = 1/2 r^T r whose residuals and their derivatives are known.
pub trait LeastSquaresObjective: Objective {
    /// Evaluates r and dr/dp at `parameters`, where [`cost`](Objective::cost) has succeeded before, though not
    /// necessarily in its latest call.
    ///
    /// # Errors
    /// [`Failure`]; numbers that are not finite count as [`Failure::Here`].
    fn residuals(&mut self, parameters: &[f64]) -> Result<LinearResiduals, Failure<Self::Error>>;

    /// Evaluates r alone, at the parameters of the latest call of [`cost`](Objective::cost), which succeeded;
    /// `None` where r would cost as much as its derivatives. Methods that know r at the end of a step correct the
    /// step to second order.
    ///
    /// # Errors
    /// [`Failure`].
    fn residual_values(&mut self, _parameters: &[f64]) -> Result<Option<Vec<f64>>, Failure<Self::Error>> {
        Ok(None)
    }

    /// Checks whether there are as many residuals as data, so that their variance is that of the noise; not where
    /// residuals are combined to fewer.
    fn are_residuals_counted(&self) -> bool {
        true
    }

    /// Checks whether the cost has residuals; a cost of several parts may have a part without them.
    fn has_residuals(&self) -> bool {
        true
    }
}

/// A reason why a method cannot minimise an objective.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum MethodError {
    /// The method needs residuals, and there are none.
    #[error(
        "{method} needs the residuals of a least-squares cost, and this cost has none; choose another method, for \
             example BFGS"
    )]
    NoResiduals { method: Method },
    /// The shape of the derivatives does not fit the residuals and parameters.
    #[error(
        "the derivatives of {residuals} residuals with respect to {parameters} parameters have {columns} columns of \
             {rows} rows; give one column per parameter with one entry per residual"
    )]
    Shape { residuals: usize, parameters: usize, columns: usize, rows: usize },
    /// Half the sum of the squared residuals is not the cost.
    #[error(
        "the cost at the start is {cost}, but half the sum of the squared residuals is {squares}; include weights and \
             factors in the residuals"
    )]
    NotLeastSquares {
        cost: f64,
        /// 1/2 r^T r.
        squares: f64,
    },
    /// The parts of a stored state do not fit together.
    #[error("the state of the minimisation is damaged; begin anew")]
    Damaged,
}

/// A minimisation that ended without a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum OptimizeError<E: Error + 'static> {
    /// The cost cannot be evaluated at the start values.
    #[error("the cost cannot be evaluated at the start values; choose others")]
    Start {
        #[source]
        source: E,
    },
    /// Cost or gradient are infinite or NaN at the start values.
    #[error("the cost or its gradient is not finite at the start values; choose others")]
    StartNotFinite,
    /// The method cannot minimise this objective from this state.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The objective or the observer asked to stop.
    #[error("the minimisation was stopped")]
    Stopped {
        #[source]
        source: E,
    },
}
