//! The effect of the rounding of a state on what is computed from it: numbers below are the rest of an exact zero.

use costate_numerics::scalar::Scalar;
use costate_system::system::StateVectors;

use super::level::Level;
use crate::rounding::ROUNDINGS;

/// The change of every number that `compute` gives, if each position, at [`Level::Velocities`] each velocity too, is
/// rounded as the largest one is: those near zero come from others that are not. Of the numbers' components those in
/// `components` are rounded.
pub(super) fn of_state<S: Scalar>(
    level: Level,
    components: &[usize],
    state: &StateVectors<S>,
    compute: impl Fn(&StateVectors<S>) -> Vec<f64>,
) -> Vec<f64> {
    /// The relative change of numbers by which dependences are measured: half the digits of a number.
    const CHANGE: f64 = 1.0 / (1_u64 << 26) as f64;
    let given = compute(state);
    let mut sum = vec![0.0; given.len()];
    let levels: &[Level] = match level {
        Level::Positions => &[Level::Positions],
        Level::Velocities => &[Level::Positions, Level::Velocities],
    };
    let mut changed = state.clone();
    for &level in levels {
        for &component in components {
            let numbers = level.unknowns(&mut changed).iter();
            let largest = numbers.fold(0.0, |most: f64, number| most.max(number.component(component).abs()));
            for j in 0..level.unknowns(&mut changed).len() {
                let number = level.unknowns(&mut changed)[j];
                level.unknowns(&mut changed)[j]
                    .set_component(component, number.component(component) + CHANGE * largest);
                for (sum, (new, given)) in sum.iter_mut().zip(compute(&changed).iter().zip(&given)) {
                    *sum += (new - given).abs() * (ROUNDINGS * f64::EPSILON / CHANGE);
                }
                level.unknowns(&mut changed)[j] = number;
            }
        }
    }
    sum
}
