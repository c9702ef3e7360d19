//! Errors of the continuous adjoint.

use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::problem::SimulationError;

/// Reason why the continuous adjoint gives no gradient.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ContinuousAdjointError {
    /// An order without a formula.
    #[error(transparent)]
    Order(#[from] OutOfRange),
    /// A cost of accelerations or multipliers, which the adjoint equations do not have.
    #[error(
        "output `{output}` depends on accelerations or multipliers, which the continuous adjoint does not know: take \
         the discrete adjoint or direct differentiation"
    )]
    Output { output: &'static str },
    /// A run, derivatives or parameters that do not belong to the problem, adaptive steps, a step without solution, an
    /// initial state without derivative, or an interruption.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_any_thread() {
        fn error<E: std::error::Error + Send + Sync + 'static>() {}
        error::<ContinuousAdjointError>();
    }
}
