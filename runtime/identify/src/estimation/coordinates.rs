//! Coordinates of the values of a table in which conditions on the values are bounds.

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::dense;
use costate_system::table::prior::{Condition, Conditions, nonnegative};

/// Coefficients below this part of the largest one are rounding errors.
const MAX_ROUNDED_COEFFICIENT: f64 = 1e-11;

/// Values of a table as a linear function of coordinates, each of which has bounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Coordinates {
    /// The values where all coordinates are zero.
    offset: DVector<f64>,
    /// Derivatives of the values by the coordinates.
    transform: DMatrix<f64>,
    /// Coefficients of the coordinates as linear functions of the values.
    forms: DMatrix<f64>,
    pub bounds: Vec<(f64, f64)>,
    /// Index of the value that each coordinate is; `None` for coordinates that are combinations of values.
    pub value: Vec<Option<usize>>,
}

/// A linear form with bounds.
struct Row {
    form: DVector<f64>,
    least: f64,
    most: f64,
}

/// The error of conditions that cannot be expressed as bounds of coordinates.
pub(crate) struct Entangled;

impl Coordinates {
    /// Creates the coordinates of a table with `count` values, whose conditions must not contradict each other.
    pub fn new(count: usize, conditions: &Conditions) -> Result<Self, Entangled> {
        let (offset, reduced, free) = solved(count, &conditions.equalities);
        let rows = rows(&conditions.inequalities, &offset, &reduced)?;
        let rows = if rank(&rows, free.len()) < rows.len() { without_redundant(rows) } else { rows };
        let pivots = pivots(&rows, free.len()).ok_or(Entangled)?;
        // coordinates are the forms, and the values that are not pivots
        let (mut forms, mut bounds, mut value) = (DMatrix::zeros(free.len(), free.len()), Vec::new(), Vec::new());
        for row in &rows {
            forms.row_mut(bounds.len()).copy_from(&row.form.transpose());
            let mut entries = (0..free.len()).filter(|&k| row.form[k] != 0.0);
            let only = entries.next().filter(|_| entries.next().is_none());
            value.push(only.filter(|&k| row.form[k] == 1.0).map(|k| free[k]));
            bounds.push((row.least, row.most));
        }
        for k in (0..free.len()).filter(|k| !pivots.contains(k)) {
            forms[(bounds.len(), k)] = 1.0;
            value.push(Some(free[k]));
            bounds.push((f64::NEG_INFINITY, f64::INFINITY));
        }
        let inverse = dense::inverse(forms.clone()).ok_or(Entangled)?;
        let mut of_values = DMatrix::zeros(free.len(), count);
        for (k, &at) in free.iter().enumerate() {
            of_values.set_column(at, &forms.column(k));
        }
        Ok(Self { offset, transform: reduced * inverse, forms: of_values, bounds, value })
    }

    /// Returns the number of coordinates.
    pub fn count(&self) -> usize {
        self.bounds.len()
    }

    /// Returns true if the coordinates are the values themselves.
    pub fn are_values(&self) -> bool {
        self.transform.is_identity(0.0)
    }

    /// Returns the values at these coordinates.
    pub fn values(&self, coordinates: &[f64]) -> Vec<f64> {
        let values = &self.offset + &self.transform * DVector::from_column_slice(coordinates);
        values.as_slice().to_vec()
    }

    /// Returns the derivative of the values by a coordinate.
    pub fn direction(&self, coordinate: usize) -> Vec<f64> {
        self.transform.column(coordinate).iter().copied().collect()
    }

    /// Returns the change of the values for a change of the coordinates.
    pub fn change(&self, coordinates: &[f64]) -> Vec<f64> {
        (&self.transform * DVector::from_column_slice(coordinates)).as_slice().to_vec()
    }

    /// Transforms the derivatives of a number by the values to those by the coordinates.
    pub fn by_coordinates(&self, by_values: &[f64]) -> Vec<f64> {
        self.transform.tr_mul(&DVector::from_column_slice(by_values)).as_slice().to_vec()
    }

