//! The words after the colon of an entry - a component, a kind of body, a joint, a force element - and proposals for
//! unknown ones.

mod elements;
mod joints;

use std::collections::BTreeSet;

use costate_contract::nearest::nearest;

pub use elements::ElementKind;
pub use joints::JointKind;

/// The kinds of bodies.
const BODIES: [&str; 2] = ["planar", "spatial"];

/// The kind of thing that a block declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Component,
    Body,
    Joint,
    Element,
}

use Family::{Body, Component, Element, Joint};

/// Words of other programs, and their counterparts here.
const FOREIGN: [(&str, Family, &str); 13] = [
    ("rigid", Body, "spatial"),
    ("body", Body, "spatial"),
    ("hinge", Joint, "revolute"),
    ("pin", Joint, "revolute"),
    ("ball", Joint, "spherical"),
    ("slider", Joint, "prismatic"),
    ("translational", Joint, "prismatic"),
    ("weld", Joint, "fixed"),
    ("hooke", Joint, "universal"),
    ("cardan", Joint, "universal"),
    ("damper", Element, "spring(first, second, damping = d)"),
    ("dashpot", Element, "spring(first, second, damping = d)"),
    ("moment", Element, "torque"),
];

impl Family {
    /// Describes a member of the family, with an article.
    fn text(self) -> &'static str {
        match self {
            Component => "a component",
            Body => "a kind of body",
            Joint => "a joint",
            Element => "an element",
        }
    }

    /// Describes a member of the family, without an article.
    fn word(self) -> &'static str {
        self.text().split_once(' ').map_or("", |(_, word)| word)
    }

    fn block(self) -> &'static str {
        match self {
            Component => "components",
            Body => "bodies",
            Joint => "joints",
            Element => "elements",
        }
    }

    /// Lists the other families that may be meant in the block, first those with the same brackets.
    fn others(self) -> [Family; 3] {
        match self {
            Component => [Body, Joint, Element],
            Body => [Component, Joint, Element],
            Joint => [Element, Body, Component],
            Element => [Joint, Body, Component],
        }
    }

    /// Writes an example of the member called `name`.
    fn signature(self, name: &str) -> String {
        match self {
            Component => format!("{name} {{ ... }}"),
            Body => format!("{name} {{ mass: m, inertia: j }}"),
            Joint => JointKind::named(name).map(JointKind::signature).unwrap_or(name).to_owned(),
            Element => ElementKind::named(name).map(ElementKind::signature).unwrap_or(name).to_owned(),
        }
    }

    /// Writes the message about `name`, which is not a member of the family, after a colon in its block; `components`
    /// are the defined ones.
    pub fn unknown(self, name: &str, components: &BTreeSet<String>) -> String {
        let others = self.others();
        if let Some(other) = others.into_iter().find(|other| other.names(components).contains(&name)) {
            let (word, block, written) = (other.text(), other.block(), other.signature(name));
            return format!("`{name}` is {word}; write it in the block `{block}`, as `{written}`");
        }
        let word = self.word();
        if let Some(known) = nearest(name, self.names(components)).or_else(|| foreign(name, self)) {
            return format!("unknown {word} `{name}`; did you mean `{known}`?");
        }
        let near =
            |other: Family| Some((other, nearest(name, other.names(components)).or_else(|| foreign(name, other))?));
        let elsewhere = others.into_iter().find_map(near).map(|(other, known)| {
            format!("did you mean the {} `{known}`, in the block `{}`?", other.word(), other.block())
        });
        let known = self.names(components).join("`, `");
        match (self, elsewhere) {
            (Component, Some(elsewhere)) => {
                format!("unknown component `{name}`; {elsewhere} Otherwise define it by `component {name} {{ ... }}`")
            }
            (_, Some(elsewhere)) => format!("unknown {word} `{name}`; {elsewhere}"),
            (Component, None) if known.is_empty() => {
                format!("unknown component `{name}`; define it by `component {name} {{ ... }}`")
            }
            (Component, None) => format!(
                "unknown component `{name}`; define it by `component {name} {{ ... }}`, or use one of those that are \
                 defined: `{known}`"
            ),
            (Body, None) => format!("unknown kind of body `{name}`; a body is `planar` or `spatial`"),
            (_, None) => format!("unknown {word} `{name}`; the {word}s are `{known}`"),
        }
    }

    /// Lists the names of the family.
    fn names(self, components: &BTreeSet<String>) -> Vec<&str> {
        match self {
            Component => components.iter().map(String::as_str).collect(),
            Body => BODIES.to_vec(),
            Joint => JointKind::all().map(JointKind::name).collect(),
            Element => ElementKind::all().map(ElementKind::name).collect(),
        }
    }
}

fn foreign(name: &str, family: Family) -> Option<&'static str> {
    let name = name.to_lowercase();
    FOREIGN.iter().find(|(foreign, of, _)| *foreign == name && *of == family).map(|(_, _, here)| *here)
}
