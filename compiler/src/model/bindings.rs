//! What names of a component stand for outside of it: `crank = phi[2]`.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::context::Context;
use super::lower::Lowering;
use super::names::{Elements, Kind, Space, written_name};
use super::resolve::index_text;
use crate::diagnostic::Place;
use crate::nearest::nearest;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{BindingSyntax, DeclarationSyntax, Expr, ExprKind, InstanceSyntax, NameSyntax};
use crate::units::Unit;

/// What a name of a component stands for outside of it.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// Its component stands further below.
    Later,
    /// Its binding has an error, which has been reported.
    Wrong,
    /// Of a connection.
    Coordinate(usize),
    /// Of a parameter or an input, in SI units.
    Value(Id),
}

/// What happened to a name that a component declares.
pub enum Binding {
    /// It is not bound.
    None,
    /// It is bound, and declared.
    Declared,
    /// It is bound, and there was an error.
    Refused,
}

/// What is bound where a component is used.
#[derive(Debug, Default)]
pub struct Bindings {
    /// By name and index, with the place; and whether the component has such a name.
    given: BTreeMap<(String, Option<i64>), (Place, bool)>,
    /// Connections that are not bound.
    missing: Vec<String>,
    /// There was an error: others may be given.
    pub unclear: bool,
}

impl Lowering<'_> {
    pub(super) fn note_binding(&mut self, binding: &BindingSyntax) {
        let Some(key) = self.bound_name(binding) else { return };
        let place = binding.name.place;
        if self.components.bindings.given.contains_key(&key) {
            let written = written_name(&key.0, key.1);
            self.error_at(place, format!("`{written}` is bound twice; keep one of them"));
            return;
        }
        self.components.bindings.given.insert(key, (place, false));
    }

    fn bound_name(&mut self, binding: &BindingSyntax) -> Option<(String, Option<i64>)> {
        let index = match &binding.name.index {
            None => None,
            Some(index) => Some(self.integer(index)?),
        };
        Some((binding.name.ident.unraw().to_string(), index))
    }

    /// Declares a name as `kind` if it is bound where the component is used.
    pub(super) fn take_binding(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        unit: &Unit,
    ) -> Binding {
        let given = self.components.bindings.given.get_mut(&(ident.unraw().to_string(), index));
        let Some((_, used)) = given else { return Binding::None };
        *used = true;
        if !self.declare_name(kind, ident, index) {
            return Binding::Refused;
        }
        self.push_bound(Bound::Later, unit);
        Binding::Declared
    }

    fn push_bound(&mut self, bound: Bound, unit: &Unit) {
        self.bound.push(bound);
        self.bound_units.push(unit.dimension);
    }

    /// Declares a parameter or an input that is the model's own. An array of which other elements are bound is one
    /// of values all the same.
    pub(super) fn declare_own(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        (symbol, unit): (Symbol, &Unit),
    ) -> bool {
        let name = ident.unraw().to_string();
        let partly_bound = index.is_some()
            && self.components.bindings.given.keys().any(|(other, index)| *other == name && index.is_some());
        if !partly_bound {
            return self.declare_name(kind, ident, index);
        }
        let bound = if kind == Kind::Parameter { Kind::BoundParameter } else { Kind::BoundInput };
        let declared = self.names.claim_constant(ident, index, self.diagnostics)
            && self.declare_name(bound, ident, index);
        if declared {
            let number = self.graph.symbol(symbol);
            let value = self.in_si(number, unit.scale);
            self.push_bound(Bound::Value(value), unit);
        }
        declared
    }

    pub(super) fn declare_connection(&mut self, connection: &DeclarationSyntax) {
        self.require_si(connection);
        let ident = &connection.name.ident;
        for index in self.declared_indices(&connection.name) {
            match self.take_binding(Kind::Connection, ident, index, &connection.unit) {
                Binding::Declared => {}
                Binding::Refused => break,
                Binding::None => {
                    if !self.declare_name(Kind::Connection, ident, index) {
                        break;
                    }
                    self.push_bound(Bound::Wrong, &connection.unit);
                    let written = written_name(&ident.unraw().to_string(), index);
                    self.components.bindings.missing.push(written);
                }
            }
        }
    }

    /// Every connection is bound, and nothing that can't be.
    pub(super) fn check_bindings(&mut self, instance: &InstanceSyntax, position: usize, bindings: Bindings) {
        let mut messages = Vec::new();
        let space = self.names.of(position);
        for ((name, index), (place, used)) in bindings.given {
            // Behind syntax errors there may be a declaration.
            let unclear = space.is_unclear(&name) || self.incomplete && space.get(&name).is_none();
            if !used && !unclear {
                messages.extend(not_bindable(space, &name, index).map(|message| (place, message)));
            }
        }
        // Those that are misspelt may have been meant.
        if !bindings.missing.is_empty() && messages.is_empty() && !bindings.unclear && !self.incomplete {
            let list: Vec<String> = bindings.missing.iter().map(|name| format!("`{name}`")).collect();
            let what = if list.len() == 1 { "connection" } else { "connections" };
            let example: Vec<String> =
                bindings.missing.iter().map(|name| format!("{name} = coordinate")).collect();
            let name = &instance.component;
            let message = format!(
                "`{name}` needs the {what} {}; write `{name} {{ {} }}`",
                list.join(", "),
                example.join(", ")
            );
            messages.push((name.span().into(), message));
        }
        for (place, message) in messages {
            self.error_at(place, message);
        }
    }

    pub(super) fn lower_binding(&mut self, binding: &BindingSyntax) {
        let Some((name, index)) = self.bound_name(binding) else { return };
        let target = self.names.of(self.components.target);
        let Some(kind) = target.get(&name).map(|declared| declared.kind) else { return };
        let Some(position) = target.position(&name, index, kind) else { return };
        let (value, unit) = (&binding.value, self.bound_units.get(position).copied().flatten());
        let what = format!("what is bound to the {} `{}`", kind.word(), written_name(&name, index));
        let bound = match kind {
            Kind::Connection => self.connect(&name, value).map(Bound::Coordinate),
            Kind::BoundParameter => {
                self.value_in(value, Context::BoundParameter, unit, &what).map(Bound::Value)
            }
            Kind::BoundInput => self.value_in(value, Context::BoundInput, unit, &what).map(Bound::Value),
            _ => return,
        };
        if let (Some(Bound::Coordinate(i)), Some(unit)) = (bound, unit) {
            let found = self.declared_unit((Kind::Coordinate, i));
            self.expect_connection(found, unit, value, &what);
        }
        self.bound[position] = bound.unwrap_or(Bound::Wrong);
    }

    /// The coordinate that a connection stands for.
    fn connect(&mut self, connection: &str, value: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &value.kind else {
            let message = format!(
                "the connection `{connection}` is bound to a coordinate, not to an expression; \
                 write the name of a coordinate"
            );
            self.error_at(value.place, message);
            return None;
        };
        self.coordinate(name)
    }

    /// The coordinate of a connection in use.
    pub(super) fn connected(&mut self, name: &NameSyntax, position: usize) -> Option<usize> {
        match self.bound[position] {
            Bound::Coordinate(i) => Some(i),
            bound => {
                self.refuse_later(name, bound);
                None
            }
        }
    }

    /// The value of a bound parameter or input in use.
    pub(super) fn bound_value(&mut self, name: &NameSyntax, position: usize) -> Option<Id> {
        match self.bound[position] {
            Bound::Value(id) => Some(id),
            bound => {
                self.refuse_later(name, bound);
                None
            }
        }
    }

    fn refuse_later(&mut self, name: &NameSyntax, bound: Bound) {
        // After an error it may be above, in a loop that was not read to its end.
        if matches!(bound, Bound::Later) && !name.members.is_empty() && self.faults() == 0 {
            let message = format!(
                "`{}` is bound further below; move its `components` block above this entry",
                self.written(name)
            );
            self.error_at(name.place, message);
        }
    }
}

