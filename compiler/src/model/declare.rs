//! First pass: the names that the blocks declare.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::Quantity;
use super::context::Context;
use super::lower::Lowering;
use super::names::{Kind, rust_name, written_name};
use crate::diagnostic::Place;
use crate::symbolic::Id;
use crate::syntax::ast::{
    ConstraintSyntax, DeclarationSyntax, DeclaredIndex, DeclaredName, ModelItem, OutputSyntax,
    ParameterSyntax,
};
use crate::units::Unit;

impl Lowering<'_> {
    /// Declares everything that `items` name, so that the order of the blocks is free.
    pub fn declare(&mut self, items: &[ModelItem]) {
        for item in items {
            match item {
                ModelItem::Parameters(block) => self.entries(&block.entries, Self::declare_parameter),
                ModelItem::Inputs(block) => self.entries(&block.entries, Self::declare_input),
                ModelItem::Coordinates(block) => self.entries(&block.entries, Self::declare_coordinate),
                ModelItem::Constraints(block) => self.entries(&block.entries, Self::declare_constraint),
                ModelItem::Outputs(block) => self.entries(&block.entries, Self::declare_output),
                ModelItem::Mass(_) | ModelItem::Forces(_) | ModelItem::Initial(_) | ModelItem::Let(_) => {}
            }
        }
    }

    fn declare_parameter(&mut self, parameter: &ParameterSyntax) {
        let default = match &parameter.default {
            None => None,
            Some(value) => {
                // After an error the parameter is declared all the same: its uses are right.
                let id = self.number(value, Context::Default);
                id.and_then(|id| self.finite_default(id, value.place))
            }
        };
        for index in self.declared_indices(&parameter.name) {
            let quantity =
                self.quantity(&parameter.name.ident, index, &parameter.unit, &parameter.documentation);
            if self.declare_name(Kind::Parameter, &parameter.name.ident, index) {
                self.model.parameters.push(quantity);
                self.model.defaults.push(default);
                self.parameter_scales.push(parameter.unit.scale);
            }
        }
    }

    fn finite_default(&mut self, id: Id, place: Place) -> Option<f64> {
        let value = self.model.graph.evaluate(&[id], |_| f64::NAN).first().copied()?;
        if !value.is_finite() {
            self.error_at(place, format!("the default is {value}; it must be a finite number"));
            return None;
        }
        Some(value)
    }

    fn declare_input(&mut self, input: &DeclarationSyntax) {
        for index in self.declared_indices(&input.name) {
            let quantity = self.quantity(&input.name.ident, index, &input.unit, &input.documentation);
            if self.declare_name(Kind::Input, &input.name.ident, index) {
                self.model.inputs.push(quantity);
                self.input_scales.push(input.unit.scale);
            }
        }
    }

    fn declare_coordinate(&mut self, coordinate: &DeclarationSyntax) {
        if !coordinate.unit.scale.is_one() {
            let text = &coordinate.unit.text;
            self.error_at(
                coordinate.unit.place,
                format!("coordinates are in SI units, not in `{text}`; write `m` or `rad`"),
            );
        }
        for index in self.declared_indices(&coordinate.name) {
            let ident = &coordinate.name.ident;
            let quantity = self.quantity(ident, index, &coordinate.unit, &coordinate.documentation);
            if self.declare_name(Kind::Coordinate, ident, index) {
                self.model.coordinates.push(quantity);
            }
        }
    }

    fn declare_constraint(&mut self, constraint: &ConstraintSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &constraint.name.index {
            self.error_at(
                range.place,
                "a constraint is declared one by one; write `for i in ... { name[i]: ... }`",
            );
            return;
        }
        for index in self.declared_indices(&constraint.name) {
            let ident = &constraint.name.ident;
            if self.declare_name(Kind::Constraint, ident, index) {
                let quantity = named_quantity(ident, index, String::new(), &constraint.documentation);
                self.model.constraints.push(quantity);
            }
        }
    }

    fn declare_output(&mut self, output: &OutputSyntax) {
        if let Some(DeclaredIndex::Range(range)) = &output.name.index {
            self.error_at(
                range.place,
                "an output is declared one by one; write `for i in ... { name[i]: unit = ... }`",
            );
            return;
        }
        for index in self.declared_indices(&output.name) {
            let quantity = self.quantity(&output.name.ident, index, &output.unit, &output.documentation);
            if self.declare_name(Kind::Output, &output.name.ident, index) {
                self.model.outputs.push(quantity);
            }
        }
    }

    fn declare_name(&mut self, kind: Kind, ident: &Ident, index: Option<i64>) -> bool {
        let position = match kind {
            Kind::Parameter => self.model.parameters.len(),
            Kind::Input => self.model.inputs.len(),
            Kind::Coordinate => self.model.coordinates.len(),
            Kind::Constraint => self.model.constraints.len(),
            Kind::Output => self.model.outputs.len(),
        };
        self.names.declare(kind, ident, index, position, self.diagnostics)
    }

    /// The indices that a declaration stands for; none after an error.
    fn declared_indices(&mut self, name: &DeclaredName) -> Vec<Option<i64>> {
        match &name.index {
            None => vec![None],
            Some(DeclaredIndex::Single(index)) => self.integer(index).map(Some).into_iter().collect(),
            Some(DeclaredIndex::Range(range)) => match self.range(range) {
                Some(values) if values.is_empty() => {
                    self.error_at(range.place, "the range is empty; write `first..=last`");
                    Vec::new()
                }
                Some(values) => values.map(Some).collect(),
                None => Vec::new(),
            },
        }
    }

    fn quantity(&self, ident: &Ident, index: Option<i64>, unit: &Unit, documentation: &[String]) -> Quantity {
        named_quantity(ident, index, unit.text.clone(), documentation)
    }
}

fn named_quantity(ident: &Ident, index: Option<i64>, unit: String, documentation: &[String]) -> Quantity {
    let name = ident.unraw().to_string();
    let rust_name = rust_name(&name, index);
    Quantity {
        name: written_name(&name, index),
        field: Ident::new(&rust_name, ident.span()),
        constant: Ident::new(&rust_name.to_uppercase(), ident.span()),
        unit,
        documentation: documentation.join("\n"),
    }
}
