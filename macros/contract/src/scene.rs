//! The parts of a mechanism: bodies, joints, elements and points, for pictures and lists.
//!
//! The places at which parts are attached to a body, and the sizes of bodies, depend on parameters alone: the
//! compiler numbers these values, and the function `geometry` of a model computes them. A [`Number`] is a position
//! among the values of `geometry`.

use std::borrow::Cow;

/// The position of a value among those that a model's `geometry` computes.
pub type Number = u32;

/// The bodies of a model, with the joints and elements between them. A model of equations alone has no bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Bodies, in the order of declaration.
    pub bodies: Cow<'static, [SceneBody]>,
    /// Joints and couplers.
    pub joints: Cow<'static, [ScenePart]>,
    /// Force elements.
    pub elements: Cow<'static, [ScenePart]>,
    /// Points that the model names by `let`, or at which it measures something.
    pub points: Cow<'static, [ScenePoint]>,
    /// The acceleration of gravity; `None` without gravity, or if it is not constant.
    pub gravity: Option<[Number; 3]>,
}

impl Scene {
    /// The scene of a model without bodies.
    pub const EMPTY: Self = Self {
        bodies: Cow::Borrowed(&[]),
        joints: Cow::Borrowed(&[]),
        elements: Cow::Borrowed(&[]),
        points: Cow::Borrowed(&[]),
        gravity: None,
    };

    /// Creates a scene of constants.
    pub const fn new(
        bodies: &'static [SceneBody],
        joints: &'static [ScenePart],
        elements: &'static [ScenePart],
        points: &'static [ScenePoint],
        gravity: Option<[Number; 3]>,
    ) -> Self {
        let (bodies, joints) = (Cow::Borrowed(bodies), Cow::Borrowed(joints));
        Self { bodies, joints, elements: Cow::Borrowed(elements), points: Cow::Borrowed(points), gravity }
    }
}

/// A body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneBody {
    /// Name of the body, `rod[2]`.
    pub name: Cow<'static, str>,
    /// Documentation that the user wrote above the body.
    pub documentation: Cow<'static, str>,
    /// True for a body with Euler parameters; false for one that moves in the plane.
    pub spatial: bool,
    /// Position of the body's first coordinate among the model's.
    pub first: u32,
    /// Centre of mass, in the body's frame.
    pub center: [Number; 3],
    /// Distance in front of the plane at which a planar body is drawn.
    pub layer: Number,
    /// Shapes of the body; empty if the model gives none.
    pub shapes: Cow<'static, [SceneShape]>,
}

impl SceneBody {
    /// Creates a body of constants.
    pub const fn new(
        (name, documentation): (&'static str, &'static str),
        (spatial, first): (bool, u32),
        center: [Number; 3],
        layer: Number,
        shapes: &'static [SceneShape],
    ) -> Self {
        Self {
            name: Cow::Borrowed(name),
            documentation: Cow::Borrowed(documentation),
            spatial,
            first,
            center,
            layer,
            shapes: Cow::Borrowed(shapes),
        }
    }
}

/// A solid that shows a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneShape {
    /// Kind of the solid.
    pub kind: ShapeKind,
    /// Edges of a box, radius and length of a cylinder, radius of a sphere, scale of a mesh, width of an extrusion.
    pub sizes: [Number; 3],
    /// Centre of the solid, in the body's frame.
    pub point: [Number; 3],
    /// Axes of the shape in the axes of the body, by rows; those of a mesh that is mirrored are left-handed.
    pub turn: [[Number; 3]; 3],
    /// The content of a mesh's file.
    pub data: Cow<'static, [u8]>,
    /// Corners of the outline of an extrusion, along x and y.
    pub outline: Cow<'static, [[Number; 2]]>,
}

impl SceneShape {
    /// Creates a shape of constants.
    pub const fn new(
        kind: ShapeKind,
        sizes: [Number; 3],
        point: [Number; 3],
        turn: [[Number; 3]; 3],
        data: &'static [u8],
    ) -> Self {
        Self { kind, sizes, point, turn, data: Cow::Borrowed(data), outline: Cow::Borrowed(&[]) }
    }

