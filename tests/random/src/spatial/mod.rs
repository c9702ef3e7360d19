//! Spatial bodies with Euler parameters, joints and force elements: how they are written, and what they are by energies and
//! forces.

mod text;
mod vectors;
mod work;

use crate::planar::Law;
use crate::tree::Written;
use crate::units::Unit;

/// Three components.
pub type Triple<T> = [T; 3];

/// `rod: spatial { mass: m, inertia: (i_xx, i_yy, i_zz), center: (x, y, z) }`
#[derive(Debug, Clone)]
pub struct Body {
    /// The name.
    pub name: String,
    /// In kg.
    pub mass: Written,
    /// In kg*m^2, about the centre of mass.
    pub moments: Triple<Written>,
    /// The entries xy, xz and yz of the tensor of inertia, if there are any.
    pub products: Option<Triple<Written>>,
    /// In m.
    pub center: Option<Triple<Written>>,
}

/// `rod.at(x, y, z).rotated((0, 0, 1), 30[deg])`; without a body the ground's.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The body.
    pub body: Option<String>,
    /// Where, in the axes of the body.
    pub at: Option<Triple<Written>>,
    /// About which axis, from 0, and by which angle it is turned.
    pub turned: Option<(usize, Written)>,
}

/// What a joint leaves free; directions are axes of the first frame, from 0.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum JointKind {
    Fixed,
    Revolute(usize),
    Prismatic(usize),
    Cylindrical(usize),
    Spherical,
    /// With an axis of each frame.
    Universal(usize, usize),
    /// With the length.
    Distance(Written),
}

/// A joint between two frames, of which the second one is that of a body.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The name.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// The first frame.
    pub first: Frame,
    /// The second frame.
    pub second: Frame,
}

/// A force element.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum ElementKind {
    /// In inertial axes.
    Force(Frame, Triple<Written>),
    /// In inertial axes.
    Torque(Frame, Triple<Written>),
    Spring(Box<Spring>),
}

/// A spring between two points.
#[derive(Debug, Clone)]
pub struct Spring {
    /// One end.
    pub first: Frame,
    /// The other end.
    pub second: Frame,
    /// How it pulls.
    pub law: Law,
}

/// A force element with its name.
#[derive(Debug, Clone)]
pub struct Element {
    /// The name.
    pub name: String,
    /// What it does.
    pub kind: ElementKind,
}

/// What is measured; the last number is the component, from 0.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Measure {
    Position(Frame, usize),
    Velocity(Frame, usize),
    Acceleration(Frame, usize),
    /// Of the body with this position.
    AngularVelocity(usize, usize),
    /// In the axes of the body.
    LocalAngularVelocity(usize, usize),
    /// Of the element with this position, a spring.
    Length(usize),
    SpringForce(usize),
    /// Of the joint with this position, a revolute or a cylindrical one.
    Angle(usize),
    /// A prismatic or a cylindrical one.
    Displacement(usize),
    /// One that holds a point.
    Reaction(usize, usize),
}

/// A spatial mechanism.
#[derive(Debug, Clone)]
pub struct Spatial {
    /// In m/s^2.
    pub gravity: Option<Triple<Written>>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Elements.
    pub elements: Vec<Element>,
    /// Name, unit and value of outputs.
    pub outputs: Vec<(String, Unit, Measure)>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The Euler parameters.
const EULER: [&str; 4] = ["e0", "e1", "e2", "e3"];

/// The constraint of the Euler parameters of a body.
const NORM: &str = "norm";

impl JointKind {
    /// The names of its constraints.
    fn constraints(&self) -> &'static [&'static str] {
        match self {
            JointKind::Fixed => &["x", "y", "z", "turn_x", "turn_y", "turn_z"],
            JointKind::Revolute(_) => &["x", "y", "z", "tilt_u", "tilt_w"],
            JointKind::Prismatic(_) => &["across_u", "across_w", "tilt_u", "tilt_w", "turn"],
            JointKind::Cylindrical(_) => &["across_u", "across_w", "tilt_u", "tilt_w"],
            JointKind::Spherical => &["x", "y", "z"],
            JointKind::Universal(..) => &["x", "y", "z", "square"],
            JointKind::Distance(_) => &["distance"],
        }
    }

    /// Whether a point of the second body is held.
    pub fn holds_a_point(&self) -> bool {
        self.constraints().starts_with(&AXES)
    }
}
