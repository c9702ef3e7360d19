//! Bindings: the values that names of a component have where it is used, `crank = phi[2]`.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::definitions::Bindings;
use super::lowering::Lowering;
use crate::dimension::{Measure, as_unit};
use crate::lower::expressions::{Connected, ConnectedFrame, Context, Expressions};
use crate::lower::geometry::Frame;
use crate::lower::names::{Bound, Elements, Kind, Names, Quantities, Space, written_name};
use crate::symbolic::Symbol;
use crate::syntax::ast::{
    BindingSyntax, ConnectedSyntax, ConnectionSyntax, Expr, ExprKind, InstanceSyntax, NameSyntax,
};
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
            let symbol = if is_parameter { Symbol::Parameter(parameters.len()) } else { Symbol::Input(inputs.len()) };
            let number = self.expressions().graph.symbol(symbol);
            let value = self.expressions().in_si(number, unit.scale);
            self.names().push_bound(Bound::Value(value), unit);
        }
        self.names().quantities.add(kind, quantity);
        Binding::None
    }

    pub fn declare_connection(&mut self, connection: &ConnectionSyntax) {
        let ident = &connection.name.ident;
        let unit = match &connection.to {
            ConnectedSyntax::Body(spatial) => return self.declare_body_connection(connection, *spatial),
            ConnectedSyntax::Coordinate(unit) => unit,
        };
        self.require_si(unit);
        for index in self.names().declared_indices(&connection.name) {
            match self.take_binding(Kind::Connection, ident, index, unit) {
                Binding::Declared => {}
                Binding::Refused => break,
                Binding::None => {
                    if !self.names().declare_name(Kind::Connection, ident, index) {
                        break;
                    }
                    self.names().push_bound(Bound::Wrong, unit);
                    let written = written_name(&ident.unraw().to_string(), index);
                    self.components.bindings.missing.push((written, "coordinate"));
                }
            }
        }
    }

    fn declare_body_connection(&mut self, connection: &ConnectionSyntax, spatial: bool) {
        let ident = &connection.name.ident;
        let name = ident.unraw().to_string();
        if name == "ground" {
            self.error(ident.span(), "`ground` is the inertial frame; choose another name");
            self.names().table.mark_unclear(ident);
            return;
        }
        for index in self.names().declared_indices(&connection.name) {
            let given = self.components.bindings.given.get_mut(&(name.clone(), index));
            let bound = match given {
                Some((_, used)) => {
                    *used = true;
                    ConnectedFrame::Later
                }
                None => {
                    self.components.bindings.missing.push((written_name(&name, index), "body"));
                    ConnectedFrame::Wrong
                }
            };
            let position = self.expressions().parts.connections.len();
            let what = if spatial { "spatial" } else { "planar" }.to_owned();
            let documentation = &connection.documentation;
            if !self.mechanism.add_part(Kind::BodyConnection, ident, index, what, documentation, position) {
                break;
            }
            self.expressions().parts.connections.push(Connected { spatial, bound });
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
            let list: Vec<String> = bindings.missing.iter().map(|(name, _)| format!("`{name}`")).collect();
            let what = if list.len() == 1 { "connection" } else { "connections" };
            let example: Vec<String> = bindings.missing.iter().map(|(name, to)| format!("{name} = {to}")).collect();
            let name = self.names().table.of(position).component.clone();
            let message =
                format!("`{name}` needs the {what} {}; write `{name} {{ {} }}`", list.join(", "), example.join(", "));
            messages.push((instance.of.place(), message));
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
        if kind == Kind::BodyConnection {
            self.lower_body_binding(&written_name(&name, index), &binding.value, position);
            return;
        }
        let (value, unit) = (&binding.value, self.names().quantities.bound_units.get(position).copied().flatten());
        let what = format!("what is bound to the {} `{}`", kind.word(), written_name(&name, index));
        let bound = match kind {
            Kind::Connection => self.connect(&name, value).map(|(i, changes)| Bound::Coordinate(i, changes)),
            Kind::BoundParameter => {
                self.expressions().value_in(value, Context::BoundParameter, unit, &what).map(Bound::Value)
            }
            Kind::BoundInput => self.expressions().value_in(value, Context::BoundInput, unit, &what).map(Bound::Value),
            _ => return,
        };
        if let (Some(Bound::Coordinate(i, _)), Some(unit)) = (bound, unit) {
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

    /// Returns the coordinate that a connection stands for, with `true` if its sign is changed.
    fn connect(&mut self, connection: &str, value: &Expr) -> Option<(usize, bool)> {
        let ExprKind::Name(name) = &value.kind else {
            let message = format!(
                "the connection `{connection}` is bound to a coordinate, not to an expression; \
                 write the name of a coordinate"
            );
            return self.refuse(value.place, message);
        };
        self.expressions().coordinate(name)
    }

    /// Binds a connection to a body or a frame.
    fn lower_body_binding(&mut self, connection: &str, value: &Expr, space: usize) {
        let Some(&position) = self.expressions().parts.by_space.get(&space) else { return };
        let spatial = self.expressions().parts.connections[position].spatial;
        let bound = self.connect_frame(connection, value, spatial);
        self.expressions().parts.connections[position].bound = bound.unwrap_or(ConnectedFrame::Wrong);
    }

    fn connect_frame(&mut self, connection: &str, value: &Expr, spatial: bool) -> Option<ConnectedFrame> {
        let name = match &value.kind {
            ExprKind::Name(name) => name,
            ExprKind::Attached(attached) if attached.members.is_empty() => &attached.body,
            _ => {
                let message = format!(
                    "the connection `{connection}` is bound to a body or a point of one; write e.g. `rod`, \
                     `rod.at(0, 1)` or `ground`"
                );
                return self.refuse(value.place, message);
            }
        };
        let (outer, own) = self.expressions().named_frame(name)?;
        if own.is_some_and(|own| own != spatial) {
            let (is, wanted) = if spatial { ("planar", "spatial") } else { ("spatial", "planar") };
            let message = format!(
                "the connection `{connection}` is {wanted}, and this is {is}; bind a {wanted} body, or declare the \
                 connection as `{connection}: {is}`"
            );
            return self.refuse(name.place, message);
        }
        let frame = self.expressions().frame(value, spatial)?;
        let own = Frame::of(None, &mut self.expressions().graph);
        let (outer, inner) = match self.expressions().let_value(name).ok()? {
            // a named point is given in its body
            Some(_) => (Frame::of(outer.body, &mut self.expressions().graph), outer),
            None => (outer, own),
        };
        let inner = match &value.kind {
            ExprKind::Attached(attached) => self.expressions().transformed(inner, &attached.transforms, spatial)?,
            _ => inner,
        };
        let hidden = self.is_below_connection(outer, name);
        Some(ConnectedFrame::Known { frame, given: (!hidden).then_some((outer, inner)) })
    }

    /// Checks whether a named point may belong to a connection with an offset, whose planes of coordinates are not
    /// those of its body.
    fn is_below_connection(&mut self, outer: Frame, name: &NameSyntax) -> bool {
        if self.names().scopes.get(&name.ident.unraw().to_string()).is_none() {
            return false;
        }
        let Expressions { parts, graph, .. } = self.expressions();
        let plain = Frame::of(outer.body, graph);
        let frames = parts.connections.iter().filter_map(|connection| connection.bound.frame());
        frames
            .into_iter()
            .any(|frame| frame.body == plain.body && (frame.point != plain.point || frame.turn != plain.turn))
            && self.names().table.entered() > 0
    }
}

/// Returns the reason why `name` of a component cannot be bound; `None` after an error that has been reported.
fn not_bindable(space: &Space, name: &str, index: Option<i64>) -> Option<String> {
    let component = &space.component;
    let bindable = |kind| {
        matches!(
            kind,
            Kind::Connection
                | Kind::BodyConnection
                | Kind::Parameter
                | Kind::BoundParameter
                | Kind::Input
                | Kind::BoundInput
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
