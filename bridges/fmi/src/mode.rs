//! The states of an instance, and the calls that they allow.

use crate::refusal::Refusal;

/// The interface of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The importer integrates.
    ModelExchange,
    /// The FMU makes its own steps.
    CoSimulation,
}

/// The state of an instance in the sense of FMI 3.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Before the initialization.
    Instantiated,
    /// The values at the start are set.
    Initialization,
    /// Model Exchange: at an event.
    Event,
    /// Model Exchange: between events.
    ContinuousTime,
    /// Co-Simulation: between steps.
    Step,
    /// After the end.
    Terminated,
}

/// Modes in which derivatives are asked for.
pub const EVALUATED: &[Mode] = &[Mode::Initialization, Mode::Event, Mode::ContinuousTime, Mode::Step, Mode::Terminated];

impl Mode {
    /// All modes, in the order of their numbers in serialised states.
    pub const ALL: [Mode; 6] =
        [Self::Instantiated, Self::Initialization, Self::Event, Self::ContinuousTime, Self::Step, Self::Terminated];

    /// Returns the name that FMI 3.0 has for the mode.
    pub fn name(self) -> &'static str {
        match self {
            Self::Instantiated => "Instantiated",
            Self::Initialization => "Initialization Mode",
            Self::Event => "Event Mode",
            Self::ContinuousTime => "Continuous-Time Mode",
            Self::Step => "Step Mode",
            Self::Terminated => "Terminated",
        }
    }

    /// Refuses a call that is not allowed in this mode.
    pub fn require(self, call: &str, allowed: &[Mode]) -> Result<(), Refusal> {
        if allowed.contains(&self) {
            return Ok(());
        }
        let names: Vec<&str> = allowed.iter().map(|mode| mode.name()).collect();
        let remedy = if names.is_empty() { "never for this interface".to_owned() } else { names.join(", ") };
        Err(Refusal::error(format!("`{call}` is called in state {}; it is allowed in: {remedy}", self.name())))
    }
}
