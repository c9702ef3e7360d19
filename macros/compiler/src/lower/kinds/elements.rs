//! The force elements, their options and their measured quantities.

/// A kind of force element between bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    Force,
    Torque,
    Spring,
    Torsional,
    Bushing,
}

/// Every element with its name and its syntax, in the order of the declaration above.
const KINDS: [(ElementKind, &str, &str); 5] = [
    (ElementKind::Force, "force", "force(rod.at(x, y), (fx, fy))"),
    (ElementKind::Torque, "torque", "torque(rod, m)"),
    (ElementKind::Spring, "spring", "spring(first, second, stiffness = c, length = l)"),
    (ElementKind::Torsional, "torsional", "torsional(first, second, stiffness = c)"),
    (ElementKind::Bushing, "bushing", "bushing(first, second, stiffness = (cx, cy), damping = (dx, dy))"),
];

impl ElementKind {
    pub fn all() -> impl Iterator<Item = ElementKind> {
        KINDS.into_iter().map(|(kind, ..)| kind)
    }

    pub fn named(name: &str) -> Option<ElementKind> {
        KINDS.into_iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| kind)
    }

    pub fn name(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// Returns the syntax of the element.
    pub fn signature(self) -> &'static str {
        KINDS[self as usize].2
    }

    /// Lists the options of the element.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            ElementKind::Force | ElementKind::Torque => &["frame"],
            ElementKind::Spring => &["stiffness", "damping", "length", "force"],
            ElementKind::Torsional => &["stiffness", "damping", "angle", "torque", "axis"],
            ElementKind::Bushing => &["stiffness", "damping", "torsional_stiffness", "torsional_damping"],
        }
    }

    /// Returns the names of the measured state of the element and of the load that follows from it.
    pub fn measures(self) -> Option<[&'static str; 2]> {
        match self {
            ElementKind::Spring => Some(["length", "force"]),
            ElementKind::Torsional => Some(["angle", "torque"]),
            _ => None,
        }
    }
}
