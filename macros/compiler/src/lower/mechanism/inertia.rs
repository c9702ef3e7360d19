//! Mass matrices and gyroscopic forces of rigid bodies, for an origin anywhere in the body.

use super::Mechanism;
use crate::diagnostic::Place;
use crate::lower::geometry::{Body, Matrix, Vector, local_map, vector};
use crate::model::Norm;
use crate::symbolic::{Graph, Id, Symbol};

impl Mechanism {
    /// T = m |v|^2/2 + m v (omega x r_c) + (J + m |c|^2) omega^2/2 with r_c = B c from the origin to the centre of
    /// mass.
    pub fn add_planar_inertia(&mut self, body: Body, place: Place, mass: Id, inertia: Id, center: Vector) {
        let [x, y, angle] = [body.first, body.first + 1, body.first + 2];
        let axes = body.axes(self.graph());
        let graph = self.graph();
        let [cx, cy, _] = vector::apply(graph, axes, center);
        let squares = center.map(|c| graph.power_integer(c, 2));
        let square = graph.sum(squares);
        let steiner = graph.multiply(mass, square);
        let about_origin = graph.add(inertia, steiner);
        let (mx, my) = (graph.multiply(mass, cx), graph.multiply(mass, cy));
        let omega = graph.symbol(Symbol::Velocity(angle));
        let square = graph.power_integer(omega, 2);
        let centrifugal = [mx, my].map(|m| graph.multiply(m, square));
        let minus_my = graph.negate(my);
        self.system.add_mass(x, x, mass, place);
        self.system.add_mass(y, y, mass, place);
        self.system.add_mass(angle, angle, about_origin, place);
        self.system.add_mass(x, angle, minus_my, place);
        self.system.add_mass(y, angle, mx, place);
        self.system.add_force(x, centrifugal[0], place);
        self.system.add_force(y, centrifugal[1], place);
    }

    /// With the centre of mass at r_c = u + B c and J = d(B c)/de, M = [m I, m J; ., m J^T J + G^T I G], and the forces
    /// -m [I; J^T] J(e') e' and -2 G'^T I W, where W = G e' is the angular velocity in the axes of the body (OB 2.38,
    /// 2.39 and 2.41; the sign of the last force is misprinted in OB 2.40).
    pub fn add_spatial_inertia(&mut self, body: Body, place: Place, mass: Id, inertia: Matrix, center: Vector) {
        let arm = body.lever(self.graph(), center);
        let omega = body.local_angular_velocity(self.graph());
        let (e, rates) = (body.euler_parameters(self.graph()), body.euler_rates(self.graph()));
        let graph = self.graph();
        let (g, g_rate) = (local_map(graph, e), local_map(graph, rates));
        let columns = [0, 1, 2, 3].map(|j| g.map(|row| row[j]));
        let weighted = columns.map(|column| vector::apply(graph, inertia, column));
        let momentum = vector::apply(graph, inertia, omega);
        // J by columns, times m
        let arms = [3, 4, 5, 6].map(|j| arm.map(|r| graph.differentiate(r, Symbol::Coordinate(body.first + j))));
        let moments = arms.map(|column| vector::scale(graph, mass, column));
        let swing = center_swing(graph, body, arms, rates);
        let pull = vector::scale(graph, mass, swing).map(|pull| graph.negate(pull));
        let factor = graph.constant(-2.0);
        let mut masses = Vec::new();
        let mut forces: Vec<Id> = pull.into();
        for (i, (column, arm)) in columns.into_iter().zip(arms).enumerate() {
            for (j, (weighted, moment)) in weighted.into_iter().zip(moments).enumerate().skip(i) {
                let (turn, swing) = (vector::dot(graph, column, weighted), vector::dot(graph, arm, moment));
                masses.push((3 + i, 3 + j, graph.add(turn, swing)));
            }
            let gyroscopic = vector::dot(graph, g_rate.map(|row| row[i]), momentum);
            let gyroscopic = graph.multiply(factor, gyroscopic);
            let centrifugal = vector::dot(graph, arm, pull);
            forces.push(graph.add(gyroscopic, centrifugal));
        }
        for (j, moment) in moments.into_iter().enumerate() {
            masses.extend(moment.into_iter().enumerate().map(|(i, value)| (i, 3 + j, value)));
        }
        for i in 0..3 {
            self.system.add_mass(body.first + i, body.first + i, mass, place);
        }
        for (i, j, value) in masses {
            self.system.add_mass(body.first + i, body.first + j, value, place);
        }
        for (i, force) in forces.into_iter().enumerate() {
            self.system.add_force(body.first + i, force, place);
        }
    }

    /// e0^2 + e1^2 + e2^2 + e3^2 - 1 = 0.
    pub fn lower_norm(&mut self, body: Body, constraint: Option<usize>, mass: Id, inertia: Matrix, center: Vector) {
        let e = body.euler_parameters(self.graph());
        let mean = self.mean_moment(mass, inertia, center);
        let graph = self.graph();
        let squares = e.map(|e| graph.power_integer(e, 2));
        let one = graph.constant(1.0);
        let sum = graph.sum(squares);
        let norm = graph.subtract(sum, one);
        if let Some(constraint) = constraint {
            self.system.constraint[constraint] = norm;
            self.norms.push(Norm { constraint, inertia: mean });
        }
    }

    /// A third of the sum of the moments of inertia about the origin.
    fn mean_moment(&mut self, mass: Id, inertia: Matrix, center: Vector) -> Id {
        let graph = self.graph();
        let square = vector::dot(graph, center, center);
        let steiner = graph.multiply(mass, square);
        let sum = graph.sum([inertia[0][0], inertia[1][1], inertia[2][2], steiner, steiner]);
        let third = graph.constant(1.0 / 3.0);
        graph.multiply(third, sum)
    }
}

/// J(e') e', the acceleration of the centre of mass about the origin without that of e; J is linear in e.
fn center_swing(graph: &mut Graph, body: Body, arms: [Vector; 4], rates: [Id; 4]) -> Vector {
    [0, 1, 2].map(|i| {
        let products = [0, 1, 2, 3].map(|j| graph.multiply(arms[j][i], rates[j]));
        let velocity = graph.sum(products);
        let terms = [0, 1, 2, 3].map(|k| {
            let slope = graph.differentiate(velocity, Symbol::Coordinate(body.first + 3 + k));
            graph.multiply(slope, rates[k])
        });
        graph.sum(terms)
    })
}
