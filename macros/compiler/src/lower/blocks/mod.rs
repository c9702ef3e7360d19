//! Blocks of a model and of its components, read in two passes.
//!
//! Structural arguments come first, since all sizes follow from them. Features (`bool`) then choose blocks (`choices`)
//! and entries (`entries`); a branch that is not chosen is not read. The first pass reads the declared names, so that
//! the order of blocks is free, and the second pass reads the expressions. Loops are unrolled.
//!
//! Both passes go through a component once for each of its uses. The names of the component are bound to coordinates
//! and expressions around it (`bindings`), so that later stages know nothing of components. An image (`mirror`) is one
//! more use, read in the reflected world (`geometry/reflection.rs`): wherever its text reads or writes a vector of a
//! body, an axis or a coordinate, signs change, and what is built are real bodies in real axes. blocks is free, then
//! the expressions.

mod arguments;
mod bindings;
mod choices;
mod components;
mod declare;
mod definitions;
mod entries;
mod lets;
mod lowering;
mod mirror;
mod required;
mod tables;

use super::expressions::{Energies, Expressions, SystemUnits};
use super::mechanism::Mechanism;
use super::names::Names;
use super::report::Report;
use super::system::System;
use crate::diagnostic::Diagnostics;
use crate::model::{Arguments, Model};
use crate::symbolic::Graph;
use crate::syntax::ast::{Energy, InitialEntry, ModelItem, ModelSyntax};
use crate::units::Dimension;
use lets::{later_energies, lets_inside, lets_of};
use lowering::Lowering;

/// A model that has been read.
pub struct Read {
    pub model: Model,
    pub graph: Graph,
    pub energies: Energies,
    /// True if nothing is missing because of errors.
    pub whole: bool,
    pub diagnostics: Diagnostics,
    /// The units that follow from the equations; equal to the known ones if there is nothing new.
    pub units: SystemUnits,
}

/// Reads a model with the units that are already known from its equations.
pub fn read(syntax: &ModelSyntax, arguments: &Arguments, known: &SystemUnits, diagnostics: Diagnostics) -> Read {
    let mut lowering = Lowering { declaring: true, ..Lowering::default() };
    lowering.mechanism.files = arguments.files();
    lowering.names().report = Report::new(diagnostics);
    lowering.expressions().system_units = known.clone();
    lowering.declare_arguments(syntax, arguments);
    let items = &*lowering.chosen(&syntax.items);
    lowering.names().lets = lets_inside(items);
    lowering.define_components(items);
    lowering.declare(items);
    if !lowering.names().report.incomplete && !lowering.components.unclear {
        lowering.require_blocks(&syntax.name, items);
    }
    lowering.declaring = false;
    lowering.names().repetitions = 0;
    lowering.system().make_room();
    // in a model that is too large some names are unknown, and there is nothing else to report
    if !lowering.names().full {
        lowering.lower(items);
        lowering.system().finish_energies();
        lowering.mechanism.finish_bodies();
        lowering.system().finish_initial();
        lowering.system().finish_rest();
        lowering.mechanism.finish_scene();
        lowering.system().finish_mass();
    }
    lowering.finish(syntax, known)
}

impl Lowering<'_> {
    /// Reads everything except declarations.
    fn lower(&mut self, items: &[ModelItem]) {
        self.names().lets.later = lets_of(items);
        for (i, item) in items.iter().enumerate() {
            if self.names().table.entered() == 0 {
                let totals = &mut self.expressions().totals;
                totals.later = later_energies(&items[i + 1..]);
                totals.later_gravity = items[i + 1..].iter().any(|item| matches!(item, ModelItem::Gravity(_)));
            }
            match item {
                ModelItem::Mass(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_mass(entry))
                }
                ModelItem::Forces(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_force(entry))
                }
                ModelItem::Constraints(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_constraint(entry))
                }
                ModelItem::Outputs(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_output(entry))
                }
                ModelItem::Initial(block) => self.entries(&block.entries, Self::lower_initial),
                ModelItem::Let(definition) => self.expressions().lower_let(definition),
                ModelItem::Components(block) => self.entries(&block.entries, Self::lower_instances),
                ModelItem::Energies(Energy::Kinetic, block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_kinetic(entry));
                }
                ModelItem::Energies(Energy::Potential, block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_potential(entry));
                }
                ModelItem::Energies(Energy::Dissipation, block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.system().lower_dissipation(entry));
                }
                ModelItem::Bodies(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.lower_body(entry))
                }
                ModelItem::Gravity(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.lower_gravity(entry))
                }
                ModelItem::Joints(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.lower_joint(entry))
                }
                ModelItem::Elements(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.lower_element(entry))
                }
                ModelItem::Parameters(_)
                | ModelItem::Inputs(_)
                | ModelItem::Tables(_)
                | ModelItem::Coordinates(_)
                | ModelItem::Connections(_)
                | ModelItem::Component(_)
                | ModelItem::If(_) => {}
            }
        }
    }

    fn lower_initial(&mut self, entry: &InitialEntry) {
        match entry {
            InitialEntry::Equilibrium(place) => self.system().lower_equilibrium(*place),
            InitialEntry::Held(names) => names.iter().for_each(|name| self.system().lower_held(name)),
            InitialEntry::Value(value) => {
                if !self.mechanism.initial_of_body(value) {
                    self.system().lower_initial(value);
                }
            }
        }
    }

    fn finish(self, syntax: &ModelSyntax, known: &SystemUnits) -> Read {
        let Mechanism {
            system,
            written_bodies,
            gravity,
            body_masses,
            norms,
            of_joints,
            turning,
            scene,
            mesh_files,
            ..
        } = self.mechanism;
        let System { expressions, mass, mass_places, force, constraint, output, .. } = system;
        let units = expressions.system_units(known);
        let Expressions { names, graph, parts, totals, let_names, kinks, .. } = expressions;
        let energies = Energies::new(totals, parts.bodies, units.energy.unwrap_or(Dimension::ENERGY));
        let Names { quantities, usage, mut report, .. } = names;
        usage.warn(&mut report.diagnostics);
        let model = Model {
            documentation: syntax.documentation.join("\n"),
            visibility: syntax.visibility.clone(),
            name: syntax.name.clone(),
            arguments: quantities.arguments,
            parameters: quantities.parameters,
            defaults: self.defaults,
            default_places: self.default_places,
            inputs: quantities.inputs,
            coordinates: quantities.coordinates,
            tables: quantities.tables,
            constraints: quantities.constraints,
            outputs: quantities.outputs,
            mass,
            force,
            constraint,
            output,
            initial_coordinates: system.initial_coordinates,
            near_coordinates: system.near_coordinates,
            initial_velocities: system.initial_velocities,
            initial_places: system.initial_places,
            equilibrium: system.equilibrium.is_some(),
            let_names,
            kinks,
            mass_places,
            bodies: written_bodies,
            has_gravity: gravity.is_some(),
            body_masses,
            norms,
            of_joints,
            turning,
            scene: scene.scene,
            geometry: scene.geometry,
            mesh_files,
        };
        let whole = report.faults() == 0;
        Read { model, graph, energies, whole, diagnostics: report.diagnostics, units }
    }
}
