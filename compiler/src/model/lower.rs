//! From the syntax tree to the checked model.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use syn::ext::IdentExt;

use super::Model;
use super::arguments::{ArgumentValue, Arguments};
use super::bindings::Bound;
use super::bodies::Mechanism;
use super::components::Components;
use super::context::Context;
use super::energies::Energies;
use super::height::Heights;
use super::lets::block_lets;
use super::mass::Masses;
use super::names::NameTable;
use super::scope::{Local, Scopes};
use super::units::{Findings, SystemUnits};
use super::usage::Usage;
use crate::diagnostic::Diagnostics;
use crate::symbolic::{Graph, Ranges};
use crate::syntax::ast::{Energy, Entry, ForSyntax, IfSyntax, ModelItem, ModelSyntax};
use crate::units::{Dimension, Scale};

/// Resolves names, unrolls loops and builds the expression graph; reports every error that it finds.
///
/// Where `diagnostics` has syntax errors already, names may be missing because of them: then unknown names and
/// missing blocks are not reported.
///
/// With the model and its expressions, whether it is whole: nothing is missing in it because of errors.
pub fn check(
    syntax: &ModelSyntax,
    arguments: &Arguments,
    diagnostics: &mut Diagnostics,
) -> (Model, Graph, bool) {
    let known = SystemUnits::default();
    let errors = diagnostics.len();
    let (model, graph, found, whole) = read(syntax, arguments, &known, diagnostics);
    if found == known {
        return (model, graph, whole);
    }
    // Masses and constraints give units to what stands above them.
    diagnostics.restart(errors);
    let (model, graph, _, whole) = read(syntax, arguments, &found, diagnostics);
    (model, graph, whole)
}

/// Reads the model with what is known of its units; and what it says about them.
fn read<'a>(
    syntax: &'a ModelSyntax,
    arguments: &Arguments,
    known: &SystemUnits,
    diagnostics: &'a mut Diagnostics,
) -> (Model, Graph, SystemUnits, bool) {
    let errors = diagnostics.len();
    let mut lowering = Lowering::new(syntax, known.clone(), diagnostics);
    lowering.folder = arguments.folder().map(Path::to_owned);
    lowering.declare_arguments(syntax, arguments);
    lowering.define_components(&syntax.items);
    lowering.declare(&syntax.items);
    if !lowering.incomplete && !lowering.components.unclear {
        lowering.require_blocks(syntax);
    }
    lowering.prepare();
    // where the model is too large not all names are known, and there is nothing more to be said
    if !lowering.components.full {
        lowering.lower(&syntax.items);
        lowering.finish_energies();
        lowering.finish_bodies();
        lowering.finish_mass();
    }
    let found = lowering.system_units(known);
    let Lowering { model, graph, usage, remarks, diagnostics, .. } = lowering;
    usage.warn(diagnostics);
    let whole = errors == 0 && diagnostics.len() == remarks;
    (model, graph, found, whole)
}

/// The model in the making.
pub struct Lowering<'a> {
    pub(super) model: Model,
    /// All expressions.
    pub(super) graph: Graph,
    pub(super) names: NameTable,
    pub(super) scopes: Scopes,
    pub(super) components: Components<'a>,
    /// What names of components stand for outside of them.
    pub(super) bound: Vec<Bound>,
    pub(super) energies: Energies,
    pub(super) mechanism: Mechanism,
    /// What these names are declared with.
    pub(super) bound_units: Vec<Option<Dimension>>,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// The value of every structural argument; `None` after an error.
    pub(super) argument_values: Vec<Option<ArgumentValue>>,
    /// While arguments are declared: those that have no value yet, for a better message.
    pub(super) later_arguments: Vec<String>,
    /// Where the paths of tables start.
    pub(super) folder: Option<PathBuf>,
    pub(super) parameter_scales: Vec<Scale>,
    pub(super) input_scales: Vec<Scale>,
    /// There are syntax errors: some declarations could not be read.
    pub(super) incomplete: bool,
    /// In the first pass names are declared and `let`s are left alone.
    declaring: bool,
    pub(super) mass: Masses,
    /// Names of `let`s that stand further below, for a better message.
    pub(super) later_lets: Vec<String>,
    /// Names of `let`s inside blocks, for a better message.
    pub(super) block_lets: HashSet<String>,
    /// The `let` whose value is being read.
    pub(super) defining: Option<String>,
    pub(super) heights: Heights,
    pub(super) usage: Usage,
    pub(super) ranges: Ranges,
    /// What is known of the units of the whole model, and what is found while it is read.
    pub(super) system_units: SystemUnits,
    pub(super) findings: Findings,
    /// How many branches that are never taken are around what is being read.
    pub(super) unreachable: usize,
    /// Errors behind which the model could still be read to its end.
    pub(super) remarks: usize,
    /// A mistake ended a loop: what it would have defined is not known, through no fault of its users.
    pub(super) cut_short: bool,
    /// Repetitions of all loops so far.
    pub(super) repetitions: i64,
}

