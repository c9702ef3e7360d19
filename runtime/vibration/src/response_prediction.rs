//! Frequency responses as predictions that identifications compare with measured ones.

use costate_system::prediction::{PredictedGroup, Prediction, PredictionError, complex_parts};
use nalgebra::{Complex, DMatrix};

use costate_system::identifiers::{Input, Output};
use costate_system::model::Model;
use costate_system::system::DualEquations;

use crate::derivatives::LinearDerivatives;
use crate::error::VibrationError;
use crate::frequency_response::{FrequencyResponse, check_frequencies};
use crate::linear_model::LinearModel;
use crate::search::EquilibriumSearch;

/// Frequency responses of the model about the equilibrium that belongs to the parameters, at given frequencies.
///
/// Every response has two groups, its real and its imaginary parts over the frequency: `name: real part` and
/// `name: imaginary part`.
#[derive(Debug, Clone)]
pub struct ResponsePrediction {
    name: String,
    search: EquilibriumSearch,
    dual: &'static dyn DualEquations,
    frequencies: Vec<f64>,
    /// Real part of s in 1/s.
    decay: f64,
    quotients: Vec<Quotient>,
    groups: Vec<PredictedGroup>,
}

/// The quantities of which a response is the quotient.
#[derive(Debug, Clone, Copy)]
enum Quotient {
    /// An output over an input.
    Response { input: usize, output: usize },
    /// An input over an output.
    Inverse { input: usize, output: usize },
    /// An output over another one, moved by an input.
    Ratio { input: usize, above: usize, below: usize },
}

impl<M: Model> EquilibriumSearch<M> {
    /// Creates the prediction of responses at these frequencies in Hz; [`response`](ResponsePrediction::response) and
    /// others say which.
    ///
    /// # Errors
    /// [`VibrationError::Frequency`], [`VibrationError::Empty`].
    pub fn predict_responses(
        &self,
        name: impl Into<String>,
        frequencies: &[f64],
    ) -> Result<ResponsePrediction, VibrationError> {
        ResponsePrediction::of(name, &self.erased(), M::dual_equations(), frequencies)
    }
}

impl ResponsePrediction {
    /// Creates the prediction of [`predict_responses`](EquilibriumSearch::predict_responses) by the functions of the
    /// same model in dual numbers.
    ///
    /// # Errors
    /// As [`predict_responses`](EquilibriumSearch::predict_responses).
    pub fn of(
        name: impl Into<String>,
        search: &EquilibriumSearch,
        dual: &'static dyn DualEquations,
        frequencies: &[f64],
    ) -> Result<Self, VibrationError> {
        check_frequencies(frequencies)?;
        let (quotients, groups) = (Vec::new(), Vec::new());
        Ok(Self {
            name: name.into(),
            search: search.clone(),
            dual,
            frequencies: frequencies.to_vec(),
            decay: 0.0,
            quotients,
            groups,
        })
    }

    /// Predicts all responses at `s = decay + 2 pi i f`, as they are measured with an exponential window that adds this
    /// decay in 1/s. The model keeps its own damping: nothing is corrected in what was measured.
    ///
    /// # Errors
    /// [`VibrationError::Setting`] for a decay that is negative or not finite.
    pub fn added_decay(mut self, decay: f64) -> Result<Self, VibrationError> {
        if !(decay >= 0.0 && decay.is_finite()) {
            let (setting, limit) = ("the added decay in 1/s", "0 or positive, and finite");
            return Err(VibrationError::Setting { setting, value: decay, limit });
        }
        self.decay = decay;
        self.groups.iter_mut().for_each(|group| group.added_decay = decay);
        Ok(self)
    }

    /// Adds the response of an output to an input, with the name `output/input`.
    ///
    /// # Errors
    /// [`VibrationError::OtherModel`].
    pub fn response<M>(self, input: Input<M>, output: Output<M>) -> Result<Self, VibrationError> {
        let (input, output) = (self.checked(input, output)?, output.index());
        self.with(Quotient::Response { input, output })
    }

    /// Adds the dynamic stiffness of an input, a force, over an output, the displacement that belongs to it, with the
    /// name `input/output`.
    ///
    /// # Errors
    /// [`VibrationError::OtherModel`], [`VibrationError::Units`].
    pub fn dynamic_stiffness<M>(self, input: Input<M>, output: Output<M>) -> Result<Self, VibrationError> {
        let (input, output) = (self.checked(input, output)?, output.index());
        let quotient = Quotient::Inverse { input, output };
        self.of_quotient(quotient, Vec::new()).dynamic_stiffness()?;
        self.with(quotient)
    }

    /// Adds the quotient of two outputs that an input moves, such as a transmissibility, or the force on a support over
    /// a displacement, with the name `above/below`.
    ///
    /// # Errors
    /// [`VibrationError::OtherModel`].
    pub fn ratio<M>(self, input: Input<M>, above: Output<M>, below: Output<M>) -> Result<Self, VibrationError> {
        let index = self.checked(input, above)?;
        self.checked(input, below)?;
        self.with(Quotient::Ratio { input: index, above: above.index(), below: below.index() })
    }

