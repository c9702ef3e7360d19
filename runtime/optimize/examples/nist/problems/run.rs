//! One minimisation of residuals from a start.

use costate_optimize::{OptimizerSettings, OptimizerState, Scaling, Variable, minimize_least_squares};

use super::residuals::Residuals;

/// The unknowns with these starts: without bounds, and scaled linearly, since they may have any sign.
pub fn variables(start: &[f64]) -> Vec<Variable> {
    let variable = |(k, &value): (usize, &f64)| {
        let typical = if value == 0.0 { 1.0 } else { value.abs() };
        Variable::new(format!("b{}", k + 1), value).scaled(Scaling::Linear { typical })
    };
    start.iter().enumerate().map(variable).collect()
}

/// Minimises from the start.
///
/// # Errors
/// Those of the start and of the minimisation.
pub fn run(residuals: &Residuals, start: &[f64], settings: OptimizerSettings) -> anyhow::Result<OptimizerState> {
    let mut state = OptimizerState::new(variables(start), settings)?;
    let mut objective = residuals;
    minimize_least_squares(&mut objective, &mut state, |_| Ok(()))?;
    Ok(state)
}

/// The largest error of a value relative to the expected one.
pub fn worst_relative_error(values: &[f64], expected: &[f64]) -> f64 {
    let errors = values.iter().zip(expected).map(|(value, expected)| ((value - expected) / expected).abs());
    // not `max` alone, which passes over NaN
    errors.fold(0.0, |worst: f64, error| if error.is_nan() { f64::INFINITY } else { worst.max(error) })
}
