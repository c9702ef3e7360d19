//! Names of expressions: `let`.

use std::rc::Rc;

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::lower::geometry::Frame;
use crate::lower::names::{Array, Kind, LetValue, Local, Space, rust_name, written_name};
use crate::syntax::ast::{Expr, ExprKind, IndexSyntax, LetSyntax, NameSyntax};

/// The number of a `let` while names are declared.
const UNREAD_DEFINITION: usize = usize::MAX;

impl Expressions {
    pub fn lower_let(&mut self, definition: &LetSyntax) {
        let name = definition.name.unraw().to_string();
        self.names.lets.defining = Some(name.clone());
        let number = self.names.usage.define_let(&definition.name);
        let local = match &definition.index {
            None => {
                let value = self.value_of_let(&definition.value);
                Local::Let { value, definition: number }
            }
            Some(index) => match self.values_of_let(index, &definition.value) {
                Some(array) => Local::Lets { array: Rc::new(array), definition: number },
                None => Local::Let { value: None, definition: number },
            },
        };
        self.names.lets.defining = None;
        if let Some(message) = self.names.name_in_use(&name) {
            self.error(definition.name.span(), message);
            return;
        }
        self.keep_names(&name, &local);
        self.names.scopes.define(name, local);
    }

    fn value_of_let(&mut self, written: &Expr) -> Option<LetValue> {
        if self.is_frame(written) {
            return self.frame_value(written);
        }
        if let Some(three) = self.vector_form(written) {
            let vector = self.measured_vector(written, three, Context::Let)?;
            for component in vector.components {
                self.bounded(component, written.place)?;
            }
            return Some(LetValue::Vector(vector, three));
        }
        let value = self.measured(written, Context::Let)?;
        self.bounded(value.id, written.place)?;
        Some(LetValue::Number(value))
    }

    /// Returns the value of the `let` with which `name` begins; `None` if `name` begins with something else, `Err`
    /// after an error.
    pub fn let_value(&mut self, name: &NameSyntax) -> Result<Option<LetValue>, ()> {
        let text = name.ident.unraw().to_string();
        match self.names.scopes.get(&text) {
            None | Some(Local::Loop(_)) => Ok(None),
            Some(Local::Lets { array, definition }) => {
                self.names.usage.use_let(definition);
                let index = match &name.index {
                    Some(index) => Some(self.names.integer(index).ok_or(())?),
                    None => None,
                };
                array.at(&text, index).map(Some).map_err(|message| self.error(name.head, message))
            }
            Some(Local::Let { value, definition }) => {
                self.names.usage.use_let(definition);
                let value = value.ok_or(())?;
                if name.index.is_some() {
                    let message = format!("`{text}` is not an array; write `{text}` without an index");
                    self.error(name.head, message);
                    return Err(());
                }
                Ok(Some(value))
            }
        }
    }

    /// Defines a preliminary value of a `let` while names are declared: the frame of the body of a point, which
    /// joints further below need. An unknown body is reported when the `let` is read.
    pub fn note_frame(&mut self, definition: &LetSyntax) {
        let body = match &definition.value.kind {
            ExprKind::Name(name) => name,
            ExprKind::Attached(attached) if attached.members.is_empty() => &attached.body,
            _ => return,
        };
        let local = match &definition.index {
            None => match self.body_of_let(body) {
                None if matches!(definition.value.kind, ExprKind::Name(_)) => return,
                value => Local::Let { value, definition: UNREAD_DEFINITION },
            },
            Some(index) => {
                let mut array = Array::default();
                for value in self.index_values(index).into_iter().flatten() {
                    let Some(frame) = self.at_index(index, value, |this| this.body_of_let(body)) else {
                        return;
                    };
                    array.push(value, frame);
                }
                Local::Lets { array: Rc::new(array), definition: UNREAD_DEFINITION }
            }
        };
        self.names.scopes.define(definition.name.unraw().to_string(), local);
    }

    /// Checks whether `name` is a `let` that has a preliminary value.
    pub fn is_unread_let(&self, name: &NameSyntax) -> bool {
        let local = self.names.scopes.get(&name.ident.unraw().to_string());
        matches!(
            local,
            Some(Local::Let { definition: UNREAD_DEFINITION, .. } | Local::Lets { definition: UNREAD_DEFINITION, .. })
        )
    }

    /// Returns the frame of the body that a point belongs to.
    fn body_of_let(&mut self, name: &NameSyntax) -> Option<LetValue> {
        if self.names.scopes.get(&name.ident.unraw().to_string()).is_some() {
            let value = self.let_value(name).ok().flatten();
            return value.filter(|value| name.members.is_empty() && matches!(value, LetValue::Frame(..)));
        }
        if self.is_ground(name) {
            return Some(LetValue::Frame(Frame::of(None, &mut self.graph), None));
        }
        match self.names.body_space(name)? {
            (Kind::Body, space) => {
                let body = self.parts.body(space)?;
                Some(LetValue::Frame(Frame::of(Some(body), &mut self.graph), Some(body.spatial)))
            }
            (_, space) => {
                // The body is not known yet.
                let spatial = self.parts.connection(space)?.spatial;
                Some(LetValue::Frame(Frame::of(None, &mut self.graph), Some(spatial)))
            }
        }
    }

    /// Evaluates a `let` for each index; `None` after an error, the first of which ends the array.
    fn values_of_let(&mut self, index: &IndexSyntax, written: &Expr) -> Option<Array> {
        let mut array = Array::default();
        for value in self.index_values(index)? {
            array.push(value, self.at_index(index, value, |this| this.value_of_let(written))?);
        }
        Some(array)
    }

    /// Records the names of values in the emitted code.
    fn keep_names(&mut self, name: &str, local: &Local) {
        let Space { rust_prefix, prefix, .. } = self.names.table.here();
        let (rust_prefix, prefix) = (rust_prefix.clone(), prefix.clone());
        let mut keep = |index, value: LetValue| {
            let mut keep = |id, part: &str| {
                let name = || format!("{rust_prefix}{}{part}", rust_name(name, index));
                self.let_names.entry(id).or_insert_with(name);
            };
            match value {
                LetValue::Number(value) => keep(value.id, ""),
                LetValue::Vector(vector, three) => {
                    let parts = ["_x", "_y", "_z"].into_iter().take(if three { 3 } else { 2 });
                    vector.components.into_iter().zip(parts).for_each(|(id, part)| keep(id, part));
                }
                LetValue::Frame(frame, _) => {
                    self.parts.points.push((format!("{prefix}{}", written_name(name, index)), frame));
                }
            }
        };
        match local {
            Local::Let { value: Some(value), .. } => keep(None, *value),
            Local::Lets { array, .. } => array.each().for_each(|(index, value)| keep(Some(index), value)),
            Local::Let { value: None, .. } | Local::Loop(_) => {}
        }
    }
}
