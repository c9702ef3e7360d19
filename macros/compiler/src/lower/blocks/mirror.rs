//! Mirror images of components in use: `right: mirror(left) { ... }`.
//!
//! An image is one more use of the component of its original, with the bindings of the original unless they are given
//! again. The text of the component is read in the reflected world (`geometry/reflection.rs`), and the frames to which
//! the image is connected are reflected where they are given.

use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::lowering::Lowering;
use crate::diagnostic::Place;
use crate::lower::expressions::ConnectedFrame;
use crate::lower::geometry::Reflection;
use crate::lower::names::{Bound, Kind, written_name};
use crate::syntax::ast::{ExprKind, InstanceSyntax, MirrorSyntax};

/// A name that is bound, with its index.
type Name = (String, Option<i64>);

impl Lowering<'_> {
    /// Returns the space of names of the original of an image; `None` after an error.
    pub fn original(&mut self, mirror: &MirrorSyntax) -> Option<usize> {
        let name = &mirror.original;
        let text = name.ident.unraw().to_string();
        if !name.members.is_empty() {
            let message = format!(
                "only components of the same block are mirrored; mirror `{text}` as a whole, or write the image in \
                     its component"
            );
            return self.refuse(name.place, message);
        }
        let kind = self.names().table.here().get(&text).map(|declared| declared.kind);
        let message = match kind {
            Some(Kind::Instance) => {
                let (_, space) = self.names().resolve(name, Some(Kind::Instance))?;
                return Some(space);
            }
            _ if self.names().report.incomplete || self.names().table.is_unclear(&text) => return None,
            Some(kind) => {
                format!("`{text}` is {}; `mirror` takes a component in use, `mirror(left)`", kind.text())
            }
            None if self.names().components.contains(&text) => format!(
                "`{text}` is a component that is not used yet; write `left: {text} {{ ... }}`, and mirror `left`"
            ),
            None => {
                let known = self.names().table.here().sorted(|kind| kind == Kind::Instance);
                match nearest(&text, known.iter().copied()) {
                    Some(known) => format!("unknown component in use `{text}`; did you mean `{known}`?"),
                    None => {
                        format!("`{text}` is no component that is used above; declare it above its image")
                    }
                }
            }
        };
        self.refuse(name.place, message)
    }

    /// Adds the names that are bound in the original to those that are bound where the image is declared, and returns
    /// them.
    pub fn inherited_names(&mut self, original: Option<usize>, place: Place) -> Vec<Name> {
        let bound = original.and_then(|original| self.components.uses.get(&original));
        let bound = bound.map(|of| of.bound.clone()).unwrap_or_default();
        let given = &mut self.components.bindings.given;
        let inherited: Vec<Name> = bound.into_iter().filter(|name| !given.contains_key(name)).collect();
        given.extend(inherited.iter().map(|name| (name.clone(), (place, true))));
        inherited
    }

    /// Reports connections to coordinates: a coordinate has no mirror image by itself.
    pub fn check_inherited(&mut self, instance: &InstanceSyntax, position: usize, inherited: &[Name]) {
        let space = self.names().table.of(position);
        let to_coordinates = inherited
            .iter()
            .filter(|(name, _)| space.get(name).is_some_and(|declared| declared.kind == Kind::Connection));
        let names: Vec<String> = to_coordinates.map(|(name, index)| written_name(name, *index)).collect();
        if names.is_empty() || self.components.bindings.unclear {
            return;
        }
        let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let example: Vec<String> = names.iter().map(|name| format!("{name} = coordinate")).collect();
        let message = format!(
            "a coordinate has no mirror image by itself; bind {} anew, `{{ {} }}`",
            list.join(" and "),
            example.join(", ")
        );
        self.error(instance.of.place(), message);
    }

    /// Finds the reflection of an image, and binds what is not bound again; `None` after an error.
    pub fn lower_mirror(&mut self, mirror: &MirrorSyntax, position: usize) -> Option<()> {
        let reflection = self.plane(mirror, position)?;
        let original = self.components.uses.get(&position)?.original?;
        let (bound, of_original) = {
            let of = self.components.uses.get(&original)?;
            (of.bound.clone(), of.reflection)
        };
        for (name, index) in bound {
            self.inherit(&name, index, (original, position), reflection, mirror.place);
        }
        self.components.uses.get_mut(&position)?.reflection = of_original.and(reflection);
        Some(())
    }

    /// Returns the reflection in the plane of a mirror, y = 0 by default.
    fn plane(&mut self, mirror: &MirrorSyntax, position: usize) -> Option<Reflection> {
        const Y: [f64; 3] = [0.0, 1.0, 0.0];
        let planar = self.components.uses.get(&position)?.planar;
        let Some(written) = &mirror.normal else { return Reflection::across(Y) };
        let spatial = matches!(&written.kind, ExprKind::Vector(components) if components.len() == 3);
        let normal = self.expressions().direction(written, spatial)?;
        if planar && normal[2] != 0.0 {
            let message = "a planar component is mirrored in a line of its plane; write `normal = (1, 0)` or `(0, 1)`";
            return self.refuse(written.place, message);
        }
        let reflection = Reflection::across(normal);
        if reflection.is_none() {
            let message = "the plane of a mirror is a plane of coordinates; write `normal = (1, 0, 0)`, `(0, 1, 0)` or \
                           `(0, 0, 1)`, and bind a connection to a frame that is `.rotated`";
            return self.refuse(written.place, message);
        }
        reflection
    }

    /// Binds a name of an image to what it is bound to in the original, if it is not bound again; frames are reflected
    /// where they are given.
    fn inherit(
        &mut self,
        name: &str,
        index: Option<i64>,
        (original, image): (usize, usize),
        reflection: Reflection,
        place: Place,
    ) -> Option<()> {
        let table = &self.names().table;
        let kind = table.of(image).get(name)?.kind;
        let from = table.of(original).position(name, index, kind)?;
        let to = table.of(image).position(name, index, kind)?;
        if kind != Kind::BodyConnection {
            let bound = &mut self.names().quantities.bound;
            if matches!(bound[to], Bound::Later) {
                bound[to] = bound[from];
            }
            return Some(());
        }
        let by_space = &self.expressions().parts.by_space;
        let (from, to) = (*by_space.get(&from)?, *by_space.get(&to)?);
        if !matches!(self.expressions().parts.connections[to].bound, ConnectedFrame::Later) {
            return Some(());
        }
        let bound = match self.expressions().parts.connections[from].bound {
            ConnectedFrame::Known { given: Some((outer, inner)), .. } => {
                let graph = &mut self.expressions().graph;
                let inner = reflection.frame(graph, inner);
                ConnectedFrame::Known { frame: outer.with(graph, inner), given: Some((outer, inner)) }
            }
            ConnectedFrame::Known { given: None, .. } => {
                let name = written_name(name, index);
                let message = format!(
                    "`{name}` is bound to a named point, whose mirror image is not known here; bind it anew, `{{ \
                         {name} = ... }}`"
                );
                self.error(place, message);
                ConnectedFrame::Wrong
            }
            bound => bound,
        };
        self.expressions().parts.connections[to].bound = bound;
        Some(())
    }
}
