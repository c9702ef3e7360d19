//! Blocks without which there is no motion.

use proc_macro2::Ident;

use super::lowering::Lowering;
use crate::syntax::ast::{Energy, ModelItem};

impl Lowering<'_> {
    /// A model needs coordinates, and something that moves needs inertia.
    pub fn require_blocks(&mut self, name: &Ident, own: &[ModelItem]) {
        let items = || {
            let inside = own.iter().filter_map(|item| match item {
                ModelItem::Component(component) => Some(&component.items),
                _ => None,
            });
            own.iter().chain(inside.flatten())
        };
        let has = |wanted: fn(&ModelItem) -> bool| items().any(wanted);
        let has_own = |wanted: fn(&ModelItem) -> bool| own.iter().any(wanted);
        let place = name.span();
        let empty = own.iter().find_map(|item| match item {
            ModelItem::Coordinates(block) if block.entries.is_empty() => Some(block.keyword.span()),
            _ => None,
        });
        if !has_own(|item| matches!(item, ModelItem::Coordinates(_) | ModelItem::Bodies(_)))
            && self.names().quantities.coordinates.is_empty()
        {
            self.error(place, "the model has no `coordinates` block; add `coordinates { x: m }`");
        } else if let (Some(empty), true) = (empty, self.names().quantities.coordinates.is_empty()) {
            self.error(empty, "the model has no coordinates; write `coordinates { x: m }`");
        } else if !has(|item| {
            let kinetic = matches!(item, ModelItem::Energies(Energy::Kinetic, _));
            kinetic || matches!(item, ModelItem::Mass(_) | ModelItem::Bodies(_))
        }) {
            self.error(
                place,
                "the model has no `mass` block; add `mass { x: m }`, with the inertia of each coordinate, \
                 or a `kinetic` energy",
            );
        }
    }
}
