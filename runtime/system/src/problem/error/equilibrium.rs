//! Reasons why there is no position of rest, or none that can be used.

use costate_contract::shown::Shown;

/// The reason why a position of rest or a steady motion cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum EquilibriumError {
    /// No state was found in which the forces are in balance.
    #[error(
        "no equilibrium was found from the initial values: near {} there is still {} = {}{} left{}; begin nearer to it \
         in the `initial` block, or check whether springs and constraints carry all parts of `{model}`",
        at(.coordinates), quantity, Shown(*value), after_number(.unit), because(*is_unheld, .inputs)
    )]
    NotFound {
        model: &'static str,
        /// The force or the constraint with the largest value.
        quantity: Box<str>,
        /// The value; a force is positive where it pushes the coordinate up.
        value: f64,
        unit: Box<str>,
        coordinates: Box<[(&'static str, f64)]>,
        /// True if the force acts along a motion that has no stiffness there.
        is_unheld: bool,
        /// Names, values and units of the inputs that are not 0.
        inputs: Box<[(&'static str, f64, &'static str)]>,
    },
    /// Forces grow with the distance from the start, and no balance is found on the way.
    #[error(
        "no equilibrium was found from the initial values: the forces drive `{coordinate}` away without end; has a \
         spring or a force the wrong sign, or is a spring missing that holds `{coordinate}`?"
    )]
    DrivenAway { coordinate: &'static str },
    /// A mass that is negative.
    #[error(
        "the mass of {} is negative at {}, so that no equilibrium means anything: give parameters or positions that \
         make it positive",
        quoted(.of), at(.coordinates)
    )]
    NegativeMass { of: Vec<&'static str>, coordinates: Vec<(&'static str, f64)> },
    /// Forces are in balance at a position where the stiffness is zero or not finite, and not beside it.
    #[error(
        "the forces are in balance at {}, but the stiffness along {} is zero or not finite there, while forces act \
         beside it: no linear model tells whether this is a position of rest; add a small spring, or hold one of these \
         coordinates with `.held(..)` (in the command `--hold`)",
        at(.place), quoted(.coordinates)
    )]
    NoStiffness { coordinates: Vec<&'static str>, place: Vec<(&'static str, f64)> },
    /// The equilibrium is one of a family: some coordinates may have any value.
    #[error(
        "`{model}` rests anywhere along {}: hold one of these coordinates with `.held(..)` (in the command `--hold`), \
         or add the spring or the constraint that determines it",
        quoted(.coordinates)
    )]
    Family { model: &'static str, coordinates: Vec<&'static str> },
    /// Constraints repeat each other, or hold for coordinates alone that keep their values.
    #[error(
        "the constraints {} of `{model}` repeat each other, or contain only coordinates that keep their values: remove \
         one, or let one of their coordinates move",
        quoted(.constraints)
    )]
    Constraints { model: &'static str, constraints: Vec<&'static str> },
    /// The equilibrium is not stable.
    #[error(
        "the equilibrium at {} is unstable: a deviation, most of it in `{coordinate}`, grows as exp({} t); begin \
         nearer to a stable one in the `initial` block, or accept it with `.unstable()` (in the command `--unstable`)",
        at(.coordinates), Shown(*growth)
    )]
    Unstable {
        coordinate: &'static str,
        /// The rate of growth in 1/s.
        growth: f64,
        coordinates: Vec<(&'static str, f64)>,
    },
    /// Forces or constraints depend on the time, besides the inputs.
    #[error(
        "{quantity} depends on the time itself, so that `{model}` has no equilibrium: replace the time by an input, \
         which is constant here"
    )]
    Time { model: &'static str, quantity: String },
    /// The model does not look the same after it has turned.
    #[error(
        "the motion is not steady: after a part of a turn {quantity} changes by {}; a steady motion needs forces and \
         constraints that do not depend on the angle, or an axis about which the whole mechanism can turn",
        Shown(*change)
    )]
    NotSteady { quantity: String, change: f64 },
    /// A force or constraint is not finite.
    #[error("{quantity} is {} in the position from which the equilibrium is searched", Shown(*value))]
    NotFinite { quantity: String, value: f64 },
    /// A coordinate that is held is one that moves in the steady motion, or does not exist.
    #[error("the model has no coordinate with the index {index}; it has {count}")]
    NoCoordinate { index: usize, count: usize },
    /// Coordinates without mass, damper and spring.
    #[error(
        "{} have neither mass nor damper nor spring in some motion that the constraints allow, so that this motion is \
         not determined: give them one",
        quoted(.coordinates)
    )]
    Undetermined { coordinates: Vec<&'static str> },
    /// An input moves a coordinate that has neither mass nor damper of its own, and whose velocity acts on others.
    #[error(
        "an input moves `{coordinate}`, which has neither mass nor damper of its own, at once, and a damper there acts \
         on other coordinates: give it a mass or a damper"
    )]
    Impulsive { coordinate: &'static str },
    /// The eigenvalues could not be computed.
    #[error(
        "the matrices of the motion about the equilibrium are not finite, or their eigenvalues could not be computed"
    )]
    NoEigenvalues,
}

/// Returns what may be the cause of a force that is left.
fn because(is_unheld: bool, inputs: &[(&'static str, f64, &'static str)]) -> String {
    let mut causes = Vec::new();
    if is_unheld {
        causes.push("no spring and no constraint acts against it there".to_owned());
    }
    for (name, value, unit) in inputs {
        let unit = after_number(unit);
        causes.push(format!("the input `{name}` is {}{unit} at t = 0", Shown(*value)));
    }
    if causes.is_empty() { String::new() } else { format!(" ({})", causes.join(", ")) }
}

fn after_number(unit: &str) -> String {
    if unit == "1" { String::new() } else { format!(" {unit}") }
}

pub(super) fn quoted(names: &[&'static str]) -> String {
    const MAX_NAMED: usize = 6;
    let shown: Vec<_> = names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

pub(super) fn at(coordinates: &[(&'static str, f64)]) -> String {
    let shown: Vec<_> = coordinates.iter().map(|(name, value)| format!("{name} = {}", Shown(*value))).collect();
    shown.join(", ")
}
