//! Vectors and matrices of expressions; zeros and ones fold away as they are built.

use crate::symbolic::{Graph, Id};

/// Three components; those of a planar model have zeros in z.
pub type Vector = [Id; 3];

/// By rows.
pub type Matrix = [Vector; 3];

pub fn zero(graph: &mut Graph) -> Vector {
    [graph.zero(); 3]
}

pub fn constant(graph: &mut Graph, values: [f64; 3]) -> Vector {
    values.map(|value| graph.constant(value))
}

pub fn identity(graph: &mut Graph) -> Matrix {
    let (zero, one) = (graph.zero(), graph.constant(1.0));
    [[one, zero, zero], [zero, one, zero], [zero, zero, one]]
}

pub fn negate(graph: &mut Graph, a: Vector) -> Vector {
    a.map(|a| graph.negate(a))
}

pub fn add(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| graph.add(a[i], b[i]))
}

pub fn subtract(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    [0, 1, 2].map(|i| graph.subtract(a[i], b[i]))
}

pub fn scale(graph: &mut Graph, factor: Id, a: Vector) -> Vector {
    a.map(|a| graph.multiply(factor, a))
}

pub fn dot(graph: &mut Graph, a: Vector, b: Vector) -> Id {
    let products = [0, 1, 2].map(|i| graph.multiply(a[i], b[i]));
    graph.sum(products)
}

pub fn cross(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
        let (left, right) = (graph.multiply(a[i], b[j]), graph.multiply(a[j], b[i]));
        graph.subtract(left, right)
    })
}

/// |a|
pub fn length(graph: &mut Graph, a: Vector) -> Id {
    let squares = a.map(|a| graph.power_integer(a, 2));
    let square = graph.sum(squares);
    graph.unary(crate::symbolic::Function::Sqrt, square)
}

/// A b
pub fn apply(graph: &mut Graph, matrix: Matrix, b: Vector) -> Vector {
    matrix.map(|row| dot(graph, row, b))
}

/// A^T
pub fn transpose(matrix: Matrix) -> Matrix {
    [0, 1, 2].map(|i| column(matrix, i))
}

pub fn column(matrix: Matrix, i: usize) -> Vector {
    matrix.map(|row| row[i])
}

/// A B
pub fn product(graph: &mut Graph, a: Matrix, b: Matrix) -> Matrix {
    let columns = [0, 1, 2].map(|i| apply(graph, a, column(b, i)));
    transpose(columns)
}

/// The time derivative of every component.
pub fn rate(graph: &mut Graph, a: Vector) -> Vector {
    a.map(|a| graph.time_derivative(a))
}

/// The rotation about a unit vector, I + sin(angle) a^ + (1 - cos(angle)) a^2 (OB 2.19).
pub fn rotation(graph: &mut Graph, axis: [f64; 3], angle: Id) -> Matrix {
    use crate::symbolic::Function::{Cos, Sin};
    let (sin, cos) = (graph.unary(Sin, angle), graph.unary(Cos, angle));
    let one = graph.constant(1.0);
    let rest = graph.subtract(one, cos);
    let mut matrix = identity(graph);
    let [x, y, z] = axis;
    let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    for (i, row) in matrix.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            // a^2 = a a^T - I
            let square = axis[i] * axis[j] - f64::from(i == j);
            *entry = if square == -1.0 { cos } else { add_scaled(graph, *entry, square, rest) };
            *entry = add_scaled(graph, *entry, skew[i][j], sin);
        }
    }
    matrix
}

/// sum + factor value
fn add_scaled(graph: &mut Graph, sum: Id, factor: f64, value: Id) -> Id {
    let factor = graph.constant(factor);
    let term = graph.multiply(factor, value);
    graph.add(sum, term)
}

/// The component after the largest one, of which the first vector across n is made.
pub fn behind_largest(n: [f64; 3]) -> usize {
    let largest = (1..3).fold(0, |largest, i| if n[i].abs() > n[largest].abs() { i } else { largest });
    (largest + 1) % 3
}

/// Two unit vectors across a unit vector n, so that (u, w, n) is right-handed; for an axis of coordinates, the next
/// two.
pub fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    // the axis after the largest component, made perpendicular to n
    let next = behind_largest(n);
    let mut u = [0, 1, 2].map(|i| f64::from(i == next) - n[next] * n[i]);
    let size = u.iter().map(|u| u * u).sum::<f64>().sqrt();
    u = u.map(|u| u / size);
    [u, cross(n, u)]
}
