//! Shares of springs, dampers and torsional elements in the energies of modes.
//!
//! The model is read once more with outputs for force and deflection of every element.

use costate::command::scene::PartKind;
use costate::vibration::{ElementShares, Modes};

use crate::error::CommandError;
use crate::loaded::load_from;
use crate::options::{EquilibriumOptions, Resting};

/// An element with its shares in every mode.
#[derive(Debug)]
pub struct Element {
    /// Name of the element.
    pub name: &'static str,
    /// One for each mode.
    pub shares: Vec<ElementShares>,
}

/// Computes the shares of all elements whose force and deflection are known; none for a model without such elements.
///
/// # Errors
/// Errors of the model and of the equilibrium.
pub fn elements(options: &EquilibriumOptions, resting: &Resting, modes: &Modes) -> Result<Vec<Element>, CommandError> {
    let parts = resting.loaded.system.description().scene.elements.iter();
    let measured = parts.filter_map(|part| match part.kind {
        PartKind::Spring | PartKind::Damper | PartKind::SpringDamper | PartKind::Actuator => {
            Some((&*part.name, [("force", "N"), ("length", "m")]))
        }
        PartKind::Torsional => Some((&*part.name, [("torque", "N*m"), ("angle", "1")])),
        _ => None,
    });
    let measured: Vec<(&'static str, [(&str, &str); 2])> = measured.collect();
    if measured.is_empty() {
        return Ok(Vec::new());
    }
    let mut entries = String::new();
    for (number, (name, [(force, unit), (way, unit_of_way)])) in measured.iter().enumerate() {
        let [force_output, way_output] = outputs(number);
        entries += &format!("{force_output}: {unit} = {name}.{force}, {way_output}: {unit_of_way} = {name}.{way}, ");
    }
    let selection = &options.selection;
    let file = selection.read()?.with_outputs(selection.model.as_deref(), &entries)?;
    let again = options.prepared(load_from(&file, selection)?)?;
    // the same equations, and the same modes
    let measuring = again.find()?.linearized().modes()?;
    let system = again.loaded.system;
    let shares = measured.iter().enumerate().map(|(number, (name, _))| {
        let [force, way] = outputs(number);
        let (force, way) = (system.output(&force)?, system.output(&way)?);
        let shares = (0..modes.len()).map(|index| measuring.element_shares(index, force, way));
        Ok(Element { name, shares: shares.collect::<Result<_, _>>()? })
    });
    shares.collect()
}

/// Names of the outputs of an element, which no user writes.
fn outputs(number: usize) -> [String; 2] {
    ["force", "deflection"].map(|quantity| format!("costate_{quantity}_of_element_{number}"))
}
