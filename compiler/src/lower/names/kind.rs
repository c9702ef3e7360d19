//! What names stand for.

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Argument,
    Parameter,
    Input,
    Table,
    Coordinate,
    Constraint,
    Output,
    /// A component in use; its position is that of its own names.
    Instance,
    /// A part of the kinetic, potential or dissipated energy.
    Energy,
    /// Bodies, joints and elements have names of their own, as components have.
    Body,
    Joint,
    Element,
    /// Names of a component that stand for something outside: positions among what is bound.
    Connection,
    BoundParameter,
    BoundInput,
}

impl Kind {
    /// With its article, for messages.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Argument => "a structural argument",
            Kind::Parameter | Kind::BoundParameter => "a parameter",
            Kind::Input | Kind::BoundInput => "an input",
            Kind::Table => "a table",
            Kind::Coordinate => "a coordinate",
            Kind::Constraint => "a constraint",
            Kind::Output => "an output",
            Kind::Instance => "a component",
            Kind::Energy => "an energy",
            Kind::Body => "a body",
            Kind::Joint => "a joint",
            Kind::Element => "an element",
            Kind::Connection => "a connection",
        }
    }

    /// Without article.
    pub fn word(self) -> &'static str {
        self.text().split_once(' ').map_or("", |(_, word)| word)
    }

    /// Whether a quantity of this kind may stand where `wanted` is expected.
    pub fn serves_as(self, wanted: Kind) -> bool {
        self == wanted || wanted == Kind::Coordinate && self == Kind::Connection
    }

    /// Whether the name becomes a constant of the generated code.
    pub fn is_emitted(self) -> bool {
        !self.has_members()
            && !matches!(self, Kind::Energy | Kind::Connection | Kind::BoundParameter | Kind::BoundInput)
    }

    /// Whether names stand behind a point after it; its position is that of its own names.
    pub fn has_members(self) -> bool {
        matches!(self, Kind::Instance | Kind::Body | Kind::Joint | Kind::Element)
    }
}
