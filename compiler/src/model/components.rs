//! Components: sub-models with names of their own, gone through once per use.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::bindings::Bindings;
use super::kinds::Family;
use super::lets::block_lets;
use super::lower::Lowering;
use super::names::Kind;
use crate::limits::MOST_COMPONENTS;
use crate::syntax::ast::{ComponentSyntax, Entry, InstanceSyntax, ModelItem};

/// Deeper ones are refused, lest a model overflow the compiler's stack.
const DEEPEST: usize = 32;

/// The components of a model.
#[derive(Debug, Default)]
pub struct Components<'a> {
    defined: BTreeMap<String, &'a ComponentSyntax>,
    /// Components that have a mistake: it is reported once, and not for every use.
    wrong: HashSet<String>,
    /// Of the component that is being declared.
    pub(super) bindings: Bindings,
    /// The names of the component whose bindings are being read.
    pub(super) target: usize,
    /// The equations of these are in the model.
    lowered: HashSet<usize>,
    count: usize,
    /// The model is too large, which has been reported.
    pub(super) full: bool,
    /// Some can't be used: what they declare is missing.
    pub(super) unclear: bool,
}

impl Components<'_> {
    /// Those that are defined.
    pub fn names(&self) -> Vec<&str> {
        self.defined.keys().map(String::as_str).collect()
    }
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
            self.usage.define_component(&component.name);
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
        self.usage.use_component(ident);
        if let Some(component) = self.components.defined.get(&name).copied() {
            return Some(component);
        }
        if !self.incomplete {
            self.error_at(ident.span(), self.unknown_kind(&name, Family::Component));
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
        let errors = self.faults();
        self.entries(&instance.bindings, Self::note_binding);
        self.components.bindings.unclear = self.faults() > errors;
        self.inside(position, component, |lowering| lowering.declare(&component.items));
        let bindings = std::mem::replace(&mut self.components.bindings, around);
        self.check_bindings(instance, position, bindings);
        if self.faults() > errors {
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
            let errors = self.faults();
            self.inside(position, component, |lowering| lowering.lower(&component.items));
            if self.faults() > errors {
                self.components.wrong.insert(name.clone());
            }
        }
    }

    /// Why a component is not a value, and what to write.
    pub(super) fn component_as_value(&self, kind: Kind, position: usize) -> String {
        let space = self.names.of(position);
        let text = space.prefix.trim_end_matches('.');
        let text = text.strip_prefix(&self.names.here().prefix).unwrap_or(text);
        let values = |kind: Kind| !matches!(kind, Kind::Output | Kind::Constraint) && !kind.has_members();
        let what = kind.text();
        let own = space.sorted(|kind| kind == Kind::Coordinate);
        match own.first().or(space.sorted(values).first()) {
            Some(member) => {
                format!("`{text}` is {what}; write one of its members, e.g. `{text}.{member}`")
            }
            None => format!("`{text}` is {what}; write the name of a quantity"),
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
            (Some(Kind::Body | Kind::Joint | Kind::Element), _) => {
                return Some(format!(
                    "`{name}` belongs to the model around the component; bind its coordinates to connections, \
                     or write what acts on it in the model"
                ));
            }
            (Some(Kind::Argument | Kind::Table | Kind::Constraint | Kind::Output | Kind::Energy), _)
            | (None, None) => return None,
            (None, Some(_)) => "declare it as a parameter or an input",
        };
        Some(format!(
            "`{name}` belongs to the model around the component; {declare} of `{component}` \
             and bind it where the component is used"
        ))
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
                Entry::If(choice) => {
                    collect(&choice.yes, idents);
                    collect(&choice.no, idents);
                }
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
