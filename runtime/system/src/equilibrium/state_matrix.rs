//! The equations of motion about an equilibrium as a system of first order.

use nalgebra::linalg::LU;
use nalgebra::{Complex, DMatrix, Dyn};

use costate_numerics::linalg::equilibrate;

use crate::equilibrium::EquilibriumError;
use crate::equilibrium::minimal::Minimal;
use crate::equilibrium::schur::eigenvalues;
use crate::model::Description;

/// Singular values of an equilibrated matrix below this part of the largest one are zero.
const RANK_TOLERANCE: f64 = 1e-12;

/// A state of the system of first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StateName {
    /// The deviation of this coordinate.
    Coordinate(usize),
    /// The rate of change of the deviation of this coordinate.
    Velocity(usize),
    /// A combination of coordinates that moves without mass, the largest share of which is this coordinate.
    Combination(usize),
}

/// x' = A x + B u, of independent coordinates y, their velocities where they have mass, and nothing else.
#[derive(Debug, Clone, PartialEq)]
pub struct StateMatrix {
    /// A.
    pub a: DMatrix<f64>,
    /// B.
    pub b: DMatrix<f64>,
    /// The states.
    pub names: Vec<StateName>,
    /// y of the states: y = Y x + Y_u u.
    pub positions: Linear,
}

/// A quantity that is linear in the states, the inputs and their derivatives in time.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// The coefficients of the states.
    pub states: DMatrix<f64>,
    /// The coefficients of u, u', u'' and so on.
    pub inputs: Vec<DMatrix<f64>>,
}

impl Linear {
    /// Returns the derivative in time.
    #[must_use]
    pub fn derivative(&self, system: &StateMatrix) -> Self {
        let mut inputs = vec![&self.states * &system.b];
        inputs.extend(self.inputs.iter().cloned());
        Self { states: &self.states * &system.a, inputs }
    }

    /// Returns `matrix` times the quantity.
    #[must_use]
    pub fn times(&self, matrix: &DMatrix<f64>) -> Self {
        Self { states: matrix * &self.states, inputs: self.inputs.iter().map(|inputs| matrix * inputs).collect() }
    }

    /// Adds another quantity.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.states += &other.states;
        for (order, inputs) in other.inputs.iter().enumerate() {
            match self.inputs.get_mut(order) {
                Some(own) => *own += inputs,
                None => self.inputs.push(inputs.clone()),
            }
        }
        self
    }
}

