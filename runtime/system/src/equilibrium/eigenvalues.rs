//! Eigenvalues of the equations about a state, from the fastest to the slowest motion.
//!
//! Elimination and rotations leave errors beside the largest eigenvalue. The small ones are therefore computed again
//! near shifts of their own size, and improved by their vectors. Those of motions without stiffness are recognised by
//! [`Undetermined`].

use nalgebra::{Complex, DMatrix, DVector};

use crate::equilibrium::EquilibriumError;
use crate::equilibrium::minimal::Minimal;
use crate::equilibrium::rounding::Rounding;
use crate::equilibrium::schur::eigenvalues;
use crate::equilibrium::state_matrix::StateMatrix;
use crate::equilibrium::undetermined::Undetermined;
use crate::model::Description;

/// Part of the largest eigenvalue, or of a shift, below which eigenvalues are computed again: those of double zeros
/// have the root of the rounding of numbers.
const SMALL_EIGENVALUE_RATIO: f64 = 1e-5;
/// Growth of a deviation, relative to its eigenvalue, from which it is computed again with a bound of its rounding:
/// more than the rotations leave of an eigenvalue that is not small.
const GROWTH_ROUNDING: f64 = 1e-12;

/// The eigenvalues of the equations about a state, and what rounding leaves open of them.
#[derive(Debug, Clone)]
pub struct Spectrum {
    /// The eigenvalues in 1/s, both members of complex pairs, zeros first, then by size. Those of motions without
    /// stiffness are exactly 0.
    pub values: Vec<Complex<f64>>,
    /// Bounds of the rounding of the eigenvalues in 1/s; 0 for those that are in no doubt.
    pub rounding: Vec<f64>,
    /// Bounds of the rounding of the growths in 1/s: by what the vectors leave of the equations, beside their terms.
    growth_rounding: Vec<f64>,
    /// The motions without stiffness, as far as rounding shows, in independent coordinates.
    pub free: Undetermined,
    /// The largest rate in 1/s, of an oscillation or a growth, that motions without stiffness may have within rounding.
    pub hidden: f64,
}

impl Spectrum {
    /// Returns the eigenvalue in 1/s of the deviation that grows fastest, among those that grow by more than rounding
    /// if there are any.
    pub fn fastest(&self) -> Complex<f64> {
        let certain = |place: &usize| self.grows(*place);
        let by_growth = |one: &usize, other: &usize| self.values[*one].re.total_cmp(&self.values[*other].re);
        let all = || 0..self.values.len();
        let place = all().filter(certain).max_by(by_growth).or_else(|| all().max_by(by_growth));
        place.map_or(Complex::new(f64::NEG_INFINITY, 0.0), |place| self.values[place])
    }

    /// Returns true if no deviation grows by more than rounding.
    pub fn is_stable(&self) -> bool {
        !(0..self.values.len()).any(|place| self.grows(place))
    }

    fn grows(&self, place: usize) -> bool {
        let value = self.values[place];
        value.re > (GROWTH_ROUNDING * value.norm()).max(self.growth_rounding[place])
    }

    /// Returns true if the numbers show a growth that is no larger than their bound of rounding, and is notable.
    pub fn may_grow(&self) -> bool {
        /// Growth relative to the eigenvalue: of a tenth in some ten thousand periods.
        const NOTABLE_GROWTH: f64 = 1e-6;
        let grows_so = |place: &usize| self.values[*place].re > NOTABLE_GROWTH * self.values[*place].norm();
        self.is_stable() && (0..self.values.len()).any(|place| grows_so(&place))
    }

    /// Returns the largest growth in 1/s that rounding may hide.
    pub fn hidden_growth(&self) -> f64 {
        /// Rounding of an eigenvalue, relative to its size, from which it may be a zero: the square of its size is in
        /// doubt by twice as much.
        const MIN_ROUNDING_OF_ZERO: f64 = 0.5;
        let hidden = |place: usize| {
            let (value, rounding) = (self.values[place], self.rounding[place]);
            let may_be_zero = rounding > MIN_ROUNDING_OF_ZERO * value.norm();
            let may_grow = value.re > GROWTH_ROUNDING * value.norm() && !self.grows(place);
            let of_zero = if may_be_zero { rounding } else { 0.0 };
            if may_grow { self.growth_rounding[place].max(of_zero) } else { of_zero }
        };
        (0..self.values.len()).map(hidden).fold(self.hidden, f64::max)
    }
}

