//! Mass matrices and gyroscopic forces of rigid bodies, for an origin anywhere in the body.

use super::super::lower::Lowering;
use super::Body;
use super::vector::{self, Matrix, Vector};
use crate::symbolic::{Id, Symbol};

impl Lowering<'_> {
    /// T = m |v|^2/2 + m v (omega x r_c) + (J + m |c|^2) omega^2/2 with r_c = B c from the origin to the centre of mass.
    pub(super) fn add_planar_inertia(&mut self, body: Body, mass: Id, inertia: Id, center: Vector) {
        let [x, y, angle] = [body.first, body.first + 1, body.first + 2];
        let axes = self.axes_of(body);
        let graph = &mut self.model.graph;
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
        let place = body.place;
        self.add_mass(x, x, mass, place);
        self.add_mass(y, y, mass, place);
        self.add_mass(angle, angle, about_origin, place);
        self.add_mass(x, angle, minus_my, place);
        self.add_mass(y, angle, mx, place);
        self.add_force(x, centrifugal[0], place);
        self.add_force(y, centrifugal[1], place);
    }

    /// M = [m I, -m B c^ G; ., G^T I_O G] with the tensor I_O about the origin, and the forces -m B (W x (W x c)) and
    /// 2 G'^T I_O W, where W = G e' is the angular velocity in the axes of the body (OB 2.40, 2.41).
    pub(super) fn add_spatial_inertia(&mut self, body: Body, mass: Id, inertia: Matrix, center: Vector) {
        let place = body.place;
        let axes = self.axes_of(body);
        let omega = self.local_angular_velocity(body);
        let (e, rates) = (self.euler_parameters(body), self.euler_rates(body));
        let graph = &mut self.model.graph;
        let (g, g_rate) = (local_map(graph, e), local_map(graph, rates));
        let tensor = about_origin(graph, mass, inertia, center);
        // I_O G by columns, and m c x G
        let columns = [0, 1, 2, 3].map(|j| g.map(|row| row[j]));
        let weighted = columns.map(|column| vector::apply(graph, tensor, column));
        let momentum = vector::apply(graph, tensor, omega);
        let mut masses = Vec::new();
        for i in 0..4 {
            for j in i..4 {
                masses.push((3 + i, 3 + j, vector::dot(graph, columns[i], weighted[j])));
            }
        }
        let moment = vector::scale(graph, mass, center);
        for (j, column) in columns.into_iter().enumerate() {
            // -c^ G = G x c
            let local = vector::cross(graph, column, moment);
            let coupled = vector::apply(graph, axes, local);
            masses.extend([0, 1, 2].map(|i| (i, 3 + j, coupled[i])));
        }
        let swing = vector::cross(graph, omega, moment);
        let swing = vector::cross(graph, swing, omega);
        let swing = vector::apply(graph, axes, swing);
        let two = graph.constant(2.0);
        let gyroscopic = [0, 1, 2, 3].map(|j| {
            let moment = vector::dot(graph, g_rate.map(|row| row[j]), momentum);
            graph.multiply(two, moment)
        });
        for i in 0..3 {
            self.add_mass(body.first + i, body.first + i, mass, place);
            self.add_force(body.first + i, swing[i], place);
        }
        for (i, j, value) in masses {
            self.add_mass(body.first + i, body.first + j, value, place);
        }
        for (j, force) in gyroscopic.into_iter().enumerate() {
            self.add_force(body.first + 3 + j, force, place);
        }
    }

    /// e0^2 + e1^2 + e2^2 + e3^2 - 1 = 0.
    pub(super) fn lower_norm(&mut self, body: Body, constraint: Option<usize>) {
        let e = self.euler_parameters(body);
        let graph = &mut self.model.graph;
        let squares = e.map(|e| graph.power_integer(e, 2));
        let one = graph.constant(1.0);
        let sum = graph.sum(squares);
        let norm = graph.subtract(sum, one);
        if let Some(constraint) = constraint {
            self.model.constraint[constraint] = norm;
        }
    }
}

/// G with W = G e' (OB 2.26), the angular velocity in the axes of the body.
pub fn local_map(graph: &mut crate::symbolic::Graph, e: [Id; 4]) -> [[Id; 4]; 3] {
    let [e0, e1, e2, e3] = e;
    let rows = [[e1, e0, e3, e2], [e2, e3, e0, e1], [e3, e2, e1, e0]];
    signed(graph, rows, [[-2.0, 2.0, 2.0, -2.0], [-2.0, -2.0, 2.0, 2.0], [-2.0, 2.0, -2.0, 2.0]])
}

/// B G, the same in inertial axes, where the norm of e is 1.
pub fn global_map(graph: &mut crate::symbolic::Graph, e: [Id; 4]) -> [[Id; 4]; 3] {
    let [e0, e1, e2, e3] = e;
    let rows = [[e1, e0, e3, e2], [e2, e3, e0, e1], [e3, e2, e1, e0]];
    signed(graph, rows, [[-2.0, 2.0, -2.0, 2.0], [-2.0, 2.0, 2.0, -2.0], [-2.0, -2.0, 2.0, 2.0]])
}

fn signed(graph: &mut crate::symbolic::Graph, rows: [[Id; 4]; 3], factors: [[f64; 4]; 3]) -> [[Id; 4]; 3] {
    [0, 1, 2].map(|i| {
        [0, 1, 2, 3].map(|j| {
            let factor = graph.constant(factors[i][j]);
            graph.multiply(factor, rows[i][j])
        })
    })
}

/// Steiner: I + m (|c|^2 1 - c c^T).
fn about_origin(graph: &mut crate::symbolic::Graph, mass: Id, inertia: Matrix, center: Vector) -> Matrix {
    let square = vector::dot(graph, center, center);
    let mut tensor = inertia;
    for (i, row) in tensor.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let product = graph.multiply(center[i], center[j]);
            let zero = graph.zero();
            let term = graph.subtract(if i == j { square } else { zero }, product);
            let term = graph.multiply(mass, term);
            *entry = graph.add(*entry, term);
        }
    }
    tensor
}