impl<'a> Lowering<'a> {
    fn new(syntax: &'a ModelSyntax, system_units: SystemUnits, diagnostics: &'a mut Diagnostics) -> Self {
        let model = Model {
            documentation: syntax.documentation.join("\n"),
            visibility: syntax.visibility.clone(),
            name: syntax.name.clone(),
            arguments: Vec::new(),
            parameters: Vec::new(),
            defaults: Vec::new(),
            inputs: Vec::new(),
            coordinates: Vec::new(),
            tables: Vec::new(),
            constraints: Vec::new(),
            outputs: Vec::new(),
            mass: BTreeMap::new(),
            force: Vec::new(),
            constraint: Vec::new(),
            output: Vec::new(),
            initial_coordinates: Vec::new(),
            near_coordinates: Vec::new(),
            initial_velocities: Vec::new(),
            let_names: HashMap::new(),
            kinks: Vec::new(),
            mass_places: BTreeMap::new(),
            body_masses: Vec::new(),
            norms: Vec::new(),
            of_joints: BTreeSet::new(),
            turning: BTreeSet::new(),
        };
        let mut scopes = Scopes::default();
        // What is known everywhere, also inside components, and what the model defines.
        scopes.push();
        scopes.push();
        let incomplete = !diagnostics.is_empty();
        Lowering {
            model,
            graph: Graph::new(),
            incomplete,
            names: NameTable::new(),
            scopes,
            components: Components::default(),
            bound: Vec::new(),
            energies: Energies::default(),
            mechanism: Mechanism::default(),
            bound_units: Vec::new(),
            diagnostics,
            argument_values: Vec::new(),
            later_arguments: Vec::new(),
            folder: None,
            parameter_scales: Vec::new(),
            input_scales: Vec::new(),
            declaring: true,
            mass: Masses::default(),
            later_lets: Vec::new(),
            block_lets: block_lets(&syntax.items),
            defining: None,
            heights: Heights::default(),
            usage: Usage::default(),
            ranges: Ranges::default(),
            system_units,
            findings: Findings::default(),
            unreachable: 0,
            remarks: 0,
            cut_short: false,
            repetitions: 0,
        }
    }

    /// A model needs coordinates, and something that moves needs inertia.
    fn require_blocks(&mut self, syntax: &ModelSyntax) {
        let items = || {
            let inside = syntax.items.iter().filter_map(|item| match item {
                ModelItem::Component(component) => Some(&component.items),
                _ => None,
            });
            syntax.items.iter().chain(inside.flatten())
        };
        let has = |wanted: fn(&ModelItem) -> bool| items().any(wanted);
        let has_own = |wanted: fn(&ModelItem) -> bool| syntax.items.iter().any(wanted);
        let place = syntax.name.span();
        let empty = syntax.items.iter().find_map(|item| match item {
            ModelItem::Coordinates(block) if block.entries.is_empty() => Some(block.keyword.span()),
            _ => None,
        });
        if !has_own(|item| matches!(item, ModelItem::Coordinates(_) | ModelItem::Bodies(_)))
            && self.model.coordinates.is_empty()
        {
            self.error_at(place, "the model has no `coordinates` block; add `coordinates { x: m }`");
        } else if let (Some(empty), true) = (empty, self.model.coordinates.is_empty()) {
            self.error_at(empty, "the model has no coordinates; write `coordinates { x: m }`");
        } else if !has(|item| {
            let kinetic = matches!(item, ModelItem::Energies(Energy::Kinetic, _));
            kinetic || matches!(item, ModelItem::Mass(_) | ModelItem::Bodies(_))
        }) {
            self.error_at(
                place,
                "the model has no `mass` block; add `mass { x: m }`, with the inertia of each coordinate, \
                 or a `kinetic` energy",
            );
        }
    }

