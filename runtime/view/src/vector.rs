//! Vectors, rotations and places in space.

/// Three components.
pub type Vector = [f64; 3];

/// A matrix by rows.
pub type Matrix = [Vector; 3];

pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn subtract(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(factor: f64, a: Vector) -> Vector {
    a.map(|a| factor * a)
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the direction of a vector; `otherwise` for a vector of length 0.
pub fn unit(a: Vector, otherwise: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(1.0 / length, a) } else { otherwise }
}

/// Returns A b.
pub fn apply(matrix: Matrix, b: Vector) -> Vector {
    matrix.map(|row| dot(row, b))
}

pub fn transpose(a: Matrix) -> Matrix {
    [0, 1, 2].map(|i| a.map(|row| row[i]))
}

/// Returns A B.
pub fn product(a: Matrix, b: Matrix) -> Matrix {
    let columns = transpose(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// Returns the matrix with these columns.
pub fn columns(x: Vector, y: Vector, z: Vector) -> Matrix {
    transpose([x, y, z])
}

/// Returns a rotation of the z axis to a direction.
pub fn turn_z_to(direction: Vector) -> Matrix {
    let z = unit(direction, [0.0, 0.0, 1.0]);
    let x = across(z);
    columns(x, cross(z, x), z)
}

/// Returns a unit vector perpendicular to a unit vector; for an axis of coordinates, the next axis.
pub fn across(n: Vector) -> Vector {
    let largest = (1..3).fold(0, |largest, i| if n[i].abs() > n[largest].abs() { i } else { largest });
    let mut next = [0.0; 3];
    next[(largest + 1) % 3] = 1.0;
    unit(subtract(next, scale(dot(next, n), n)), next)
}

/// Returns the rotation with Euler parameters, which are scaled to norm 1.
pub fn rotation(e: [f64; 4]) -> Matrix {
    let norm = e.iter().map(|e| e * e).sum::<f64>().sqrt();
    if !(norm > 0.0 && norm.is_finite()) {
        return IDENTITY;
    }
    let [w, x, y, z] = e.map(|e| e / norm);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Returns the Euler parameters (cosine first) of a rotation.
pub fn euler_parameters(a: Matrix) -> [f64; 4] {
    let trace = a[0][0] + a[1][1] + a[2][2];
    let e = if trace > 0.0 {
        [1.0 + trace, a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]]
    } else {
        let i = if a[0][0] >= a[1][1] && a[0][0] >= a[2][2] {
            0
        } else if a[1][1] >= a[2][2] {
            1
        } else {
            2
        };
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut e = [a[k][j] - a[j][k], 0.0, 0.0, 0.0];
        e[1 + i] = 1.0 + a[i][i] - a[j][j] - a[k][k];
        e[1 + j] = a[j][i] + a[i][j];
        e[1 + k] = a[k][i] + a[i][k];
        e
    };
    let norm = e.iter().map(|e| e * e).sum::<f64>().sqrt();
    if norm > 0.0 { e.map(|e| e / norm) } else { [1.0, 0.0, 0.0, 0.0] }
}

/// Position and orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Origin of the frame, in inertial axes.
    pub origin: Vector,
    /// Axes of the frame as columns, in inertial axes.
    pub turn: Matrix,
}

impl Pose {
    /// The pose of the inertial frame.
    pub const GROUND: Self = Self { origin: [0.0; 3], turn: IDENTITY };

    /// Converts a point of the frame to inertial axes.
    pub fn point(&self, local: Vector) -> Vector {
        add(self.origin, apply(self.turn, local))
    }

    /// Converts a direction of the frame to inertial axes.
    pub fn direction(&self, local: Vector) -> Vector {
        apply(self.turn, local)
    }

    /// Converts a point of space to the frame.
    pub fn local(&self, point: Vector) -> Vector {
        apply(transpose(self.turn), subtract(point, self.origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_and_euler_parameters_belong_together() {
        for e in [[1.0, 0.0, 0.0, 0.0], [0.1, 0.7, -0.5, 0.5], [0.0, 0.0, 1.0, 0.0], [-0.6, 0.0, 0.0, 0.8]] {
            let again = rotation(euler_parameters(rotation(e)));
            for (a, b) in again.iter().flatten().zip(rotation(e).iter().flatten()) {
                assert!((a - b).abs() < 1e-14, "{e:?}");
            }
        }
        let quarter = rotation([0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]);
        assert!((apply(quarter, [1.0, 0.0, 0.0])[1] - 1.0).abs() < 1e-15);
        assert_eq!(apply(turn_z_to([1.0, 0.0, 0.0]), [0.0, 0.0, 2.0]), [2.0, 0.0, 0.0]);
        assert_eq!(rotation([0.0; 4]), IDENTITY);
    }
}
