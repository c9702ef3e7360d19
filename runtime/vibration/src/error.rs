//! Errors of equilibria, modes and responses.

use costate_contract::shown::Shown;
use costate_system::equilibrium::EquilibriumError;
use costate_system::model::OtherModel;
use costate_system::problem::{InitialStateError, SimulationError};

/// The reason why there is no equilibrium, mode or response.
///
/// `index` and `modes` are counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum VibrationError {
    /// There is no equilibrium that can be used.
    #[error(transparent)]
    Equilibrium(#[from] EquilibriumError),
    /// The equilibrium is one of a family, or what determines it is lost in rounding.
    #[error(
        "`{model}` rests anywhere along {}, or what holds it there is less than the rounding of stiffer parts, beside \
         which a motion of up to {} Hz is not seen: hold one of these coordinates, add the spring that determines it, \
         or make the stiff parts softer",
        coordinates.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        Shown(*rate / std::f64::consts::TAU)
    )]
    Hidden {
        model: &'static str,
        coordinates: Vec<&'static str>,
        /// The largest rate in 1/s of a motion that rounding hides.
        rate: f64,
    },
    /// The simulation cannot be prepared.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A coordinate, input, output or parameter belongs to another model.
    #[error(transparent)]
    OtherModel(#[from] OtherModel),
    /// A state of another length than the model's.
    #[error("a state of `{model}` has {expected} numbers (q, v, a and lambda), {given} are given")]
    StateLength {
        model: &'static str,
        /// 3n + m.
        expected: usize,
        given: usize,
    },
    /// A setting outside its range.
    #[error("{setting} is {}: it must be {limit}", Shown(*value))]
    Setting { setting: &'static str, value: f64, limit: &'static str },
    /// Frequencies that are not positive, or not in order.
    #[error("frequency {index} is {} Hz: frequencies must be positive and increase", Shown(*value))]
    Frequency { index: usize, value: f64 },
    /// An empty list of frequencies or values.
    #[error("no {what} are given: give one at least")]
    Empty { what: &'static str },
    /// An input that moves nothing.
    #[error(
        "the input `{input}` acts on no force and no output of `{model}` at the equilibrium: its response is zero \
         everywhere"
    )]
    NoDirection { input: &'static str, model: &'static str },
    /// Units from which a quantity cannot be formed.
    #[error(
        "`{output}` over `{input}` is in {unit}, which is no {quantity}: a {quantity} needs an output in {output_unit} \
         and an input in {input_unit}"
    )]
    Units {
        output: &'static str,
        input: &'static str,
        unit: String,
        quantity: &'static str,
        output_unit: &'static str,
        input_unit: &'static str,
    },
    /// A frequency at which the response is infinite.
    #[error(
        "at {} Hz the linear model has a pole without damping, where its response is infinite: leave this frequency \
         out",
        Shown(*frequency)
    )]
    Resonance { frequency: f64 },
    /// An output with reactions that are not determined.
    #[error(
        "`{output}` depends on reactions that the constraints of `{model}` do not determine, since some of these \
         depend on others"
    )]
    Reactions { output: &'static str, model: &'static str },
    /// An output that follows the derivative of an input.
    #[error(
        "`{output}` follows the rate of change of `{input}`, which a state space cannot have: give the coordinate on \
         which the input acts a mass, or ask for the frequency response"
    )]
    Improper { output: &'static str, input: &'static str },
    /// A mode whose eigenvalue is that of other modes as well.
    #[error(
        "the modes {} have the same eigenvalue, so that none of them has derivatives of its own: change a parameter by \
         which they differ, or use the mean of their frequencies",
        modes.iter().map(|mode| (mode + 1).to_string()).collect::<Vec<_>>().join(", ")
    )]
    Repeated { modes: Vec<usize> },
    /// Outputs that are not the force and the deflection of an element.
    #[error("`{force}` and `{deflection}` of `{model}` tell no share in an energy: {reason}")]
    Element { force: &'static str, deflection: &'static str, model: &'static str, reason: &'static str },
    /// A mode that does not exist.
    #[error("there is no mode {}: `{model}` has {count} here", index + 1)]
    NoMode { index: usize, count: usize, model: &'static str },
    /// A position of an input or output that does not exist.
    #[error("there is no {what} {position}: `{model}` has {count}, whose positions count from 0")]
    NoPosition { what: &'static str, position: usize, count: usize, model: &'static str },
    /// A mode that no mode of the model is like.
    #[error(
        "no mode is like the reference of mode {}: the most alike one has a modal assurance of {}; begin with \
         parameters nearer to the measured modes, or give shapes at more outputs",
        index + 1, Shown(*likeness)
    )]
    Unpaired { index: usize, likeness: f64 },
    /// Derivatives at a state that is no equilibrium.
    #[error(
        "derivatives need an equilibrium, from which the state follows at other parameters: linearise at \
         `Equilibrium::of(&simulation)`"
    )]
    NotAtEquilibrium,
}

impl From<InitialStateError> for VibrationError {
    fn from(error: InitialStateError) -> Self {
        Self::Simulation(error.into())
    }
}