    /// Everything is declared: makes room for the equations.
    fn prepare(&mut self) {
        self.declaring = false;
        self.repetitions = 0;
        let zero = self.graph.zero();
        self.model.force = vec![zero; self.model.coordinates.len()];
        self.model.constraint = vec![zero; self.model.constraints.len()];
        self.model.output = vec![zero; self.model.outputs.len()];
        self.model.initial_coordinates = vec![None; self.model.coordinates.len()];
        self.model.near_coordinates = vec![None; self.model.coordinates.len()];
        self.model.initial_velocities = vec![None; self.model.coordinates.len()];
    }

    pub(super) fn lower(&mut self, items: &[ModelItem]) {
        self.later_lets = items
            .iter()
            .filter_map(|item| match item {
                ModelItem::Let(definition) => Some(definition.name.to_string()),
                _ => None,
            })
            .collect();
        for item in items {
            match item {
                ModelItem::Mass(block) => self.entries(&block.entries, Self::lower_mass),
                ModelItem::Forces(block) => self.entries(&block.entries, Self::lower_force),
                ModelItem::Constraints(block) => self.entries(&block.entries, Self::lower_constraint),
                ModelItem::Outputs(block) => self.entries(&block.entries, Self::lower_output),
                ModelItem::Initial(block) => self.entries(&block.entries, Self::lower_initial),
                ModelItem::Let(definition) => self.lower_let(definition),
                ModelItem::Components(block) => self.entries(&block.entries, Self::lower_instances),
                ModelItem::Energies(Energy::Kinetic, block) => {
                    self.entries(&block.entries, Self::lower_kinetic);
                }
                ModelItem::Energies(Energy::Potential, block) => {
                    self.entries(&block.entries, Self::lower_potential);
                }
                ModelItem::Energies(Energy::Dissipation, block) => {
                    self.entries(&block.entries, Self::lower_dissipation);
                }
                ModelItem::Bodies(block) => self.entries(&block.entries, Self::lower_body),
                ModelItem::Gravity(block) => self.entries(&block.entries, Self::lower_gravity),
                ModelItem::Joints(block) => self.entries(&block.entries, Self::lower_joint),
                ModelItem::Elements(block) => self.entries(&block.entries, Self::lower_element),
                ModelItem::Parameters(_)
                | ModelItem::Inputs(_)
                | ModelItem::Tables(_)
                | ModelItem::Coordinates(_)
                | ModelItem::Connections(_)
                | ModelItem::Component(_) => {}
            }
        }
    }

    /// Applies `item` to every entry, with loops unrolled, in a scope of its own.
    pub(super) fn entries<T>(&mut self, entries: &[Entry<T>], item: fn(&mut Self, &T)) {
        self.scopes.push();
        for entry in entries {
            match entry {
                Entry::Item(syntax) => item(self, syntax),
                Entry::Let(definition) if !self.declaring => self.lower_let(definition),
                Entry::Let(_) => {}
                Entry::For(repeat) => self.repeat(repeat, item),
                Entry::If(choice) => self.choose(choice, item),
            }
        }
        self.scopes.pop();
    }

    fn repeat<T>(&mut self, repeat: &ForSyntax<T>, item: fn(&mut Self, &T)) {
        let values = self.range(&repeat.range).filter(|values| self.may_repeat(values, repeat.range.place));
        let Some(values) = values else {
            // What the loop declares is not known.
            self.incomplete = true;
            return;
        };
        let variable = repeat.variable.unraw().to_string();
        // Names are declared all the same, and the message waits until all of them are known.
        if !self.declaring
            && let Some(message) = self.name_in_use(&variable)
        {
            self.error_at(repeat.variable.span(), message);
            return;
        }
        if values.is_empty() {
            // In a model of another size, names are used in it.
            self.usage.is_partial = true;
        }
        let errors = self.faults();
        for value in values {
            self.scopes.push();
            self.scopes.define(variable.clone(), Local::Loop(value));
            self.entries(&repeat.entries, item);
            self.scopes.pop();
            // One message for a mistake in the body, not one for every repetition.
            if self.faults() > errors {
                self.cut_short = true;
                break;
            }
        }
    }

    /// The entries of the branch that the model is made of; the other branch is not read.
    fn choose<T>(&mut self, choice: &IfSyntax<T>, item: fn(&mut Self, &T)) {
        let Some(holds) = self.choice(&choice.condition, Context::Feature) else {
            // What the branches declare is not known.
            self.incomplete = true;
            return;
        };
        let (chosen, other) = if holds { (&choice.yes, &choice.no) } else { (&choice.no, &choice.yes) };
        if !other.is_empty() {
            // In another variant of the model, names are used in it.
            self.usage.is_partial = true;
        }
        self.entries(chosen, item);
    }
}