    /// Returns the coordinates of values, clamped to their bounds.
    pub fn of(&self, values: &[f64]) -> Vec<f64> {
        let within = |(value, (least, most)): (&f64, &(f64, f64))| value.clamp(*least, *most);
        self.unbounded(values).iter().zip(&self.bounds).map(within).collect()
    }

    /// Returns the coordinates of values, regardless of their bounds.
    pub fn unbounded(&self, values: &[f64]) -> Vec<f64> {
        (&self.forms * DVector::from_column_slice(values)).as_slice().to_vec()
    }

    /// Returns the derivatives of the coordinates by the values.
    pub fn forms(&self) -> &DMatrix<f64> {
        &self.forms
    }

    /// Returns a linear form of the values as one of the coordinates: its constant and its coefficients.
    pub fn form(&self, of_values: &[(usize, f64)]) -> (f64, Vec<f64>) {
        let constant = of_values.iter().map(|&(at, factor)| factor * self.offset[at]).sum();
        let coefficient = |k: usize| of_values.iter().map(|&(at, factor)| factor * self.transform[(at, k)]).sum();
        (constant, (0..self.count()).map(coefficient).collect())
    }

    /// Transforms the covariance of the coordinates to that of the values.
    pub fn spread(&self, of_coordinates: &DMatrix<f64>) -> DMatrix<f64> {
        &self.transform * of_coordinates * self.transform.transpose()
    }
}

/// Solves the equalities: returns an offset of the values, the derivatives of the values by the free ones, and the
/// indices of the free values.
fn solved(count: usize, equalities: &[Condition]) -> (DVector<f64>, DMatrix<f64>, Vec<usize>) {
    let mut rows = DMatrix::zeros(equalities.len(), count + 1);
    for (row, condition) in equalities.iter().enumerate() {
        condition.form.coefficients.iter().for_each(|&(at, factor)| rows[(row, at)] += factor);
        rows[(row, count)] = condition.bound;
    }
    let mut of_row: Vec<(usize, usize)> = Vec::new();
    for row in 0..equalities.len() {
        let largest = rows.row(row).columns(0, count).amax();
        let original = equalities[row].form.coefficients.iter().fold(0.0, |most: f64, (_, f)| most.max(f.abs()));
        // the condition follows from others
        if largest <= MAX_ROUNDED_COEFFICIENT * original {
            continue;
        }
        let Some(pivot) = (0..count).rev().find(|&at| rows[(row, at)].abs() == largest) else { continue };
        let scale = 1.0 / rows[(row, pivot)];
        rows.row_mut(row).scale_mut(scale);
        for other in (0..equalities.len()).filter(|&other| other != row) {
            let factor = rows[(other, pivot)];
            if factor != 0.0 {
                let own = rows.row(row).clone_owned();
                rows.row_mut(other).zip_apply(&own, |entry, own| *entry -= factor * own);
            }
        }
        of_row.push((row, pivot));
    }
    let free: Vec<usize> = (0..count).filter(|at| of_row.iter().all(|(_, pivot)| pivot != at)).collect();
    let (mut offset, mut reduced) = (DVector::zeros(count), DMatrix::zeros(count, free.len()));
    for (k, &at) in free.iter().enumerate() {
        reduced[(at, k)] = 1.0;
        of_row.iter().for_each(|&(row, pivot)| reduced[(pivot, k)] = -rows[(row, at)]);
    }
    of_row.iter().for_each(|&(row, pivot)| offset[pivot] = rows[(row, count)]);
    (offset, reduced, free)
}

