//! Spatial bodies with Euler parameters, joints and force elements: their syntax, and their equations by energies
//! and forces.

mod text;
mod vectors;
mod work;

use crate::models::planar::Law;
use crate::models::tree::Written;
use crate::models::units::Unit;

/// Three components.
pub type Triple<T> = [T; 3];

/// `rod: spatial { mass: m, inertia: (i_xx, i_yy, i_zz), center: (x, y, z) }`
#[derive(Debug, Clone)]
pub struct Body {
    /// The name.
    pub name: String,
    /// Mass in kg.
    pub mass: Written,
    /// Moments of inertia in kg*m^2, about the centre of mass.
    pub moments: Triple<Written>,
    /// The entries xy, xz and yz of the tensor of inertia; `None` if they are zero.
    pub products: Option<Triple<Written>>,
    /// Centre of mass in m; `None` for the origin.
    pub center: Option<Triple<Written>>,
}

/// `rod.at(x, y, z).rotated((0, 0, 1), 30[deg])`; a frame of the ground without a body.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Name of the body; `None` for the ground.
    pub body: Option<String>,
    /// Position in the axes of the body; `None` for the origin.
    pub at: Option<Triple<Written>>,
    /// Axis of rotation, from 0, and angle; `None` without rotation.
    pub turned: Option<(usize, Written)>,
}

/// Kind of a joint; directions are axes of the first frame, from 0.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum JointKind {
    Fixed,
    Revolute(usize),
    Prismatic(usize),
    Cylindrical(usize),
    Spherical,
    /// Universal joint with an axis of each frame.
    Universal(usize, usize),
    /// Distance with the length.
    Distance(Written),
}

/// A joint between two frames, the second of which belongs to a body.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The name.
    pub name: String,
    /// Kind of the joint.
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
    /// Force in inertial axes.
    Force(Frame, Triple<Written>),
    /// Torque in inertial axes.
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
    /// Law of the force.
    pub law: Law,
}

/// A force element with its name.
#[derive(Debug, Clone)]
pub struct Element {
    /// The name.
    pub name: String,
    /// Kind of the element.
    pub kind: ElementKind,
}

/// A measured quantity; the last number is the component, from 0.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Measure {
    Position(Frame, usize),
    Velocity(Frame, usize),
    Acceleration(Frame, usize),
    /// Angular velocity of the body at this position.
    AngularVelocity(usize, usize),
    /// Angular velocity of the body at this position, in the axes of the body.
    LocalAngularVelocity(usize, usize),
    /// Length of the element at this position, a spring.
    Length(usize),
    SpringForce(usize),
    /// Angle of the joint at this position, a revolute or a cylindrical one.
    Angle(usize),
    /// Displacement of the joint at this position, a prismatic or a cylindrical one.
    Displacement(usize),
    /// Reaction of the joint at this position, one that holds a point.
    Reaction(usize, usize),
}

/// A spatial mechanism.
#[derive(Debug, Clone)]
pub struct Spatial {
    /// Gravity in m/s^2; `None` without gravity.
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

/// Names of the Euler parameters.
const EULER: [&str; 4] = ["e0", "e1", "e2", "e3"];

/// Name of the constraint of the Euler parameters of a body.
const NORM: &str = "norm";

impl JointKind {
    /// Returns the names of the constraints of the joint.
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

    /// Checks whether the joint holds a point of the second body.
    pub fn holds_a_point(&self) -> bool {
        self.constraints().starts_with(&AXES)
    }
}
