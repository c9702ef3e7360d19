//! Names that can't stand where they are used: what is meant, and what to write instead.

use costate_contract::nearest::nearest;

use super::words::{RESERVED, meaning, reserved};
use super::{Kind, Local, Names};
use crate::lower::functions::NumberFunction;

impl Names {
    pub fn unknown_name(&self, name: &str, wanted: Option<Kind>) -> String {
        match wanted {
            Some(wanted) => self.unknown_quantity(name, wanted),
            None => self.unknown_value(name),
        }
    }

    /// The message for an unknown name where only one kind of quantity may stand.
    fn unknown_quantity(&self, name: &str, wanted: Kind) -> String {
        let other = meaning(name).or_else(|| match self.scopes.get(name)? {
            Local::Loop(_) => Some("a loop variable"),
            Local::Let { .. } | Local::Lets { .. } => Some("defined by `let`"),
        });
        let (what, word) = (wanted.text(), wanted.word());
        if let Some(other) = other {
            return format!("`{name}` is {other}; expected {what}");
        }
        if let Some(message) = self.belongs_outside(name) {
            return message;
        }
        if wanted == Kind::Body && self.lets.later.iter().any(|later| later == name) {
            return format!("`{name}` is defined further below; move its `let` above this block");
        }
        if wanted == Kind::Instance {
            // what stands before a point
            return match nearest(name, self.table.here().sorted(Kind::has_members)) {
                Some(known) => format!("unknown name `{name}`; did you mean `{known}`?"),
                None => format!(
                    "unknown name `{name}`; what stands before a point is a component, a body, a joint or an element, \
                     declared in the block `components`, `bodies`, `joints` or `elements`"
                ),
            };
        }
        match nearest(name, self.table.names_of(wanted)) {
            Some(known) => format!("unknown {word} `{name}`; did you mean `{known}`?"),
            None if wanted == Kind::Body => {
                format!("unknown body `{name}`; declare it in the `bodies` block")
            }
            None => format!("unknown {word} `{name}`; declare it in the `{word}s` block"),
        }
    }

    fn unknown_value(&self, name: &str) -> String {
        if self.lets.defining.as_deref() == Some(name) {
            return format!("`{name}` stands in its own definition; give the new quantity another name");
        }
        if self.lets.later.iter().any(|later| later == name) {
            return format!("`{name}` is defined further below; move its `let` above this block");
        }
        if let Some(variable) = self.lets.inside_loops.get(name) {
            return format!(
                "`{name}` is known only inside its `for`; to use it outside, define it above for every index, \
                 `let {name}[{variable} in ...] = ...;`, and write `{name}[{variable}]`"
            );
        }
        if self.lets.inside.contains(name) {
            return format!(
                "`{name}` is known only after its `let` and inside the same block; \
                 move the `let` further up, out of the block"
            );
        }
        if let Some(meaning) = meaning(name) {
            let remedy = match (NumberFunction::named(name), name) {
                (Some(function), _) => format!("`{}`", function.signature()),
                (None, "multiplier") => "`multiplier(name)`".to_owned(),
                (None, "value") => "`value(x, mm)`".to_owned(),
                (None, "dot" | "ddot") => format!("`{name}(x)`"),
                (None, _) => format!("`{name}` without an index"),
            };
            return format!("`{name}` is {meaning}; write {remedy}");
        }
        if let Some(message) = self.belongs_outside(name) {
            return message;
        }
        let mut known = self.table.names();
        known.extend(self.scopes.names());
        known.extend(RESERVED);
        match nearest(name, known) {
            Some(known) => format!("unknown name `{name}`; did you mean `{known}`?"),
            None if self.is_outside_of_models => {
                let known: Vec<String> = self.scopes.names().iter().map(|known| format!("`{known}`")).collect();
                format!("unknown name `{name}`; here are {}, `pi` and the functions", known.join(", "))
            }
            None => format!("unknown name `{name}`; declare it as a parameter, an input, a coordinate or by `let`"),
        }
    }

    /// The reason why a name that is unknown in a component cannot stand for what it is around the component, if it is
    /// declared there.
    fn belongs_outside(&self, name: &str) -> Option<String> {
        let component = &self.table.here().component;
        let declare = match (self.table.kind_outside(name), self.scopes.get_outside(name)) {
            (Some(Kind::Parameter | Kind::BoundParameter), _) => "declare it as a parameter",
            (Some(Kind::Input | Kind::BoundInput), _) => "declare it as an input",
            (Some(Kind::Coordinate | Kind::Connection), _) => "declare it as a connection",
            (Some(Kind::Instance), _) => {
                return Some(format!(
                    "`{name}` belongs to the model around the component; declare a connection of `{component}` \
                     and bind it to a coordinate of `{name}` where the component is used"
                ));
            }
            (Some(Kind::Body | Kind::BodyConnection), _) => {
                return Some(format!(
                    "`{name}` belongs to the model around the component; declare a connection of `{component}`, \
                     `connections {{ {name}: spatial }}` or `planar`, and bind it where the component is used"
                ));
            }
            (Some(Kind::Joint | Kind::Element), _) => {
                return Some(format!(
                    "`{name}` belongs to the model around the component; write what is measured of it in the model, \
                     and bind that to an input of `{component}`"
                ));
            }
            (Some(Kind::Argument | Kind::Table | Kind::Constraint | Kind::Output | Kind::Energy), _) | (None, None) => {
                return None;
            }
            (None, Some(_)) => "declare it as a parameter or an input",
        };
        Some(format!(
            "`{name}` belongs to the model around the component; {declare} of `{component}` \
             and bind it where the component is used"
        ))
    }

    /// The message for a component in place of a value, with what to write instead.
    pub fn component_as_value(&self, kind: Kind, position: usize) -> String {
        let space = self.table.of(position);
        let text = space.prefix.trim_end_matches('.');
        let text = text.strip_prefix(&self.table.here().prefix).unwrap_or(text);
        let values = |kind: Kind| !matches!(kind, Kind::Output | Kind::Constraint) && !kind.has_members();
        let what = kind.text();
        if kind == Kind::BodyConnection {
            return format!(
                "`{text}` is a connection to a body; write what is measured of it, e.g. `{text}.position.x`"
            );
        }
        let own = space.sorted(|kind| kind == Kind::Coordinate);
        match own.first().or(space.sorted(values).first()) {
            Some(member) => {
                format!("`{text}` is {what}; write one of its members, e.g. `{text}.{member}`")
            }
            None => format!("`{text}` is {what}; write the name of a quantity"),
        }
    }

    pub fn name_in_use(&self, name: &str) -> Option<String> {
        if let Some(message) = reserved(name) {
            return Some(message);
        }
        if let Some(declared) = self.table.get(name) {
            return Some(format!("`{name}` is already {}; choose another name", declared.kind.text()));
        }
        match self.scopes.get(name)? {
            Local::Loop(_) => Some(format!("`{name}` is already a loop variable; choose another name")),
            Local::Let { .. } | Local::Lets { .. } => {
                Some(format!("`{name}` is already defined by `let`; choose another name"))
            }
        }
    }
}
