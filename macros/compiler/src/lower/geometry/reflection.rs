//! Mirror images: reflections in planes of coordinates, and what several of them make together.
//!
//! A reflection S is a diagonal matrix of signs, the same in inertial axes and in the axes of every body. The text of a
//! component that is mirrored describes the reflected world: a polar vector v (a position, a force) is S v there, an
//! axial one (an angular velocity, a torque) is det(S) S v, and the axes B of a body are S B S.

use super::euler;
use super::frame::Frame;
use super::vector::{Matrix, Vector};
use crate::symbolic::{Graph, Id};

/// The signs of the components of polar vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reflection([f64; 3]);

impl Default for Reflection {
    /// Returns the world as it is.
    fn default() -> Self {
        Reflection([1.0; 3])
    }
}

/// The rule by which a number changes its sign in a mirror image.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sense {
    /// True for components of axial vectors.
    pub axial: bool,
    /// The component of a vector, if the number is one.
    pub component: Option<usize>,
    /// Axes that the number is measured along or about.
    pub axes: [Option<[f64; 3]>; 2],
}

impl Sense {
    /// A component of a polar vector.
    pub const fn polar(component: usize) -> Self {
        Sense { axial: false, component: Some(component), axes: [None; 2] }
    }

    /// A component of an axial vector.
    pub const fn axial(component: usize) -> Self {
        Sense { axial: true, component: Some(component), axes: [None; 2] }
    }

    /// A displacement along an axis.
    pub const fn along(axis: [f64; 3]) -> Self {
        Sense { axial: false, component: None, axes: [Some(axis), None] }
    }

    /// An angle about an axis.
    pub const fn about(axis: [f64; 3]) -> Self {
        Sense { axial: true, component: None, axes: [Some(axis), None] }
    }
}

impl Reflection {
    /// Returns the reflection in the plane across a direction, if that is one of the axes of coordinates.
    pub fn across(normal: [f64; 3]) -> Option<Self> {
        let mut signs = [1.0; 3];
        for (sign, component) in signs.iter_mut().zip(normal) {
            if component.abs() == 1.0 {
                *sign = -1.0;
            } else if component != 0.0 {
                return None;
            }
        }
        Some(Reflection(signs))
    }

    /// Returns this reflection and another one together.
    pub fn and(self, other: Reflection) -> Self {
        Reflection([0, 1, 2].map(|i| self.0[i] * other.0[i]))
    }

    /// Checks whether nothing is reflected.
    pub fn is_none(self) -> bool {
        self.0 == [1.0; 3]
    }

    fn determinant(self) -> f64 {
        self.0.iter().product()
    }

    fn axial_signs(self) -> [f64; 3] {
        let determinant = self.determinant();
        self.0.map(|sign| determinant * sign)
    }

    /// Returns the image of a polar vector.
    pub fn polar(self, graph: &mut Graph, vector: Vector) -> Vector {
        signed(graph, self.0, vector)
    }

    /// Returns the image of an axial vector.
    pub fn axial(self, graph: &mut Graph, vector: Vector) -> Vector {
        signed(graph, self.axial_signs(), vector)
    }

    /// Returns a vector, with the opposite sign if the component along an axis of coordinates changes its sign.
    pub fn scaled(self, graph: &mut Graph, component: usize, vector: Vector) -> Vector {
        if self.0[component] < 0.0 { super::vector::negate(graph, vector) } else { vector }
    }

    /// Returns the image of a polar direction of numbers.
    pub fn polar_numbers(self, vector: [f64; 3]) -> [f64; 3] {
        scaled(self.0, vector)
    }

    /// Returns the image of an axial direction of numbers.
    pub fn axial_numbers(self, vector: [f64; 3]) -> [f64; 3] {
        scaled(self.axial_signs(), vector)
    }

    /// Returns S A S, the image of a matrix in polar axes.
    pub fn matrix(self, graph: &mut Graph, matrix: Matrix) -> Matrix {
        [0, 1, 2]
            .map(|i| [0, 1, 2].map(|j| if self.0[i] == self.0[j] { matrix[i][j] } else { graph.negate(matrix[i][j]) }))
    }

    /// Returns 1, or -1 if the image of an axis as a line points against the axis itself.
    fn sign_of_axis(self, axis: [f64; 3]) -> f64 {
        let image = self.polar_numbers(axis);
        let along: f64 = image.iter().zip(axis).map(|(a, b)| a * b).sum();
        if along < 0.0 { -1.0 } else { 1.0 }
    }

    /// Returns the image of an axis as a line. Of its two senses it has the one that is nearer to the axis itself, so
    /// that axes of coordinates remain as they are.
    pub fn axis(self, axis: [f64; 3]) -> [f64; 3] {
        let sign = self.sign_of_axis(axis);
        scaled(self.0.map(|own| sign * own), axis)
    }

    /// Checks whether a number changes its sign.
    pub fn changes(self, sense: Sense) -> bool {
        let mut sign = if sense.axial { self.determinant() } else { 1.0 };
        sign *= sense.component.map_or(1.0, |i| self.0[i]);
        for axis in sense.axes.into_iter().flatten() {
            sign *= self.sign_of_axis(axis);
        }
        sign < 0.0
    }

    /// Returns the image of a number.
    pub fn number(self, graph: &mut Graph, number: Id, sense: Sense) -> Id {
        if self.changes(sense) { graph.negate(number) } else { number }
    }

    /// Returns the image of a frame in the frame that it is given in.
    pub fn frame(self, graph: &mut Graph, frame: Frame) -> Frame {
        let point = self.polar(graph, frame.point);
        let turn = self.matrix(graph, frame.turn);
        let angle = self.number(graph, frame.angle, Sense::axial(2));
        let [e0, e1, e2, e3] = frame.euler;
        let [e1, e2, e3] = self.axial(graph, [e1, e2, e3]);
        Frame { point, turn, angle, euler: [e0, e1, e2, e3], ..frame }
    }
}

impl Frame {
    /// Returns a frame that is given in this one.
    pub fn with(self, graph: &mut Graph, inner: Frame) -> Frame {
        let step = super::vector::apply(graph, self.turn, inner.point);
        let point = super::vector::add(graph, self.point, step);
        let turn = super::vector::product(graph, self.turn, inner.turn);
        let angle = graph.add(self.angle, inner.angle);
        let euler = euler::product(graph, self.euler, inner.euler);
        Frame { body: self.body, point, turn, angle, euler }
    }
}

fn signed(graph: &mut Graph, signs: [f64; 3], vector: Vector) -> Vector {
    [0, 1, 2].map(|i| if signs[i] < 0.0 { graph.negate(vector[i]) } else { vector[i] })
}

/// Leaves no negative zeros.
fn scaled(signs: [f64; 3], vector: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| if vector[i] == 0.0 { 0.0 } else { signs[i] * vector[i] })
}
