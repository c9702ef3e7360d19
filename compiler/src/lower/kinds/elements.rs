//! The force elements, their options and what is measured of them.

/// What makes forces between bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    Force,
    Torque,
    Spring,
    Torsional,
    Bushing,
}

impl ElementKind {
    pub const ALL: [ElementKind; 5] = [
        ElementKind::Force,
        ElementKind::Torque,
        ElementKind::Spring,
        ElementKind::Torsional,
        ElementKind::Bushing,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Force => "force",
            ElementKind::Torque => "torque",
            ElementKind::Spring => "spring",
            ElementKind::Torsional => "torsional",
            ElementKind::Bushing => "bushing",
        }
    }

    /// How it is written.
    pub fn signature(self) -> &'static str {
        match self {
            ElementKind::Force => "force(rod.at(x, y), (fx, fy))",
            ElementKind::Torque => "torque(rod, m)",
            ElementKind::Spring => "spring(first, second, stiffness = c, length = l)",
            ElementKind::Torsional => "torsional(first, second, stiffness = c)",
            ElementKind::Bushing => "bushing(first, second, stiffness = (cx, cy), damping = (dx, dy))",
        }
    }

    /// The options that it has.
    pub fn options(self) -> &'static [&'static str] {
        match self {
            ElementKind::Force | ElementKind::Torque => &["frame"],
            ElementKind::Spring => &["stiffness", "damping", "length", "force"],
            ElementKind::Torsional => &["stiffness", "damping", "angle", "torque", "axis"],
            ElementKind::Bushing => &["stiffness", "damping", "torsional_stiffness", "torsional_damping"],
        }
    }

    /// What is measured of it: its state, and the load that follows.
    pub fn measures(self) -> Option<[&'static str; 2]> {
        match self {
            ElementKind::Spring => Some(["length", "force"]),
            ElementKind::Torsional => Some(["angle", "torque"]),
            _ => None,
        }
    }
}