    /// Creates an extrusion of constants.
    pub const fn extrusion(
        sizes: [Number; 3],
        point: [Number; 3],
        turn: [[Number; 3]; 3],
        outline: &'static [[Number; 2]],
    ) -> Self {
        let kind = ShapeKind::Extrusion;
        Self { kind, sizes, point, turn, data: Cow::Borrowed(&[]), outline: Cow::Borrowed(outline) }
    }
}

/// The solids of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// A box with edges parallel to its axes.
    Box,
    /// A cylinder about its z axis.
    Cylinder,
    /// A sphere.
    Sphere,
    /// Triangles of an STL file.
    Mesh,
    /// An outline across its z axis, drawn out along it to both sides.
    Extrusion,
}

/// A joint, a coupler or a force element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenePart {
    /// Name of the part, `pin[2]`.
    pub name: Cow<'static, str>,
    /// Documentation that the user wrote above the part.
    pub documentation: Cow<'static, str>,
    /// Kind of the part.
    pub kind: PartKind,
    /// The two frames that the part connects; for a part that acts on one body, the same frame twice.
    pub ends: [SceneEnd; 2],
}

impl ScenePart {
    /// Creates a part of constants.
    pub const fn new((name, documentation): (&'static str, &'static str), kind: PartKind, ends: [SceneEnd; 2]) -> Self {
        Self { name: Cow::Borrowed(name), documentation: Cow::Borrowed(documentation), kind, ends }
    }
}

/// A frame of a body, or of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneEnd {
    /// The position of the body among the scene's; `None` is the ground.
    pub body: Option<u32>,
    /// Origin of the frame, in the frame of the body.
    pub point: [Number; 3],
    /// The axis of a joint or an element, in the axes of the body.
    pub axis: [Number; 3],
}

impl SceneEnd {
    /// Creates a frame of a body.
    pub const fn of(body: u32, point: [Number; 3], axis: [Number; 3]) -> Self {
        Self { body: Some(body), point, axis }
    }

    /// Creates a frame of the ground.
    pub const fn ground(point: [Number; 3], axis: [Number; 3]) -> Self {
        Self { body: None, point, axis }
    }
}

/// A point that the model names, or at which it measures something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenePoint {
    /// Name of the point, `tip[2]`; empty for a point at which something is only measured.
    pub name: Cow<'static, str>,
    /// Place of the point.
    pub end: SceneEnd,
}

impl ScenePoint {
    /// Creates a point of constants.
    pub const fn new(name: &'static str, end: SceneEnd) -> Self {
        Self { name: Cow::Borrowed(name), end }
    }
}

macro_rules! part_kinds {
    ($($(#[$documentation:meta])* $variant:ident = $word:literal,)+) => {
        /// Kind of a joint, a coupler or a force element.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum PartKind { $($(#[$documentation])* $variant,)+ }

        impl PartKind {
            /// All kinds.
            pub const ALL: &[PartKind] = &[$(PartKind::$variant),+];

            /// Returns the usual name of the kind.
            pub const fn word(self) -> &'static str {
                match self { $(PartKind::$variant => $word,)+ }
            }
        }
    };
}

part_kinds! {
    /// No relative motion.
    Fixed = "fixed joint",
    /// Turning about the axis.
    Revolute = "revolute joint",
    /// Sliding along the axis.
    Prismatic = "prismatic joint",
    /// Turning about the axis and sliding along it.
    Cylindrical = "cylindrical joint",
    /// Turning about any axis.
    Spherical = "spherical joint",
    /// Turning about an axis of each frame.
    Universal = "universal joint",
    /// Moving in the plane across the axis.
    Planar = "planar joint",
    /// Sliding along the axis, and turning about any.
    PointOnLine = "point on a line",
    /// A constant distance.
    Distance = "distance",
    /// A prescribed motion.
    Drive = "drive",
    /// Two angles with a constant ratio.
    Gear = "gear",
    /// An angle and a displacement with a constant ratio.
    Rack = "rack",
    /// A force at a point.
    Force = "force",
    /// A torque on a body.
    Torque = "torque",
    /// A spring without damping.
    Spring = "spring",
    /// A damper without stiffness.
    Damper = "damper",
    /// Spring and damper side by side.
    SpringDamper = "spring and damper",
    /// A force between two points by a law of its own.
    Actuator = "force between two points",
    /// A spring or a damper about the axis.
    Torsional = "torsional element",
    /// Springs and dampers along and about all axes.
    Bushing = "bushing",
}
