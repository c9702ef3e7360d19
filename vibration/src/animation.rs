//! Modes as pictures that move.

use std::f64::consts::TAU;

use costate_view::{Animation, Mechanism, Motion, Plot};

use crate::error::VibrationError;
use crate::mode::Modes;

/// Pictures in a period.
const PICTURES: usize = 48;
/// The time in which a period is shown, in s.
const PERIOD: f64 = 2.0;
/// The largest rotation that is shown, in rad, and the largest displacement relative to the distance between bodies.
const LARGEST: f64 = 0.15;

impl Modes {
    /// Returns the shape of a mode as a picture that moves: a period of the mode without its decay, as large as can be seen well.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`].
    pub fn animation(&self, index: usize) -> Result<Animation, VibrationError> {
        let mode = self.mode(index)?;
        let (model, place) = (self.description(), &self.model.place);
        let numbers = place.problem.system().geometry(&place.parameters, place.problem.tables());
        let rest = &self.model.state.coordinates;
        let size = self.size_of_mechanism();
        let relative = model.coordinates.iter().zip(&mode.shape).map(|(coordinate, entry)| {
            let range = if coordinate.unit == "m" { size } else { 1.0 };
            entry.norm() / range
        });
        let largest = relative.fold(0.0, f64::max);
        let factor = if largest > 0.0 { LARGEST / largest } else { 0.0 };
        let at = |picture: usize| {
            let turn = nalgebra::Complex::from_polar(factor, TAU * picture as f64 / PICTURES as f64);
            rest.iter().zip(&mode.shape).map(|(rest, entry)| rest + (entry * turn).re).collect::<Vec<f64>>()
        };
        let interval = PERIOD / PICTURES as f64;
        let plots = model.outputs.iter().zip(&mode.outputs).map(|(quantity, shape)| Plot {
            name: quantity.name.to_owned(),
            unit: quantity.unit.to_owned(),
            documentation: quantity.documentation.to_owned(),
            points: (0..=PICTURES)
                .map(|picture| {
                    let turn = nalgebra::Complex::from_polar(factor, TAU * picture as f64 / PICTURES as f64);
                    (picture as f64 * interval, (shape * turn).re)
                })
                .collect(),
        });
        let mechanism = Mechanism::new(model.scene, &numbers);
        let motion = Motion::new(mechanism, interval, PICTURES + 1, at, plots.collect());
        let title = format!("{}, mode {}", model.name, index + 1);
        let text = format!("{:.4} Hz, damping ratio {:.3} %", mode.frequency(), 100.0 * mode.damping_ratio());
        Ok(Animation::new(&title, &text, motion))
    }

    /// Returns the largest distance between two bodies, or 1 m without bodies.
    fn size_of_mechanism(&self) -> f64 {
        let (model, q) = (self.description(), &self.model.state.coordinates);
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for body in model.scene.bodies.iter() {
            let dimensions = if body.spatial { 3 } else { 2 };
            for (range, value) in ranges.iter_mut().zip(q.iter().skip(body.first as usize).take(dimensions)) {
                *range = [range[0].min(*value), range[1].max(*value)];
            }
        }
        let size =
            ranges.iter().map(|[low, high]| high - low).filter(|size| size.is_finite()).fold(0.0, f64::max);
        if size > 0.0 { size } else { 1.0 }
    }
}
