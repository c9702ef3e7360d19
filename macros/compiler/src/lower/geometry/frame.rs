//! Frames that are fixed in bodies.

use super::body::{Body, lever, origin};
use super::euler;
use super::vector::{self, Matrix, Vector};
use crate::symbolic::{Graph, Id, Symbol};

/// A frame that is fixed in a body, or in the ground.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// The body that carries the frame; `None` is the ground.
    pub body: Option<Body>,
    /// Origin of the frame in the frame of the body.
    pub point: Vector,
    /// Axes of the frame as columns, in the axes of the body.
    pub turn: Matrix,
    /// Angle of the frame in the body, for planar frames.
    pub angle: Id,
    /// Euler parameters of the axes in the body, for spatial frames.
    pub euler: [Id; 4],
}

impl Frame {
    /// Returns the frame of a body itself.
    pub fn of(body: Option<Body>, graph: &mut Graph) -> Frame {
        Frame {
            body,
            point: vector::zero(graph),
            turn: vector::identity(graph),
            angle: graph.zero(),
            euler: euler::none(graph),
        }
    }

    /// Returns r = u + B R (OB 2.15).
    pub fn position(self, graph: &mut Graph) -> Vector {
        let (origin, lever) = (origin(graph, self.body), self.lever(graph));
        vector::add(graph, origin, lever)
    }

    /// Returns the vector from the origin of the body to that of the frame, in inertial axes.
    pub fn lever(self, graph: &mut Graph) -> Vector {
        lever(graph, self.body, self.point)
    }

    /// Returns the axes of the frame as columns, in inertial axes.
    pub fn axes(self, graph: &mut Graph) -> Matrix {
        let Some(body) = self.body else { return self.turn };
        let axes = body.axes(graph);
        vector::product(graph, axes, self.turn)
    }

    /// Converts a direction from the axes of the frame to the axes of its body.
    pub fn local(self, graph: &mut Graph, direction: [f64; 3]) -> Vector {
        let direction = vector::constant(graph, direction);
        vector::apply(graph, self.turn, direction)
    }

    /// Converts a direction from the axes of the frame to inertial axes.
    pub fn direction(self, graph: &mut Graph, direction: [f64; 3]) -> Vector {
        let local = self.local(graph, direction);
        lever(graph, self.body, local)
    }

    /// Returns the Euler parameters of the axes of a spatial frame.
    pub fn euler_parameters(self, graph: &mut Graph) -> [Id; 4] {
        let Some(body) = self.body else { return self.euler };
        let of_body = body.euler_parameters(graph);
        euler::product(graph, of_body, self.euler)
    }

    /// Returns the angle of the frame in the plane.
    pub fn plane_angle(self, graph: &mut Graph) -> Id {
        let Some(body) = self.body else { return self.angle };
        let angle = graph.symbol(Symbol::Coordinate(body.first + 2));
        graph.add(angle, self.angle)
    }
}
