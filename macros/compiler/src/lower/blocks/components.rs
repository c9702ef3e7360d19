//! Components: sub-models with names of their own, read once per use.

use std::collections::{BTreeSet, HashMap};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::definitions::{Use, components_in, reachable};
use super::lets::lets_inside;
use super::lowering::Lowering;
use crate::limits::MAX_COMPONENTS;
use crate::lower::geometry::Reflection;
use crate::lower::kinds::Family;
use crate::lower::names::Kind;
use crate::syntax::ast::{ComponentSyntax, InstanceSyntax, ModelItem, OfSyntax};

/// Greatest depth of nested components, so that a model cannot overflow the compiler's stack.
const MAX_DEPTH: usize = 32;

impl<'a> Lowering<'a> {
    /// Collects the definitions, so that their order is free.
    pub fn define_components(&mut self, items: &'a [ModelItem]) {
        let mut names = Vec::new();
        for item in items {
            let ModelItem::Component(component) = item else { continue };
            let name = component.name.unraw().to_string();
            if self.components.defined.contains_key(&name) {
                let message = format!("the component `{name}` is defined twice; choose another name");
                self.error(component.name.span(), message);
                continue;
            }
            names.push(name.clone());
            self.names().usage.define_component(&component.name);
            self.names().components.insert(name.clone());
            self.components.defined.insert(name, component);
        }
        self.refuse_recursion(&names);
    }

    /// Refuses components that contain themselves, with one message for each circle.
    fn refuse_recursion(&mut self, names: &[String]) {
        let uses: HashMap<String, Vec<&Ident>> = self
            .components
            .defined
            .iter()
            .map(|(name, component)| (name.clone(), components_in(&component.items)))
            .collect();
        let within: HashMap<&str, BTreeSet<String>> =
            names.iter().map(|name| (name.as_str(), reachable(name, &uses))).collect();
        let contains = |outer: &str, inner: &str| within.get(outer).is_some_and(|found| found.contains(inner));
        let mut reported: Vec<&str> = Vec::new();
        for name in names.iter().filter(|name| contains(name, name)) {
            self.components.wrong.insert(name.clone());
            if reported.iter().any(|other| contains(other, name) && contains(name, other)) {
                continue;
            }
            reported.push(name);
            let used = uses.get(name).into_iter().flatten();
            let back = used.map(|ident| (*ident, ident.unraw().to_string()));
            let Some((ident, inner)) = back.into_iter().find(|(_, inner)| inner == name || contains(inner, name))
            else {
                continue;
            };
            let way = if inner == *name { String::new() } else { format!(" by way of `{inner}`") };
            let message = format!("the component `{name}` contains itself{way}; write this part in the model instead");
            self.error(ident.span(), message);
        }
    }

