//! All unknowns of an identification as one vector z, and where each of them acts.

use costate_numerics::scalar::Scalar;
use costate_optimize::{Scaling, Variable};
use costate_system::identifiers::Parameter;
use costate_system::system::ModelValue;

use super::changed_curve::ChangedCurve;
use super::coordinates::Coordinates;
use crate::definition::correction::Correction;
use crate::definition::curve::CurveChange;
use crate::definition::digits::significant;
use crate::definition::error::SpecificationError;
use crate::definition::experiment::ExperimentDefinition;
use crate::definition::measurement::{OutputMeasurement, Taken};
use crate::definition::prior::Prior;
use crate::definition::unknown::UnknownParameter;
use crate::definition::unknown_input::UnknownInput;
use crate::definition::unknown_table::UnknownTable;

/// A number that is known, or one of the unknowns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    Known(f64),
    /// Index of the unknown in z.
    Unknown(usize),
}

impl Value {
    /// Returns the value with its index replaced by that in `indices`.
    pub fn renumbered(self, indices: &[usize]) -> Self {
        match self {
            Self::Unknown(index) => Self::Unknown(indices[index]),
            known @ Self::Known(_) => known,
        }
    }

    /// Returns true if the number is known.
    pub fn is_known(self) -> bool {
        matches!(self, Self::Known(_))
    }

    /// Returns the number.
    pub fn of<S: Scalar>(self, unknowns: &[S]) -> S {
        match self {
            Self::Known(value) => S::constant(value),
            Self::Unknown(index) => unknowns[index],
        }
    }

    /// Adds a derivative by the number to the derivatives by the unknowns.
    pub fn add(self, by_unknowns: &mut [f64], derivative: f64) {
        if let Self::Unknown(index) = self {
            by_unknowns[index] += derivative;
        }
    }
}

/// The owner of an unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// All experiments have it in common.
    All,
    /// Every group of experiments has its own.
    Group,
    /// Every experiment has its own.
    Experiment,
}

/// One unknown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unknown {
    /// Name of the parameter, or `delay of acceleration`.
    pub quantity: String,
    /// The experiment or group that has the unknown alone; `None` if all have it in common.
    pub of: Option<String>,
    pub unit: &'static str,
    pub variable: Variable,
    /// Index of the parameter; `None` if the unknown is no parameter.
    pub parameter: Option<usize>,
    /// Name and settings of the correction; `None` if the unknown is no correction.
    pub correction: Option<(&'static str, Correction)>,
    /// The input or table of which the unknown is one of many values; `None` for single unknowns.
    pub part_of: Option<&'static str>,
}

impl Unknown {
    /// Returns the name with its owner, such as `preload [low]`.
    pub fn name(&self) -> &str {
        self.variable.name()
    }
}

/// The parameters of one experiment that are unknown: their indices in the model and in z.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Selection {
    pub parameters: Vec<usize>,
    pub unknowns: Vec<usize>,
}

/// The unknowns, while they are collected.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    pub unknowns: Vec<Unknown>,
}

/// Returns the place of the unknown that corrections of several measurements have in common.
pub(crate) fn common_correction(unknowns: &[Unknown], common: &str) -> Option<usize> {
    unknowns.iter().position(|unknown| unknown.of.is_none() && unknown.quantity == common)
}

impl Layout {
    /// Restricts unknowns with a log-normal prior to positive values.
    pub fn with_priors(mut self, priors: &[(Parameter, Prior)]) -> Self {
        for (parameter, _) in priors.iter().filter(|(_, prior)| matches!(prior, Prior::LogNormal { .. })) {
            let own = self.unknowns.iter_mut().filter(|unknown| unknown.parameter == Some(parameter.index()));
            own.for_each(|unknown| unknown.variable = unknown.variable.clone().positive());
        }
        self
    }

