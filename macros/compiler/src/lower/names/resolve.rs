//! Resolution of names in use.

use syn::ext::IdentExt;

use super::path::{Segment, unknown_member};
use super::{Kind, Names};
use crate::syntax::ast::{DeclaredIndex, DeclaredName, NameSyntax};

impl Names {
    /// Returns the position of the coordinate of a mass, force or initial value; of a connection, with `true` if the
    /// sign of the coordinate is changed.
    pub fn coordinate(&mut self, name: &NameSyntax) -> Option<(usize, Option<bool>)> {
        match self.resolve(name, Some(Kind::Coordinate))? {
            (Kind::Coordinate, position) => Some((position, None)),
            (Kind::Connection, position) => {
                self.connected(name, position).map(|(position, changes)| (position, Some(changes)))
            }
            (kind, position) if kind.has_members() => {
                let message = self.component_as_value(kind, position);
                self.report.refuse(name.place, message)
            }
            (kind, _) => {
                let message = format!("`{}` is {}; expected a coordinate", self.written(name), kind.text());
                self.report.refuse(name.place, message)
            }
        }
    }

    /// Returns the position of a coordinate whose initial value is given. Refuses a connection, whose initial values
    /// are those of the coordinate that it is bound to.
    pub fn own_coordinate(&mut self, name: &NameSyntax) -> Option<(usize, Option<bool>)> {
        if let (Kind::Connection, _) = self.resolve(name, Some(Kind::Coordinate))? {
            let message = format!(
                "`{}` is a connection; write the initial value outside of the component, for the coordinate that it \
                 is bound to",
                self.written(name)
            );
            return self.report.refuse(name.place, message);
        }
        self.coordinate(name)
    }

    /// Resolves `name` to a declared quantity; reports an error if there is none. `wanted` is the only kind that is
    /// allowed here.
    pub fn resolve(&mut self, name: &NameSyntax, wanted: Option<Kind>) -> Option<(Kind, usize)> {
        if !name.members.is_empty() {
            return self.member(name, wanted);
        }
        self.element(self.table.entered(), "", (&name.ident, name.index.as_deref(), name.place), wanted)
    }

    /// Resolves the quantity `ident[index]` of the model or of a component; `path` is the path before it.
    pub fn element(
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
        let names = self.table.of(space);
        if names.is_unclear(&text) {
            return None;
        }
        let everywhere = || if path.is_empty() { self.table.everywhere(&text) } else { None };
        let Some(declared) = names.get(&text).or_else(everywhere) else {
            if !self.report.incomplete {
                let message = match path {
                    // is not shown, and names that may be meant are not looked for
                    _ if self.report.diagnostics.is_full() => String::new(),
                    "" => self.unknown_name(&text, wanted),
                    _ => unknown_member(names, path, &text),
                };
                self.report.error(ident.span(), message);
            }
            return None;
        };
        let kind = declared.kind;
        match declared.elements.at(&format!("{path}{text}"), index) {
            Ok(position) => {
                self.usage.use_quantity(kind, position);
                Some((kind, position))
            }
            Err(message) => self.report.refuse(place, message),
        }
    }

    /// Returns the position of a quantity that an entry declares, and whose name was declared in the first pass.
    pub fn declared_position(&mut self, name: &DeclaredName, kind: Kind) -> Option<usize> {
        let index = match &name.index {
            Some(DeclaredIndex::Single(index)) => Some(self.integer(index)?),
            _ => None,
        };
        self.table.here().position(&name.ident.unraw().to_string(), index, kind)
    }

    /// Returns the position of the table with this name.
    pub fn table_named(&self, name: &str) -> Option<usize> {
        let table = self.table.get(name).filter(|declared| declared.kind == Kind::Table)?;
        table.elements.at(name, None).ok()
    }
}
