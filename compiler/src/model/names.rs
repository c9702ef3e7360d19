//! The names that a model declares.

use std::collections::{BTreeMap, HashMap, HashSet};

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::functions;
use crate::diagnostic::{Diagnostics, Place};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Argument,
    Parameter,
    Input,
    Table,
    Coordinate,
    Constraint,
    Output,
    /// A component in use; its position is that of its own names.
    Instance,
    /// A part of the kinetic, potential or dissipated energy.
    Energy,
    /// Bodies, joints and elements have names of their own, as components have.
    Body,
    Joint,
    Element,
    /// Names of a component that stand for something outside: positions in `Lowering::bound`.
    Connection,
    BoundParameter,
    BoundInput,
}

impl Kind {
    /// With its article, for messages.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Argument => "a structural argument",
            Kind::Parameter | Kind::BoundParameter => "a parameter",
            Kind::Input | Kind::BoundInput => "an input",
            Kind::Table => "a table",
            Kind::Coordinate => "a coordinate",
            Kind::Constraint => "a constraint",
            Kind::Output => "an output",
            Kind::Instance => "a component",
            Kind::Energy => "an energy",
            Kind::Body => "a body",
            Kind::Joint => "a joint",
            Kind::Element => "an element",
            Kind::Connection => "a connection",
        }
    }

    /// Without article.
    pub fn word(self) -> &'static str {
        self.text().split_once(' ').map_or("", |(_, word)| word)
    }

    /// Whether a quantity of this kind may stand where `wanted` is expected.
    fn serves_as(self, wanted: Kind) -> bool {
        self == wanted || wanted == Kind::Coordinate && self == Kind::Connection
    }

    /// Whether the name becomes a constant of the generated code.
    fn is_emitted(self) -> bool {
        !self.has_members()
            && !matches!(self, Kind::Energy | Kind::Connection | Kind::BoundParameter | Kind::BoundInput)
    }

    /// Whether names stand behind a point after it; its position is that of its own names.
    pub fn has_members(self) -> bool {
        matches!(self, Kind::Instance | Kind::Body | Kind::Joint | Kind::Element)
    }
}

/// A declared name: one quantity, or an array of them by index.
#[derive(Debug)]
pub struct Declared {
    pub kind: Kind,
    pub elements: Elements,
}

/// Positions in the order of declaration.
#[derive(Debug)]
pub enum Elements {
    Scalar(usize),
    Array(BTreeMap<i64, usize>),
}

/// The names of the model, or of one component in use.
#[derive(Debug, Default)]
pub struct Space {
    declared: HashMap<String, Declared>,
    /// Names whose declaration is wrong: nothing is said about their uses.
    unclear: HashSet<String>,
    /// The declaration of the component itself is wrong, so that none of its names is known.
    all_unclear: bool,
    /// The component; empty for the model.
    pub component: String,
    /// In front of names as the user writes them: `cylinder[2].`.
    pub prefix: String,
    /// In front of names in Rust: `cylinder_2_`.
    pub rust_prefix: String,
    /// Behind the documentation of members: which component is meant.
    pub documentation: String,
    /// Around the component.
    outside: Option<usize>,
    /// How many components this one is inside of.
    pub depth: usize,
}

impl Space {
    /// The names in it, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.sorted(|_| true)
    }

    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.declared.get(name)
    }

    /// Whether the declaration of `name` is wrong, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.all_unclear || self.unclear.contains(name)
    }

    /// The position of an element that has been declared as `kind`.
    pub fn position(&self, name: &str, index: Option<i64>, kind: Kind) -> Option<usize> {
        let declared = self.get(name).filter(|declared| declared.kind == kind)?;
        match (&declared.elements, index) {
            (Elements::Scalar(position), None) => Some(*position),
            (Elements::Array(elements), Some(index)) => elements.get(&index).copied(),
            _ => None,
        }
    }

    /// The names of the kinds that are `wanted`, sorted.
    pub fn sorted(&self, wanted: impl Fn(Kind) -> bool) -> Vec<&str> {
        let declared = self.declared.iter().filter(|(_, declared)| wanted(declared.kind));
        let mut names: Vec<&str> = declared.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }
}

