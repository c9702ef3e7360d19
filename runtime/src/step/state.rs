//! The state of a model at one time.

use crate::model::{Model, Point};
use crate::scalar::{LANES, Lanes};
use crate::scalar::{Scalar, Vector};

/// Generalized coordinates, velocities, accelerations and Lagrange multipliers at one time: x = (q, v, a, lambda).
#[derive(Debug, Clone)]
pub struct State<M: Model, S: Scalar> {
    /// q (n).
    pub coordinates: M::Coordinates<S>,
    /// v (n).
    pub velocities: M::Coordinates<S>,
    /// a (n).
    pub accelerations: M::Coordinates<S>,
    /// lambda (m).
    pub multipliers: M::Multipliers<S>,
}

impl<M: Model, S: Scalar> State<M, S> {
    /// Numbers of its stored form, 3n + m.
    pub(crate) const STRIDE: usize =
        3 * <M::Coordinates<S> as Vector<S>>::LENGTH + <M::Multipliers<S> as Vector<S>>::LENGTH;

    /// Everything zero.
    pub fn zeros() -> Self {
        Self {
            coordinates: Vector::zeros(),
            velocities: Vector::zeros(),
            accelerations: Vector::zeros(),
            multipliers: Vector::zeros(),
        }
    }

    /// Takes the state from its stored form: q, v, a, lambda in sequence (3n + m).
    pub(crate) fn load(&mut self, stored: &[S]) {
        let n = <M::Coordinates<S> as Vector<S>>::LENGTH;
        self.coordinates.as_mut().copy_from_slice(&stored[..n]);
        self.velocities.as_mut().copy_from_slice(&stored[n..2 * n]);
        self.accelerations.as_mut().copy_from_slice(&stored[2 * n..3 * n]);
        self.multipliers.as_mut().copy_from_slice(&stored[3 * n..]);
    }

    /// Appends q, v, a, lambda to `stored`.
    pub(crate) fn store(&self, stored: &mut Vec<S>) {
        stored.extend_from_slice(self.coordinates.as_ref());
        stored.extend_from_slice(self.velocities.as_ref());
        stored.extend_from_slice(self.accelerations.as_ref());
        stored.extend_from_slice(self.multipliers.as_ref());
    }

    /// Writes q, v, a, lambda to `row`.
    #[inline(always)]
    pub(crate) fn store_row(&self, mut row: &mut [S]) {
        for part in self.parts() {
            let (to, rest) = row.split_at_mut(part.len());
            let (fours, last) = part.as_chunks::<4>();
            let (to_fours, to_last) = to.as_chunks_mut::<4>();
            // no wider than the time loop has just written them, so that nothing waits for memory
            for (to, from) in to_fours.iter_mut().zip(fours) {
                *to = *from;
            }
            for (to, from) in to_last.iter_mut().zip(last) {
                *to = *from;
            }
            row = rest;
        }
    }

    /// Writes the real parts to `real`.
    pub(crate) fn real_into(&self, real: &mut State<M, f64>) {
        self.component_into(0, real);
    }

    /// Writes component `index` of all numbers to `to`.
    pub(crate) fn component_into(&self, index: usize, to: &mut State<M, f64>) {
        component_into(self.coordinates.as_ref(), index, to.coordinates.as_mut());
        component_into(self.velocities.as_ref(), index, to.velocities.as_mut());
        component_into(self.accelerations.as_ref(), index, to.accelerations.as_mut());
        component_into(self.multipliers.as_ref(), index, to.multipliers.as_mut());
    }

    /// q, v, a, lambda.
    #[inline(always)]
    pub(crate) fn parts(&self) -> [&[S]; 4] {
        let Self { coordinates, velocities, accelerations, multipliers } = self;
        [coordinates.as_ref(), velocities.as_ref(), accelerations.as_ref(), multipliers.as_ref()]
    }

    /// Where the model's functions are evaluated: this state at `time` in s.
    pub(crate) fn point<'a>(
        &'a self,
        time: f64,
        inputs: &'a M::Inputs<S>,
        constants: &'a M::Constants<S>,
    ) -> Point<'a, M, S> {
        Point {
            time: S::constant(time),
            coordinates: &self.coordinates,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            multipliers: &self.multipliers,
            inputs,
            constants,
        }
    }
}