/// Returns the inequalities of the free values; each form appears once.
fn rows(inequalities: &[Condition], offset: &DVector<f64>, reduced: &DMatrix<f64>) -> Result<Vec<Row>, Entangled> {
    let mut all: Vec<Row> = Vec::new();
    for condition in inequalities {
        let mut form = DVector::zeros(reduced.ncols());
        let mut bound = condition.bound;
        for &(at, factor) in &condition.form.coefficients {
            form += reduced.row(at).transpose() * factor;
            bound -= factor * offset[at];
        }
        let original = condition.form.coefficients.iter().fold(0.0, |most: f64, (_, f)| most.max(f.abs()));
        let at = form.icamax();
        let largest = form.get(at).copied().unwrap_or(0.0);
        if largest.abs() <= MAX_ROUNDED_COEFFICIENT * original {
            // the condition does not contain free values
            continue;
        }
        form /= largest;
        form.iter_mut().filter(|entry| entry.abs() <= MAX_ROUNDED_COEFFICIENT).for_each(|entry| *entry = 0.0);
        let bound = bound / largest;
        let (least, most) = if largest > 0.0 { (bound, f64::INFINITY) } else { (f64::NEG_INFINITY, bound) };
        match all.iter_mut().find(|row| (&row.form - &form).amax() <= MAX_ROUNDED_COEFFICIENT) {
            Some(row) => (row.least, row.most) = (row.least.max(least), row.most.min(most)),
            None => all.push(Row { form, least, most }),
        }
        if all.iter().any(|row| row.least > row.most) {
            return Err(Entangled);
        }
    }
    Ok(all)
}

fn matrix(rows: &[Row], columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), columns, |row, column| rows[row].form[column])
}

fn rank(rows: &[Row], columns: usize) -> usize {
    if rows.is_empty() || columns == 0 { 0 } else { dense::rank(&matrix(rows, columns), 1e-9) }
}

/// Leaves out rows that follow from others: sums of these with positive factors, with a bound that is not stricter.
fn without_redundant(mut rows: Vec<Row>) -> Vec<Row> {
    /// Largest remainder, relative to a form with largest coefficient 1, at which a form counts as a sum of others.
    const LEFT: f64 = 1e-8;
    let mut at = 0;
    while at < rows.len() {
        // every other row as "at least"; one with two bounds is two
        let others = rows.iter().enumerate().filter(|(k, _)| *k != at).flat_map(|(_, row)| {
            let below = row.least.is_finite().then(|| (row.form.clone(), row.least));
            let above = row.most.is_finite().then(|| (-&row.form, -row.most));
            below.into_iter().chain(above)
        });
        let others: Vec<(DVector<f64>, f64)> = others.collect();
        let follows = |form: &DVector<f64>, bound: f64| {
            let products = DMatrix::from_fn(others.len(), others.len(), |i, j| others[i].0.dot(&others[j].0));
            let right: Vec<f64> = others.iter().map(|(other, _)| other.dot(form)).collect();
            let Some(factors) = nonnegative(&products, &right) else { return false };
            let mut rest = form.clone();
            let mut reached = 0.0;
            for ((other, bound), factor) in others.iter().zip(factors) {
                rest -= other * factor;
                reached += bound * factor;
            }
            rest.amax() <= LEFT && reached >= bound - LEFT * (1.0 + bound.abs())
        };
        let row = &rows[at];
        let below = row.least == f64::NEG_INFINITY || follows(&row.form, row.least);
        let above = row.most == f64::INFINITY || follows(&-&row.form, -row.most);
        if below && above {
            rows.remove(at);
        } else {
            at += 1;
        }
    }
    rows
}

