//! Vectors of numbers and their parts: components, real parts, lanes.

use super::{LANES, Lanes, Scalar, Vector};

/// Puts four vectors side by side, from the last number to the first.
#[inline(always)]
pub fn gather(to: &mut [Lanes], [a, b, c, d]: [&[f64]; LANES]) {
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
pub fn scatter(from: &[Lanes], to: [&mut [f64]; LANES]) {
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
pub fn component_into<S: Scalar>(from: &[S], index: usize, to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.component(index);
    }
}

/// Copies the numbers of one lane.
pub fn lane_into(from: &[Lanes], lane: usize, to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.lane(lane);
    }
}

/// Copies real parts.
pub fn real_into<S: Scalar>(from: &[S], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.real();
    }
}

/// The real parts of a vector as another vector.
pub fn real_part<S: Scalar, V: Vector<S>, R: Vector<f64>>(from: &V) -> R {
    let mut to = R::zeros(from.as_ref().len());
    real_into(from.as_ref(), to.as_mut());
    to
}

/// Real numbers as constants of another scalar type.
pub fn lift_into<S: Scalar>(from: &[f64], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::constant(*from);
    }
}

/// The array with these entries.
pub fn array<S: Scalar, V: Vector<S>>(values: &[S]) -> V {
    let mut array = V::zeros(values.len());
    array.as_mut().iter_mut().zip(values).for_each(|(to, from)| *to = *from);
    array
}
