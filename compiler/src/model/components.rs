//! Components: sub-models with names of their own, bound to what is around them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::context::Context;
use super::lower::{Lowering, block_lets};
use super::names::{Elements, Kind, Space, written_name};
use super::resolve::index_text;
use crate::diagnostic::Place;
use crate::nearest::nearest;
use crate::symbolic::{Id, Symbol};
use crate::syntax::ast::{
    BindingSyntax, ComponentSyntax, DeclarationSyntax, Entry, Expr, ExprKind, InstanceSyntax, ModelItem,
    NameSyntax,
};
use crate::units::Scale;

/// More components than any mechanism needs: a few that contain each other several times are quickly too many.
const MOST_COMPONENTS: usize = 100_000;

/// Deeper ones are refused, lest a model overflow the compiler's stack.
const DEEPEST: usize = 32;

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

/// The components of a model.
#[derive(Debug, Default)]
pub struct Components<'a> {
    defined: BTreeMap<String, &'a ComponentSyntax>,
    /// Components that have a mistake: it is reported once, and not for every use.
    wrong: HashSet<String>,
    /// Of the component that is being declared.
    bindings: Bindings,
    /// The names of the component whose bindings are being read.
    target: usize,
    /// The equations of these are in the model.
    lowered: HashSet<usize>,
    count: usize,
    /// There are too many, which has been reported.
    full: bool,
    /// Some can't be used: what they declare is missing.
    pub(super) unclear: bool,
}

/// What is bound where a component is used.
#[derive(Debug, Default)]
struct Bindings {
    /// By name and index, with the place; and whether the component has such a name.
    given: BTreeMap<(String, Option<i64>), (Place, bool)>,
    /// Connections that are not bound.
    missing: Vec<String>,
    /// There was an error: others may be given.
    unclear: bool,
}

impl<'a> Lowering<'a> {
    /// Collects the definitions, so that their order is free.
    pub(super) fn define_components(&mut self, items: &'a [ModelItem]) {
        let mut names = Vec::new();
        for item in items {
            let ModelItem::Component(component) = item else { continue };
            let name = component.name.unraw().to_string();
            if self.components.defined.contains_key(&name) {
                let message = format!("the component `{name}` is defined twice; choose another name");
                self.error_at(component.name.span(), message);
                continue;
            }
            names.push(name.clone());
            self.components.defined.insert(name, component);
        }
        self.refuse_recursion(&names);
    }

    /// A component that contains itself has no end. One message for each circle.
    fn refuse_recursion(&mut self, names: &[String]) {
        let uses: HashMap<String, Vec<&Ident>> = self
            .components
            .defined
            .iter()
            .map(|(name, component)| (name.clone(), components_in(&component.items)))
            .collect();
        let within: HashMap<&str, BTreeSet<String>> =
            names.iter().map(|name| (name.as_str(), reachable(name, &uses))).collect();
        let contains =
            |outer: &str, inner: &str| within.get(outer).is_some_and(|found| found.contains(inner));
        let mut reported: Vec<&str> = Vec::new();
        for name in names.iter().filter(|name| contains(name, name)) {
            self.components.wrong.insert(name.clone());
            if reported.iter().any(|other| contains(other, name) && contains(name, other)) {
                continue;
            }
            reported.push(name);
            let used = uses.get(name).into_iter().flatten();
            let back = used.map(|ident| (*ident, ident.unraw().to_string()));
            let Some((ident, inner)) =
                back.into_iter().find(|(_, inner)| inner == name || contains(inner, name))
            else {
                continue;
            };
            let way = if inner == *name { String::new() } else { format!(" by way of `{inner}`") };
            let message =
                format!("the component `{name}` contains itself{way}; write this part in the model instead");
            self.error_at(ident.span(), message);
        }
    }

