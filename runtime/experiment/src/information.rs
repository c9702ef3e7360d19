//! The Fisher information of an experiment, and what follows from it.

use nalgebra::DMatrix;

use costate_numerics::linalg::{NormalEquations, dense, triangular_factor};
use costate_system::identifiers::{Dynamic, Parameter};
use costate_system::state_space::covariance_factor;

use super::combination::Combination;
use super::criterion::Criterion;
use super::error::InformationError;
use super::parameters::{InformedParameter, tagged};

/// The Fisher information matrix M = sum_i S_i^T R^-1 S_i (OB 5.6), the dispersion matrix D = M^-1 (OB 5.7), whose
/// diagonal bounds the variances of any unbiased estimate from below (Cramer, Rao), and what the experiment does not
/// determine.
///
/// [`Display`](std::fmt::Display) prints a table. It holds a triangular factor of M, not M, whose condition is squared.
#[derive(Debug, Clone, PartialEq)]
pub struct Information<M = Dynamic> {
    parameters: Vec<InformedParameter<M>>,
    fisher: Fisher,
}

/// An [`Information`] without the type of its model.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fisher {
    pub parameters: Vec<InformedParameter>,
    /// Upper triangular, M = root^T root, in the parameters' units.
    root: DMatrix<f64>,
    normal: NormalEquations,
}

impl<M> Information<M> {
    pub(super) fn of(fisher: Fisher) -> Self {
        Self { parameters: tagged(&fisher.parameters), fisher }
    }

    /// Without the type of the model.
    pub(super) fn fisher(&self) -> &Fisher {
        &self.fisher
    }

    /// Without the type of the model.
    pub(super) fn into_fisher(self) -> Fisher {
        self.fisher
    }

    /// With the type of the model.
    pub(super) fn tagged<N>(self) -> Information<N> {
        Information::of(self.fisher)
    }

    /// The unknown parameters: the order of all rows and columns.
    pub fn parameters(&self) -> &[InformedParameter<M>] {
        &self.parameters
    }

    /// M (l x l), in the reciprocals of the products of the parameters' units.
    pub fn matrix(&self) -> DMatrix<f64> {
        self.fisher.matrix()
    }

    /// M_jk s_j s_k with the scales s of the parameters: the information about relative changes, without unit.
    pub fn relative_matrix(&self) -> DMatrix<f64> {
        self.fisher.relative_matrix()
    }

    /// D = M^-1 in the products of the parameters' units. Rows and columns of parameters that the experiment does not
    /// determine are infinite on the diagonal and NaN elsewhere.
    pub fn dispersion(&self) -> DMatrix<f64> {
        self.fisher.dispersion()
    }

    /// The Cramer-Rao bounds of the standard deviations, in the parameters' units; infinite for what the experiment
    /// does not determine.
    pub fn standard_deviations(&self) -> Vec<f64> {
        self.fisher.standard_deviations()
    }

    /// The [standard deviations](Self::standard_deviations) divided by the magnitudes of the values.
    pub fn relative_deviations(&self) -> Vec<f64> {
        self.fisher.relative_deviations()
    }

    /// Correlation matrix of the estimates: D_jk / sqrt(D_jj D_kk), 1 on the diagonal and NaN beside it where a
    /// parameter is not determined.
    pub fn correlation(&self) -> DMatrix<f64> {
        self.fisher.correlation()
    }

    /// The number of combinations of the parameters that the experiment determines: singular values of the whitened
    /// sensitivities, with columns of norm 1, above 1e-10 of the largest one.
    pub fn rank(&self) -> usize {
        self.fisher.rank()
    }

    /// Combinations of relative changes that leave the measured outputs as they are, with the largest coefficient 1;
    /// none if all parameters are determined.
    pub fn undetermined(&self) -> Vec<Combination<M>> {
        self.fisher.undetermined().into_iter().map(Combination::tagged).collect()
    }