impl Minimal {
    /// Computes the eigenvalues.
    ///
    /// # Errors
    /// [`EquilibriumError::Undetermined`] for a motion without mass, damper and spring;
    /// [`EquilibriumError::NoEigenvalues`].
    pub fn spectrum(&self, rounding: &Rounding, model: &Description) -> Result<Spectrum, EquilibriumError> {
        /// Part of the largest eigenvalue below which eigenvalues are improved by their vectors.
        const IMPROVED_EIGENVALUE_RATIO: f64 = 1e-3;
        /// Distance from another eigenvalue, relative to the change, at which an improved one is the other, and the
        /// least change for which this is asked, relative to the eigenvalue: neighbours that shifts tell apart are no
        /// nearer.
        const OTHER_DISTANCE: f64 = 0.1;
        const MIN_MOVE: f64 = 1e-3;
        let none = DMatrix::zeros(self.degrees_of_freedom(), 0);
        let mut values = StateMatrix::of(self, &none, model)?.eigenvalues()?;
        sort(&mut values);
        let largest = values.last().map_or(0.0, |value| value.norm());
        let small = count_below(&values, SMALL_EIGENVALUE_RATIO * largest);
        let free = match small {
            0 => Undetermined::of(&DMatrix::zeros(0, 0), &DMatrix::zeros(0, 0), &[]),
            _ => self.free_motions(rounding),
        };
        let zeros = self.zeros(&free, rounding).min(small);
        values[..zeros].fill(Complex::new(0.0, 0.0));
        self.resolve(&mut values, zeros, small)?;
        let (mut bounds, mut growths) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        let before = values.clone();
        for (place, value) in values.iter_mut().enumerate().skip(zeros) {
            if value.norm() <= IMPROVED_EIGENVALUE_RATIO * largest || value.re > GROWTH_ROUNDING * value.norm() {
                let improved = self.improved(*value, rounding);
                (bounds[place], growths[place]) = (improved.bound, improved.growth);
                // what has gone to another eigenvalue is known as far as that one
                let moved = (improved.value - *value).norm();
                let is_others =
                    before[zeros..].iter().any(|other| (improved.value - other).norm() < OTHER_DISTANCE * moved);
                if is_others && moved > MIN_MOVE * value.norm() {
                    (bounds[place], growths[place]) = (improved.bound.max(moved), improved.growth.max(moved));
                } else {
                    *value = improved.value;
                }
            }
        }
        let hidden = self.hidden(&free);
        Ok(Spectrum { values, rounding: bounds, growth_rounding: growths, free, hidden })
    }

    /// Returns the motions x with K x = 0.
    pub(crate) fn free_motions(&self, rounding: &Rounding) -> Undetermined {
        // as much as possible is eliminated along stiff motions of small masses
        let scale = |k: usize| {
            let of_row = |matrix: &DMatrix<f64>| matrix.row(k).amax();
            let sizes = [self.mass[(k, k)].abs(), of_row(&self.stiffness), of_row(&self.damping)];
            sizes.into_iter().find(|size| *size > 0.0).map_or(1.0, |size| 1.0 / size.sqrt())
        };
        let scales: Vec<f64> = (0..self.degrees_of_freedom()).map(scale).collect();
        Undetermined::of(&self.stiffness, &rounding.stiffness, &scales)
    }

    /// Counts the zeros among the eigenvalues: one for every motion x with K x = 0, and another one if dampers do not
    /// act on it either.
    fn zeros(&self, free: &Undetermined, rounding: &Rounding) -> usize {
        let z = free.count();
        if z == 0 {
            return 0;
        }
        let damping = free.left.tr_mul(&(&self.damping * &free.right));
        let rounding = free.left.abs().tr_mul(&(&rounding.damping * free.right.abs()));
        let undamped = Undetermined::of(&damping, &rounding, &vec![1.0; z]);
        z + undamped.count()
    }

    /// Returns the largest s with s^2 m + s d = e, of the rounding e of the stiffness of a motion without it.
    fn hidden(&self, free: &Undetermined) -> f64 {
        let along = |matrix: &DMatrix<f64>, k: usize| free.left.column(k).dot(&(matrix * free.right.column(k))).abs();
        let of_motion = |k: usize| {
            let (m, d, e) = (along(&self.mass, k), along(&self.damping, k), free.rounding[(k, k)]);
            let root = (d * d + 4.0 * m * e).sqrt();
            if e > 0.0 { 2.0 * e / (d + root) } else { 0.0 }
        };
        (0..free.count()).map(of_motion).fold(0.0, f64::max)
    }

