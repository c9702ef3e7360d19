//! Modes as pictures that move.

use std::f64::consts::TAU;

use costate_view::{Animation, Mechanism, Motion, Plot};
use nalgebra::Complex;

use costate_contract::shown::Shown;

use crate::error::VibrationError;
use crate::mode::{Mode, ModeKind, Modes};

impl Modes {
    /// Returns the shape of a mode as a picture that moves, slowed down or sped up so that it takes 2 s, as large as
    /// can be seen well: a period of the mode without its decay, or the motion over some time constants where it does
    /// not oscillate. Rigid motions are shown back and forth.
    ///
    /// # Errors
    /// [`VibrationError::NoMode`].
    pub fn animation(&self, index: usize) -> Result<Animation, VibrationError> {
        /// Pictures in a period.
        const PICTURES: usize = 48;
        /// The time in which a period is played, in s.
        const PLAYED_PERIOD: f64 = 2.0;
        /// Part of the size of a quantity in a mode below which it is rounding.
        const SHAPE_ROUNDING: f64 = 1e-9;
        /// Time constants of a motion that does not oscillate: 0.7 % of it are left.
        const TIME_CONSTANTS: f64 = 5.0;
        /// The largest rotation that is shown, in rad, and the largest displacement relative to the distance between
        /// bodies.
        const MAX_SHOWN_MOTION: f64 = 0.15;
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
        let factor = if largest > 0.0 { MAX_SHOWN_MOTION / largest } else { 0.0 };
        let (kind, rate) = (mode.kind(), mode.eigenvalue.re);
        let turn = |picture: usize| {
            let share = picture as f64 / PICTURES as f64;
            match kind {
                // as large as can be seen at the start of a decay, and at the end of a growth
                ModeKind::Aperiodic if rate > 0.0 => Complex::from(factor * (TIME_CONSTANTS * (share - 1.0)).exp()),
                ModeKind::Aperiodic => Complex::from(factor * (-TIME_CONSTANTS * share).exp()),
                _ => Complex::from_polar(factor, TAU * share),
            }
        };
        let at = |picture: usize| {
            let turn = turn(picture);
            rest.iter().zip(&mode.shape).map(|(rest, entry)| rest + (entry * turn).re).collect::<Vec<f64>>()
        };
        let period = match kind {
            ModeKind::Oscillation => 1.0 / mode.damped_frequency(),
            ModeKind::Aperiodic => TIME_CONSTANTS / rate.abs(),
            ModeKind::Rigid => PLAYED_PERIOD,
        };
        let interval = period / PICTURES as f64;
        let shapes = mode.outputs.iter().zip(self.output_sizes(mode));
        let shapes =
            shapes.map(|(shape, size)| if shape.norm() > SHAPE_ROUNDING * size { *shape } else { Complex::default() });
        let plots = model.outputs.iter().zip(shapes).map(|(quantity, shape)| Plot {
            name: quantity.name.to_owned(),
            unit: quantity.unit.to_owned(),
            documentation: quantity.documentation.to_owned(),
            points: (0..=PICTURES).map(|picture| (picture as f64 * interval, (shape * turn(picture)).re)).collect(),
        });
        let mechanism = Mechanism::new(model.scene, &numbers);
        let motion = Motion::new(mechanism, interval, PICTURES + 1, at, plots.collect());
        let title = format!("{}, mode {}", model.name, index + 1);
        let what = match kind {
            ModeKind::Oscillation => format!(
                "{} Hz, damping {}; one period of {} s without its decay, played in {PLAYED_PERIOD} s",
                Shown(mode.damped_frequency()),
                crate::mode_table::damping(mode),
                Shown(period)
            ),
            ModeKind::Rigid => "a rigid motion, shown back and forth".to_owned(),
            ModeKind::Aperiodic => {
                format!("exp({} t) over {} s, played in {PLAYED_PERIOD} s", Shown(rate), Shown(period))
            }
        };
        let text =
            format!("{what}. A mode has a shape and no size: all amplitudes are arbitrary, their ratios are not.");
        Ok(Animation::new(&title, &text, motion).played_at(period / PLAYED_PERIOD))
    }

    /// Returns the sizes that all outputs would have if every coordinate, velocity, acceleration and reaction moved as
    /// much as the largest one of its unit.
    fn output_sizes(&self, mode: &Mode) -> Vec<f64> {
        let (model, rate) = (self.description(), mode.eigenvalue.norm());
        let largest = |unit: &str| {
            let alike = model.coordinates.iter().zip(&mode.shape).filter(|(of, _)| of.unit == unit);
            alike.fold(0.0, |most: f64, (_, entry)| most.max(entry.norm()))
        };
        let sizes: Vec<f64> = model.coordinates.iter().map(|of| largest(of.unit)).collect();
        let reaction = mode.multipliers.iter().fold(0.0, |most: f64, entry| most.max(entry.norm()));
        let outputs = &self.model.outputs;
        let mut all = vec![0.0; model.outputs.len()];
        for (matrix, factor) in
            [(&outputs.by_coordinates, 1.0), (&outputs.by_velocities, rate), (&outputs.by_accelerations, rate * rate)]
        {
            for (row, column, value) in matrix.iter() {
                all[row] += value.abs() * factor * sizes[column];
            }
        }
        for (row, _, value) in outputs.by_multipliers.iter() {
            all[row] += value.abs() * reaction;
        }
        all
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
        let size = ranges.iter().map(|[low, high]| high - low).filter(|size| size.is_finite()).fold(0.0, f64::max);
        if size > 0.0 { size } else { 1.0 }
    }
}
