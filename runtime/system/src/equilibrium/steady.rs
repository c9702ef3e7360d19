//! Motions under which a mechanism looks the same at every time.

use costate_numerics::linalg::SparseMatrix;

use crate::model::Description;

/// A motion under which a mechanism looks the same at every time: at rest, or turning at constant speed.
///
/// The velocities are v = G q + g, the accelerations a = G v. At rest both vanish.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SteadyMotion {
    /// (row, column, entry) of G in 1/s.
    linear: Vec<(usize, usize, f64)>,
    /// (row, entry) of g.
    constant: Vec<(usize, f64)>,
}

impl SteadyMotion {
    /// At rest.
    pub fn rest() -> Self {
        Self::default()
    }

    /// Returns true if nothing moves.
    pub fn is_rest(&self) -> bool {
        self.linear.is_empty() && self.constant.is_empty()
    }

    /// Adds the constant velocity `speed` of a coordinate, such as the angle of a shaft.
    #[must_use]
    pub fn with_speed(mut self, coordinate: usize, speed: f64) -> Self {
        if speed != 0.0 {
            self.constant.push((coordinate, speed));
        }
        self
    }

    /// Adds the rotation of all bodies of the model about the vertical through `point`, or about another `axis`, at
    /// `speed` in rad/s: that of a mechanism whose coordinates are positions and orientations of bodies in inertial
    /// axes. Planar bodies turn about an axis normal to their plane, whatever `axis` is.
    #[must_use]
    pub fn with_rotation(mut self, model: &Description, axis: [f64; 3], point: [f64; 3], speed: f64) -> Self {
        let length = axis.iter().map(|component| component * component).sum::<f64>().sqrt();
        if speed == 0.0 || length == 0.0 {
            return self;
        }
        let omega = axis.map(|component| speed * component / length);
        for body in model.scene.bodies.iter() {
            let first = body.first as usize;
            if body.spatial {
                self.turn_spatial(first, omega, point);
            } else {
                self.add(first, first + 1, -speed);
                self.add(first + 1, first, speed);
                self.constant.extend([(first, speed * point[1]), (first + 1, -speed * point[0]), (first + 2, speed)]);
            }
        }
        self
    }

    /// Positions follow omega x (r - r_0); Euler parameters e follow half the quaternion product of (0, omega) and e.
    fn turn_spatial(&mut self, first: usize, [x, y, z]: [f64; 3], point: [f64; 3]) {
        let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        for (row, entries) in cross.iter().enumerate() {
            let mut shift = 0.0;
            for (column, &entry) in entries.iter().enumerate() {
                self.add(first + row, first + column, entry);
                shift -= entry * point[column];
            }
            if shift != 0.0 {
                self.constant.push((first + row, shift));
            }
        }
        let product = [[0.0, -x, -y, -z], [x, 0.0, -z, y], [y, z, 0.0, -x], [z, -y, x, 0.0]];
        for (row, entries) in product.iter().enumerate() {
            for (column, &entry) in entries.iter().enumerate() {
                self.add(first + 3 + row, first + 3 + column, 0.5 * entry);
            }
        }
    }

    fn add(&mut self, row: usize, column: usize, entry: f64) {
        if entry != 0.0 {
            self.linear.push((row, column, entry));
        }
    }

    /// Returns the largest index of a coordinate that moves; `None` at rest.
    pub fn last_coordinate(&self) -> Option<usize> {
        let linear = self.linear.iter().map(|&(row, column, _)| row.max(column));
        linear.chain(self.constant.iter().map(|&(row, _)| row)).max()
    }

    /// Returns G (n x n).
    pub fn generator(&self, n: usize) -> SparseMatrix {
        SparseMatrix::new(n, n, self.linear.iter().copied())
    }

    /// Returns v = G q + g.
    pub fn velocities(&self, coordinates: &[f64]) -> Vec<f64> {
        let mut velocities = self.times_generator(coordinates);
        for &(row, speed) in &self.constant {
            if let Some(velocity) = velocities.get_mut(row) {
                *velocity += speed;
            }
        }
        velocities
    }

    /// Returns G x.
    pub fn times_generator(&self, x: &[f64]) -> Vec<f64> {
        let mut product = vec![0.0; x.len()];
        for &(row, column, entry) in &self.linear {
            if let (Some(sum), Some(x)) = (product.get_mut(row), x.get(column)) {
                *sum += entry * x;
            }
        }
        product
    }

    /// Moves coordinates along the motion for `time` in s, by the power series of the exponential of the generator.
    pub fn moved(&self, coordinates: &[f64], time: f64) -> Vec<f64> {
        // q(t) = q + t v + t^2/2 G v + ..
        let mut term = self.velocities(coordinates);
        let mut moved = coordinates.to_vec();
        for order in 1..60 {
            term.iter_mut().for_each(|term| *term *= time / f64::from(order));
            moved.iter_mut().zip(&term).for_each(|(moved, term)| *moved += term);
            term = self.times_generator(&term);
        }
        moved
    }
}
