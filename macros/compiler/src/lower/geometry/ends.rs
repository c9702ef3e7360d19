//! Two frames that a joint or an element connects: how the second lies to the first.

use super::body::origin;
use super::frame::Frame;
use super::vector::{self, Vector, across};
use crate::symbolic::{Function, Graph, Id, Symbol};

/// Two frames, and an axis in both of them.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    pub first: Frame,
    pub second: Frame,
    pub axis: [f64; 3],
}

impl Ends {
    /// From the second frame to the first.
    pub fn gap(self, graph: &mut Graph) -> Vector {
        let (first, second) = (self.first.position(graph), self.second.position(graph));
        vector::subtract(graph, first, second)
    }

    /// The position of the second frame relative to the first one, along a direction of the first.
    pub fn offset(self, graph: &mut Graph, direction: [f64; 3]) -> Id {
        let (first, second) = (self.first.position(graph), self.second.position(graph));
        let along = self.first.direction(graph, direction);
        let gap = vector::subtract(graph, second, first);
        vector::dot(graph, along, gap)
    }

    /// The displacement of the second frame relative to the first one, along the axis.
    pub fn displacement(self, graph: &mut Graph) -> Id {
        self.offset(graph, self.axis)
    }

    /// The cosine of the angle between a direction of the first frame and one of the second.
    pub fn cosine(self, graph: &mut Graph, first: [f64; 3], second: [f64; 3]) -> Id {
        let (first, second) = (self.first.direction(graph, first), self.second.direction(graph, second));
        vector::dot(graph, first, second)
    }

    /// The angle by which the second frame is turned in the plane.
    pub fn planar_turn(self, graph: &mut Graph) -> Id {
        let (first, second) = (self.first.plane_angle(graph), self.second.plane_angle(graph));
        graph.subtract(second, first)
    }

    /// The angle by which the second frame is turned about the axis; of spatial bodies from -pi to pi.
    pub fn angle(self, graph: &mut Graph, spatial: bool) -> Id {
        if !spatial {
            return self.planar_turn(graph);
        }
        let (sine, cosine) = self.sine_and_cosine(graph);
        graph.atan2(sine, cosine)
    }

    fn sine_and_cosine(self, graph: &mut Graph) -> (Id, Id) {
        let [u, w] = across(self.axis);
        (self.cosine(graph, w, u), self.cosine(graph, u, u))
    }

    /// The sine of what the angle of spatial bodies about the axis is more than `angle`.
    pub fn sine_of_difference(self, graph: &mut Graph, angle: Id) -> Id {
        let (sine, cosine) = self.sine_and_cosine(graph);
        let (sin, cos) = (graph.unary(Function::Sin, angle), graph.unary(Function::Cos, angle));
        let (left, right) = (graph.multiply(sine, cos), graph.multiply(cosine, sin));
        graph.subtract(left, right)
    }

    /// Force and torque, in inertial axes, that constraints, given with their positions, exert on the second body at
    /// the second frame.
    pub fn reaction(self, graph: &mut Graph, constraints: &[(usize, Id)]) -> (Vector, Vector) {
        // Of a body on the ground, the ground gets the opposite.
        let (carrier, opposite) = match self.second.body {
            Some(body) => (Some(body), false),
            None => (self.first.body, true),
        };
        let Some(body) = carrier else {
            let zero = vector::zero(graph);
            return (zero, zero);
        };
        let count = if body.spatial { 7 } else { 3 };
        let generalized: Vec<Id> = (0..count).map(|i| constraint_force(graph, constraints, body.first + i)).collect();
        let (mut force, mut torque) = body.force_and_torque(graph, &generalized);
        if opposite {
            force = vector::negate(graph, force);
            torque = vector::negate(graph, torque);
        }
        // from the origin of the body to the second frame
        let (origin, at) = (origin(graph, carrier), self.second.position(graph));
        let lever = vector::subtract(graph, at, origin);
        let moment = vector::cross(graph, lever, force);
        (force, vector::subtract(graph, torque, moment))
    }
}

/// -C_q^T lambda in the direction of a coordinate.
fn constraint_force(graph: &mut Graph, constraints: &[(usize, Id)], coordinate: usize) -> Id {
    let mut sum = graph.zero();
    for &(i, constraint) in constraints {
        let slope = graph.differentiate(constraint, Symbol::Coordinate(coordinate));
        let multiplier = graph.symbol(Symbol::Multiplier(i));
        let term = graph.multiply(slope, multiplier);
        sum = graph.subtract(sum, term);
    }
    sum
}
