//! First pass: the names that the blocks declare.

use super::bindings::Binding;
use super::lets::lets_of;
use super::lowering::Lowering;
use crate::lower::expressions::{DefaultValue, NamedEnergy};
use crate::lower::names::Kind;
use crate::model::DefaultPlace;
use crate::syntax::ast::{
    ConstraintSyntax, DeclarationSyntax, DeclaredIndex, EnergySyntax, ModelItem, OutputSyntax, ParameterSyntax,
};
use crate::units::Unit;

impl Lowering<'_> {
    /// Declares everything that `items` name, so that the order of the blocks is free.
    pub fn declare(&mut self, items: &[ModelItem]) {
        // A default that uses a table gets a message of its own.
        for item in items {
            if let ModelItem::Tables(block) = item {
                self.entries(&block.entries, Self::declare_table);
            }
        }
        for item in items {
            match item {
                ModelItem::Parameters(block) => self.entries(&block.entries, Self::declare_parameter),
                ModelItem::Inputs(block) => self.entries(&block.entries, Self::declare_input),
                ModelItem::Coordinates(block) => self.entries(&block.entries, Self::declare_coordinate),
                ModelItem::Constraints(block) => self.entries(&block.entries, Self::declare_constraint),
                ModelItem::Outputs(block) => self.entries(&block.entries, Self::declare_output),
                ModelItem::Connections(block) => self.entries(&block.entries, Self::declare_connection),
                ModelItem::Components(block) => self.entries(&block.entries, Self::declare_instances),
                ModelItem::Energies(_, block) => self.entries(&block.entries, Self::declare_energy),
                ModelItem::Bodies(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.declare_body(entry))
                }
                ModelItem::Tables(_)
                | ModelItem::Mass(_)
                | ModelItem::Forces(_)
                | ModelItem::Initial(_)
                | ModelItem::Let(_)
                | ModelItem::Gravity(_)
                | ModelItem::Joints(_)
                | ModelItem::Elements(_)
                | ModelItem::Component(_)
                | ModelItem::If(_) => {}
            }
        }
        // What connects bodies follows from their kinds, couplers from those of joints.
        self.names().lets.later = lets_of(items);
        self.names().scopes.push();
        for item in items {
            match item {
                ModelItem::Let(definition) => {
                    self.names().lets.later.retain(|later| definition.name != later);
                    self.expressions().note_frame(definition);
                }
                ModelItem::Joints(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.declare_joint(entry))
                }
                ModelItem::Elements(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.declare_element(entry))
                }
                _ => {}
            }
        }
        self.names().scopes.pop();
    }

    fn declare_parameter(&mut self, parameter: &ParameterSyntax) {
        // After an error the parameter is declared all the same: its uses are right.
        let unit = &parameter.unit;
        let default = parameter.default.as_ref().map(|written| self.expressions().default(written, unit));
        let indices = self.names().declared_indices(&parameter.name);
        let defaults = self.expressions().element_defaults(default, &parameter.name, indices.len());
        let elements = matches!(parameter.name.index, Some(DeclaredIndex::Range(_))).then_some(indices.len());
        for (index, DefaultValue { number, written }) in indices.into_iter().zip(defaults) {
            match self.declare_value(Kind::Parameter, &parameter.name.ident, index, unit, &parameter.documentation) {
                Binding::None => {
                    self.defaults.push(number);
                    self.default_places.push(DefaultPlace { written, unit: unit.place, elements });
                }
                Binding::Declared => {}
                Binding::Refused => break,
            }
        }
    }

    fn declare_input(&mut self, input: &DeclarationSyntax) {
        let DeclarationSyntax { name, unit, documentation, .. } = input;
        for index in self.names().declared_indices(name) {
            let binding = self.declare_value(Kind::Input, &name.ident, index, unit, documentation);
            if matches!(binding, Binding::Refused) {
                break;
            }
        }
    }

    fn declare_coordinate(&mut self, coordinate: &DeclarationSyntax) {
        self.require_si(&coordinate.unit);
        let DeclarationSyntax { name, unit, documentation, .. } = coordinate;
        self.names().declare_quantities(Kind::Coordinate, name, Some(unit), documentation);
    }

    pub fn require_si(&mut self, unit: &Unit) {
        if !unit.scale.is_one() {
            let (text, dimension) = (&unit.text, unit.dimension.unwrap_or_default());
            let si = if dimension.is_none() { "rad".to_owned() } else { dimension.to_string() };
            let message = format!("coordinates are in SI units, not in `{text}`; write `{si}`");
            self.error(unit.place, message);
        }
    }

    fn declare_constraint(&mut self, constraint: &ConstraintSyntax) {
        let message = "a constraint is declared one by one; write `for i in ... { name[i]: ... }`";
        let ConstraintSyntax { name, documentation, .. } = constraint;
        if self.names().require_single(name, message) {
            self.names().declare_quantities(Kind::Constraint, name, None, documentation);
        }
    }

    fn declare_output(&mut self, output: &OutputSyntax) {
        let message = "an output is declared one by one; write `for i in ... { name[i]: unit = ... }`";
        let OutputSyntax { name, unit, documentation, .. } = output;
        if self.names().require_single(name, message) {
            self.names().declare_quantities(Kind::Output, name, Some(unit), documentation);
        }
    }

    fn declare_energy(&mut self, energy: &EnergySyntax) {
        let Some(name) = &energy.name else { return };
        for index in self.names().declared_indices(name) {
            if !self.names().declare_name(Kind::Energy, &name.ident, index) {
                break;
            }
            self.expressions().energies.push(NamedEnergy::default());
            self.names().quantities.energies += 1;
        }
    }
}
