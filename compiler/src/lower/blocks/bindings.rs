//! Bindings: the values that names of a component have where it is used, `crank = phi[2]`.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::definitions::Bindings;
use super::lowering::Lowering;
use crate::dimension::{Measure, as_unit};
use crate::lower::expressions::Context;
use crate::lower::names::{Bound, Elements, Kind, Names, Quantities, Space, written_name};
use crate::nearest::nearest;
use crate::symbolic::Symbol;
use crate::syntax::ast::{BindingSyntax, DeclarationSyntax, Expr, ExprKind, InstanceSyntax};
use crate::units::{Dimension, Unit};

/// The result of looking for the binding of a name that a component declares.
pub enum Binding {
    /// The name is not bound.
    None,
    /// The name is bound, and has been declared.
    Declared,
    /// The name is bound, but its declaration has an error.
    Refused,
}

impl Lowering<'_> {
    pub fn note_binding(&mut self, binding: &BindingSyntax) {
        let Some(key) = self.bound_name(binding) else { return };
        let place = binding.name.place;
        if self.components.bindings.given.contains_key(&key) {
            let written = written_name(&key.0, key.1);
            self.error(place, format!("`{written}` is bound twice; keep one of them"));
            return;
        }
        self.components.bindings.given.insert(key, (place, false));
    }

    fn bound_name(&mut self, binding: &BindingSyntax) -> Option<(String, Option<i64>)> {
        let index = match &binding.name.index {
            None => None,
            Some(index) => Some(self.names().integer(index)?),
        };
        Some((binding.name.ident.unraw().to_string(), index))
    }

    /// Declares a name as `kind` if it is bound where the component is used.
    fn take_binding(&mut self, kind: Kind, ident: &Ident, index: Option<i64>, unit: &Unit) -> Binding {
        let given = self.components.bindings.given.get_mut(&(ident.unraw().to_string(), index));
        let Some((_, used)) = given else { return Binding::None };
        *used = true;
        if !self.names().declare_name(kind, ident, index) {
            return Binding::Refused;
        }
        self.names().push_bound(Bound::Later, unit);
        Binding::Declared
    }

    /// Declares a parameter or an input, which is either bound where its component is used or the model's own.
    pub fn declare_value(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        unit: &Unit,
        documentation: &[String],
    ) -> Binding {
        let is_parameter = kind == Kind::Parameter;
        let bound = if is_parameter { Kind::BoundParameter } else { Kind::BoundInput };
        let binding = self.take_binding(bound, ident, index, unit);
        if !matches!(binding, Binding::None) {
            return binding;
        }
        let name = ident.unraw().to_string();
        // If other elements of the array are bound, the whole array consists of values.
        let partly_bound = index.is_some()
            && self.components.bindings.given.keys().any(|(other, index)| *other == name && index.is_some());
        let names = self.names();
        let quantity = names.quantity(ident, index, Some(unit), documentation);
        let declared = if partly_bound {
            names.claim_constant(ident, index) && names.declare_name(bound, ident, index)
        } else {
            names.declare_name(kind, ident, index)
        };
        if !declared {
            return Binding::Refused;
        }
        if partly_bound {
            let Quantities { parameters, inputs, .. } = &names.quantities;
            let symbol =
                if is_parameter { Symbol::Parameter(parameters.len()) } else { Symbol::Input(inputs.len()) };
            let number = self.expressions().graph.symbol(symbol);
            let value = self.expressions().in_si(number, unit.scale);
            self.names().push_bound(Bound::Value(value), unit);
        }
        self.names().quantities.add(kind, quantity);
        Binding::None
    }

    pub fn declare_connection(&mut self, connection: &DeclarationSyntax) {
        self.require_si(connection);
        let ident = &connection.name.ident;
        for index in self.names().declared_indices(&connection.name) {
            match self.take_binding(Kind::Connection, ident, index, &connection.unit) {
                Binding::Declared => {}
                Binding::Refused => break,
                Binding::None => {
                    if !self.names().declare_name(Kind::Connection, ident, index) {
                        break;
                    }
                    self.names().push_bound(Bound::Wrong, &connection.unit);
                    let written = written_name(&ident.unraw().to_string(), index);
                    self.components.bindings.missing.push(written);
                }
            }
        }
    }

    /// Checks that every connection is bound, and that every bound name can be bound.
    pub fn check_bindings(&mut self, instance: &InstanceSyntax, position: usize, bindings: Bindings) {
        let mut messages = Vec::new();
        let Names { table, report, .. } = self.names();
        let (space, incomplete) = (table.of(position), report.incomplete);
        for ((name, index), (place, used)) in bindings.given {
            // Text that could not be read may contain the declaration.
            let unclear = space.is_unclear(&name) || incomplete && space.get(&name).is_none();
            if !used && !unclear {
                messages.extend(not_bindable(space, &name, index).map(|message| (place, message)));
            }
        }
        // Bindings with misspelt names may have been meant for the missing connections.
        if !bindings.missing.is_empty() && messages.is_empty() && !bindings.unclear && !incomplete {
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
            self.error(place, message);
        }
    }

    pub fn lower_binding(&mut self, binding: &BindingSyntax) {
        let Some((name, index)) = self.bound_name(binding) else { return };
        let target = self.components.target;
        let target = self.names().table.of(target);
        let Some(kind) = target.get(&name).map(|declared| declared.kind) else { return };
        let Some(position) = target.position(&name, index, kind) else { return };
        let (value, unit) =
            (&binding.value, self.names().quantities.bound_units.get(position).copied().flatten());
        let what = format!("what is bound to the {} `{}`", kind.word(), written_name(&name, index));
        let bound = match kind {
            Kind::Connection => self.connect(&name, value).map(Bound::Coordinate),
            Kind::BoundParameter => {
                self.expressions().value_in(value, Context::BoundParameter, unit, &what).map(Bound::Value)
            }
            Kind::BoundInput => {
                self.expressions().value_in(value, Context::BoundInput, unit, &what).map(Bound::Value)
            }
            _ => return,
        };
        if let (Some(Bound::Coordinate(i)), Some(unit)) = (bound, unit) {
            self.expect_connection(i, unit, value, &what);
        }
        self.names().quantities.bound[position] = bound.unwrap_or(Bound::Wrong);
    }

    /// Reports a connection whose unit differs from that of its coordinate: a connection has no conversion.
    fn expect_connection(&mut self, coordinate: usize, wanted: Dimension, expr: &Expr, what: &str) {
        let found = self.expressions().declared_unit(Kind::Coordinate, coordinate);
        let Some((found, wanted)) = found.conflict(Measure::Known(wanted)) else { return };
        let (has, expected) = (as_unit(found), as_unit(wanted));
        let message = format!(
            "{what} has {has}, expected {expected}; bind another coordinate, or declare the connection in its unit"
        );
        self.names().report.remark(expr.place, message);
    }

    /// Returns the coordinate that a connection stands for.
    fn connect(&mut self, connection: &str, value: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &value.kind else {
            let message = format!(
                "the connection `{connection}` is bound to a coordinate, not to an expression; \
                 write the name of a coordinate"
            );
            return self.refuse(value.place, message);
        };
        self.names().coordinate(name)
    }
}

/// Returns the reason why `name` of a component cannot be bound; `None` after an error that has been reported.
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
        (elements @ Elements::Array(_), None) => Some(format!(
            "`{name}` is an array; bind its elements, `{name}[i] = ...` with an index {}",
            elements.indices()
        )),
        (elements, index) => elements.at(name, index).err(),
    }
}