impl StateMatrix {
    /// Reduces the equations in independent coordinates; `inputs` is Z^T B (f x inputs).
    ///
    /// Coordinates without mass are states without velocity where a damper moves them, and follow the others where only
    /// springs do.
    ///
    /// # Errors
    /// [`EquilibriumError::Undetermined`] where neither does, [`EquilibriumError::Impulsive`] where an input moves such
    /// a coordinate and a damper there acts on others, [`EquilibriumError::NoEigenvalues`] for numbers that are not
    /// finite.
    pub fn of(minimal: &Minimal, inputs: &DMatrix<f64>, model: &Description) -> Result<Self, EquilibriumError> {
        let f = minimal.degrees_of_freedom();
        let all = [&minimal.mass, &minimal.damping, &minimal.stiffness, inputs];
        if !all.iter().all(|matrix| matrix.iter().all(|entry| entry.is_finite())) {
            return Err(EquilibriumError::NoEigenvalues);
        }
        // y1 has mass, y2 only dampers, y3 neither
        let by_mass = Split::of(&minimal.mass);
        let r = by_mass.rank;
        let damping = by_mass.applied(&minimal.damping);
        let by_damping = Split::of(&damping.view((r, r), (f - r, f - r)).into_owned());
        let split = by_mass.refined(&by_damping);
        let s = by_damping.rank;
        let [mass, damping, stiffness] =
            [&minimal.mass, &minimal.damping, &minimal.stiffness].map(|m| split.applied(m));
        let force = &split.left * inputs;
        let parts = [(0, r), (r, s), (r + s, f - r - s)];
        let block = |matrix: &DMatrix<f64>, row: usize, column: usize| {
            let ((row, rows), (column, columns)) = (parts[row], parts[column]);
            matrix.view((row, column), (rows, columns)).into_owned()
        };
        let (k, d) = (|row, column| block(&stiffness, row, column), |row, column| block(&damping, row, column));
        let of_input = |part: usize| force.rows(parts[part].0, parts[part].1).into_owned();
        let undetermined = || {
            let names = split.leading.iter().skip(r + s).filter_map(|&(k, _)| minimal.independent.get(k));
            let names = names.filter_map(|&index| model.coordinates.get(index)).map(|coordinate| coordinate.name);
            EquilibriumError::Undetermined { coordinates: names.collect() }
        };

        // y3 = E u - H w - G1 y1 - G2 y2
        let springs = regular(&k(2, 2)).ok_or_else(undetermined)?;
        let [e, h, g1, g2] = [of_input(2), d(2, 0), k(2, 0), k(2, 1)].map(|right| solve(&springs, right));
        // y2' = P1 y1 + Pw w + P2 y2 + Pu u
        let dampers = regular(&d(1, 1)).ok_or_else(undetermined)?;
        let [p1, pw, p2, pu] =
            [k(1, 2) * &g1 - k(1, 0), k(1, 2) * &h - d(1, 0), k(1, 2) * &g2 - k(1, 1), of_input(1) - k(1, 2) * &e]
                .map(|right| solve(&dampers, right));
        let impulsive = d(0, 2) * &e;
        if impulsive.iter().any(|entry| *entry != 0.0) {
            return Err(EquilibriumError::Impulsive { coordinate: undetermined_name(&split, r + s, minimal, model) });
        }
        let inertia = regular(&(block(&mass, 0, 0) - d(0, 2) * &h)).ok_or_else(undetermined)?;
        let by_y2 = d(0, 1) - d(0, 2) * &g2;
        let [a1, aw, a2, au] = [
            k(0, 2) * &g1 - k(0, 0) - &by_y2 * &p1,
            d(0, 2) * &g1 + k(0, 2) * &h - d(0, 0) - &by_y2 * &pw,
            k(0, 2) * &g2 - k(0, 1) - &by_y2 * &p2,
            of_input(0) - k(0, 2) * &e - &by_y2 * &pu,
        ]
        .map(|right| solve(&inertia, right));

        let (states, u) = (2 * r + s, inputs.ncols());
        let mut a = DMatrix::zeros(states, states);
        a.view_mut((0, r), (r, r)).fill_with_identity();
        let mut rows = |first: usize, blocks: [&DMatrix<f64>; 3]| {
            for (column, block) in [0, r, 2 * r].into_iter().zip(blocks) {
                a.view_mut((first, column), block.shape()).copy_from(block);
            }
        };
        rows(r, [&a1, &aw, &a2]);
        rows(2 * r, [&p1, &pw, &p2]);
        let mut b = DMatrix::zeros(states, u);
        b.view_mut((r, 0), (r, u)).copy_from(&au);
        b.view_mut((2 * r, 0), (s, u)).copy_from(&pu);

        // y of the states
        let mut positions = DMatrix::zeros(f, states);
        positions.view_mut((0, 0), (r, r)).fill_with_identity();
        positions.view_mut((r, 2 * r), (s, s)).fill_with_identity();
        for (column, block) in [0, r, 2 * r].into_iter().zip([&g1, &h, &g2]) {
            positions.view_mut((r + s, column), block.shape()).copy_from(&-block);
        }
        let mut by_inputs = DMatrix::zeros(f, u);
        by_inputs.view_mut((r + s, 0), e.shape()).copy_from(&e);
        let positions = Linear { states: positions, inputs: vec![by_inputs] }.times(&split.right);

        let name = |k: usize| match split.leading.get(k) {
            Some(&(k, true)) => StateName::Coordinate(minimal.independent[k]),
            Some(&(k, false)) => StateName::Combination(minimal.independent[k]),
            None => StateName::Combination(0),
        };
        let velocity = |name| match name {
            StateName::Coordinate(index) | StateName::Velocity(index) | StateName::Combination(index) => {
                StateName::Velocity(index)
            }
        };
        let names = (0..r).map(name).chain((0..r).map(|k| velocity(name(k)))).chain((r..r + s).map(name));
        Ok(Self { a, b, names: names.collect(), positions })
    }

    /// Computes the eigenvalues of A in 1/s.
    ///
    /// # Errors
    /// [`EquilibriumError::NoEigenvalues`].
    pub fn eigenvalues(&self) -> Result<Vec<Complex<f64>>, EquilibriumError> {
        eigenvalues(&self.a)
    }
}

fn undetermined_name(split: &Split, first: usize, minimal: &Minimal, model: &Description) -> &'static str {
    let leading = split.leading.get(first).and_then(|&(k, _)| minimal.independent.get(k));
    leading.and_then(|&index| model.coordinates.get(index)).map_or("?", |coordinate| coordinate.name)
}

/// Transformations by which a square matrix becomes regular in its first rows and columns, and zero in the others.
struct Split {
    /// Transformation of the rows.
    left: DMatrix<f64>,
    /// Transformation of the columns: old coordinates of new ones.
    right: DMatrix<f64>,
    rank: usize,
    /// The old coordinate with the largest share in every new one, and whether it is the only one.
    leading: Vec<(usize, bool)>,
}