/// Why `name` of a component can't be bound, if that has not been said.
fn not_bindable(space: &Space, name: &str, index: Option<i64>) -> Option<String> {
    let component = &space.component;
    let bindable = |kind| {
        matches!(
            kind,
            Kind::Connection | Kind::Parameter | Kind::BoundParameter | Kind::Input | Kind::BoundInput
        )
    };
    let Some(declared) = space.get(name) else {
        let known = space.sorted(bindable);
        return Some(match nearest(name, known.iter().copied()) {
            Some(known) => {
                format!("`{component}` has nothing to bind called `{name}`; did you mean `{known}`?")
            }
            None if known.is_empty() => {
                format!("`{component}` has no connections, parameters or inputs; leave the binding out")
            }
            None => {
                let list: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
                let list = list.join(", ");
                format!("`{component}` has nothing to bind called `{name}`; it has {list}")
            }
        });
    };
    if !bindable(declared.kind) {
        let kind = declared.kind.text();
        return Some(format!(
            "`{name}` is {kind} of `{component}`; only its connections, parameters and inputs are bound, \
             leave this out"
        ));
    }
    match (&declared.elements, index) {
        (Elements::Array(elements), None) => Some(format!(
            "`{name}` is an array; bind its elements, `{name}[i] = ...` with an index {}",
            index_text(elements)
        )),
        (Elements::Array(elements), Some(index)) => Some(format!(
            "`{}` does not exist; the indices of `{name}` are {}",
            written_name(name, Some(index)),
            index_text(elements)
        )),
        (Elements::Scalar(_), Some(_)) => {
            Some(format!("`{name}` is not an array; write `{name}` without an index"))
        }
        (Elements::Scalar(_), None) => None,
    }
}
