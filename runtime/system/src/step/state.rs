//! The state of a model at one time.

use costate_numerics::scalar::{LANES, Lanes, Scalar, Vector, component_into, gather, lane_into, scatter};

use crate::model::{Functions, Point};

/// Generalized coordinates, velocities, accelerations and Lagrange multipliers at one time: x = (q, v, a, lambda).
#[derive(Debug, Clone)]
pub struct State<M: Functions, S: Scalar> {
    /// q (n).
    pub coordinates: M::Coordinates<S>,
    /// v (n).
    pub velocities: M::Coordinates<S>,
    /// a (n).
    pub accelerations: M::Coordinates<S>,
    /// lambda (m).
    pub multipliers: M::Multipliers<S>,
}

impl<M: Functions<Program = ()>, S: Scalar> State<M, S> {
    /// Returns the state of zeros.
    pub fn zeros() -> Self {
        Self::zeros_of(())
    }
}

impl<M: Functions, S: Scalar> State<M, S> {
    /// Returns the state of zeros of the model with this program.
    #[doc(hidden)]
    pub fn zeros_of(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        Self {
            coordinates: Vector::zeros(lengths.coordinates),
            velocities: Vector::zeros(lengths.coordinates),
            accelerations: Vector::zeros(lengths.coordinates),
            multipliers: Vector::zeros(lengths.multipliers),
        }
    }

    /// Takes the state from its stored form: q, v, a, lambda in sequence (3n + m).
    #[doc(hidden)]
    pub fn load(&mut self, stored: &[S]) {
        let n = self.coordinates.as_ref().len();
        self.coordinates.as_mut().copy_from_slice(&stored[..n]);
        self.velocities.as_mut().copy_from_slice(&stored[n..2 * n]);
        self.accelerations.as_mut().copy_from_slice(&stored[2 * n..3 * n]);
        self.multipliers.as_mut().copy_from_slice(&stored[3 * n..]);
    }

    /// Appends q, v, a, lambda to `stored`.
    #[doc(hidden)]
    pub fn store(&self, stored: &mut Vec<S>) {
        stored.extend_from_slice(self.coordinates.as_ref());
        stored.extend_from_slice(self.velocities.as_ref());
        stored.extend_from_slice(self.accelerations.as_ref());
        stored.extend_from_slice(self.multipliers.as_ref());
    }

    /// Writes q, v, a, lambda to `row`.
    #[inline(always)]
    #[doc(hidden)]
    pub fn store_row(&self, mut row: &mut [S]) {
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
    #[doc(hidden)]
    pub fn real_into(&self, real: &mut State<M, f64>) {
        self.component_into(0, real);
    }

    /// Writes component `index` of all numbers to `to`.
    #[doc(hidden)]
    pub fn component_into(&self, index: usize, to: &mut State<M, f64>) {
        component_into(self.coordinates.as_ref(), index, to.coordinates.as_mut());
        component_into(self.velocities.as_ref(), index, to.velocities.as_mut());
        component_into(self.accelerations.as_ref(), index, to.accelerations.as_mut());
        component_into(self.multipliers.as_ref(), index, to.multipliers.as_mut());
    }

    /// q, v, a, lambda.
    #[inline(always)]
    #[doc(hidden)]
    pub fn parts(&self) -> [&[S]; 4] {
        let Self { coordinates, velocities, accelerations, multipliers } = self;
        [coordinates.as_ref(), velocities.as_ref(), accelerations.as_ref(), multipliers.as_ref()]
    }

    /// The point at which the model's functions are evaluated: this state at `time` in s.
    #[doc(hidden)]
    pub fn point<'a>(&'a self, time: f64, inputs: &'a M::Inputs<S>, constants: &'a M::Constants<S>) -> Point<'a, M, S> {
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

impl<M: Functions> State<M, Lanes> {
    /// Writes the state of one lane to `to`.
    #[doc(hidden)]
    pub fn lane_into(&self, lane: usize, to: &mut State<M, f64>) {
        lane_into(self.coordinates.as_ref(), lane, to.coordinates.as_mut());
        lane_into(self.velocities.as_ref(), lane, to.velocities.as_mut());
        lane_into(self.accelerations.as_ref(), lane, to.accelerations.as_mut());
        lane_into(self.multipliers.as_ref(), lane, to.multipliers.as_mut());
    }

    /// Puts four states side by side.
    #[doc(hidden)]
    pub fn gather(&mut self, [a, b, c, d]: [&State<M, f64>; LANES]) {
        gather(
            self.coordinates.as_mut(),
            [a.coordinates.as_ref(), b.coordinates.as_ref(), c.coordinates.as_ref(), d.coordinates.as_ref()],
        );
        gather(
            self.velocities.as_mut(),
            [a.velocities.as_ref(), b.velocities.as_ref(), c.velocities.as_ref(), d.velocities.as_ref()],
        );
        gather(
            self.accelerations.as_mut(),
            [a.accelerations.as_ref(), b.accelerations.as_ref(), c.accelerations.as_ref(), d.accelerations.as_ref()],
        );
        gather(
            self.multipliers.as_mut(),
            [a.multipliers.as_ref(), b.multipliers.as_ref(), c.multipliers.as_ref(), d.multipliers.as_ref()],
        );
    }

    /// Takes them apart, each into its stored form.
    #[inline(always)]
    #[doc(hidden)]
    pub fn scatter_stored(&self, mut to: [&mut [f64]; LANES]) {
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
    #[doc(hidden)]
    pub fn gather_stored(&mut self, [a, b, c, d]: [&[f64]; LANES]) {
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
