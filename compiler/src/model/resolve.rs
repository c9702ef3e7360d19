//! What names in use stand for.

use std::collections::BTreeMap;

use syn::ext::IdentExt;

use super::functions::NumberFunction;
use super::lower::Lowering;
use super::names::{Elements, Kind, meaning, written_name};
use super::path::{Segment, unknown_member};
use super::scope::Local;
use crate::nearest::nearest;
use crate::syntax::ast::{DeclaredIndex, DeclaredName, NameSyntax};

impl Lowering<'_> {
    /// The position of the coordinate that a mass, force or initial value is for.
    pub(super) fn coordinate(&mut self, name: &NameSyntax) -> Option<usize> {
        match self.resolve(name, Some(Kind::Coordinate))? {
            (Kind::Coordinate, position) => Some(position),
            (Kind::Connection, position) => self.connected(name, position),
            (kind, position) if kind.has_members() => {
                let message = self.component_as_value(kind, position);
                self.error_at(name.place, message);
                None
            }
            (kind, _) => {
                let message = format!("`{}` is {}; expected a coordinate", self.written(name), kind.text());
                self.error_at(name.place, message);
                None
            }
        }
    }

    /// The same, but for a connection: its initial values are those of the coordinate that it is bound to.
    pub(super) fn own_coordinate(&mut self, name: &NameSyntax) -> Option<usize> {
        if let (Kind::Connection, _) = self.resolve(name, Some(Kind::Coordinate))? {
            let message = format!(
                "`{}` is a connection; write the initial value outside of the component, for the coordinate that it \
                 is bound to",
                self.written(name)
            );
            self.error_at(name.place, message);
            return None;
        }
        self.coordinate(name)
    }

    /// The declared quantity that `name` stands for; an error if there is none. `wanted`: the only kind that may
    /// stand here.
    pub(super) fn resolve(&mut self, name: &NameSyntax, wanted: Option<Kind>) -> Option<(Kind, usize)> {
        if !name.members.is_empty() {
            return self.member(name, wanted);
        }
        self.element(self.names.entered(), "", (&name.ident, name.index.as_deref(), name.place), wanted)
    }

    /// The quantity `ident[index]` of the model or of a component; `path` is what stands before it.
    pub(super) fn element(
        &mut self,
        space: usize,
        path: &str,
        (ident, index, place): Segment,
        wanted: Option<Kind>,
    ) -> Option<(Kind, usize)> {
        let index = match index {
            None => None,
            Some(index) => Some(self.integer(index)?),
        };
        let text = ident.unraw().to_string();
        let names = self.names.of(space);
        if names.is_unclear(&text) {
            return None;
        }
        let everywhere = || if path.is_empty() { self.names.everywhere(&text) } else { None };
        let Some(declared) = names.get(&text).or_else(everywhere) else {
            if !self.incomplete {
                let message = match path {
                    "" => self.unknown_name(&text, wanted),
                    _ => unknown_member(names, path, &text),
                };
                self.error_at(ident.span(), message);
            }
            return None;
        };
        let text = format!("{path}{text}");
        let kind = declared.kind;
        let message = match (&declared.elements, index) {
            (Elements::Scalar(position), None) => {
                let position = *position;
                self.usage.use_quantity(kind, position);
                return Some((kind, position));
            }
            (Elements::Array(elements), Some(index)) => match elements.get(&index).copied() {
                Some(position) => {
                    self.usage.use_quantity(kind, position);
                    return Some((kind, position));
                }
                None => format!(
                    "`{}` does not exist; the indices of `{text}` are {}",
                    written_name(&text, Some(index)),
                    index_text(elements)
                ),
            },
            (Elements::Scalar(_), Some(_)) => {
                format!("`{text}` is not an array; write `{text}` without an index")
            }
            (Elements::Array(elements), None) => {
                format!("`{text}` is an array; write `{text}[i]` with an index {}", index_text(elements))
            }
        };
        self.error_at(place, message);
        None
    }

    /// The position of a quantity that an entry declares: its name has been declared in the first pass.
    pub(super) fn declared_position(&mut self, name: &DeclaredName, kind: Kind) -> Option<usize> {
        let index = match &name.index {
            Some(DeclaredIndex::Single(index)) => Some(self.integer(index)?),
            _ => None,
        };
        self.names.here().position(&name.ident.unraw().to_string(), index, kind)
    }

    fn unknown_name(&self, name: &str, wanted: Option<Kind>) -> String {
        match wanted {
            Some(wanted) => self.unknown_quantity(name, wanted),
            None => self.unknown_value(name),
        }
    }

    /// Where only one kind of quantity may stand.
    fn unknown_quantity(&self, name: &str, wanted: Kind) -> String {
        let other = meaning(name).or_else(|| match self.scopes.get(name)? {
            Local::Loop(_) => Some("a loop variable"),
            Local::Let { .. } => Some("defined by `let`"),
        });
        let (what, word) = (wanted.text(), wanted.word());
        if let Some(other) = other {
            return format!("`{name}` is {other}; expected {what}");
        }
        if let Some(message) = self.belongs_outside(name) {
            return message;
        }
        if wanted == Kind::Instance {
            // what stands before a point
            return match nearest(name, self.names.here().sorted(Kind::has_members)) {
                Some(known) => format!("unknown name `{name}`; did you mean `{known}`?"),
                None => format!(
                    "unknown name `{name}`; what stands before a point is a component, a body, a joint or an element, \
                     declared in the block `components`, `bodies`, `joints` or `elements`"
                ),
            };
        }
        match nearest(name, self.names.names_of(wanted)) {
            Some(known) => format!("unknown {word} `{name}`; did you mean `{known}`?"),
            None if wanted == Kind::Body => {
                format!("unknown body `{name}`; declare it in the `bodies` block")
            }
            None => format!("unknown {word} `{name}`; declare it in the `{word}s` block"),
        }
    }

    fn unknown_value(&self, name: &str) -> String {
        if self.defining.as_deref() == Some(name) {
            return format!("`{name}` stands in its own definition; give the new quantity another name");
        }
        if self.later_lets.iter().any(|later| later == name) {
            return format!("`{name}` is defined further below; move its `let` above this block");
        }
        if self.block_lets.contains(name) {
            return format!(
                "`{name}` is known only behind its `let` and inside the same block; \
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
        let mut known = self.names.names();
        known.extend(self.scopes.names());
        known.extend(super::names::RESERVED);
        match nearest(name, known) {
            Some(known) => format!("unknown name `{name}`; did you mean `{known}`?"),
            None => format!(
                "unknown name `{name}`; declare it as a parameter, an input, a coordinate or by `let`"
            ),
        }
    }
}

/// The indices of an array, for messages.
pub fn index_text(elements: &BTreeMap<i64, usize>) -> String {
    match (elements.first_key_value(), elements.last_key_value()) {
        (Some((first, _)), Some((last, _))) if last.abs_diff(*first) == elements.len() as u64 - 1 => {
            format!("{first}..={last}")
        }
        _ => elements.keys().map(i64::to_string).collect::<Vec<_>>().join(", "),
    }
}
