//! The augmented a priori model of N restoring forces (KE 2.31, 3.3, 4.1).

mod adapted;
mod response;
mod step;
mod work;

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::dense;
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::state_space::{StateSpace, check_covariance};

use crate::restoring_force::error::{RestoringForceError, size};
use crate::restoring_force::sensor::Sensor;

pub use adapted::AdaptedModel;
pub use response::{Response, Visited};

use work::Work;

/// The computation of the matrix F of a step in the extended filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TransitionMatrix {
    /// The derivative of the Runge-Kutta step.
    #[default]
    Exact,
    /// The trapezoidal formula of KE (2.47), without terms in the square of the interval.
    Trapezoidal,
}

/// Deformations z, their rates v, and effective stiffnesses s and dampings d of N elements, all functions of time:
///
/// ```text
/// z' = v,   v' = M^-1 (G w - p_c (s z + d v)) + B u,   s' = 0,   d' = 0
/// ```
///
/// with base accelerations u, forces w, and the scale p_c. The states are z (N), v (N), s (N), d (N), and the entries
/// of M^-1 that are to be estimated; the inputs are first u, then w. Steps are those of KE (2.42) to (2.45).
#[derive(Debug, Clone)]
pub struct RestoringForceModel {
    inverse_inertia: DMatrix<f64>,
    /// B (N x base accelerations).
    base: DMatrix<f64>,
    /// G (N x forces).
    force: DMatrix<f64>,
    sensors: Vec<Sensor>,
    /// The signals as combinations of what the sensors stand for (signals x sensors), and the inverse of that.
    combinations: Option<(DMatrix<f64>, DMatrix<f64>)>,
    scale: f64,
    unknown: Vec<(usize, usize)>,
    transition: TransitionMatrix,
    work: Work,
}

impl RestoringForceModel {
    /// Elements with the inverse inertia matrix M^-1 (N x N, 1/kg), without excitation, and one sensor per element.
    ///
    /// # Errors
    /// [`FilterError::Covariance`](costate_system::state_space::FilterError::Covariance) if M^-1 is not symmetric and
    /// positive definite; [`RestoringForceError::Unobservable`] and [`RestoringForceError::OutOfRange`] for the
    /// sensors.
    pub fn new(inverse_inertia: DMatrix<f64>, sensors: Vec<Sensor>) -> Result<Self, RestoringForceError> {
        let elements = inverse_inertia.nrows();
        check_covariance("inverse_inertia", &inverse_inertia, elements, true)?;
        check_sensors(&sensors, elements)?;
        Ok(Self {
            base: DMatrix::zeros(elements, 0),
            force: DMatrix::zeros(elements, 0),
            work: Work::new(elements, 4 * elements, 0),
            inverse_inertia,
            sensors,
            combinations: None,
            scale: 1.0,
            unknown: Vec::new(),
            transition: TransitionMatrix::Exact,
        })
    }

    /// One degree of freedom with the mass `mass` in kg on a base with the acceleration u, and an accelerometer on it
    /// (KE 3.3, 3.4): v' = -p_c (s z + d v)/m - u, y = v' + u.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`].
    pub fn on_moving_base(mass: f64) -> Result<Self, RestoringForceError> {
        if !(mass > 0.0 && mass.is_finite()) {
            let (field, limit) = ("mass", "positive and finite");
            return Err(OutOfRange { field, value: mass, limit }.into());
        }
        let inverse = DMatrix::from_element(1, 1, 1.0 / mass);
        Self::new(inverse, vec![Sensor::acceleration(0)])?.with_base(DMatrix::from_element(1, 1, -1.0))
    }

    /// Base accelerations u with their matrix B (N x accelerations).
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn with_base(mut self, matrix: DMatrix<f64>) -> Result<Self, RestoringForceError> {
        size("rows of the matrix B", matrix.nrows(), self.elements())?;
        self.base = matrix;
        self.work = Work::new(self.elements(), self.states(), self.inputs());
        Ok(self)
    }

