//! Natural frequencies and damping ratios as predictions that identifications compare with measured ones.

use costate_system::prediction::{PredictedGroup, Prediction, PredictionError};
use nalgebra::{Complex, DMatrix};

use costate_system::model::Model;
use costate_system::system::DualEquations;

use crate::error::VibrationError;
use crate::mode::{Mode, ModeKind, Modes};
use crate::poles::assigned;
use crate::search::EquilibriumSearch;
use crate::sparse::{Vector, times};

/// Name of the group of natural frequencies.
const FREQUENCIES: &str = "natural frequencies";
/// Name of the group of damping ratios.
const RATIOS: &str = "damping ratios";

/// Natural frequencies in Hz and damping ratios of some modes, at the equilibrium that belongs to the parameters. Modes
/// are paired with measured ones by their shapes, so that they keep their places when frequencies cross.
///
/// The groups are `natural frequencies` in Hz and `damping ratios` in 1, over the number of the mode from 1.
#[derive(Debug, Clone)]
pub struct ModalPrediction {
    name: String,
    search: EquilibriumSearch,
    dual: &'static dyn DualEquations,
    /// The shapes of all coordinates by which modes are found.
    shapes: Vec<Vec<Complex<f64>>>,
    groups: Vec<PredictedGroup>,
}

impl<M: Model> EquilibriumSearch<M> {
    /// Creates the prediction of the modes with these indices, from 0, among the [modes](crate::LinearModel::modes) at
    /// the parameters of the simulation; at other parameters they are the modes with shapes like these.
    ///
    /// # Errors
    /// As [`find`](Self::find) and [`LinearModel::modes`](crate::LinearModel::modes); [`VibrationError::NoMode`].
    pub fn predict_modes(&self, name: impl Into<String>, modes: &[usize]) -> Result<ModalPrediction, VibrationError> {
        ModalPrediction::of_modes(name, &self.erased(), M::dual_equations(), modes)
    }
}

impl ModalPrediction {
    /// Creates the prediction of [`predict_modes`](EquilibriumSearch::predict_modes) by the functions of the same model
    /// in dual numbers.
    ///
    /// # Errors
    /// As [`predict_modes`](EquilibriumSearch::predict_modes).
    pub fn of_modes(
        name: impl Into<String>,
        search: &EquilibriumSearch,
        dual: &'static dyn DualEquations,
        modes: &[usize],
    ) -> Result<Self, VibrationError> {
        let all = search.find()?.linearized().modes()?;
        let shape = |&index: &usize| Ok(all.mode(index)?.shape.clone());
        let shapes = modes.iter().map(shape).collect::<Result<Vec<_>, VibrationError>>()?;
        let places: Vec<f64> = (1..=shapes.len()).map(|mode| mode as f64).collect();
        let group = |name, unit| PredictedGroup::new(name, unit, ("mode", "1"), places.clone());
        let groups = vec![group(FREQUENCIES, "Hz"), group(RATIOS, "1")];
        Ok(Self { name: name.into(), search: search.clone(), dual, shapes, groups })
    }

    /// Predicts frequencies alone, of which damping ratios were not measured.
    #[must_use]
    pub fn without_damping(mut self) -> Self {
        self.groups.retain(|group| group.name == FREQUENCIES);
        self
    }

    /// Computes the modes at these parameters, and the index of that which belongs to each shape.
    fn paired(&self, parameters: &[f64]) -> Result<(Modes, Vec<usize>), VibrationError> {
        /// The least likeness of shapes, from 0 to 1, with which a mode is taken for a measured one.
        const MIN_LIKENESS: f64 = 0.4;
        let modes = self.search.with_parameters(parameters).find()?.linearized().modes()?;
        let of_shape = |shape: &Vec<_>| modes.all().iter().map(|mode| likeness(&modes, mode, shape)).collect();
        let likeness: Vec<Vec<f64>> = self.shapes.iter().map(of_shape).collect();
        let places = assigned(&likeness, modes.len());
        let found = places.into_iter().enumerate().map(|(index, place)| {
            let like = place.and_then(|place| likeness[index].get(place)).copied().unwrap_or(0.0);
            let place = place.filter(|_| like >= MIN_LIKENESS);
            place.ok_or(VibrationError::Unpaired { index, likeness: like })
        });
        let found = found.collect::<Result<Vec<usize>, _>>()?;
        Ok((modes, found))
    }

    /// The groups of numbers, of frequencies and of damping ratios, of which some may be left out.
    fn joined<T>(&self, frequencies: Vec<T>, ratios: Vec<T>) -> Vec<T> {
        if self.groups.len() > 1 { frequencies.into_iter().chain(ratios).collect() } else { frequencies }
    }
}

/// Returns the likeness of an oscillation's shape and another shape of all coordinates, weighted by masses; 0 for other
/// motions.
fn likeness(modes: &Modes, mode: &Mode, shape: &[Complex<f64>]) -> f64 {
    if mode.kind() != ModeKind::Oscillation {
        return 0.0;
    }
    let mass = &modes.linear_model().matrices.mass;
    let [a, b] = [shape, &mode.shape].map(Vector::from_column_slice);
    let product = |a: &Vector, b: &Vector| a.dotc(&times(mass, b));
    let sizes = product(&a, &a).re * product(&b, &b).re;
    if sizes > 0.0 { product(&a, &b).norm_sqr() / sizes } else { 0.0 }
}

impl Prediction for ModalPrediction {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        self.search.model().name
    }

    fn groups(&self) -> &[PredictedGroup] {
        &self.groups
    }

    fn values(&self, parameters: &[f64]) -> Result<Vec<f64>, PredictionError> {
        let (modes, places) = self.paired(parameters).map_err(PredictionError::here)?;
        let of = |number: fn(&Mode) -> f64| places.iter().map(|&place| number(&modes.modes[place])).collect();
        Ok(self.joined(of(Mode::frequency), of(Mode::damping_ratio)))
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let (modes, places) = self.paired(parameters).map_err(PredictionError::here)?;
        let linear = modes.linear_model().derivatives_by(self.dual, unknown).map_err(PredictionError::here)?;
        let of_modes = places.iter().map(|&place| modes.derivatives(place, &linear));
        let of_modes = of_modes.collect::<Result<Vec<_>, _>>().map_err(PredictionError::here)?;
        let of = |number: fn(&Mode) -> f64| places.iter().map(|&place| number(&modes.modes[place])).collect();
        let values = self.joined(of(Mode::frequency), of(Mode::damping_ratio));
        let frequencies: Vec<&Vec<f64>> = of_modes.iter().map(|mode| &mode.frequency).collect();
        let ratios: Vec<&Vec<f64>> = of_modes.iter().map(|mode| &mode.damping_ratio).collect();
        let rows = self.joined(frequencies, ratios);
        let entry = |row: usize, column: usize| rows[row].get(column).copied().unwrap_or(0.0);
        Ok((values, DMatrix::from_fn(rows.len(), unknown.len(), entry)))
    }
}