    /// Collects the unknown parameters of all experiments, and selects those of every experiment: one that validates
    /// only has unknowns that other experiments have as well.
    pub fn of_parameters(
        model: &ModelValue,
        unknowns: &[(UnknownParameter, Owner)],
        experiments: &[&ExperimentDefinition],
    ) -> (Self, Vec<Selection>) {
        let mut layout = Self::default();
        let mut selections = vec![Selection::default(); experiments.len()];
        for (unknown, owner) in unknowns {
            let parameter = unknown.parameter();
            // owners that have been seen already, and their unknowns
            let mut known: Vec<(Option<&str>, usize)> = Vec::new();
            let mut in_turn: Vec<_> = experiments.iter().zip(&mut selections).collect();
            in_turn.sort_by_key(|(experiment, _)| experiment.validates);
            for (experiment, selection) in in_turn {
                let of = match owner {
                    Owner::All => None,
                    Owner::Experiment => Some(experiment.name.as_str()),
                    Owner::Group => Some(experiment.group.as_deref().unwrap_or(&experiment.name)),
                };
                let index = match known.iter().find(|(other, _)| *other == of) {
                    Some((_, index)) => *index,
                    None if experiment.validates => continue,
                    None => {
                        let start = start_of(model, parameter, experiment, *owner);
                        let index = layout.push(unknown, start, of);
                        known.push((of, index));
                        index
                    }
                };
                selection.parameters.push(parameter.index());
                selection.unknowns.push(index);
            }
        }
        (layout, selections)
    }

    fn push(&mut self, unknown: &UnknownParameter, start: f64, of: Option<&str>) -> usize {
        let quantity = unknown.parameter().quantity();
        let name = named(quantity.name, of);
        self.unknowns.push(Unknown {
            quantity: quantity.name.to_owned(),
            of: of.map(str::to_owned),
            unit: quantity.unit,
            variable: unknown.variable(name, start),
            parameter: Some(unknown.parameter().index()),
            correction: None,
            part_of: None,
        });
        self.unknowns.len() - 1
    }

    /// Returns gain, offset and delay of a channel, and adds those that are unknown.
    pub fn corrections(
        &mut self,
        measurement: &OutputMeasurement,
        taken: &Taken,
        experiment: &ExperimentDefinition,
        is_one_of_several: bool,
    ) -> Result<[Value; 3], SpecificationError> {
        let output = measurement.output;
        let mut values = [Value::Known(0.0); 3];
        for (value, (correction, given)) in values.iter_mut().zip(measurement.data.corrections.named()) {
            let (unit, typical) = match correction {
                "gain" => ("1", 1.0),
                "offset" => (output.quantity().unit, scatter(&taken.samples.values)),
                _ => ("s", 1.0),
            };
            let owner = Corrected { correction, of: output.name(), unit, typical };
            *value = self.correction(owner, given, experiment, is_one_of_several)?;
        }
        Ok(values)
    }

    /// Returns a correction, which is added if it is unknown and has no common name that is known already.
    pub fn correction(
        &mut self,
        corrected: Corrected,
        given: &Correction,
        experiment: &ExperimentDefinition,
        is_one_of_several: bool,
    ) -> Result<Value, SpecificationError> {
        let Corrected { correction, of, unit, typical } = corrected;
        check(correction, of, given)?;
        if !given.is_unknown {
            return Ok(Value::Known(given.value));
        }
        let refused = |remedy| Err(SpecificationError::Correction { correction, of, value: given.value, remedy });
        if let Some(index) = given.common.as_deref().and_then(|common| common_correction(&self.unknowns, common)) {
            if self.unknowns[index].correction.as_ref() != Some(&(correction, given.clone())) {
                return refused("all that share it give the same start value, bounds and typical change");
            }
            return Ok(Value::Unknown(index));
        }
        let typical = given.typical.unwrap_or(match (correction, given.bounds) {
            ("delay", Some((lower, upper))) => 0.25 * (upper - lower),
            _ => typical,
        });
        let experiment_name = is_one_of_several.then(|| experiment.name.clone());
        let own = || (format!("{correction} of {of}"), experiment_name);
        let (quantity, of) = given.common.clone().map_or_else(own, |common| (common, None));
        let mut variable = Variable::new(named(&quantity, of.as_deref()), given.value);
        variable = variable.scaled(Scaling::Linear { typical });
        if let Some((lower, upper)) = given.bounds {
            variable = variable.within(lower, upper);
        }
        let correction = Some((correction, given.clone()));
        self.unknowns.push(Unknown { quantity, of, unit, variable, parameter: None, correction, part_of: None });
        Ok(Value::Unknown(self.unknowns.len() - 1))
    }

