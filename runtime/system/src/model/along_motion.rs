//! The constraints along a motion, which emitted functions evaluate.

use costate_numerics::scalar::{Moving, Scalar, Vector};

use super::functions::Functions;
use super::point::Point;

/// The time and the coordinates of a model, on which its constraints depend.
#[derive(Debug)]
pub struct Configuration<'a, S, Q> {
    /// Time t in s.
    pub time: S,
    /// Generalized coordinates q, a vector of the model.
    pub coordinates: &'a Q,
}

/// Evaluates functions of the configuration in a motion through a point with its velocities and accelerations, and
/// returns their rates and accelerations.
pub fn along_motion<M: Functions, S: Scalar, const N: usize>(
    at: &Point<'_, M, S>,
    evaluate: impl FnOnce(&Configuration<'_, Moving<S>, M::Coordinates<Moving<S>>>, &mut [Moving<S>; N]),
) -> [[S; N]; 2] {
    let time = Moving { value: at.time, rate: S::constant(1.0), acceleration: S::constant(0.0) };
    let mut coordinates = M::Coordinates::<Moving<S>>::zeros(at.coordinates.as_ref().len());
    let rates = at.velocities.as_ref().iter().zip(at.accelerations.as_ref());
    let numbers = at.coordinates.as_ref().iter().zip(rates);
    for (to, (&value, (&rate, &acceleration))) in coordinates.as_mut().iter_mut().zip(numbers) {
        *to = Moving { value, rate, acceleration };
    }
    let mut values = [Moving::default(); N];
    evaluate(&Configuration { time, coordinates: &coordinates }, &mut values);
    [values.map(|number| number.rate), values.map(|number| number.acceleration)]
}