    fn checked<M>(&self, input: Input<M>, output: Output<M>) -> Result<usize, VibrationError> {
        input.check_model(self.search.model())?;
        output.check_model(self.search.model())?;
        Ok(input.index())
    }

    fn with(mut self, quotient: Quotient) -> Result<Self, VibrationError> {
        let response = self.of_quotient(quotient, Vec::new());
        let (unit, name) = (response.unit(), format!("{}/{}", response.above.name, response.below.name));
        let groups = PredictedGroup::of_complex(&name, &unit, &self.frequencies);
        self.groups.extend(groups.map(|group| group.added_decay(self.decay)));
        self.quotients.push(quotient);
        Ok(self)
    }

    /// Returns a response with the names and units of a quotient.
    fn of_quotient(&self, quotient: Quotient, values: Vec<Complex<f64>>) -> FrequencyResponse {
        let model = self.search.model();
        let (above, below) = match quotient {
            Quotient::Response { input, output } => (model.outputs[output], model.inputs[input]),
            Quotient::Inverse { input, output } => (model.inputs[input], model.outputs[output]),
            Quotient::Ratio { above, below, .. } => (model.outputs[above], model.outputs[below]),
        };
        FrequencyResponse { frequencies: self.frequencies.clone(), values, above, below }
    }

    fn linearized(&self, parameters: &[f64]) -> Result<LinearModel, VibrationError> {
        Ok(self.search.with_parameters(parameters).find()?.linearized())
    }

    /// Returns the complex values of a quotient.
    fn quotient(&self, linear: &LinearModel, quotient: Quotient) -> Result<Vec<Complex<f64>>, VibrationError> {
        let of =
            |input: usize, outputs: &[usize]| linear.responses_at(self.decay, &self.frequencies, &[input], outputs);
        let first = |responses: Vec<FrequencyResponse>| responses.into_iter().flat_map(|response| response.values);
        Ok(match quotient {
            Quotient::Response { input, output } => first(of(input, &[output])?).collect(),
            Quotient::Inverse { input, output } => first(of(input, &[output])?).map(|value| value.inv()).collect(),
            Quotient::Ratio { input, above, below } => {
                let both: Vec<Complex<f64>> = first(of(input, &[above, below])?).collect();
                let (above, below) = both.split_at(self.frequencies.len());
                above.iter().zip(below).map(|(above, below)| above / below).collect()
            }
        })
    }

    /// Returns the derivatives of a quotient, a list for every parameter.
    fn quotient_changes(
        &self,
        linear: &LinearModel,
        derivatives: &LinearDerivatives,
        quotient: Quotient,
    ) -> Result<Vec<Vec<Complex<f64>>>, VibrationError> {
        let of =
            |input, output| linear.response_derivatives_at(self.decay, &self.frequencies, input, output, derivatives);
        Ok(match quotient {
            Quotient::Response { input, output } => of(input, output)?.derivatives,
            Quotient::Inverse { input, output } => {
                let found = of(input, output)?;
                let values = &found.response.values;
                let inverse = |(change, value): (&Complex<f64>, &Complex<f64>)| -change / (value * value);
                found.derivatives.iter().map(|of| of.iter().zip(values).map(inverse).collect()).collect()
            }
            Quotient::Ratio { input, above, below } => {
                let (above, below) = (of(input, above)?, of(input, below)?);
                let (a, b) = (&above.response.values, &below.response.values);
                let change = |(da, db): (&Vec<Complex<f64>>, &Vec<Complex<f64>>)| {
                    (0..a.len()).map(|k| (da[k] - a[k] / b[k] * db[k]) / b[k]).collect()
                };
                above.derivatives.iter().zip(&below.derivatives).map(change).collect()
            }
        })
    }
}

impl Prediction for ResponsePrediction {
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
        let linear = self.linearized(parameters).map_err(PredictionError::here)?;
        let mut values = Vec::new();
        for &quotient in &self.quotients {
            values.extend(complex_parts(&self.quotient(&linear, quotient).map_err(PredictionError::here)?));
        }
        Ok(values)
    }

    fn derivatives(&self, parameters: &[f64], unknown: &[usize]) -> Result<(Vec<f64>, DMatrix<f64>), PredictionError> {
        let linear = self.linearized(parameters).map_err(PredictionError::here)?;
        let derivatives = linear.derivatives_by(self.dual, unknown).map_err(PredictionError::here)?;
        let (mut values, mut columns) = (Vec::new(), vec![Vec::new(); unknown.len()]);
        for &quotient in &self.quotients {
            values.extend(complex_parts(&self.quotient(&linear, quotient).map_err(PredictionError::here)?));
            let changes = self.quotient_changes(&linear, &derivatives, quotient).map_err(PredictionError::here)?;
            columns.iter_mut().zip(&changes).for_each(|(column, change)| column.extend(complex_parts(change)));
        }
        let entry = |row: usize, column: usize| columns[column].get(row).copied().unwrap_or(0.0);
        let derivatives = DMatrix::from_fn(values.len(), unknown.len(), entry);
        Ok((values, derivatives))
    }
}
