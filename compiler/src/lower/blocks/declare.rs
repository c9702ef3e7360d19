//! First pass: the names that the blocks declare.

use super::Lowering;
use super::bindings::Binding;
use crate::lower::expressions::NamedEnergy;
use crate::lower::names::Kind;
use crate::symbolic::Symbol;
use crate::syntax::ast::{
    ConstraintSyntax, DeclarationSyntax, DeclaredIndex, EnergySyntax, ModelItem, OutputSyntax,
    ParameterSyntax,
};

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
                | ModelItem::Component(_) => {}
            }
        }
        // What connects bodies follows from their kinds, couplers from those of joints.
        for item in items {
            match item {
                ModelItem::Joints(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.declare_joint(entry))
                }
                ModelItem::Elements(block) => {
                    self.entries(&block.entries, |lowering, entry| lowering.mechanism.declare_element(entry))
                }
                _ => {}
            }
        }
    }

    fn declare_parameter(&mut self, parameter: &ParameterSyntax) {
        // After an error the parameter is declared all the same: its uses are right.
        let default =
            parameter.default.as_ref().map(|written| self.expressions().default(written, &parameter.unit));
        let indices = self.names().declared_indices(&parameter.name);
        let defaults = self.expressions().element_defaults(default, &parameter.name, indices.len());
        for (index, default) in indices.into_iter().zip(defaults) {
            match self.take_binding(Kind::BoundParameter, &parameter.name.ident, index, &parameter.unit) {
                Binding::Declared => continue,
                Binding::Refused => break,
                Binding::None => {}
            }
            let quantity = self.names().quantity(
                &parameter.name.ident,
                index,
                &parameter.unit,
                &parameter.documentation,
            );
            let symbol = Symbol::Parameter(self.names().quantities.parameters.len());
            if !self.declare_own(Kind::Parameter, &parameter.name.ident, index, (symbol, &parameter.unit)) {
                break;
            }
            self.names().quantities.parameters.push(quantity);
            self.defaults.push(default);
            self.names().quantities.parameter_scales.push(parameter.unit.scale);
        }
    }

    fn declare_input(&mut self, input: &DeclarationSyntax) {
        for index in self.names().declared_indices(&input.name) {
            match self.take_binding(Kind::BoundInput, &input.name.ident, index, &input.unit) {
                Binding::Declared => continue,
                Binding::Refused => break,
                Binding::None => {}
            }
            let quantity = self.names().quantity(&input.name.ident, index, &input.unit, &input.documentation);
            let symbol = Symbol::Input(self.names().quantities.inputs.len());
            if !self.declare_own(Kind::Input, &input.name.ident, index, (symbol, &input.unit)) {
                break;
            }
            self.names().quantities.inputs.push(quantity);
            self.names().quantities.input_scales.push(input.unit.scale);
        }
    }

    fn declare_coordinate(&mut self, coordinate: &DeclarationSyntax) {
        self.require_si(coordinate);
        for index in self.names().declared_indices(&coordinate.name) {
            let ident = &coordinate.name.ident;
            let quantity = self.names().quantity(ident, index, &coordinate.unit, &coordinate.documentation);
            if !self.names().declare_name(Kind::Coordinate, ident, index) {
                break;
            }
            self.names().quantities.coordinates.push(quantity);
        }
    }

    pub fn require_si(&mut self, coordinate: &DeclarationSyntax) {
        if !coordinate.unit.scale.is_one() {
            let (text, dimension) = (&coordinate.unit.text, coordinate.unit.dimension.unwrap_or_default());
            let si = if dimension.is_none() { "rad".to_owned() } else { dimension.to_string() };
            let message = format!("coordinates are in SI units, not in `{text}`; write `{si}`");
            self.error(coordinate.unit.place, message);
        }
    }

    fn declare_constraint(&mut self, constraint: &ConstraintSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &constraint.name.index {
            self.error(
                range.place,
                "a constraint is declared one by one; write `for i in ... { name[i]: ... }`",
            );
            self.names().table.mark_unclear(&constraint.name.ident);
            return;
        }
        for index in self.names().declared_indices(&constraint.name) {
            let ident = &constraint.name.ident;
            if !self.names().declare_name(Kind::Constraint, ident, index) {
                break;
            }
            let quantity =
                self.names().named_quantity(ident, index, String::new(), &constraint.documentation);
            self.names().quantities.constraints.push(quantity);
        }
    }

    fn declare_output(&mut self, output: &OutputSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &output.name.index {
            self.error(
                range.place,
                "an output is declared one by one; write `for i in ... { name[i]: unit = ... }`",
            );
            self.names().table.mark_unclear(&output.name.ident);
            return;
        }
        for index in self.names().declared_indices(&output.name) {
            let quantity =
                self.names().quantity(&output.name.ident, index, &output.unit, &output.documentation);
            if !self.names().declare_name(Kind::Output, &output.name.ident, index) {
                break;
            }
            self.names().quantities.outputs.push(quantity);
        }
    }

    pub fn declare_energy(&mut self, energy: &EnergySyntax) {
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