impl<M: Model> State<M, Lanes> {
    /// Puts four states side by side.
    pub(crate) fn gather(&mut self, from: [&State<M, f64>; LANES]) {
        gather(self.coordinates.as_mut(), from.map(|from| from.coordinates.as_ref()));
        gather(self.velocities.as_mut(), from.map(|from| from.velocities.as_ref()));
        gather(self.accelerations.as_mut(), from.map(|from| from.accelerations.as_ref()));
        gather(self.multipliers.as_mut(), from.map(|from| from.multipliers.as_ref()));
    }

    /// Takes them apart, each into its stored form.
    #[inline(always)]
    pub(crate) fn scatter_stored(&self, mut to: [&mut [f64]; LANES]) {
        for part in self.parts() {
            let [a, b, c, d] = to;
            let (a, b) = (a.split_at_mut(part.len()), b.split_at_mut(part.len()));
            let (c, d) = (c.split_at_mut(part.len()), d.split_at_mut(part.len()));
            scatter(part, [a.0, b.0, c.0, d.0]);
            to = [a.1, b.1, c.1, d.1];
        }
    }

    /// Puts four states side by side that are in their stored form, from the last number to the first, for a sweep from
    /// the last state to the first one: the processor fetches what is read in one direction ahead of time.
    #[inline(always)]
    pub(crate) fn gather_stored(&mut self, [a, b, c, d]: [&[f64]; LANES]) {
        let mut end = a.len();
        let Self { coordinates, velocities, accelerations, multipliers } = self;
        let parts = [multipliers.as_mut(), accelerations.as_mut(), velocities.as_mut(), coordinates.as_mut()];
        for part in parts {
            let start = end - part.len();
            gather(part, [&a[start..end], &b[start..end], &c[start..end], &d[start..end]]);
            end = start;
        }
    }
}

/// Puts four vectors side by side, from the last number to the first.
#[inline(always)]
pub(crate) fn gather(to: &mut [Lanes], [a, b, c, d]: [&[f64]; LANES]) {
    let Some(lanes) = to.first().copied() else { return };
    let (whole, rest) = to.as_chunks_mut::<LANES>();
    let ((a, last_a), (b, last_b)) = (a.as_chunks(), b.as_chunks());
    let ((c, last_c), (d, last_d)) = (c.as_chunks(), d.as_chunks());
    let last = last_a.iter().zip(last_b).zip(last_c.iter().zip(last_d));
    for (to, ((a, b), (c, d))) in rest.iter_mut().zip(last).rev() {
        *to = lanes.with([*a, *b, *c, *d]);
    }
    for ((to, (a, b)), (c, d)) in whole.iter_mut().zip(a.iter().zip(b)).zip(c.iter().zip(d)).rev() {
        *to = Lanes::transpose([lanes.with(*a), lanes.with(*b), lanes.with(*c), lanes.with(*d)]);
    }
}

/// The opposite: takes four vectors apart.
#[inline(always)]
pub(crate) fn scatter(from: &[Lanes], to: [&mut [f64]; LANES]) {
    let (whole, rest) = from.as_chunks::<LANES>();
    let [a, b, c, d] = to;
    let ((a, last_a), (b, last_b)) = (a.as_chunks_mut(), b.as_chunks_mut());
    let ((c, last_c), (d, last_d)) = (c.as_chunks_mut(), d.as_chunks_mut());
    for ((from, (a, b)), (c, d)) in whole.iter().zip(a.iter_mut().zip(b)).zip(c.iter_mut().zip(d)) {
        let [of_a, of_b, of_c, of_d] = Lanes::transpose(*from);
        (*a, *b, *c, *d) = (of_a.array(), of_b.array(), of_c.array(), of_d.array());
    }
    let last = last_a.iter_mut().zip(last_b).zip(last_c.iter_mut().zip(last_d));
    for (from, ((a, b), (c, d))) in rest.iter().zip(last) {
        [*a, *b, *c, *d] = from.array();
    }
}

/// Copies one component.
pub(crate) fn component_into<S: Scalar>(from: &[S], index: usize, to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.component(index);
    }
}

/// Copies real parts.
pub(crate) fn real_into<S: Scalar>(from: &[S], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.real();
    }
}

/// The real parts of a vector as another vector.
pub(crate) fn real_part<S: Scalar, V: Vector<S>, R: Vector<f64>>(from: &V) -> R {
    let mut to = R::zeros();
    real_into(from.as_ref(), to.as_mut());
    to
}

/// Real numbers as constants of another scalar type.
pub(crate) fn lift_into<S: Scalar>(from: &[f64], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::constant(*from);
    }
}
