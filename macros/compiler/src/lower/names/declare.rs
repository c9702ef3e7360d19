//! Declarations: every name with the position of its quantity.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::words::{rust_name, written_name};
use super::{Kind, Names};
use crate::limits::MAX_QUANTITIES;
use crate::model::Quantity;
use crate::syntax::ast::{DeclaredIndex, DeclaredName};
use crate::units::{Scale, Unit};

impl Names {
    /// Declares `ident` or `ident[index]` as the next of its kind; returns `false` after an error.
    pub fn declare_name(&mut self, kind: Kind, ident: &Ident, index: Option<i64>) -> bool {
        let position = match kind.has_members() {
            true => self.table.next_space(),
            false => self.quantities.count(kind),
        };
        if !self.may_declare(kind, ident) {
            return false;
        }
        self.usage.declare(kind, position, ident);
        self.table.declare(kind, ident, index, position, &mut self.report)
    }

    /// Adds the space of names of the component, body, joint or element `ident[index]`; `what` is its kind.
    pub fn add_space(&mut self, ident: &Ident, index: Option<i64>, what: String, documentation: &[String]) {
        let name = ident.unraw().to_string();
        self.table.add_space((&name, index), what, &documentation.join("\n"));
    }

    /// Claims the Rust constant of a name whose kind has none by itself; returns `false` after an error.
    pub fn claim_constant(&mut self, ident: &Ident, index: Option<i64>) -> bool {
        self.table.claim_constant(ident, index, &mut self.report)
    }

    /// Checks whether one more quantity is within the limit; reports an error if not.
    fn may_declare(&mut self, kind: Kind, ident: &Ident) -> bool {
        if self.quantities.of(kind).len() < MAX_QUANTITIES {
            return true;
        }
        if !self.full {
            let word = kind.word();
            let message = format!("with this the model has more than {MAX_QUANTITIES} {word}s; write fewer");
            self.report.error(ident.span(), message);
        }
        self.full = true;
        self.table.mark_unclear(ident);
        false
    }

    /// Declares the quantities of one kind that `name` describes, up to the first error.
    pub fn declare_quantities(&mut self, kind: Kind, name: &DeclaredName, unit: Option<&Unit>, text: &[String]) {
        for index in self.declared_indices(name) {
            if !self.declare_name(kind, &name.ident, index) {
                break;
            }
            let quantity = self.quantity(&name.ident, index, unit, text);
            self.quantities.add(kind, quantity);
        }
    }

    /// Creates a quantity with the names that the user and the code have for it; `text` is the documentation above
    /// its declaration.
    pub fn quantity(&self, ident: &Ident, index: Option<i64>, unit: Option<&Unit>, text: &[String]) -> Quantity {
        let name = ident.unraw().to_string();
        let here = self.table.here();
        let rust_name = format!("{}{}", here.rust_prefix, rust_name(&name, index));
        let mut documentation = text.join("\n");
        if !documentation.is_empty() {
            documentation.push_str(&here.documentation);
        }
        Quantity {
            name: format!("{}{}", here.prefix, written_name(&name, index)),
            field: Ident::new(&rust_name, ident.span()),
            constant: Ident::new(&rust_name.to_uppercase(), ident.span()),
            unit: unit.map(|unit| unit.text.clone()).unwrap_or_default(),
            documentation,
            dimension: unit.and_then(|unit| unit.dimension),
            scale: unit.map_or(Scale::ONE, |unit| unit.scale),
            family: format!("{}{name}", here.family_prefix),
        }
    }

    /// Refuses a range in a declaration that allows single elements only; returns `false` after an error.
    pub fn require_single(&mut self, name: &DeclaredName, message: &str) -> bool {
        let Some(DeclaredIndex::Range(range)) = &name.index else { return true };
        self.report.error(range.place, message);
        self.table.mark_unclear(&name.ident);
        false
    }
}