    /// Computes the `small` first eigenvalues again near smaller and smaller shifts, but for the zeros.
    fn resolve(&self, values: &mut [Complex<f64>], zeros: usize, mut small: usize) -> Result<(), EquilibriumError> {
        /// Part of a shift below which eigenvalues beside it are rounding.
        const SHIFT_ROUNDING: f64 = 1e-7;
        /// The largest number of shifts: each of them goes down by a part of `SHIFT_ROUNDING` at most.
        const MAX_SHIFTS: usize = 80;
        let mut shift = values.get(small).or(values.last()).map_or(0.0, |value| value.norm());
        for _ in 0..MAX_SHIFTS {
            if small <= zeros {
                return Ok(());
            }
            shift = values[small - 1].norm().clamp(SHIFT_ROUNDING * shift, shift);
            if shift <= 0.0 {
                return Ok(());
            }
            let mut beside = self.beside(shift).ok_or(EquilibriumError::NoEigenvalues)?;
            sort(&mut beside);
            if beside.len() < small {
                return Err(EquilibriumError::NoEigenvalues);
            }
            values[zeros..small].copy_from_slice(&beside[zeros..small]);
            small = count_below(&values[..small], SMALL_EIGENVALUE_RATIO * shift).max(zeros);
        }
        Ok(())
    }

    /// Computes all eigenvalues s by those of shift/(s - shift), which are exact to rounding for those of about the
    /// size of the shift.
    fn beside(&self, shift: f64) -> Option<Vec<Complex<f64>>> {
        let size = self.degrees_of_freedom();
        // beside values that models have
        let shift = 1.2345 * shift;
        let mass = &self.mass * (shift * shift);
        let rates = &self.damping * shift + &mass;
        let matrix = &rates + &self.stiffness;
        let scales = scales(size, |i, j| {
            mass[(i, j)].abs().max((shift * self.damping[(i, j)]).abs()).max(self.stiffness[(i, j)].abs())
        });
        let scaled =
            |matrix: &DMatrix<f64>| DMatrix::from_fn(size, size, |i, j| scales[i] * matrix[(i, j)] * scales[j]);
        let factors = scaled(&matrix).lu();
        let by_positions = -factors.solve(&scaled(&rates))?;
        let by_velocities = -factors.solve(&scaled(&mass))?;
        let mut all = DMatrix::zeros(2 * size, 2 * size);
        all.view_mut((0, 0), (size, size)).copy_from(&by_positions);
        all.view_mut((size, 0), (size, size)).copy_from(&by_positions);
        (0..size).for_each(|k| all[(size + k, k)] += 1.0);
        all.view_mut((0, size), (size, size)).copy_from(&by_velocities);
        all.view_mut((size, size), (size, size)).copy_from(&by_velocities);
        let inverse = eigenvalues(&all).ok()?;
        let one = Complex::new(1.0, 0.0);
        // motions that follow at once have infinite eigenvalues
        Some(inverse.into_iter().filter(|value| value.norm() > 0.0).map(|value| (one + value.inv()) * shift).collect())
    }

    /// Improves an eigenvalue by the quotient of its two vectors, and bounds its rounding; the eigenvalue stays as it
    /// is if this leads away.
    fn improved(&self, value: Complex<f64>, rounding: &Rounding) -> Improved {
        const ROUNDS: usize = 12;
        // the sums of a product of matrices have a rounding for every term
        let sums = 2.0 + self.degrees_of_freedom() as f64;
        let is_real = value.im == 0.0;
        let mut s = value;
        for _ in 0..ROUNDS {
            let Some(Correction { change, bound, left }) = self.correction(s, rounding) else { break };
            let growth = sums * bound + left;
            let next = s - change;
            if change.norm().is_nan() || (next - value).norm() > 0.5 * value.norm() {
                return Improved { value, bound, growth };
            }
            s = if is_real { Complex::new(next.re, 0.0) } else { next };
            if change.norm() <= (1e-13 * s.norm()).max(1e-3 * bound) {
                return Improved { value: s, bound, growth };
            }
        }
        let last = self.correction(s, rounding);
        let bound = last.as_ref().map_or(f64::INFINITY, |of| of.bound.max(of.change.norm()));
        let growth = last.map_or(f64::INFINITY, |of| sums * of.bound + of.left);
        Improved { value: s, bound, growth }
    }