/// All declared names of a model and of its components. What is asked and declared is in the space that has been
/// entered.
#[derive(Debug)]
pub struct NameTable {
    /// That of the model first.
    spaces: Vec<Space>,
    entered: usize,
    /// Rust fields and constants in use, each with its space and the name as the user wrote it.
    rust_names: HashMap<String, (usize, String)>,
}

/// Names that mean something by themselves.
pub const RESERVED: [&str; 2] = ["t", "pi"];

impl NameTable {
    pub fn new() -> Self {
        NameTable { spaces: vec![Space::default()], entered: 0, rust_names: HashMap::new() }
    }

    /// The names that are known here.
    pub fn here(&self) -> &Space {
        &self.spaces[self.entered]
    }

    /// The names of the component in use that was the `position`th to be added.
    pub fn of(&self, position: usize) -> &Space {
        &self.spaces[position]
    }

    /// The space that has been entered.
    pub fn entered(&self) -> usize {
        self.entered
    }

    /// Changes to another space; the one left.
    pub fn enter(&mut self, position: usize) -> usize {
        std::mem::replace(&mut self.entered, position)
    }

    /// Where the next component has its names.
    pub fn next_space(&self) -> usize {
        self.spaces.len()
    }

    /// Adds a space for the component in use `name[index]`.
    pub fn add_space(&mut self, name: &str, index: Option<i64>, component: String, documentation: &str) {
        let here = self.here();
        let path = format!("{}{}", here.prefix, written_name(name, index));
        let documentation = match documentation {
            "" => format!("\n\nOf `{path}`."),
            text => format!("\n\nOf `{path}`: {text}"),
        };
        self.spaces.push(Space {
            prefix: format!("{path}."),
            rust_prefix: format!("{}{}_", here.rust_prefix, rust_name(name, index)),
            component,
            documentation,
            outside: Some(self.entered),
            depth: here.depth + 1,
            ..Space::default()
        });
    }

    /// Marks a component in use of which nothing is known.
    pub fn mark_space_unclear(&mut self, position: usize) {
        self.spaces[position].all_unclear = true;
    }

    pub fn get(&self, name: &str) -> Option<&Declared> {
        self.here().get(name).or_else(|| self.everywhere(name))
    }

    /// Whether the declaration of `name` is wrong, which has been reported.
    pub fn is_unclear(&self, name: &str) -> bool {
        self.here().is_unclear(name) || self.spaces.first().is_some_and(|model| model.is_unclear(name))
    }

    /// What the model declares for its components as well.
    pub fn everywhere(&self, name: &str) -> Option<&Declared> {
        let declared = self.spaces.first()?.get(name)?;
        matches!(declared.kind, Kind::Argument | Kind::Table).then_some(declared)
    }

    /// What `name` is around the component that has been entered, near or far.
    pub fn kind_outside(&self, name: &str) -> Option<Kind> {
        let mut space = self.here();
        while let Some(outside) = space.outside {
            space = &self.spaces[outside];
            if let Some(declared) = space.get(name) {
                return Some(declared.kind);
            }
        }
        None
    }

    /// Marks a name whose declaration is wrong.
    pub fn mark_unclear(&mut self, ident: &Ident) {
        self.spaces[self.entered].unclear.insert(ident.unraw().to_string());
    }

    /// All names, sorted.
    pub fn names(&self) -> Vec<&str> {
        self.here().names()
    }

    /// The names of what may stand where `kind` is expected, sorted.
    pub fn names_of(&self, kind: Kind) -> Vec<&str> {
        self.here().sorted(|other| other.serves_as(kind))
    }