/// Finds a free value for every row, so that the rows and the other free values are coordinates; `None` where rows
/// depend on each other.
fn pivots(rows: &[Row], columns: usize) -> Option<Vec<usize>> {
    let mut matrix = matrix(rows, columns);
    let mut pivots: Vec<usize> = Vec::new();
    for row in 0..rows.len() {
        let candidates = (0..columns).filter(|column| !pivots.contains(column));
        let pivot = candidates.max_by(|a, b| matrix[(row, *a)].abs().total_cmp(&matrix[(row, *b)].abs()))?;
        let size = matrix[(row, pivot)];
        if size.abs() <= 1e-9 {
            return None;
        }
        for other in row + 1..rows.len() {
            let factor = matrix[(other, pivot)] / size;
            if factor != 0.0 {
                let own = matrix.row(row).clone_owned();
                matrix.row_mut(other).zip_apply(&own, |entry, own| *entry -= factor * own);
            }
        }
        pivots.push(pivot);
    }
    Some(pivots)
}

#[cfg(test)]
mod tests {
    use costate_contract::tables::Extension;

    use super::*;
    use costate_system::table::Curve;
    use costate_system::table::prior::{Shape, conditions};

    fn coordinates(knots: &[f64], shapes: &[Shape]) -> Result<(Conditions, Coordinates), Entangled> {
        let curve = Curve::new(knots.to_vec(), vec![0.0; knots.len()], Extension::Linear);
        let conditions = curve.ok().and_then(|curve| conditions(&curve, shapes, &[]).ok()).unwrap_or_default();
        let coordinates = Coordinates::new(knots.len(), &conditions)?;
        Ok((conditions, coordinates))
    }

    const KNOTS: [f64; 7] = [-3.0, -1.5, -1.0, 0.0, 1.0, 1.5, 3.0];

    #[test]
    fn all_coordinates_within_bounds_keep_the_conditions_and_all_values_that_do_are_reached() {
        let between = Shape::Between { least: -2.0, most: 5.0 };
        let outside = Shape::ZeroOutside { from: -2.0, to: 2.0 };
        let cases: [(&[Shape], usize); 9] = [
            (&[], 7),
            (&[Shape::Increasing], 7),
            (&[Shape::Convex], 7),
            (&[Shape::Increasing, Shape::Convex], 7),
            (&[Shape::Odd], 3),
            (&[Shape::Odd, Shape::Increasing], 3),
            (&[Shape::ThroughOrigin, Shape::Decreasing], 6),
            (&[between], 7),
            (&[outside, between, Shape::ThroughOrigin], 4),
        ];
        for (shapes, count) in cases {
            let Ok((conditions, coordinates)) = coordinates(&KNOTS, shapes) else { panic!("{shapes:?}") };
            assert_eq!(coordinates.count(), count, "{shapes:?}");
            for trial in 0..20 {
                let place = |k: usize| 2.0 * (1.7 * (trial * 31 + k) as f64).sin();
                let within = |(k, (least, most)): (usize, &(f64, f64))| place(k).clamp(*least, *most);
                let chosen: Vec<f64> = coordinates.bounds.iter().enumerate().map(within).collect();
                let values = coordinates.values(&chosen);
                assert!(conditions.violation(&values) < 1e-9, "{shapes:?} {values:?}");
                let again = coordinates.of(&values);
                assert!(again.iter().zip(&chosen).all(|(a, b)| (a - b).abs() < 1e-9), "{shapes:?}");
            }
        }
    }

    #[test]
    fn a_slope_of_a_monotone_curve_and_both_its_bounds_are_too_much() {
        let between = Shape::Between { least: 0.0, most: 5.0 };
        assert!(coordinates(&KNOTS, &[Shape::Increasing, between]).is_err());
    }

    #[test]
    fn derivatives_are_transposed() {
        let Ok((_, coordinates)) = coordinates(&KNOTS, &[Shape::Odd, Shape::Increasing]) else { panic!() };
        let by_values: Vec<f64> = (0..7).map(|k| (k as f64).cos()).collect();
        let by_coordinates = coordinates.by_coordinates(&by_values);
        for (k, derivative) in by_coordinates.iter().enumerate() {
            let along: f64 = coordinates.direction(k).iter().zip(&by_values).map(|(a, b)| a * b).sum();
            assert!((along - derivative).abs() < 1e-12);
        }
    }
}
