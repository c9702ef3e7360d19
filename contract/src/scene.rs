//! What a mechanism is made of: bodies, joints, elements and points, for pictures and lists.
//!
//! Where something is attached to a body, and how large it is, depends on parameters alone: the compiler numbers these
//! values, and a model's function `geometry` computes them. A [`Number`] is a position in what it gives.

use std::borrow::Cow;

/// The position of a value among those that a model's `geometry` gives.
pub type Number = u32;

/// The bodies of a model, and what joins them. A model of equations alone has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Bodies, in the order of declaration.
    pub bodies: Cow<'static, [SceneBody]>,
    /// Joints and couplers.
    pub joints: Cow<'static, [ScenePart]>,
    /// Force elements.
    pub elements: Cow<'static, [ScenePart]>,
    /// Points that the model names by `let`, or measures something at.
    pub points: Cow<'static, [ScenePoint]>,
    /// The acceleration of gravity, where it is constant.
    pub gravity: Option<[Number; 3]>,
}

impl Scene {
    /// That of a model without bodies.
    pub const EMPTY: Self = Self {
        bodies: Cow::Borrowed(&[]),
        joints: Cow::Borrowed(&[]),
        elements: Cow::Borrowed(&[]),
        points: Cow::Borrowed(&[]),
        gravity: None,
    };

    /// A scene of constants.
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
    /// Its name, `rod[2]`.
    pub name: Cow<'static, str>,
    /// What the user wrote above it.
    pub documentation: Cow<'static, str>,
    /// With Euler parameters; else it moves in the plane.
    pub spatial: bool,
    /// Position of its first coordinate among the model's.
    pub first: u32,
    /// Centre of mass, in the body's frame.
    pub center: [Number; 3],
    /// How far in front of the plane a planar body is drawn.
    pub layer: Number,
    /// What it looks like, where the model says so.
    pub shapes: Cow<'static, [SceneShape]>,
}

impl SceneBody {
    /// A body of constants.
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

/// A solid that a body looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneShape {
    /// What it is.
    pub kind: ShapeKind,
    /// Edges of a box, radius and length of a cylinder, radius of a sphere, scale of a mesh.
    pub sizes: [Number; 3],
    /// Its middle, in the body's frame.
    pub point: [Number; 3],
    /// The axes of the shape in those of the body, by rows.
    pub turn: [[Number; 3]; 3],
    /// The content of a mesh's file.
    pub data: Cow<'static, [u8]>,
}

impl SceneShape {
    /// A shape of constants.
    pub const fn new(
        kind: ShapeKind,
        sizes: [Number; 3],
        point: [Number; 3],
        turn: [[Number; 3]; 3],
        data: &'static [u8],
    ) -> Self {
        Self { kind, sizes, point, turn, data: Cow::Borrowed(data) }
    }
}

/// The solids of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShapeKind {
    /// A box with edges along its axes.
    Box,
    /// A cylinder about its z axis.
    Cylinder,
    /// A sphere.
    Sphere,
    /// Triangles of an STL file.
    Mesh,
}

/// A joint, a coupler or a force element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenePart {
    /// Its name, `pin[2]`.
    pub name: Cow<'static, str>,
    /// What the user wrote above it.
    pub documentation: Cow<'static, str>,
    /// What it is.
    pub kind: PartKind,
    /// The two frames that it joins; for what acts on one body, that frame twice.
    pub ends: [SceneEnd; 2],
}

impl ScenePart {
    /// A part of constants.
    pub const fn new(
        (name, documentation): (&'static str, &'static str),
        kind: PartKind,
        ends: [SceneEnd; 2],
    ) -> Self {
        Self { name: Cow::Borrowed(name), documentation: Cow::Borrowed(documentation), kind, ends }
    }
}

/// A frame of a body, or of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneEnd {
    /// The position of the body among the scene's; `None` is the ground.
    pub body: Option<u32>,
    /// Its origin, in the frame of the body.
    pub point: [Number; 3],
    /// The axis of a joint or an element, in the axes of the body.
    pub axis: [Number; 3],
}

impl SceneEnd {
    /// A frame of a body.
    pub const fn of(body: u32, point: [Number; 3], axis: [Number; 3]) -> Self {
        Self { body: Some(body), point, axis }
    }

    /// A frame of the ground.
    pub const fn ground(point: [Number; 3], axis: [Number; 3]) -> Self {
        Self { body: None, point, axis }
    }
}

/// A point that the model names, or measures something at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenePoint {
    /// Its name, `tip[2]`; empty where only something is measured there.
    pub name: Cow<'static, str>,
    /// Where it is.
    pub end: SceneEnd,
}

impl ScenePoint {
    /// A point of constants.
    pub const fn new(name: &'static str, end: SceneEnd) -> Self {
        Self { name: Cow::Borrowed(name), end }
    }
}

macro_rules! part_kinds {
    ($($(#[$documentation:meta])* $variant:ident = $word:literal,)+) => {
        /// What a joint, a coupler or a force element is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum PartKind { $($(#[$documentation])* $variant,)+ }

        impl PartKind {
            /// All of them.
            pub const ALL: &[PartKind] = &[$(PartKind::$variant),+];

            /// As a person calls it.
            pub const fn word(self) -> &'static str {
                match self { $(PartKind::$variant => $word,)+ }
            }
        }
    };
}

part_kinds! {
    /// Nothing moves.
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
