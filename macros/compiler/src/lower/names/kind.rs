//! Kinds of declared names.

/// The kind of a declared name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Argument,
    Parameter,
    Input,
    Table,
    Coordinate,
    Constraint,
    Output,
    /// A component in use; the position of the name is that of the component's space of names.
    Instance,
    /// A part of the kinetic, potential or dissipated energy.
    Energy,
    /// A body, joint or element has a space of names, as a component has.
    Body,
    Joint,
    Element,
    /// A name of a component that is bound to something outside; the position is among the bindings.
    Connection,
    /// A connection to a body, with a space of names as a body has.
    BodyConnection,
    BoundParameter,
    BoundInput,
}

impl Kind {
    /// Returns the kind with its article, for messages.
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
            Kind::Connection | Kind::BodyConnection => "a connection",
        }
    }

    /// Returns the kind without an article.
    pub fn word(self) -> &'static str {
        self.text().split_once(' ').map_or("", |(_, word)| word)
    }

    /// Checks whether a quantity of this kind is allowed where `wanted` is expected.
    pub fn serves_as(self, wanted: Kind) -> bool {
        self == wanted
            || wanted == Kind::Coordinate && self == Kind::Connection
            || wanted == Kind::Body && self == Kind::BodyConnection
    }

    /// Checks whether the name becomes a constant of the generated code.
    pub fn is_emitted(self) -> bool {
        !self.has_members()
            && !matches!(self, Kind::Energy | Kind::Connection | Kind::BoundParameter | Kind::BoundInput)
    }

    /// Checks whether the name can be followed by members; its position is then that of its space of names.
    pub fn has_members(self) -> bool {
        matches!(self, Kind::Instance | Kind::Body | Kind::BodyConnection | Kind::Joint | Kind::Element)
    }
}