    /// Finds the definition of a component in use.
    fn component(&mut self, ident: &Ident) -> Option<&'a ComponentSyntax> {
        let name = ident.unraw().to_string();
        self.names().usage.use_component(ident);
        if let Some(component) = self.components.defined.get(&name).copied() {
            return Some(component);
        }
        if !self.names().report.incomplete {
            let message = Family::Component.unknown(&name, &self.names().components);
            self.error(ident.span(), message);
        }
        None
    }

    /// First pass: declares the names of a component in use, or of an array of components.
    pub fn declare_instances(&mut self, instance: &InstanceSyntax) {
        let ident = &instance.name.ident;
        let (original, name) = match &instance.of {
            OfSyntax::Component(component) => (None, Some(component.unraw().to_string())),
            OfSyntax::Mirror(mirror) => match self.original(mirror) {
                Some(original) => (Some(original), self.components.uses.get(&original).map(|of| of.component.clone())),
                None => (None, None),
            },
        };
        let component = match &instance.of {
            OfSyntax::Component(component) => self.component(component),
            OfSyntax::Mirror(_) => name.as_ref().and_then(|name| self.components.defined.get(name).copied()),
        };
        let name = name.unwrap_or_default();
        for index in self.names().declared_indices(&instance.name) {
            let position = self.names().table.next_space();
            if !self.names().declare_name(Kind::Instance, ident, index) {
                break;
            }
            let own = if instance.documentation.is_empty() {
                component.map(|component| component.documentation.as_slice()).unwrap_or_default()
            } else {
                &instance.documentation
            };
            self.names().add_space(ident, index, name.clone(), own);
            let usable = component.filter(|_| self.may_add(instance, &name, position));
            let Some(component) = usable else {
                // The names that the component declares are unknown.
                self.names().table.mark_space_unclear(position);
                self.names().table.mark_unclear(ident);
                self.components.unclear = true;
                break;
            };
            self.declare_members(instance, component, (position, original));
        }
    }

    /// Counts one more component; returns `false` if the component cannot be added.
    fn may_add(&mut self, instance: &InstanceSyntax, name: &str, position: usize) -> bool {
        if self.names().full || self.components.wrong.contains(name) {
            return false;
        }
        self.components.count += 1;
        let message = if self.components.count > MAX_COMPONENTS {
            format!("the model has more than {MAX_COMPONENTS} components; write fewer")
        } else if self.names().table.of(position).depth > MAX_DEPTH {
            format!("components are nested deeper than {MAX_DEPTH} levels; write some of them in the model")
        } else {
            return true;
        };
        self.names().full = true;
        self.error(instance.of.place(), message);
        false
    }

    fn declare_members(
        &mut self,
        instance: &InstanceSyntax,
        component: &'a ComponentSyntax,
        (position, original): (usize, Option<usize>),
    ) {
        let around = std::mem::take(&mut self.components.bindings);
        let errors = self.names().report.faults();
        self.entries(&instance.bindings, Self::note_binding);
        self.components.bindings.unclear = self.names().report.faults() > errors;
        let inherited = self.inherited_names(original, instance.of.place());
        let bodies = self.expressions().parts.bodies.len();
        let connections = self.expressions().parts.connections.len();
        self.inside(position, component, |lowering| lowering.declare(&component.items));
        let bindings = std::mem::replace(&mut self.components.bindings, around);
        let parts = &self.expressions().parts;
        let planar = parts.bodies[bodies..].iter().any(|body| !body.spatial)
            || parts.connections[connections..].iter().any(|connection| !connection.spatial);
        let bound = bindings.given.keys().cloned().collect();
        let component = component.name.unraw().to_string();
        let reflection = Reflection::default();
        self.components.uses.insert(position, Use { component, bound, original, planar, reflection });
        self.check_inherited(instance, position, &inherited);
        self.check_bindings(instance, position, bindings);
        if self.names().report.faults() > errors {
            // A loop ends at the first mistake, so that the rest of the array is missing.
            self.names().table.mark_unclear(&instance.name.ident);
        }
    }

    /// Applies `work` to the blocks of a component, where only the names of the component are known.
    fn inside(&mut self, position: usize, component: &'a ComponentSyntax, work: impl FnOnce(&mut Self)) {
        let around = self.names().table.enter(position);
        self.names().scopes.enter_component();
        let own = lets_inside(&component.items);
        let lets = std::mem::replace(&mut self.names().lets, own);
        work(self);
        self.names().lets = lets;
        self.names().scopes.leave_component();
        self.names().table.enter(around);
    }

    /// Second pass: reads the equations of a component in use, or of an array of components.
    pub fn lower_instances(&mut self, instance: &InstanceSyntax) {
        for index in self.names().declared_indices(&instance.name) {
            let own = instance.name.ident.unraw().to_string();
            let position = self.names().table.here().position(&own, index, Kind::Instance);
            // A component that is declared twice has been reported.
            let Some(position) = position.filter(|position| self.components.lowered.insert(*position)) else {
                continue;
            };
            let Some(name) = self.components.uses.get(&position).map(|of| of.component.clone()) else {
                continue;
            };
            let Some(component) = self.components.defined.get(&name).copied() else { continue };
            let around = std::mem::replace(&mut self.components.target, position);
            self.entries(&instance.bindings, Self::lower_binding);
            self.components.target = around;
            if let OfSyntax::Mirror(mirror) = &instance.of
                && self.lower_mirror(mirror, position).is_none()
            {
                continue;
            }
            if self.components.wrong.contains(&name) {
                continue;
            }
            let errors = self.names().report.faults();
            let world = self.expressions().reflection;
            let own = self.components.uses.get(&position).map_or(world, |of| world.and(of.reflection));
            self.expressions().reflection = own;
            self.inside(position, component, |lowering| lowering.lower(&component.items));
            self.expressions().reflection = world;
            if self.names().report.faults() > errors {
                self.components.wrong.insert(name.clone());
            }
        }
    }
}
