//! First pass: the names that the blocks declare.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::Quantity;
use super::bindings::Binding;
use super::lower::Lowering;
use super::names::{Kind, rust_name, written_name};
use crate::limits::MOST_QUANTITIES;
use crate::symbolic::Symbol;
use crate::syntax::ast::{
    ConstraintSyntax, DeclarationSyntax, DeclaredIndex, DeclaredName, ModelItem, OutputSyntax,
    ParameterSyntax,
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
                ModelItem::Bodies(block) => self.entries(&block.entries, Self::declare_body),
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
                ModelItem::Joints(block) => self.entries(&block.entries, Self::declare_joint),
                ModelItem::Elements(block) => self.entries(&block.entries, Self::declare_element),
                _ => {}
            }
        }
    }

    fn declare_parameter(&mut self, parameter: &ParameterSyntax) {
        // After an error the parameter is declared all the same: its uses are right.
        let default = parameter.default.as_ref().map(|written| self.default(written, &parameter.unit));
        let indices = self.declared_indices(&parameter.name);
        let defaults = self.element_defaults(default, &parameter.name, indices.len());
        for (index, default) in indices.into_iter().zip(defaults) {
            match self.take_binding(Kind::BoundParameter, &parameter.name.ident, index, &parameter.unit) {
                Binding::Declared => continue,
                Binding::Refused => break,
                Binding::None => {}
            }
            let quantity =
                self.quantity(&parameter.name.ident, index, &parameter.unit, &parameter.documentation);
            let symbol = Symbol::Parameter(self.model.parameters.len());
            if !self.declare_own(Kind::Parameter, &parameter.name.ident, index, (symbol, &parameter.unit)) {
                break;
            }
            self.model.parameters.push(quantity);
            self.model.defaults.push(default);
            self.parameter_scales.push(parameter.unit.scale);
        }
    }

    fn declare_input(&mut self, input: &DeclarationSyntax) {
        for index in self.declared_indices(&input.name) {
            match self.take_binding(Kind::BoundInput, &input.name.ident, index, &input.unit) {
                Binding::Declared => continue,
                Binding::Refused => break,
                Binding::None => {}
            }
            let quantity = self.quantity(&input.name.ident, index, &input.unit, &input.documentation);
            let symbol = Symbol::Input(self.model.inputs.len());
            if !self.declare_own(Kind::Input, &input.name.ident, index, (symbol, &input.unit)) {
                break;
            }
            self.model.inputs.push(quantity);
            self.input_scales.push(input.unit.scale);
        }
    }

    fn declare_coordinate(&mut self, coordinate: &DeclarationSyntax) {
        self.require_si(coordinate);
        for index in self.declared_indices(&coordinate.name) {
            let ident = &coordinate.name.ident;
            let quantity = self.quantity(ident, index, &coordinate.unit, &coordinate.documentation);
            if !self.declare_name(Kind::Coordinate, ident, index) {
                break;
            }
            self.model.coordinates.push(quantity);
        }
    }

    pub(super) fn require_si(&mut self, coordinate: &DeclarationSyntax) {
        if !coordinate.unit.scale.is_one() {
            let (text, dimension) = (&coordinate.unit.text, coordinate.unit.dimension.unwrap_or_default());
            let si = if dimension.is_none() { "rad".to_owned() } else { dimension.to_string() };
            let message = format!("coordinates are in SI units, not in `{text}`; write `{si}`");
            self.error_at(coordinate.unit.place, message);
        }
    }

    fn declare_constraint(&mut self, constraint: &ConstraintSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &constraint.name.index {
            self.error_at(
                range.place,
                "a constraint is declared one by one; write `for i in ... { name[i]: ... }`",
            );
            self.names.mark_unclear(&constraint.name.ident);
            return;
        }
        for index in self.declared_indices(&constraint.name) {
            let ident = &constraint.name.ident;
            if !self.declare_name(Kind::Constraint, ident, index) {
                break;
            }
            let quantity = self.named_quantity(ident, index, String::new(), &constraint.documentation);
            self.model.constraints.push(quantity);
        }
    }

    fn declare_output(&mut self, output: &OutputSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &output.name.index {
            self.error_at(
                range.place,
                "an output is declared one by one; write `for i in ... { name[i]: unit = ... }`",
            );
            self.names.mark_unclear(&output.name.ident);
            return;
        }
        for index in self.declared_indices(&output.name) {
            let quantity = self.quantity(&output.name.ident, index, &output.unit, &output.documentation);
            if !self.declare_name(Kind::Output, &output.name.ident, index) {
                break;
            }
            self.model.outputs.push(quantity);
        }
    }

    pub(super) fn declare_name(&mut self, kind: Kind, ident: &Ident, index: Option<i64>) -> bool {
        let position = match kind {
            Kind::Argument => self.model.arguments.len(),
            Kind::Parameter => self.model.parameters.len(),
            Kind::Input => self.model.inputs.len(),
            Kind::Table => self.model.tables.len(),
            Kind::Coordinate => self.model.coordinates.len(),
            Kind::Constraint => self.model.constraints.len(),
            Kind::Output => self.model.outputs.len(),
            Kind::Instance | Kind::Body | Kind::Joint | Kind::Element => self.names.next_space(),
            Kind::Energy => self.energies.count(),
            Kind::Connection | Kind::BoundParameter | Kind::BoundInput => self.bound.len(),
        };
        if !self.may_declare(kind, position, ident) {
            return false;
        }
        self.usage.declare(kind, position, ident);
        self.names.declare(kind, ident, index, position, self.diagnostics)
    }

    /// Whether one more quantity stays within bounds.
    fn may_declare(&mut self, kind: Kind, position: usize, ident: &Ident) -> bool {
        let text = match kind {
            Kind::Parameter => "parameters",
            Kind::Input => "inputs",
            Kind::Coordinate => "coordinates",
            Kind::Constraint => "constraints",
            Kind::Output => "outputs",
            _ => return true,
        };
        if position < MOST_QUANTITIES {
            return true;
        }
        if !self.components.full {
            let message = format!("with this the model has more than {MOST_QUANTITIES} {text}; write fewer");
            self.error_at(ident.span(), message);
        }
        self.components.full = true;
        self.names.mark_unclear(ident);
        false
    }

    /// The indices that a declaration stands for; none after an error.
    pub(super) fn declared_indices(&mut self, name: &DeclaredName) -> Vec<Option<i64>> {
        let indices = match &name.index {
            None => return vec![None],
            Some(DeclaredIndex::Single(index)) => self.integer(index).map(|index| index..=index),
            Some(DeclaredIndex::Range(range)) => match self.range(range) {
                Some(values) if values.is_empty() => {
                    let message = self.empty_range(range);
                    self.error_at(range.place, message);
                    None
                }
                values => values,
            },
        };
        if indices.is_none() {
            self.names.mark_unclear(&name.ident);
        }
        indices.into_iter().flatten().map(Some).collect()
    }

    fn quantity(&self, ident: &Ident, index: Option<i64>, unit: &Unit, documentation: &[String]) -> Quantity {
        let quantity = self.named_quantity(ident, index, unit.text.clone(), documentation);
        Quantity { dimension: unit.dimension, ..quantity }
    }

    pub(super) fn named_quantity(
        &self,
        ident: &Ident,
        index: Option<i64>,
        unit: String,
        documentation: &[String],
    ) -> Quantity {
        let name = ident.unraw().to_string();
        let here = self.names.here();
        let rust_name = format!("{}{}", here.rust_prefix, rust_name(&name, index));
        let mut documentation = documentation.join("\n");
        if !documentation.is_empty() {
            documentation.push_str(&here.documentation);
        }
        Quantity {
            name: format!("{}{}", here.prefix, written_name(&name, index)),
            field: Ident::new(&rust_name, ident.span()),
            constant: Ident::new(&rust_name.to_uppercase(), ident.span()),
            unit,
            documentation,
            dimension: None,
        }
    }
}
