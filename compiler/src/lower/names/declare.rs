//! Declarations: every name with the position of what it stands for.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::words::{rust_name, written_name};
use super::{Kind, Names};
use crate::limits::MOST_QUANTITIES;
use crate::model::Quantity;
use crate::units::Unit;

impl Names<'_> {
    /// Declares `ident` or `ident[index]` as the next of its kind; false after an error.
    pub fn declare_name(&mut self, kind: Kind, ident: &Ident, index: Option<i64>) -> bool {
        let position = self.quantities.count(kind).unwrap_or(self.table.next_space());
        if !self.may_declare(kind, position, ident) {
            return false;
        }
        self.usage.declare(kind, position, ident);
        self.table.declare(kind, ident, index, position, &mut self.report)
    }

    /// Notes the constant of a name that is declared as something without one; false after an error.
    pub fn claim_constant(&mut self, ident: &Ident, index: Option<i64>) -> bool {
        self.table.claim_constant(ident, index, &mut self.report)
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
        if !self.full {
            let message = format!("with this the model has more than {MOST_QUANTITIES} {text}; write fewer");
            self.report.error(ident.span(), message);
        }
        self.full = true;
        self.table.mark_unclear(ident);
        false
    }

    /// A declared quantity with a unit.
    pub fn quantity(
        &self,
        ident: &Ident,
        index: Option<i64>,
        unit: &Unit,
        documentation: &[String],
    ) -> Quantity {
        let quantity = self.named_quantity(ident, index, unit.text.clone(), documentation);
        Quantity { dimension: unit.dimension, ..quantity }
    }

    /// A quantity by the names that the user and the code have for it.
    pub fn named_quantity(
        &self,
        ident: &Ident,
        index: Option<i64>,
        unit: String,
        documentation: &[String],
    ) -> Quantity {
        let name = ident.unraw().to_string();
        let here = self.table.here();
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
