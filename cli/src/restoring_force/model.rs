//! The filter's model of a structure: M^-1, B, G and the sensors in the coordinates of the elements' deformations.

use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{
    APriori, Exponents, RestoringForceIdentification, RestoringForceModel, Sensor, SensorKind,
};
use nalgebra::DMatrix;

use super::structure::{Filter, Inertia, Structure, StructureError};
use crate::error::CommandError;

/// Deviation of unknown entries of M^-1 at the start, relative to the entries on the diagonal.
const INERTIA_UNCERTAINTY: f64 = 0.3;

/// Sets up the identification of a structure from samples every `interval` s; `inertia` is M^-1 once it has been found.
///
/// # Errors
/// [`StructureError::Field`], and those of the model.
pub fn identification(
    structure: &Structure,
    interval: f64,
    inertia: Option<&DMatrix<f64>>,
) -> Result<RestoringForceIdentification, CommandError> {
    let n = structure.elements.len();
    let coordinates = Coordinates::of(structure)?;
    let (sensors, combinations) = sensors(structure, &coordinates)?;
    let typical = typical_stiffness(structure)?;
    let scale = structure.scale.unwrap_or(typical);
    let mut model = RestoringForceModel::new(coordinates.inverse_inertia.clone(), sensors)?
        .with_base(base(structure, &coordinates)?)?
        .with_forces(forces(structure, &coordinates)?)?
        .with_scale(scale)?;
    if let Some(combinations) = combinations {
        model = model.with_combinations(combinations)?;
    }
    let mut deviations = Vec::new();
    match inertia {
        Some(inertia) => model = model.with_inverse_inertia(inertia.clone())?,
        None => {
            let entries = unknown_entries(structure)?;
            let start = &coordinates.inverse_inertia;
            let size = |&(row, column): &(usize, usize)| (start[(row, row)] * start[(column, column)]).sqrt();
            deviations.extend(entries.iter().map(|entry| INERTIA_UNCERTAINTY * size(entry)));
            model = model.with_unknown_inertia(&entries)?;
        }
    }
    let expected = structure
        .elements
        .iter()
        .map(|element| APriori { stiffness: element.stiffness / scale, damping: element.damping / scale })
        .collect();
    let (method, usual) = match structure.filter {
        Filter::Extended => (KalmanMethod::Extended, Exponents::new(2.0, 1.0)),
        Filter::SquareRootUnscented => {
            (KalmanMethod::SquareRootUnscented(SigmaPoints::default()), Exponents::new(1.0, 0.0))
        }
    };
    let exponents = structure.exponents.map_or(usual, Exponents::from);
    // A hundredth of the average is suitable where displacements do not show the deformation directly (KE 3.17).
    let is_shown = |j: usize| {
        let mut sensors = model.sensors().iter();
        sensors.any(|sensor| sensor.element == j && sensor.kind == SensorKind::Displacement)
    };
    let lowest: Vec<f64> = (0..n)
        .map(|j| match structure.elements[j].lowest_stiffness {
            Some(lowest) => lowest / scale,
            None if is_shown(j) => f64::NEG_INFINITY,
            None => 0.01 * (structure.elements[j].stiffness / scale),
        })
        .collect();
    Ok(RestoringForceIdentification::new(model, interval, expected)?
        .method(method)
        .exponents(exponents)
        .inertia_deviations(&deviations)?
        .lowest_stiffness(&lowest)?)
}

/// Returns the places of unknown entries of M^-1, from 0.
fn unknown_entries(structure: &Structure) -> Result<Vec<(usize, usize)>, StructureError> {
    let n = structure.elements.len();
    let place = |(k, &[row, column]): (usize, &[usize; 2])| {
        if (1..=n).contains(&row) && (1..=n).contains(&column) {
            return Ok((row - 1, column - 1));
        }
        let (field, limit) = (format!("unknown_inertia[{}]", k + 1), format!("write two numbers from 1 to {n}"));
        Err(StructureError::field(field, format!("[{row}, {column}]"), limit))
    };
    structure.unknown_inertia.iter().enumerate().map(place).collect()
}