    /// The definition of a component in use.
    fn component(&mut self, ident: &Ident) -> Option<&'a ComponentSyntax> {
        let name = ident.unraw().to_string();
        if let Some(component) = self.components.defined.get(&name).copied() {
            return Some(component);
        }
        if !self.incomplete {
            let known = self.components.defined.keys().map(String::as_str);
            let message = match nearest(&name, known) {
                Some(known) => format!("unknown component `{name}`; did you mean `{known}`?"),
                None => format!("unknown component `{name}`; define it by `component {name} {{ ... }}`"),
            };
            self.error_at(ident.span(), message);
        }
        None
    }

    /// First pass: the names of a component in use, or of an array of them.
    pub(super) fn declare_instances(&mut self, instance: &InstanceSyntax) {
        let ident = &instance.name.ident;
        let component = self.component(&instance.component);
        for index in self.declared_indices(&instance.name) {
            let position = self.names.next_space();
            if !self.declare_name(Kind::Instance, ident, index) {
                break;
            }
            let own = if instance.documentation.is_empty() {
                component.map(|component| component.documentation.as_slice()).unwrap_or_default()
            } else {
                &instance.documentation
            };
            let name = ident.unraw().to_string();
            self.names.add_space(&name, index, instance.component.unraw().to_string(), &own.join("\n"));
            let usable = component.filter(|_| self.may_add(instance, position));
            let Some(component) = usable else {
                // What it declares is not known.
                self.names.mark_space_unclear(position);
                self.names.mark_unclear(ident);
                self.components.unclear = true;
                break;
            };
            self.declare_members(instance, component, position);
        }
    }

    /// Whether one more component stays within bounds.
    fn may_add(&mut self, instance: &InstanceSyntax, position: usize) -> bool {
        if self.components.full || self.components.wrong.contains(&instance.component.unraw().to_string()) {
            return false;
        }
        self.components.count += 1;
        let message = if self.components.count > MOST_COMPONENTS {
            format!("the model has more than {MOST_COMPONENTS} components; write fewer")
        } else if self.names.of(position).depth > DEEPEST {
            format!("components are nested deeper than {DEEPEST} levels; write some of them in the model")
        } else {
            return true;
        };
        self.components.full = true;
        self.error_at(instance.component.span(), message);
        false
    }

    fn declare_members(
        &mut self,
        instance: &InstanceSyntax,
        component: &'a ComponentSyntax,
        position: usize,
    ) {
        let around = std::mem::take(&mut self.components.bindings);
        let errors = self.diagnostics.len();
        self.entries(&instance.bindings, Self::note_binding);
        self.components.bindings.unclear = self.diagnostics.len() > errors;
        self.inside(position, component, |lowering| lowering.declare(&component.items));
        let bindings = std::mem::replace(&mut self.components.bindings, around);
        self.check_bindings(instance, position, bindings);
        if self.diagnostics.len() > errors {
            // A loop ends with the first mistake: the rest of the array is missing.
            self.names.mark_unclear(&instance.name.ident);
        }
    }

    /// Applies `work` to the blocks of a component, where only its own names are known.
    fn inside(&mut self, position: usize, component: &'a ComponentSyntax, work: impl FnOnce(&mut Self)) {
        let around = self.names.enter(position);
        self.scopes.enter_component();
        let later_lets = std::mem::take(&mut self.later_lets);
        let lets = std::mem::replace(&mut self.block_lets, block_lets(&component.items));
        work(self);
        self.block_lets = lets;
        self.later_lets = later_lets;
        self.scopes.leave_component();
        self.names.enter(around);
    }

    fn note_binding(&mut self, binding: &BindingSyntax) {
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
    pub(super) fn take_binding(&mut self, kind: Kind, ident: &Ident, index: Option<i64>) -> Binding {
        let given = self.components.bindings.given.get_mut(&(ident.unraw().to_string(), index));
        let Some((_, used)) = given else { return Binding::None };
        *used = true;
        if !self.declare_name(kind, ident, index) {
            return Binding::Refused;
        }
        self.bound.push(Bound::Later);
        Binding::Declared
    }

    /// Declares a parameter or an input that is the model's own. An array of which other elements are bound is one
    /// of values all the same.
    pub(super) fn declare_own(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        (symbol, scale): (Symbol, Scale),
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
            let value = self.scaled(symbol, scale);
            self.bound.push(Bound::Value(value));
        }
        declared
    }

    pub(super) fn declare_connection(&mut self, connection: &DeclarationSyntax) {
        self.require_si(connection);
        let ident = &connection.name.ident;
        for index in self.declared_indices(&connection.name) {
            match self.take_binding(Kind::Connection, ident, index) {
                Binding::Declared => {}
                Binding::Refused => break,
                Binding::None => {
                    if !self.declare_name(Kind::Connection, ident, index) {
                        break;
                    }
                    self.bound.push(Bound::Wrong);
                    let written = written_name(&ident.unraw().to_string(), index);
                    self.components.bindings.missing.push(written);
                }
            }
        }
    }

    /// Every connection is bound, and nothing that can't be.
    fn check_bindings(&mut self, instance: &InstanceSyntax, position: usize, bindings: Bindings) {
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

    /// Second pass: the equations of a component in use, or of an array of them.
    pub(super) fn lower_instances(&mut self, instance: &InstanceSyntax) {
        let name = instance.component.unraw().to_string();
        let Some(component) = self.components.defined.get(&name).copied() else { return };
        for index in self.declared_indices(&instance.name) {
            let own = instance.name.ident.unraw().to_string();
            let position = self.names.here().position(&own, index, Kind::Instance);
            // One that is declared twice has been reported.
            let Some(position) = position.filter(|position| self.components.lowered.insert(*position)) else {
                continue;
            };
            let around = std::mem::replace(&mut self.components.target, position);
            self.entries(&instance.bindings, Self::lower_binding);
            self.components.target = around;
            if self.components.wrong.contains(&name) {
                continue;
            }
            let errors = self.diagnostics.len();
            self.inside(position, component, |lowering| lowering.lower(&component.items));
            if self.diagnostics.len() > errors {
                self.components.wrong.insert(name.clone());
            }
        }
    }

    fn lower_binding(&mut self, binding: &BindingSyntax) {
        let Some((name, index)) = self.bound_name(binding) else { return };
        let target = self.names.of(self.components.target);
        let Some(kind) = target.get(&name).map(|declared| declared.kind) else { return };
        let Some(position) = target.position(&name, index, kind) else { return };
        let bound = match kind {
            Kind::Connection => self.connect(&name, &binding.value).map(Bound::Coordinate),
            Kind::BoundParameter => self.value(&binding.value, Context::BoundParameter).map(Bound::Value),
            Kind::BoundInput => self.value(&binding.value, Context::BoundInput).map(Bound::Value),
            _ => return,
        };
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
        if matches!(bound, Bound::Later) && !name.members.is_empty() && self.diagnostics.is_empty() {
            let message = format!(
                "`{}` is bound further below; move its `components` block above this entry",
                self.written(name)
            );
            self.error_at(name.place, message);
        }
    }

    /// Why a component is not a value, and what to write.
    pub(super) fn component_as_value(&self, position: usize) -> String {
        let space = self.names.of(position);
        let text = space.prefix.trim_end_matches('.');
        let text = text.strip_prefix(&self.names.here().prefix).unwrap_or(text);
        let values = |kind: Kind| !matches!(kind, Kind::Output | Kind::Constraint | Kind::Instance);
        let own = space.sorted(|kind| kind == Kind::Coordinate);
        match own.first().or(space.sorted(values).first()) {
            Some(member) => {
                format!("`{text}` is a component; write one of its members, e.g. `{text}.{member}`")
            }
            None => format!("`{text}` is a component; write the name of a quantity"),
        }
    }

    /// Why a name that is unknown in a component can't stand for what it is around the component, if it is something
    /// there.
    pub(super) fn belongs_outside(&self, name: &str) -> Option<String> {
        let component = &self.names.here().component;
        let declare = match (self.names.kind_outside(name), self.scopes.get_outside(name)) {
            (Some(Kind::Parameter | Kind::BoundParameter), _) => "declare it as a parameter",
            (Some(Kind::Input | Kind::BoundInput), _) => "declare it as an input",
            (Some(Kind::Coordinate | Kind::Connection), _) => "declare it as a connection",
            (Some(Kind::Instance), _) => {
                return Some(format!(
                    "`{name}` belongs to the model around the component; declare a connection of `{component}` \
                     and bind it to a coordinate of `{name}` where the component is used"
                ));
            }
            (Some(Kind::Constraint | Kind::Output), _) | (None, None) => return None,
            (None, Some(_)) => "declare it as a parameter or an input",
        };
        Some(format!(
            "`{name}` belongs to the model around the component; {declare} of `{component}` \
             and bind it where the component is used"
        ))
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

/// The components that are used in these blocks.
fn components_in(items: &[ModelItem]) -> Vec<&Ident> {
    fn collect<'a>(entries: &'a [Entry<InstanceSyntax>], idents: &mut Vec<&'a Ident>) {
        for entry in entries {
            match entry {
                Entry::Item(instance) => idents.push(&instance.component),
                Entry::Let(_) => {}
                Entry::For(repeat) => collect(&repeat.entries, idents),
            }
        }
    }
    let mut idents = Vec::new();
    for item in items {
        if let ModelItem::Components(block) = item {
            collect(&block.entries, &mut idents);
        }
    }
    idents
}

/// The components inside of `name`, near and far.
fn reachable(name: &str, uses: &HashMap<String, Vec<&Ident>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        for ident in uses.get(&next).into_iter().flatten() {
            let inner = ident.unraw().to_string();
            if found.insert(inner.clone()) {
                open.push(inner);
            }
        }
    }
    found
}