impl Split {
    /// Coordinates whose rows and columns are zero go to the end, as they are; others only where the matrix is singular
    /// without them.
    fn of(matrix: &DMatrix<f64>) -> Self {
        let size = matrix.nrows();
        let is_zero = |k: usize| matrix.row(k).iter().chain(matrix.column(k).iter()).all(|entry| *entry == 0.0);
        let (zero, used): (Vec<usize>, Vec<usize>) = (0..size).partition(|&k| is_zero(k));
        let order = [&used[..], &zero].concat();
        let right = DMatrix::identity(size, size).select_columns(&order);
        let aligned = Self {
            left: right.transpose(),
            right,
            rank: used.len(),
            leading: order.into_iter().map(|k| (k, true)).collect(),
        };
        let inner = matrix.select_rows(&used).select_columns(&used);
        match regular(&inner) {
            Some(_) => aligned,
            None => aligned.refined_first(&Self::of_singular(&inner)),
        }
    }

    /// By the singular values of the equilibrated matrix.
    fn of_singular(matrix: &DMatrix<f64>) -> Self {
        let size = matrix.nrows();
        let (rows, columns) = scales(matrix);
        let scaled = DMatrix::from_fn(size, size, |i, j| rows[i] * matrix[(i, j)] * columns[j]);
        let decomposed = scaled.svd(true, true);
        let mut order: Vec<usize> = (0..size).collect();
        let values = &decomposed.singular_values;
        order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
        let rank = order.iter().filter(|&&k| values[k] > RANK_TOLERANCE * values.amax()).count();
        let (u, v_t) = (decomposed.u.unwrap_or_default(), decomposed.v_t.unwrap_or_default());
        let left = DMatrix::from_fn(size, size, |i, j| u[(j, order[i])] * rows[j]);
        let right = DMatrix::from_fn(size, size, |i, j| columns[i] * v_t[(order[j], i)]);
        let leading = (0..size).map(|k| (right.column(k).iamax(), false)).collect();
        Self { left, right, rank, leading }
    }

    /// Transforms the first coordinates further.
    fn refined_first(&self, inner: &Self) -> Self {
        self.composed(inner, 0, inner.rank)
    }

    /// Transforms the last coordinates, those in which the matrix is zero, by another split.
    fn refined(&self, inner: &Self) -> Self {
        self.composed(inner, self.rank, self.rank)
    }

    fn composed(&self, inner: &Self, first: usize, rank: usize) -> Self {
        let (size, part) = (self.left.nrows(), inner.left.nrows());
        let beside = |matrix: &DMatrix<f64>| {
            let mut all = DMatrix::identity(size, size);
            all.view_mut((first, first), (part, part)).copy_from(matrix);
            all
        };
        let mut leading = self.leading.clone();
        for (k, &(of_inner, is_only)) in inner.leading.iter().enumerate() {
            let (old, was_only) = self.leading[first + of_inner];
            leading[first + k] = (old, is_only && was_only);
        }
        Self { left: beside(&inner.left) * &self.left, right: &self.right * beside(&inner.right), rank, leading }
    }

    /// Returns a matrix of the same coordinates in the new ones.
    fn applied(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        &self.left * matrix * &self.right
    }
}

/// The factors of an equilibrated matrix with its factors of rows and columns.
type Regular = (LU<f64, Dyn, Dyn>, Vec<f64>, Vec<f64>);

fn scales(matrix: &DMatrix<f64>) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = matrix.shape();
    let entries: Vec<(u32, u32)> =
        (0..columns).flat_map(|column| (0..rows).map(move |row| (row as u32, column as u32))).collect();
    equilibrate((rows, columns), &entries, matrix.as_slice())
}

/// Returns the factors of a matrix that is regular.
fn regular(matrix: &DMatrix<f64>) -> Option<Regular> {
    let (rows, columns) = scales(matrix);
    let scaled = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| rows[i] * matrix[(i, j)] * columns[j]);
    if scaled.is_empty() {
        return Some((scaled.lu(), rows, columns));
    }
    let factors = scaled.lu();
    let pivots = factors.u().diagonal();
    (pivots.amin() > RANK_TOLERANCE * pivots.amax()).then_some((factors, rows, columns))
}

fn solve((factors, rows, columns): &Regular, mut right: DMatrix<f64>) -> DMatrix<f64> {
    if right.is_empty() {
        return right;
    }
    for (mut row, scale) in right.row_iter_mut().zip(rows) {
        row *= *scale;
    }
    // the factors are regular, as checked by `regular`
    factors.solve_mut(&mut right);
    for (mut row, scale) in right.row_iter_mut().zip(columns) {
        row *= *scale;
    }
    right
}