    /// Forces w in N with the matrix G of the directions in which they act (N x forces).
    ///
    /// # Errors
    /// [`RestoringForceError::Size`].
    pub fn with_forces(mut self, matrix: DMatrix<f64>) -> Result<Self, RestoringForceError> {
        size("rows of the matrix G", matrix.nrows(), self.elements())?;
        self.force = matrix;
        self.work = Work::new(self.elements(), self.states(), self.inputs());
        Ok(self)
    }

    /// Other sensors.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_sensors(mut self, sensors: Vec<Sensor>) -> Result<Self, RestoringForceError> {
        check_sensors(&sensors, self.elements())?;
        self.sensors = sensors;
        self.combinations = None;
        Ok(self)
    }

    /// Signals y = H w that are linear combinations of the quantities w for which the [`sensors`](Self::sensors) stand
    /// (KE 2.33): say, accelerometers beside the springs on a rigid body. H has a row for each signal and a column for
    /// each of `sensors`, and the signals must determine all of these.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`]; [`RestoringForceError::OutOfRange`] for an entry that is not finite;
    /// [`RestoringForceError::Unobservable`] if the rank of H is below its number of columns.
    pub fn with_combinations(mut self, matrix: DMatrix<f64>) -> Result<Self, RestoringForceError> {
        size("columns of the matrix H", matrix.ncols(), self.sensors.len())?;
        if let Some(&value) = matrix.iter().find(|value| !value.is_finite()) {
            let (field, limit) = ("entry of the matrix H", "finite");
            return Err(OutOfRange { field, value, limit }.into());
        }
        let inverse = separate(&matrix, &self.sensors)?;
        self.combinations = Some((matrix, inverse));
        Ok(self)
    }

    /// The scale p_c of the forces, which brings s near 1 (KE 3.3). It changes nothing for the estimates of the
    /// extended filter.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`].
    pub fn with_scale(mut self, scale: f64) -> Result<Self, RestoringForceError> {
        if !(scale > 0.0 && scale.is_finite()) {
            let (field, limit) = ("scale", "positive and finite");
            return Err(OutOfRange { field, value: scale, limit }.into());
        }
        self.scale = scale;
        Ok(self)
    }

    /// Entries (row, column) of M^-1 that join the state (KE 4.1); their counterparts on the other side of the diagonal
    /// follow. With base acceleration alone, M^-1 can be identified up to a factor: leave one entry on the diagonal.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for an entry that the matrix does not have, or that is named twice.
    pub fn with_unknown_inertia(mut self, entries: &[(usize, usize)]) -> Result<Self, RestoringForceError> {
        let elements = self.elements();
        let ordered: Vec<_> = entries.iter().map(|&(row, column)| (row.min(column), row.max(column))).collect();
        for (k, &(_, column)) in ordered.iter().enumerate() {
            let field = "entry of the inverse inertia";
            if column >= elements {
                let limit = "an index below the number of elements";
                return Err(OutOfRange { field, value: column as f64, limit }.into());
            }
            if ordered[..k].contains(&ordered[k]) {
                let limit = "named once";
                return Err(OutOfRange { field, value: k as f64, limit }.into());
            }
        }
        self.unknown = ordered;
        self.work = Work::new(elements, self.states(), self.inputs());
        Ok(self)
    }

    /// Sets the computation of F in the extended filter.
    #[must_use]
    pub fn with_transition(mut self, transition: TransitionMatrix) -> Self {
        self.transition = transition;
        self
    }

    /// Number N of elements.
    pub fn elements(&self) -> usize {
        self.inverse_inertia.nrows()
    }

    /// p_c.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// M^-1, with the start values of unknown entries.
    pub fn inverse_inertia(&self) -> &DMatrix<f64> {
        &self.inverse_inertia
    }

    /// B.
    pub fn base(&self) -> &DMatrix<f64> {
        &self.base
    }

    /// G.
    pub fn force_directions(&self) -> &DMatrix<f64> {
        &self.force
    }

    /// Entries of M^-1 that are states.
    pub fn unknown_inertia(&self) -> &[(usize, usize)] {
        &self.unknown
    }

    /// The sensors.
    pub fn sensors(&self) -> &[Sensor] {
        &self.sensors
    }

    /// Variances of what the sensors stand for, from those of the signals.
    pub(super) fn sensor_variances(&self, signals: &[f64]) -> Vec<f64> {
        match &self.combinations {
            None => signals.to_vec(),
            Some((_, inverse)) => {
                let weights = inverse.component_mul(inverse);
                (weights * DVector::from_column_slice(signals)).as_slice().to_vec()
            }
        }
    }

    /// Replaces M^-1, say by what was identified; nothing of it is unknown any more.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_inverse_inertia(mut self, matrix: DMatrix<f64>) -> Result<Self, RestoringForceError> {
        check_covariance("inverse_inertia", &matrix, self.elements(), true)?;
        self.inverse_inertia = matrix;
        self.unknown.clear();
        self.work = Work::new(self.elements(), self.states(), self.inputs());
        Ok(self)
    }

    /// M^-1 with the entries that a state holds.
    pub fn inverse_inertia_at(&self, x: &[f64]) -> DMatrix<f64> {
        let mut matrix = self.inverse_inertia.clone();
        for (&(row, column), &value) in self.unknown.iter().zip(x.iter().skip(4 * self.elements())) {
            matrix[(row, column)] = value;
            matrix[(column, row)] = value;
        }
        matrix
    }
}