    /// The combination of relative changes, with coefficients of norm 1, of which the experiment says least: the
    /// eigenvector of the smallest eigenvalue of [`relative_matrix`](Self::relative_matrix), with the reciprocal of the
    /// eigenvalue's root as standard deviation. Where something is [`undetermined`](Self::undetermined), the first of
    /// that.
    pub fn weakest(&self) -> Combination<M> {
        self.fisher.weakest().tagged()
    }

    /// Phi of the [`relative_matrix`](Self::relative_matrix).
    ///
    /// # Errors
    /// [`InformationError::Singular`] where the criterion needs every parameter to be determined, and
    /// [`InformationError::Matrix`] where M overflows.
    pub fn criterion(&self, criterion: Criterion) -> Result<f64, InformationError> {
        self.fisher.criterion(criterion)
    }

    /// The information of two independent experiments together, M = M_1 + M_2.
    ///
    /// # Errors
    /// [`InformationError::DifferentParameters`] unless both have the same unknown parameters, in the same order and
    /// with the same values and scales.
    pub fn combined(&self, other: &Self) -> Result<Self, InformationError> {
        Ok(Self::of(self.fisher.combined(&other.fisher)?))
    }

    /// Adds what is known beforehand: independent standard deviations of some parameters, in their units.
    ///
    /// # Errors
    /// [`InformationError::NotUnknown`], [`InformationError::PriorDeviation`].
    pub fn with_prior(
        &self,
        deviations: impl IntoIterator<Item = (Parameter<M>, f64)>,
    ) -> Result<Self, InformationError> {
        let deviations = deviations.into_iter().map(|(parameter, deviation)| (parameter.erased(), deviation));
        Ok(Self::of(self.fisher.with_prior(deviations.collect())?))
    }

    /// Adds a covariance of all unknown parameters that is known beforehand, in the products of their units: such as
    /// the [`dispersion`](Self::dispersion) of an earlier experiment.
    ///
    /// # Errors
    /// [`InformationError::PriorCovariance`] unless it is symmetric and positive definite.
    pub fn with_prior_covariance(&self, covariance: &DMatrix<f64>) -> Result<Self, InformationError> {
        Ok(Self::of(self.fisher.with_prior_covariance(covariance)?))
    }
}

impl Fisher {
    pub fn new(parameters: Vec<InformedParameter>, root: DMatrix<f64>) -> Self {
        let normal = NormalEquations::new(root.clone());
        Self { parameters, root, normal }
    }

    /// See [`Information::matrix`].
    pub fn matrix(&self) -> DMatrix<f64> {
        self.root.transpose() * &self.root
    }

    /// See [`Information::relative_matrix`].
    pub fn relative_matrix(&self) -> DMatrix<f64> {
        let scaled = self.relative_root();
        scaled.transpose() * scaled
    }

    /// See [`Information::dispersion`].
    pub fn dispersion(&self) -> DMatrix<f64> {
        self.normal.inverse()
    }

    /// See [`Information::standard_deviations`].
    pub fn standard_deviations(&self) -> Vec<f64> {
        self.dispersion().diagonal().iter().map(|variance| variance.sqrt()).collect()
    }

    /// See [`Information::relative_deviations`].
    pub fn relative_deviations(&self) -> Vec<f64> {
        let known = self.standard_deviations().into_iter().zip(&self.parameters);
        known.map(|(deviation, parameter)| deviation / parameter.value.abs()).collect()
    }

    /// See [`Information::correlation`].
    pub fn correlation(&self) -> DMatrix<f64> {
        let dispersion = self.dispersion();
        DMatrix::from_fn(dispersion.nrows(), dispersion.ncols(), |j, k| match j == k {
            true => 1.0,
            false => dispersion[(j, k)] / (dispersion[(j, j)] * dispersion[(k, k)]).sqrt(),
        })
    }

    /// See [`Information::rank`].
    pub fn rank(&self) -> usize {
        self.normal.rank()
    }

