//! The variables behind value references.

use crate::packed::Packed;
use crate::refusal::Refusal;

/// A variable of the FMU, by its position among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// The independent variable.
    Time,
    /// A parameter.
    Parameter(usize),
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
    /// A continuous state.
    State(usize),
    /// The derivative of a continuous state.
    Derivative(usize),
}

impl Variable {
    /// Finds the variable of a value reference.
    pub fn of(packed: &Packed, reference: u32) -> Result<Self, Refusal> {
        let (model, first) = (packed.model.description(), &packed.settings.references);
        let states = packed.motion.as_ref().map_or(0, |motion| motion.states());
        /// The first value reference, the number of variables, and the variable at a place.
        type Of = (u32, usize, fn(usize) -> Variable);
        let kinds: [Of; 6] = [
            (0, 1, |_| Variable::Time),
            (first.parameters, model.parameters.len(), Variable::Parameter),
            (first.inputs, model.inputs.len(), Variable::Input),
            (first.outputs, model.outputs.len(), Variable::Output),
            (first.states, states, Variable::State),
            (first.derivatives, states, Variable::Derivative),
        ];
        let found = kinds.iter().find_map(|&(first, count, of)| {
            let place = usize::try_from(reference.checked_sub(first)?).ok()?;
            (place < count).then(|| of(place))
        });
        found.ok_or_else(|| {
            Refusal::error(format!(
                "the model `{}` has no variable with the value reference {reference}; take those of \
                 modelDescription.xml",
                model.name
            ))
        })
    }

    /// Returns the name, for messages.
    pub fn name(self, packed: &Packed) -> String {
        let model = packed.model.description();
        let states = |place: usize| {
            let motion = packed.motion.as_ref()?;
            let positions = motion.positions().len();
            let (index, derivative) = match place.checked_sub(positions) {
                None => (*motion.positions().get(place)?, false),
                Some(place) => (*motion.velocities().get(place)?, true),
            };
            let name = model.coordinates.get(index)?.name;
            Some(if derivative { format!("dot({name})") } else { name.to_owned() })
        };
        let quantity = |all: &[costate::command::Quantity], place: usize| all.get(place).map(|one| one.name.to_owned());
        let name = match self {
            Self::Time => Some("time".to_owned()),
            Self::Parameter(place) => quantity(model.parameters, place),
            Self::Input(place) => quantity(model.inputs, place),
            Self::Output(place) => quantity(model.outputs, place),
            Self::State(place) => states(place),
            Self::Derivative(place) => states(place).map(|name| format!("der({name})")),
        };
        name.unwrap_or_else(|| "?".to_owned())
    }
}