    /// Adds `ident` or `ident[index]` as quantity number `position` of its kind. False after an error, except
    /// that a quantity with a reserved name is kept, so that its uses in Rust are no errors.
    pub fn declare(
        &mut self,
        kind: Kind,
        ident: &Ident,
        index: Option<i64>,
        position: usize,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let name = ident.unraw().to_string();
        let place = Place::from(ident.span());
        if let Some(message) = self.conflict(kind, &name, index) {
            diagnostics.error(place, message);
            return false;
        }
        if kind.is_emitted() && !self.claim_constant(ident, index, diagnostics) {
            return false;
        }
        let here = &mut self.spaces[self.entered];
        if let Some(message) = reserved(&name) {
            diagnostics.error(place, message);
            here.unclear.insert(name);
            return true;
        }
        match (here.declared.get_mut(&name).map(|declared| &mut declared.elements), index) {
            (Some(Elements::Array(elements)), Some(index)) => {
                elements.insert(index, position);
            }
            _ => {
                let elements = match index {
                    None => Elements::Scalar(position),
                    Some(index) => Elements::Array(BTreeMap::from([(index, position)])),
                };
                here.declared.insert(name, Declared { kind, elements });
            }
        }
        true
    }

    /// Why a name can't be declared (once more), if it can't.
    fn conflict(&mut self, kind: Kind, name: &str, index: Option<i64>) -> Option<String> {
        let written = written_name(name, index);
        let here = &mut self.spaces[self.entered];
        if let Some(existing) = here.declared.get(name) {
            let repeated = match (&existing.elements, index) {
                (Elements::Scalar(_), None) => true,
                (Elements::Array(elements), Some(index)) => elements.contains_key(&index),
                _ => false,
            };
            let extended = matches!((&existing.elements, index), (Elements::Array(_), Some(_)));
            let related = existing.kind.word() == kind.word();
            if related && repeated {
                return Some(format!("`{written}` is declared twice; remove one, or choose another name"));
            }
            if existing.kind != kind || !extended {
                let kind = existing.kind.text();
                let whole = if self.entered == 0 { "model" } else { "component" };
                here.unclear.insert(name.to_owned());
                return Some(format!(
                    "`{name}` is already {kind}; names are global to the {whole}, choose another one"
                ));
            }
        }
        None
    }

    /// Two names must not become the same Rust field (`x[1]` and `x_1`) or constant (`m` and `M`): false after an
    /// error.
    pub fn claim_constant(
        &mut self,
        ident: &Ident,
        index: Option<i64>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let name = ident.unraw().to_string();
        let message = self.constant_conflict(&name, index);
        if let Some(message) = message {
            diagnostics.error(ident.span(), message);
            self.mark_unclear(ident);
            return false;
        }
        true
    }

    fn constant_conflict(&mut self, name: &str, index: Option<i64>) -> Option<String> {
        let written = written_name(name, index);
        let here = self.here();
        let local = rust_name(name, index).to_uppercase();
        let constant = format!("{}{local}", here.rust_prefix.to_uppercase());
        match self.rust_names.get(&constant) {
            // The same words for all uses of a component, so that they are said once.
            Some((space, other)) if *space == self.entered && self.entered > 0 => Some(format!(
                "`{written}` and `{other}` are both the constant `..._{local}` of the model; rename one of them"
            )),
            Some((space, other)) => {
                let other = format!("{}{other}", self.spaces[*space].prefix);
                Some(format!(
                    "`{}{written}` and `{other}` are both the constant `{constant}` of the model; \
                     rename one of them",
                    here.prefix
                ))
            }
            None => {
                self.rust_names.insert(constant, (self.entered, written));
                None
            }
        }
    }
}

/// `x` or `x[2]`.
pub fn written_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) => format!("{name}[{index}]"),
    }
}

/// `x` or `x_2`; negative indices as `x_m2`.
pub fn rust_name(name: &str, index: Option<i64>) -> String {
    match index {
        None => name.to_owned(),
        Some(index) if index < 0 => format!("{name}_m{}", index.unsigned_abs()),
        Some(index) => format!("{name}_{index}"),
    }
}

/// What `name` means by itself, if it does.
pub fn meaning(name: &str) -> Option<&'static str> {
    match name {
        "t" => Some("time"),
        "pi" => Some("the number pi"),
        _ if functions::is_function(name) => Some("a function"),
        _ => None,
    }
}

/// Why `name` can't be declared, if it can't.
pub fn reserved(name: &str) -> Option<String> {
    meaning(name).map(|meaning| format!("`{name}` is {meaning}; choose another name"))
}
