//! Members of components, bodies, joints and elements, named by their path: `cylinder[2].z`.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::words::written_name;
use super::{Kind, Names, Space};
use crate::diagnostic::Place;
use crate::syntax::ast::{Expr, NameSyntax};

/// A name in a path, with its index and its place.
pub type Segment<'a> = (&'a Ident, Option<&'a Expr>, Place);

/// Lists the segments of a name, from the outermost component to the member.
pub fn segments(name: &NameSyntax) -> Vec<Segment<'_>> {
    let members = name.members.iter().map(|member| (&member.ident, member.index.as_deref(), member.place));
    std::iter::once((&name.ident, name.index.as_deref(), name.head)).chain(members).collect()
}

impl Names {
    /// Resolves a path; reports an error if there is no such member.
    pub fn member(&mut self, name: &NameSyntax, wanted: Option<Kind>) -> Option<(Kind, usize)> {
        let mut space = self.table.entered();
        let mut path = String::new();
        let segments = segments(name);
        for pair in segments.windows(2) {
            let [segment @ (ident, ..), (next, ..)] = *pair else { break };
            if let Some(kind) = self.kind_without_members(space, ident) {
                let text = kind.text();
                return self.report.refuse(
                    next.span(),
                    format!("`{ident}` is {text}; only components, bodies, joints and elements have members"),
                );
            }
            space = self.element(space, &path, segment, Some(Kind::Instance))?.1;
            self.push_segment(&mut path, segment);
            path.push('.');
        }
        self.element(space, &path, *segments.last()?, wanted)
    }

    /// Returns the kind of `ident`, if it has no members.
    fn kind_without_members(&self, space: usize, ident: &Ident) -> Option<Kind> {
        let (names, name) = (self.table.of(space), ident.unraw().to_string());
        let kind = names.get(&name)?.kind;
        (!kind.has_members() && !names.is_unclear(&name)).then_some(kind)
    }

    /// Writes a resolved name as the user did, with the values of the indices in a path.
    pub fn written(&mut self, name: &NameSyntax) -> String {
        if name.members.is_empty() { name.ident.unraw().to_string() } else { self.path(name) }
    }

    /// Writes a name with the values of its indices.
    pub fn path(&mut self, name: &NameSyntax) -> String {
        let mut path = String::new();
        for segment in segments(name) {
            if !path.is_empty() {
                path.push('.');
            }
            self.push_segment(&mut path, segment);
        }
        path
    }

    pub fn push_segment(&mut self, path: &mut String, (ident, index, _): Segment) {
        let index = index.and_then(|index| self.integer(index));
        path.push_str(&written_name(&ident.unraw().to_string(), index));
    }

    /// Finds the space of the body, or of the connection to one, to which a path leads, without messages.
    pub fn body_space(&mut self, name: &NameSyntax) -> Option<(Kind, usize)> {
        let found = self.part_space(&segments(name))?;
        matches!(found.0, Kind::Body | Kind::BodyConnection).then_some(found)
    }

    /// Finds the component, body, joint or element at the end of a path, and its space of names, without messages.
    pub fn part_space(&mut self, path: &[Segment]) -> Option<(Kind, usize)> {
        let mut space = self.table.entered();
        let mut found = None;
        for (ident, index, _) in path {
            let index = match index {
                Some(index) => Some(self.integer(index)?),
                None => None,
            };
            let names = self.table.of(space);
            let text = ident.unraw().to_string();
            let kind = names.get(&text)?.kind;
            space = names.position(&text, index, kind).filter(|_| kind.has_members())?;
            found = Some((kind, space));
        }
        found
    }
}

/// Writes the message about an unknown member of `path`, which ends with a point.
pub fn unknown_member(space: &Space, path: &str, name: &str) -> String {
    let component = path.trim_end_matches('.');
    match nearest(name, space.names()) {
        Some(known) => format!("`{component}` has no member `{name}`; did you mean `{known}`?"),
        None => {
            let names: Vec<String> = space.names().iter().map(|known| format!("`{known}`")).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("`{component}` has no member `{name}`; its members are {names}")
        }
    }
}