/// Computes the geometric mean of the expected stiffnesses, and checks all guesses.
fn typical_stiffness(structure: &Structure) -> Result<f64, StructureError> {
    let mut sum = 0.0;
    for (j, element) in structure.elements.iter().enumerate() {
        if !(element.stiffness > 0.0 && element.stiffness.is_finite()) {
            let field = format!("elements[{}].stiffness", j + 1);
            return Err(StructureError::field(field, element.stiffness, "write a positive number of N/m"));
        }
        if element.damping == 0.0 {
            let field = format!("elements[{}].damping", j + 1);
            return Err(StructureError::field(field, 0, "write a guess of N s/m that is not 0"));
        }
        sum += element.stiffness.ln() / structure.elements.len() as f64;
    }
    Ok(sum.exp())
}

/// The coordinates z of the elements' deformations.
struct Coordinates {
    inverse_inertia: DMatrix<f64>,
    /// Matrix that maps z to the bodies' positions relative to the base; `None` unless the inertia is given by masses.
    bodies: Option<DMatrix<f64>>,
}

impl Coordinates {
    fn of(structure: &Structure) -> Result<Self, StructureError> {
        let n = structure.elements.len();
        if n == 0 {
            return Err(StructureError::field("elements", "empty", "write one for each degree of freedom"));
        }
        let of_matrix = |inverse_inertia| Ok(Self { inverse_inertia, bodies: None });
        match &structure.inertia {
            Inertia::Masses(masses) => Self::of_masses(structure, masses),
            Inertia::Inverse(rows) => of_matrix(square("inertia.inverse", rows, n)?),
            Inertia::Mass(rows) => {
                let inverse = symmetric("inertia.mass", square("inertia.mass", rows, n)?)?.cholesky();
                let limit = "write a positive definite matrix";
                let inverse = inverse.ok_or_else(|| StructureError::field("inertia.mass", "not definite", limit))?;
                of_matrix(inverse.inverse())
            }
        }
    }

    /// Sets up the coordinates for elements between bodies: M^-1 = T diag(1/m) T^T, where z = T x.
    fn of_masses(structure: &Structure, masses: &[f64]) -> Result<Self, StructureError> {
        let n = structure.elements.len();
        if masses.len() != n {
            let value = format!("a list of {}", masses.len());
            let limit = format!("there are {n} elements, one for each degree of freedom: write {n} masses");
            return Err(StructureError::field("inertia.masses", value, limit));
        }
        if let Some(k) = masses.iter().position(|mass| !(*mass > 0.0 && mass.is_finite())) {
            let field = format!("inertia.masses[{}]", k + 1);
            return Err(StructureError::field(field, masses[k], "write a positive number of kg"));
        }
        let mut deformations = DMatrix::zeros(n, n);
        for (j, element) in structure.elements.iter().enumerate() {
            let field = format!("elements[{}].between", j + 1);
            let Some([from, to]) = element.between else {
                let limit = "write the two masses that it joins, as in [0, 1]; 0 is the base";
                return Err(StructureError::field(field, "missing", limit));
            };
            if from == to || from.max(to) > n {
                let limit = format!("write two different numbers from 0, the base, to {n}, the last mass");
                return Err(StructureError::field(field, format!("[{from}, {to}]"), limit));
            }
            for (body, sign) in [(from, -1.0), (to, 1.0)] {
                if body > 0 {
                    deformations[(j, body - 1)] = sign;
                }
            }
        }
        let Some(bodies) = deformations.clone().try_inverse() else {
            let limit = "join every mass to the base, directly or through others, and none twice";
            return Err(StructureError::field("elements.between", "a structure with loose masses", limit));
        };
        let inverse_masses =
            DMatrix::from_diagonal(&nalgebra::DVector::from_iterator(n, masses.iter().map(|m| 1.0 / m)));
        let inverse_inertia = &deformations * inverse_masses * deformations.transpose();
        Ok(Self { inverse_inertia, bodies: Some(bodies) })
    }

