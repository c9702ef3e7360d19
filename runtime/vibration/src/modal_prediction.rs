//! Natural frequencies and damping ratios as predictions that identifications compare with measured ones.

use std::fmt;

use costate_system::prediction::{PredictedGroup, Prediction, PredictionError};
use nalgebra::{Complex, DMatrix};

use costate_system::model::Model;
use costate_system::system::DualEquations;

use crate::error::VibrationError;
use crate::mode::{Mode, ModeKind, Modes, modal_assurance};
use crate::poles::assigned;
use crate::search::EquilibriumSearch;
use crate::sparse::{Vector, times};

/// The least likeness of shapes, from 0 to 1, with which a mode is taken for a measured one.
const LIKE: f64 = 0.4;
/// Name of the group of natural frequencies.
const FREQUENCIES: &str = "natural frequencies";
/// Name of the group of damping ratios.
const RATIOS: &str = "damping ratios";

/// Natural frequencies in Hz and damping ratios of some modes, at the equilibrium that belongs to the parameters. Modes
/// are paired with measured ones by their shapes, so that they keep their places when frequencies cross.
///
/// The groups are `natural frequencies` in Hz and `damping ratios` in 1, over the number of the mode from 1.
#[derive(Clone)]
pub struct ModalPrediction {
    name: String,
    search: EquilibriumSearch,
    dual: &'static dyn DualEquations,
    references: Vec<Reference>,
    groups: Vec<PredictedGroup>,
}

/// The shape by which a mode is found.
#[derive(Debug, Clone)]
enum Reference {
    /// A shape of all coordinates.
    Coordinates(Vec<Complex<f64>>),
    /// A shape of the outputs with these positions.
    Outputs(Vec<usize>, Vec<Complex<f64>>),
}

impl fmt::Debug for ModalPrediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModalPrediction").field("name", &self.name).field("references", &self.references).finish()
    }
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
        let reference = |&index: &usize| Ok(Reference::Coordinates(all.mode(index)?.shape.clone()));
        let references = modes.iter().map(reference).collect::<Result<Vec<_>, VibrationError>>()?;
        Ok(Self::new(name.into(), search, dual, references))
    }

    /// Creates the prediction of modes with measured shapes: for each mode the values at the outputs with these
    /// positions, up to a common factor.
    ///
    /// # Errors
    /// [`VibrationError::Empty`] without shapes, [`VibrationError::Setting`] for a shape of another length than the
    /// list of outputs.
    pub fn of_shapes(
        name: impl Into<String>,
        search: &EquilibriumSearch,
        dual: &'static dyn DualEquations,
        outputs: &[usize],
        shapes: &[Vec<Complex<f64>>],
    ) -> Result<Self, VibrationError> {
        if let Some(shape) = shapes.iter().find(|shape| shape.len() != outputs.len() || outputs.is_empty()) {
            let (setting, value) = ("the length of a measured shape", shape.len() as f64);
            return Err(VibrationError::Setting { setting, value, limit: "the number of outputs, one at least" });
        }
        let references = shapes.iter().map(|shape| Reference::Outputs(outputs.to_vec(), shape.clone()));
        Ok(Self::new(name.into(), search, dual, references.collect()))
    }

    fn new(
        name: String,
        search: &EquilibriumSearch,
        dual: &'static dyn DualEquations,
        references: Vec<Reference>,
    ) -> Self {
        let places: Vec<f64> = (1..=references.len()).map(|mode| mode as f64).collect();
        let group = |name, unit| PredictedGroup::new(name, unit, ("mode", "1"), places.clone());
        let groups = vec![group(FREQUENCIES, "Hz"), group(RATIOS, "1")];
        Self { name, search: search.clone(), dual, references, groups }
    }

    /// Predicts frequencies alone, of which damping ratios were not measured.
    #[must_use]
    pub fn without_damping(mut self) -> Self {
        self.groups.retain(|group| group.name == FREQUENCIES);
        self
    }

    /// Computes the modes at these parameters, and the index of that which belongs to each reference.
    fn paired(&self, parameters: &[f64]) -> Result<(Modes, Vec<usize>), VibrationError> {
        let modes = self.search.with_parameters(parameters).find()?.linearized().modes()?;
        let likeness: Vec<Vec<f64>> = self
            .references
            .iter()
            .map(|reference| modes.all().iter().map(|mode| reference.likeness(&modes, mode)).collect())
            .collect();
        let places = assigned(&likeness, modes.len());
        let found = places.into_iter().enumerate().map(|(reference, place)| {
            let like = place.and_then(|place| likeness[reference].get(place)).copied().unwrap_or(0.0);
            let place = place.filter(|_| like >= LIKE);
            place.ok_or(VibrationError::Unpaired { index: reference, likeness: like })
        });
        let found = found.collect::<Result<Vec<usize>, _>>()?;
        Ok((modes, found))
    }

    /// The groups of numbers, of frequencies and of damping ratios, of which some may be left out.
    fn joined<T>(&self, frequencies: Vec<T>, ratios: Vec<T>) -> Vec<T> {
        if self.groups.len() > 1 { frequencies.into_iter().chain(ratios).collect() } else { frequencies }
    }
}

impl Reference {
    fn likeness(&self, modes: &Modes, mode: &Mode) -> f64 {
        if mode.kind() != ModeKind::Oscillation {
            return 0.0;
        }
        match self {
            Self::Outputs(outputs, shape) => {
                let own: Vec<Complex<f64>> =
                    outputs.iter().filter_map(|&output| mode.outputs.get(output).copied()).collect();
                modal_assurance(shape, &own)
            }
            Self::Coordinates(shape) => {
                let mass = &modes.linear_model().matrices.mass;
                let [a, b] = [shape, &mode.shape].map(|shape| Vector::from_vec(shape.clone()));
                let product = |a: &Vector, b: &Vector| a.dotc(&times(mass, b));
                let sizes = product(&a, &a).re * product(&b, &b).re;
                if sizes > 0.0 { product(&a, &b).norm_sqr() / sizes } else { 0.0 }
            }
        }
    }
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