    /// y^T Q(s) x/y^T Q'(s) x, of the vectors x and y to which Q(s) = s^2 M + s D + K is nearly singular.
    fn correction(&self, s: Complex<f64>, rounding: &Rounding) -> Option<Correction> {
        let rate = s.norm();
        let right = self.null_vector(s, false)?;
        let left = self.null_vector(s, true)?;
        let slope = s * 2.0 * bilinear(&left, &self.mass, &right) + bilinear(&left, &self.damping, &right);
        let rest = self.dynamic_stiffness(s) * &right;
        let sizes = [&left, &right].map(|vector| vector.map(|entry| entry.norm()));
        let doubt = (&rounding.mass * rate + &rounding.damping) * rate + &rounding.stiffness;
        let bound = sizes[0].dot(&(doubt * &sizes[1]));
        let change = left.dot(&rest) / slope;
        let by_rows = sizes[0].dot(&rest.map(|entry| entry.norm()));
        Some(Correction { change, bound: bound / slope.norm(), left: by_rows / slope.norm() })
    }

    /// Returns Q'(s) = 2 s M + D.
    pub fn slope(&self, s: Complex<f64>) -> DMatrix<Complex<f64>> {
        self.mass.zip_map(&self.damping, |mass, damping| s * 2.0 * mass + damping)
    }

    /// Returns the vector x with Q(s) x = 0, or y with y^T Q(s) = 0, of a value s near an eigenvalue, where Q(s) =
    /// s^2 M + s D + K; `None` where the numbers leave none.
    pub(crate) fn null_vector(&self, s: Complex<f64>, is_left: bool) -> Option<DVector<Complex<f64>>> {
        let (size, rate) = (self.degrees_of_freedom(), s.norm());
        if size == 0 {
            return None;
        }
        // beside s, where the matrix is regular
        let mut beside = self.dynamic_stiffness(s * Complex::new(1.0 + 1e-9, 0.7e-9));
        let mut slope = self.slope(s);
        let scale = scales(size, |i, j| {
            let at = (i, j);
            rate * (rate * self.mass[at].abs() + self.damping[at].abs()) + self.stiffness[at].abs()
        });
        if is_left {
            beside.transpose_mut();
            slope.transpose_mut();
        }
        let scaled =
            |matrix: &DMatrix<Complex<f64>>| DMatrix::from_fn(size, size, |i, j| matrix[(i, j)] * scale[i] * scale[j]);
        // Q^-1 Q' favours eigenvalues near s; Q^-1 alone would also favour slow motions of stiff parts
        let (factors, slope) = (scaled(&beside).lu(), scaled(&slope));
        // any vector that no symmetry makes orthogonal to the wanted one
        let start = |k: usize, _| Complex::new(1.0 + (0.7 * k as f64).sin(), 0.3 * (1.3 * k as f64).cos());
        let mut vector = DVector::from_fn(size, start);
        for _ in 0..3 {
            vector = factors.solve(&(&slope * vector))?;
            let norm = vector.norm();
            vector.unscale_mut(norm);
        }
        // a vector of real entries as such, so that no rounding of its phase looks like damping
        let largest = vector.get(vector.map(|entry| entry.norm()).imax()).copied()?;
        let phase = largest.conj() / largest.norm();
        vector.iter_mut().zip(scale).for_each(|(entry, scale)| *entry *= phase * scale);
        Some(vector)
    }
}

/// An eigenvalue that its vectors have improved.
struct Improved {
    value: Complex<f64>,
    /// Bound of the rounding of the eigenvalue by that of the matrices.
    bound: f64,
    /// Bound of the rounding of its growth, with that of its vectors.
    growth: f64,
}

/// A step towards an eigenvalue.
struct Correction {
    change: Complex<f64>,
    /// Bound of the rounding of the eigenvalue.
    bound: f64,
    /// Bound of the change by all that the vectors leave of the equations, row by row.
    left: f64,
}

fn bilinear(left: &DVector<Complex<f64>>, matrix: &DMatrix<f64>, right: &DVector<Complex<f64>>) -> Complex<f64> {
    left.dot(&(matrix.map(|entry| Complex::new(entry, 0.0)) * right))
}

/// Returns factors of rows and columns that bring the largest term of every row near 1.
fn scales(size: usize, term: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let largest = |row: usize| (0..size).map(|column| term(row, column)).fold(0.0, f64::max);
    (0..size).map(largest).map(|size| if size > 0.0 && size.is_finite() { 1.0 / size.sqrt() } else { 1.0 }).collect()
}

fn sort(values: &mut [Complex<f64>]) {
    values.sort_by(|one, other| one.norm().total_cmp(&other.norm()));
}

/// Counts the first values that are not larger than this.
fn count_below(values: &[Complex<f64>], limit: f64) -> usize {
    values.iter().take_while(|value| value.norm() <= limit).count()
}