    /// Returns the row of a body, from 1.
    fn body(&self, field: &str, number: usize) -> Result<Vec<f64>, StructureError> {
        let field = format!("{field}.mass");
        let Some(bodies) = &self.bodies else {
            let limit = "write `masses` in `inertia`, or where the elements are meant";
            return Err(StructureError::field(field, number, limit));
        };
        let limit = format!("write a number from 1 to {}", bodies.nrows());
        let row = number.checked_sub(1).filter(|k| *k < bodies.nrows());
        let row = row.ok_or_else(|| StructureError::field(field, number, limit))?;
        Ok(bodies.row(row).iter().copied().collect())
    }
}

/// Computes B, the effect of the base on the accelerations of the deformations.
fn base(structure: &Structure, coordinates: &Coordinates) -> Result<DMatrix<f64>, StructureError> {
    let n = structure.elements.len();
    let mut columns = Vec::new();
    for (k, base) in structure.base.iter().enumerate() {
        let field = format!("base[{}].directions", k + 1);
        let on_base = |j: usize| match structure.elements[j].between {
            Some([0, _]) => -1.0,
            Some([_, 0]) => 1.0,
            _ => 0.0,
        };
        match (&base.directions, &coordinates.bodies) {
            (None, Some(_)) if structure.base.len() == 1 => columns.extend((0..n).map(on_base)),
            (None, Some(_)) => {
                let limit = "masses have one base; leave one, or write a matrix in `inertia`";
                return Err(StructureError::field("base", structure.base.len(), limit));
            }
            (None, None) => {
                let limit = "write a number for each element, -1 for one on the base";
                return Err(StructureError::field(field, "missing", limit));
            }
            (Some(_), Some(_)) => {
                let limit = "it follows from what the elements join; leave it out";
                return Err(StructureError::field(field, "given", limit));
            }
            (Some(directions), None) => columns.extend(numbers(&field, directions, n)?),
        }
    }
    Ok(DMatrix::from_vec(n, structure.base.len(), columns))
}

/// Computes G, the directions of the forces.
fn forces(structure: &Structure, coordinates: &Coordinates) -> Result<DMatrix<f64>, StructureError> {
    let n = structure.elements.len();
    let mut columns = Vec::new();
    for (k, force) in structure.forces.iter().enumerate() {
        let field = format!("forces[{}]", k + 1);
        columns.extend(match (force.mass, &force.directions) {
            (Some(mass), None) => coordinates.body(&field, mass)?,
            (None, Some(directions)) => numbers(&format!("{field}.directions"), directions, n)?,
            _ => {
                let limit = "write `mass` or `directions`, one of both";
                return Err(StructureError::field(field, "ambiguous", limit));
            }
        });
    }
    Ok(DMatrix::from_vec(n, structure.forces.len(), columns))
}