    /// Returns a changed curve, and adds its unknowns.
    pub fn changed_curve(&mut self, change: &CurveChange) -> ChangedCurve {
        let mut value = |what: &str, unit, given: Option<(f64, f64)>, known: f64| {
            let Some((start, typical)) = given else { return Value::Known(known) };
            // of a further fit, whose unknowns are not shown
            let quantity = format!("{what} {}", self.unknowns.len());
            let variable = Variable::new(&quantity, start).scaled(Scaling::Linear { typical });
            let (parameter, correction, part_of) = (None, None, None);
            self.unknowns.push(Unknown { quantity, of: None, unit, variable, parameter, correction, part_of });
            Value::Unknown(self.unknowns.len() - 1)
        };
        ChangedCurve {
            curve: change.curve.clone(),
            gain: value("gain", "1", change.gain.map(|gain| (gain, gain.abs())), 1.0),
            is_conjugate: change.is_conjugate,
            delay: value("delay", "s", change.delay, 0.0),
        }
    }

    /// Adds the values of an unknown input at its knots; returns the index of the first one.
    pub fn knots(
        &mut self,
        unknown: &UnknownInput,
        (from, knots): (f64, usize),
        experiment: &ExperimentDefinition,
        is_one_of_several: bool,
    ) -> usize {
        let first = self.unknowns.len();
        let of = is_one_of_several.then(|| experiment.name.clone());
        for knot in 0..knots {
            let time = from + knot as f64 * unknown.interval;
            let quantity = format!("{} at {} s", unknown.input.name(), significant(time, 6));
            let variable = unknown.variable(named(&quantity, of.as_deref()));
            let (unit, of) = (unknown.input.quantity().unit, of.clone());
            let part_of = Some(unknown.input.name());
            self.unknowns.push(Unknown { quantity, of, unit, variable, parameter: None, correction: None, part_of });
        }
        first
    }
}

impl Layout {
    /// Adds the coordinates of an unknown table with these start values; returns the index of the first one. `places`
    /// has the arguments of every value.
    pub fn coordinates(
        &mut self,
        unknown: &UnknownTable,
        coordinates: &Coordinates,
        start: &[f64],
        places: &[String],
    ) -> usize {
        let first = self.unknowns.len();
        let (name, typical) = (unknown.name(), unknown.typical);
        for (k, (start, (lower, upper))) in start.iter().zip(&coordinates.bounds).enumerate() {
            let quantity = match coordinates.value[k].and_then(|value| places.get(value)) {
                Some(place) => format!("{name} at {place}"),
                None => format!("{name}, coordinate {}", k + 1),
            };
            let variable = Variable::new(&quantity, *start).scaled(Scaling::Linear { typical });
            self.unknowns.push(Unknown {
                quantity,
                of: None,
                unit: unknown.unit(),
                variable: variable.within(*lower, *upper),
                parameter: None,
                correction: None,
                part_of: Some(name),
            });
        }
        first
    }
}

/// A correction and the output or input to which it belongs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corrected {
    /// `gain`, `offset` or `delay`.
    pub correction: &'static str,
    /// Name of the output or input.
    pub of: &'static str,
    pub unit: &'static str,
    /// A typical change, unless bounds or the user give one.
    pub typical: f64,
}

/// Returns the start value: that of the experiment where the unknown is not common to all, else that of the model.
fn start_of(model: &ModelValue, parameter: Parameter, experiment: &ExperimentDefinition, owner: Owner) -> f64 {
    let own = experiment.known.iter().rev().find(|(known, _)| *known == parameter);
    match own {
        Some((_, value)) if owner != Owner::All => *value,
        _ => model.parameters[parameter.index()],
    }
}

/// Returns the name of a quantity with its owner, such as `preload [low]`.
fn named(quantity: &str, of: Option<&str>) -> String {
    match of {
        Some(of) => format!("{quantity} [{of}]"),
        None => quantity.to_owned(),
    }
}

/// Returns the root of the mean square about the mean; 1 for values that do not scatter.
fn scatter(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let scatter = (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt();
    if scatter > 0.0 && scatter.is_finite() { scatter } else { 1.0 }
}

/// Checks the numbers of a correction; bounds and start are checked with all other unknowns.
fn check(correction: &'static str, of: &'static str, given: &Correction) -> Result<(), SpecificationError> {
    let refused = |value, remedy| Err(SpecificationError::Correction { correction, of, value, remedy });
    if !given.value.is_finite() {
        return refused(given.value, "give a finite number");
    }
    if correction == "gain" && given.value == 0.0 {
        return refused(given.value, "choose another value, since a gain of 0 removes the output from the fit");
    }
    let bounds = given.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    if correction == "delay" && given.is_unknown && !(bounds.0.is_finite() && bounds.1.is_finite()) {
        return refused(given.value, "give bounds with `.within(lower, upper)`, from which samples are chosen");
    }
    Ok(())
}
