//! The unknowns that experiments have for themselves, as one layout of all processes.

use serde::{Deserialize, Serialize};

use costate_optimize::Variable;
use costate_system::model::Description;

use crate::definition::correction::Correction;
use crate::definition::error::{DistributedError, IdentificationError};
use crate::estimation::layout::{Layout, Unknown};

/// An unknown of an experiment, a correction or a value of an input, in a message to other processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct UnknownMessage {
    quantity: String,
    of: Option<String>,
    unit: String,
    variable: Variable,
    correction: Option<(String, CorrectionMessage)>,
    part_of: Option<String>,
}

/// A [`Correction`]; numbers, which may be infinite, by their bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CorrectionMessage {
    value: u64,
    bounds: Option<(u64, u64)>,
    typical: Option<u64>,
    common: Option<String>,
}

impl UnknownMessage {
    fn of(unknown: &Unknown) -> Self {
        let correction = unknown.correction.as_ref().map(|(name, given)| {
            let correction = CorrectionMessage {
                value: given.value.to_bits(),
                bounds: given.bounds.map(|(lower, upper)| (lower.to_bits(), upper.to_bits())),
                typical: given.typical.map(f64::to_bits),
                common: given.common.clone(),
            };
            ((*name).to_owned(), correction)
        });
        Self {
            quantity: unknown.quantity.clone(),
            of: unknown.of.clone(),
            unit: unknown.unit.to_owned(),
            variable: unknown.variable.clone(),
            correction,
            part_of: unknown.part_of.map(str::to_owned),
        }
    }

    /// Returns the unknown; `None` where the model has no such quantity.
    fn unknown(&self, model: &'static Description) -> Option<Unknown> {
        let quantities = || model.inputs.iter().chain(model.outputs.iter());
        let units = || quantities().map(|quantity| quantity.unit).chain(["1", "s"]);
        let unit = units().find(|unit| *unit == self.unit)?;
        let part_of = match &self.part_of {
            Some(name) => Some(quantities().map(|quantity| quantity.name).find(|known| known == name)?),
            None => None,
        };
        let correction = match &self.correction {
            Some((name, correction)) => {
                let name = ["gain", "offset", "delay"].into_iter().find(|known| known == name)?;
                Some((name, correction.correction()))
            }
            None => None,
        };
        Some(Unknown {
            quantity: self.quantity.clone(),
            of: self.of.clone(),
            unit,
            variable: self.variable.clone(),
            parameter: None,
            correction,
            part_of,
        })
    }

    /// Returns the index of an unknown of the same name that several experiments have in common, if it is in the
    /// layout.
    fn place(&self, layout: &Layout) -> Option<usize> {
        let is_it = |unknown: &Unknown| unknown.of.is_none() && unknown.quantity == self.quantity;
        if self.of.is_some() { None } else { layout.unknowns.iter().position(is_it) }
    }
}

impl CorrectionMessage {
    fn correction(&self) -> Correction {
        let bounds = self.bounds.map(|(lower, upper)| (f64::from_bits(lower), f64::from_bits(upper)));
        Correction {
            value: f64::from_bits(self.value),
            is_unknown: true,
            bounds,
            typical: self.typical.map(f64::from_bits),
            common: self.common.clone(),
        }
    }
}

/// Creates the messages about the unknowns of the experiments of this process, which are after the first `common`
/// unknowns, those of all.
pub(super) fn of_experiments(layout: &Layout, common: usize) -> Result<Vec<UnknownMessage>, IdentificationError> {
    let own = layout.unknowns.get(common..).unwrap_or_default();
    own.iter()
        .map(|unknown| {
            unknown.variable.check().map_err(costate_optimize::StartError::from)?;
            Ok(UnknownMessage::of(unknown))
        })
        .collect()
}

/// Adds the unknowns in the messages of the processes, in the order of the processes and so of the experiments, to
/// the unknowns of all; returns the layout, and the indices in it of the unknowns of one `process`.
pub(super) fn joined(
    model: &'static Description,
    mut layout: Layout,
    messages: &[Vec<UnknownMessage>],
    process: usize,
) -> Result<(Layout, Vec<usize>), DistributedError> {
    let mut indices: Vec<usize> = (0..layout.unknowns.len()).collect();
    for (of, messages) in messages.iter().enumerate() {
        for message in messages {
            let text = format!("`{}` is unknown there, and none of {}", message.quantity, model.name);
            let new = message.unknown(model).ok_or(DistributedError::OtherProcess { process: of, message: text })?;
            let index = match message.place(&layout) {
                Some(index) => {
                    check_common(of, &layout.unknowns[index], &new)?;
                    index
                }
                None => {
                    layout.unknowns.push(new);
                    layout.unknowns.len() - 1
                }
            };
            if of == process {
                indices.push(index);
            }
        }
    }
    Ok((layout, indices))
}

/// Checks that two unknowns of one name are the same correction; `process` has sent the `new` one.
fn check_common(process: usize, known: &Unknown, new: &Unknown) -> Result<(), DistributedError> {
    let Some((correction, given)) = &new.correction else { return Ok(()) };
    if known.correction == new.correction {
        return Ok(());
    }
    let (name, value) = (&new.quantity, given.value);
    let message = format!(
        "the common {correction} `{name}` begins with {value} there, and differs from that of an experiment before; \
             all that \
         share it give the same start value, bounds and typical change"
    );
    Err(DistributedError::OtherProcess { process, message })
}