/// Every element needs one signal at least (KE 2.33).
fn check_sensors(sensors: &[Sensor], elements: usize) -> Result<(), RestoringForceError> {
    if let Some(sensor) = sensors.iter().find(|sensor| sensor.element >= elements) {
        let (field, limit) = ("element of a sensor", "below the number of elements");
        return Err(OutOfRange { field, value: sensor.element as f64, limit }.into());
    }
    let missing: Vec<_> = (0..elements).filter(|&j| !sensors.iter().any(|sensor| sensor.element == j)).collect();
    if missing.is_empty() { Ok(()) } else { Err(unobservable(&missing)) }
}

/// The pseudo-inverse of H, if it has full column rank (KE 2.33).
fn separate(matrix: &DMatrix<f64>, sensors: &[Sensor]) -> Result<DMatrix<f64>, RestoringForceError> {
    /// Part of the largest singular value below which another one counts as zero.
    const TOLERANCE: f64 = 1e-10;
    // Zero rows, so that the decomposition holds the whole null space.
    let rows = matrix.nrows().max(matrix.ncols());
    let svd = dense::svd(matrix.clone().resize_vertically(rows, 0.0), true, true);
    let limit = TOLERANCE * svd.singular_values.max();
    let open: Vec<usize> = match &svd.v_t {
        Some(directions) => {
            let null = |k: &usize| svd.singular_values[*k].is_nan() || svd.singular_values[*k] <= limit;
            let involved =
                |j: &usize| (0..svd.singular_values.len()).filter(null).any(|k| directions[(k, *j)].abs() > 1e-6);
            (0..sensors.len()).filter(involved).collect()
        }
        None => (0..sensors.len()).collect(),
    };
    match svd.pseudo_inverse(limit) {
        Ok(inverse) if open.is_empty() => Ok(inverse.columns(0, matrix.nrows()).into_owned()),
        _ => {
            let mut elements: Vec<usize> = open.iter().map(|&k| sensors[k].element).collect();
            elements.dedup();
            Err(unobservable(&elements))
        }
    }
}

fn unobservable(elements: &[usize]) -> RestoringForceError {
    let states = elements.iter().flat_map(|j| ["z", "v", "s", "d"].map(|name| format!("{name}[{}]", j + 1)));
    RestoringForceError::Unobservable {
        states: states.collect(),
        elements: elements.iter().map(|j| format!("element {}", j + 1)).collect(),
    }
}