    /// See [`Information::undetermined`].
    pub fn undetermined(&self) -> Vec<Combination> {
        let relative = |changes: Vec<f64>| {
            let scaled = changes.iter().zip(&self.parameters).map(|(change, known)| change / known.scale);
            Combination::new(&self.parameters, scaled.collect(), f64::INFINITY)
        };
        self.normal.undetermined().into_iter().map(relative).collect()
    }

    /// See [`Information::weakest`].
    pub fn weakest(&self) -> Combination {
        if let Some(first) = self.undetermined().into_iter().next() {
            return first;
        }
        let svd = dense::svd(self.relative_root(), false, true);
        let (smallest, sigma) = svd.singular_values.argmin();
        let row = svd.v_t.iter().map(|v_t| v_t.row(smallest).iter().copied().collect::<Vec<_>>()).next();
        Combination::new(&self.parameters, row.unwrap_or_default(), 1.0 / sigma)
    }

    /// See [`Information::criterion`].
    pub fn criterion(&self, criterion: Criterion) -> Result<f64, InformationError> {
        Ok(criterion.evaluate(&self.relative_matrix())?.0)
    }

    /// See [`Information::combined`].
    pub fn combined(&self, other: &Self) -> Result<Self, InformationError> {
        if self.parameters != other.parameters {
            let (first, second) = (described(&self.parameters), described(&other.parameters));
            return Err(InformationError::DifferentParameters { first, second });
        }
        Ok(self.with_rows(&other.root))
    }

    /// See [`Information::with_prior`].
    fn with_prior(&self, deviations: Vec<(Parameter, f64)>) -> Result<Self, InformationError> {
        let mut rows: Vec<(usize, f64)> = Vec::new();
        for (parameter, deviation) in deviations {
            let name = parameter.name();
            if !(deviation > 0.0 && deviation.recip().powi(2).is_normal()) {
                return Err(InformationError::PriorDeviation { name, deviation });
            }
            let known = self.parameters.iter().position(|known| known.parameter == parameter);
            let unknown = || self.parameters.iter().map(InformedParameter::name).collect();
            let k = known.ok_or_else(|| InformationError::NotUnknown { name, unknown: unknown() })?;
            rows.push((k, 1.0 / deviation));
        }
        let mut added = DMatrix::zeros(rows.len(), self.parameters.len());
        for (row, (k, weight)) in rows.into_iter().enumerate() {
            added[(row, k)] = weight;
        }
        Ok(self.with_rows(&added))
    }

    /// See [`Information::with_prior_covariance`].
    fn with_prior_covariance(&self, covariance: &DMatrix<f64>) -> Result<Self, InformationError> {
        let n = self.parameters.len();
        let named = |fault| {
            let unknown = self.parameters.iter().map(InformedParameter::name).collect();
            InformationError::PriorCovariance { unknown, fault }
        };
        let factor = covariance_factor(covariance, n).map_err(named)?;
        // P = L L^T: P^-1 = L^-T L^-1
        let mut rows = DMatrix::identity(n, n);
        factor.solve_lower_triangular_mut(&mut rows);
        Ok(self.with_rows(&rows))
    }

    fn with_rows(&self, rows: &DMatrix<f64>) -> Self {
        let n = self.parameters.len();
        let mut stacked = DMatrix::zeros(n + rows.nrows(), n);
        stacked.rows_mut(0, n).copy_from(&self.root);
        stacked.rows_mut(n, rows.nrows()).copy_from(rows);
        Self::new(self.parameters.clone(), triangular_factor(stacked))
    }

    fn relative_root(&self) -> DMatrix<f64> {
        let mut scaled = self.root.clone();
        for (mut column, known) in scaled.column_iter_mut().zip(&self.parameters) {
            column *= known.scale;
        }
        scaled
    }
}

fn described(parameters: &[InformedParameter]) -> String {
    let each = parameters.iter().map(|known| {
        let scale = if known.scale == known.value.abs() { String::new() } else { format!(" +- {}", known.scale) };
        format!("{} = {}{scale}", known.name(), known.value)
    });
    each.collect::<Vec<_>>().join(", ")
}