/// Returns the elementary sensors, and the combinations of these that are measured; `None` if each sensor measures one.
fn sensors(
    structure: &Structure,
    coordinates: &Coordinates,
) -> Result<(Vec<Sensor>, Option<DMatrix<f64>>), StructureError> {
    let n = structure.elements.len();
    let mut rows = Vec::new();
    let mut measured: Vec<Sensor> = Vec::new();
    for (k, sensor) in structure.sensors.iter().enumerate() {
        let field = format!("sensors[{}]", k + 1);
        let weights = match (sensor.element, sensor.mass, &sensor.weights) {
            (Some(element), None, None) => {
                if !(1..=n).contains(&element) {
                    let limit = format!("write a number from 1 to {n}");
                    return Err(StructureError::field(format!("{field}.element"), element, limit));
                }
                (0..n).map(|j| f64::from(u8::from(j + 1 == element))).collect()
            }
            (None, Some(mass), None) => coordinates.body(&field, mass)?,
            (None, None, Some(weights)) => numbers(&format!("{field}.weights"), weights, n)?,
            _ => {
                let limit = "write `element`, `mass` or `weights`, one of these";
                return Err(StructureError::field(field, "ambiguous", limit));
            }
        };
        let terms: Vec<(Sensor, f64)> = weights
            .into_iter()
            .enumerate()
            .filter(|(_, weight)| *weight != 0.0)
            .map(|(element, weight)| (Sensor { element, kind: sensor.kind }, weight))
            .collect();
        measured.extend(terms.iter().map(|term| term.0));
        rows.push(terms);
    }
    if rows.iter().all(|terms| matches!(terms[..], [(_, 1.0)])) {
        return Ok((measured, None));
    }
    let mut distinct: Vec<Sensor> = Vec::new();
    for sensor in measured {
        if !distinct.contains(&sensor) {
            distinct.push(sensor);
        }
    }
    distinct.sort_by_key(|sensor| sensor.element);
    let weight = |i: usize, j: usize| {
        rows[i].iter().filter(|(sensor, _)| *sensor == distinct[j]).map(|(_, weight)| weight).sum()
    };
    let matrix = DMatrix::from_fn(rows.len(), distinct.len(), weight);
    Ok((distinct, Some(matrix)))
}

/// Checks a list of numbers, one for each element.
fn numbers(field: &str, values: &[f64], n: usize) -> Result<Vec<f64>, StructureError> {
    if values.len() != n {
        let limit = format!("write {n} numbers, one for each element");
        return Err(StructureError::field(field, format!("a list of {}", values.len()), limit));
    }
    Ok(values.to_vec())
}

/// Makes a matrix of n rows and columns.
fn square(field: &str, rows: &[Vec<f64>], n: usize) -> Result<DMatrix<f64>, StructureError> {
    if rows.len() != n || rows.iter().any(|row| row.len() != n) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let limit = format!("there are {n} elements: write {n} rows with {n} numbers each");
        return Err(StructureError::field(field, format!("{} x {columns}", rows.len()), limit));
    }
    Ok(DMatrix::from_fn(n, n, |i, j| rows[i][j]))
}

/// Checks that a matrix of inertia is symmetric.
fn symmetric(field: &str, matrix: DMatrix<f64>) -> Result<DMatrix<f64>, StructureError> {
    for i in 0..matrix.nrows() {
        for j in 0..i {
            let (below, above) = (matrix[(i, j)], matrix[(j, i)]);
            if (below - above).abs() > 1e-9 * matrix.amax() {
                let value = format!("{below} at ({}, {}), {above} at ({}, {})", i + 1, j + 1, j + 1, i + 1);
                return Err(StructureError::field(field, value, "write a symmetric matrix"));
            }
        }
    }
    Ok(matrix)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Checks that every file gives an identification or an error.
    #[test]
    fn mutated_structures_are_read_or_refused() {
        let (plate, masses) = (
            include_str!("../../templates/structures/plate.json"),
            include_str!("../../templates/structures/two_masses.json"),
        );
        let words = [
            "\"masses\":",
            "\"inverse\":",
            "\"mass\":",
            "\"weights\":",
            "\"between\":",
            "\"unknown_inertia\": [[1, 2]],",
            "[0, 1]",
            "1e-320",
            "-1e308",
            "null",
        ];
        costate_fuzz::drive("structures", &[plate.as_bytes(), masses.as_bytes()], &words, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let structure = match Structure::of_text(&text, PathBuf::from("structure.json")) {
                Ok(structure) => structure,
                Err(error) => return costate::campaign::error::with_causes(&error),
            };
            match identification(&structure, 1e-3, None) {
                Ok(_) => "read".to_owned(),
                Err(error) => error.text(),
            }
        });
    }
}
