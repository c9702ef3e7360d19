//! The joints and couplers, and the constraints that each consists of.

/// A joint between two bodies, or a coupler between joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    Fixed,
    Revolute,
    Prismatic,
    Cylindrical,
    Spherical,
    Universal,
    Planar,
    PointOnLine,
    Distance,
    Drive,
    Gear,
    Rack,
}

/// Every joint and coupler with its name and its syntax, in the order of the declaration above.
const KINDS: [(JointKind, &str, &str); 12] = [
    (JointKind::Fixed, "fixed", "fixed(first, second)"),
    (JointKind::Revolute, "revolute", "revolute(first, second)"),
    (JointKind::Prismatic, "prismatic", "prismatic(first, second, axis = (1, 0))"),
    (JointKind::Cylindrical, "cylindrical", "cylindrical(first, second, axis = (0, 0, 1))"),
    (JointKind::Spherical, "spherical", "spherical(first, second)"),
    (JointKind::Universal, "universal", "universal(first, second, axis = (1, 0, 0), second_axis = (0, 1, 0))"),
    (JointKind::Planar, "planar", "planar(first, second, normal = (0, 0, 1))"),
    (JointKind::PointOnLine, "point_on_line", "point_on_line(first, second, axis = (1, 0))"),
    (JointKind::Distance, "distance", "distance(first, second, length = l)"),
    (JointKind::Drive, "drive", "drive(joint, angle = expression)"),
    (JointKind::Gear, "gear", "gear(first_joint, second_joint, ratio = i)"),
    (JointKind::Rack, "rack", "rack(pinion_joint, rack_joint, radius = r)"),
];

impl JointKind {
    pub fn all() -> impl Iterator<Item = JointKind> {
        KINDS.into_iter().map(|(kind, ..)| kind)
    }

    pub fn named(name: &str) -> Option<JointKind> {
        KINDS.into_iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| kind)
    }

    pub fn name(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// Returns the syntax of the joint.
    pub fn signature(self) -> &'static str {
        KINDS[self as usize].2
    }

    /// Checks whether this connects joints and not bodies.
    pub fn is_coupler(self) -> bool {
        matches!(self, JointKind::Drive | JointKind::Gear | JointKind::Rack)
    }

    /// Lists the names of the constraints; `None` if there is no such joint between planar bodies.
    pub fn constraints(self, spatial: bool) -> Option<&'static [&'static str]> {
        match (self, spatial) {
            (JointKind::Distance, _) => Some(&["distance"]),
            (JointKind::Drive, _) => Some(&["drive"]),
            (JointKind::Gear, false) => Some(&["ratio"]),
            (JointKind::Gear, true) => Some(&["turn_1", "turn_2", "ratio"]),
            (JointKind::Rack, false) => Some(&["ratio"]),
            (JointKind::Rack, true) => Some(&["turn_1", "ratio"]),
            (JointKind::Fixed, false) => Some(&["x", "y", "turn"]),
            (JointKind::Revolute, false) => Some(&["x", "y"]),
            (JointKind::Prismatic, false) => Some(&["across", "turn"]),
            (JointKind::PointOnLine, false) => Some(&["across"]),
            (_, false) => None,
            (JointKind::Fixed, true) => Some(&["x", "y", "z", "turn_x", "turn_y", "turn_z"]),
            (JointKind::Revolute, true) => Some(&["x", "y", "z", "tilt_u", "tilt_w"]),
            (JointKind::Prismatic, true) => Some(&["across_u", "across_w", "tilt_u", "tilt_w", "turn"]),
            (JointKind::Cylindrical, true) => Some(&["across_u", "across_w", "tilt_u", "tilt_w"]),
            (JointKind::Spherical, true) => Some(&["x", "y", "z"]),
            (JointKind::Universal, true) => Some(&["x", "y", "z", "square"]),
            (JointKind::Planar, true) => Some(&["along", "tilt_u", "tilt_w"]),
            (JointKind::PointOnLine, true) => Some(&["across_u", "across_w"]),
        }
    }

    /// Lists the angles that a coupler counts beyond one turn, as coordinates without mass.
    pub fn counted_angles(self, spatial: bool) -> &'static [&'static str] {
        match (self, spatial) {
            (JointKind::Gear, true) => &["angle_1", "angle_2"],
            (JointKind::Rack, true) => &["angle_1"],
            _ => &[],
        }
    }

    /// Lists the options of the joint.
    pub fn options(self, spatial: bool) -> &'static [&'static str] {
        match self {
            JointKind::Revolute if !spatial => &[],
            JointKind::Fixed | JointKind::Spherical => &[],
            JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine => &["axis"],
            JointKind::Universal => &["axis", "second_axis"],
            JointKind::Planar => &["normal"],
            JointKind::Distance => &["length"],
            JointKind::Drive => &["angle", "displacement"],
            JointKind::Gear => &["ratio", "offset"],
            JointKind::Rack => &["radius", "offset"],
        }
    }

    /// Checks whether the second frame turns about the axis of the first.
    pub fn has_angle(self) -> bool {
        matches!(self, JointKind::Revolute | JointKind::Cylindrical)
    }

    /// Checks whether the second frame slides along the axis of the first.
    pub fn has_displacement(self) -> bool {
        matches!(self, JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine)
    }
}
