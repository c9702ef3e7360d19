//! Where frames of bodies are, how they move, and what forces on them do.

use super::super::lower::Lowering;
use super::Body;
use super::frames::Frame;
use super::inertia::{global_map, local_map};
use super::vector::{self, Matrix, Vector};
use crate::diagnostic::Place;
use crate::symbolic::{Function, Id, Symbol};

impl Lowering<'_> {
    pub(super) fn euler_parameters(&mut self, body: Body) -> [Id; 4] {
        [3, 4, 5, 6].map(|i| self.graph.symbol(Symbol::Coordinate(body.first + i)))
    }

    pub(super) fn euler_rates(&mut self, body: Body) -> [Id; 4] {
        [3, 4, 5, 6].map(|i| self.graph.symbol(Symbol::Velocity(body.first + i)))
    }

    /// B, from the axes of the body to inertial ones (OB 2.20).
    pub(super) fn axes_of(&mut self, body: Body) -> Matrix {
        if body.spatial {
            return self.spatial_axes(body);
        }
        let graph = &mut self.graph;
        let angle = graph.symbol(Symbol::Coordinate(body.first + 2));
        let (sin, cos) = (graph.unary(Function::Sin, angle), graph.unary(Function::Cos, angle));
        let (zero, one, minus) = (graph.zero(), graph.constant(1.0), graph.negate(sin));
        [[cos, minus, zero], [sin, cos, zero], [zero, zero, one]]
    }

    fn spatial_axes(&mut self, body: Body) -> Matrix {
        let [e0, e1, e2, e3] = self.euler_parameters(body);
        let graph = &mut self.graph;
        let (one, two) = (graph.constant(1.0), graph.constant(2.0));
        let mut diagonal = |a: Id, b: Id| {
            let (a, b) = (graph.power_integer(a, 2), graph.power_integer(b, 2));
            let sum = graph.add(a, b);
            let twice = graph.multiply(two, sum);
            graph.subtract(one, twice)
        };
        let (xx, yy, zz) = (diagonal(e2, e3), diagonal(e1, e3), diagonal(e1, e2));
        let mut beside = |(a, b): (Id, Id), (c, d): (Id, Id)| {
            let (left, right) = (graph.multiply(a, b), graph.multiply(c, d));
            let (sum, difference) = (graph.add(left, right), graph.subtract(left, right));
            (graph.multiply(two, sum), graph.multiply(two, difference))
        };
        let (yx, xy) = beside((e1, e2), (e0, e3));
        let (xz, zx) = beside((e1, e3), (e0, e2));
        let (zy, yz) = beside((e2, e3), (e0, e1));
        [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]
    }

    /// The body that carries a frame; `None` is the ground.
    pub(super) fn body(&self, body: Option<usize>) -> Option<Body> {
        self.mechanism.bodies.get(body?).copied()
    }

    /// From the origin of a body to a point of it, in inertial axes.
    pub(super) fn lever(&mut self, body: Option<usize>, point: Vector) -> Vector {
        match self.body(body) {
            Some(body) => self.lever_of(body, point),
            None => point,
        }
    }

    pub(super) fn lever_of(&mut self, body: Body, point: Vector) -> Vector {
        let axes = self.axes_of(body);
        vector::apply(&mut self.graph, axes, point)
    }

    /// The origin of a body's frame.
    pub(super) fn origin(&mut self, body: Option<usize>) -> Vector {
        let graph = &mut self.graph;
        let zero = graph.zero();
        let Some(body) = body.and_then(|body| self.mechanism.bodies.get(body)) else { return [zero; 3] };
        let mut coordinate = |i: usize| graph.symbol(Symbol::Coordinate(body.first + i));
        let z = if body.spatial { coordinate(2) } else { zero };
        [coordinate(0), coordinate(1), z]
    }

    /// r = u + B R (OB 2.15).
    pub(super) fn position(&mut self, frame: Frame) -> Vector {
        let (origin, lever) = (self.origin(frame.body), self.lever(frame.body, frame.point));
        vector::add(&mut self.graph, origin, lever)
    }

    /// The axes of a frame as columns, in inertial axes.
    pub(super) fn axes(&mut self, frame: Frame) -> Matrix {
        let Some(body) = self.body(frame.body) else { return frame.turn };
        let axes = self.axes_of(body);
        vector::product(&mut self.graph, axes, frame.turn)
    }

    /// A direction of a frame in inertial axes.
    pub(super) fn direction_of(&mut self, frame: Frame, direction: [f64; 3]) -> Vector {
        let direction = vector::constant(&mut self.graph, direction);
        let local = vector::apply(&mut self.graph, frame.turn, direction);
        self.lever(frame.body, local)
    }

    /// The angle of a frame in the plane.
    pub(super) fn plane_angle(&mut self, frame: Frame) -> Id {
        let Some(body) = self.body(frame.body) else { return frame.angle };
        let angle = self.graph.symbol(Symbol::Coordinate(body.first + 2));
        self.graph.add(angle, frame.angle)
    }

    /// W = G e' (OB 2.26), in the axes of the body.
    pub(super) fn local_angular_velocity(&mut self, body: Body) -> Vector {
        if !body.spatial {
            return self.angular_velocity_of(body);
        }
        let (e, rates) = (self.euler_parameters(body), self.euler_rates(body));
        let map = local_map(&mut self.graph, e);
        map_rates(&mut self.graph, map, rates)
    }

    fn angular_velocity_of(&mut self, body: Body) -> Vector {
        if !body.spatial {
            let graph = &mut self.graph;
            return [graph.zero(), graph.zero(), graph.symbol(Symbol::Velocity(body.first + 2))];
        }
        let (e, rates) = (self.euler_parameters(body), self.euler_rates(body));
        let map = global_map(&mut self.graph, e);
        map_rates(&mut self.graph, map, rates)
    }

    /// In inertial axes.
    pub(super) fn angular_velocity(&mut self, body: Option<usize>) -> Vector {
        match self.body(body) {
            Some(body) => self.angular_velocity_of(body),
            None => vector::zero(&mut self.graph),
        }
    }

    /// Adds a force, in inertial axes, that acts on a body at `lever` from its origin (OB 2.33).
    pub(super) fn add_body_force(&mut self, body: Option<usize>, force: Vector, lever: Vector, place: Place) {
        let Some(this) = self.body(body) else { return };
        for (i, component) in force.into_iter().enumerate().take(if this.spatial { 3 } else { 2 }) {
            self.add_force(this.first + i, component, place);
        }
        let moment = vector::cross(&mut self.graph, lever, force);
        self.add_body_torque(body, moment, place);
    }

    /// Adds a force at a frame.
    pub(super) fn add_frame_force(&mut self, frame: Frame, force: Vector, place: Place) {
        let lever = self.lever(frame.body, frame.point);
        self.add_body_force(frame.body, force, lever, place);
    }

    /// Adds a torque in inertial axes: Q = (B G)^T m.
    pub(super) fn add_body_torque(&mut self, body: Option<usize>, torque: Vector, place: Place) {
        let Some(body) = self.body(body) else { return };
        if !body.spatial {
            self.add_force(body.first + 2, torque[2], place);
            return;
        }
        let e = self.euler_parameters(body);
        let map = global_map(&mut self.graph, e);
        for j in 0..4 {
            let force = vector::dot(&mut self.graph, map.map(|row| row[j]), torque);
            self.add_force(body.first + 3 + j, force, place);
        }
    }

    /// Force and torque about the origin, in inertial axes, of generalized forces on a body.
    pub(super) fn force_and_torque(&mut self, body: Body, generalized: &[Id]) -> (Vector, Vector) {
        let zero = self.graph.zero();
        if !body.spatial {
            return ([generalized[0], generalized[1], zero], [zero, zero, generalized[2]]);
        }
        let e = self.euler_parameters(body);
        let graph = &mut self.graph;
        let quarter = graph.constant(0.25);
        // (B G) (B G)^T = 4
        let torque = global_map(graph, e).map(|row| {
            let products = [0, 1, 2, 3].map(|j| graph.multiply(row[j], generalized[3 + j]));
            let sum = graph.sum(products);
            graph.multiply(quarter, sum)
        });
        ([generalized[0], generalized[1], generalized[2]], torque)
    }
}

fn map_rates(graph: &mut crate::symbolic::Graph, map: [[Id; 4]; 3], rates: [Id; 4]) -> Vector {
    map.map(|row| {
        let products = [0, 1, 2, 3].map(|j| graph.multiply(row[j], rates[j]));
        graph.sum(products)
    })
}
