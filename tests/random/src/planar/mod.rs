//! Planar bodies, joints and force elements: how they are written, and what they are by virtual work.

mod text;
mod work;

use crate::tree::Written;
use crate::units::Unit;

/// Two components.
type Pair<T> = (T, T);

/// `rod: planar { mass: m, inertia: j, center: (x, y) }`
#[derive(Debug, Clone)]
pub struct Body {
    /// The name.
    pub name: String,
    /// In kg.
    pub mass: Written,
    /// In kg*m^2, about the centre of mass.
    pub inertia: Written,
    /// In m.
    pub center: Option<Pair<Written>>,
}

/// `rod.at(0, l).rotated(30[deg])`; without a body the ground's.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The body.
    pub body: Option<String>,
    /// Where, in the axes of the body.
    pub at: Option<Pair<Written>>,
    /// By which angle it is turned.
    pub turned: Option<Written>,
}

/// What a joint leaves free.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum JointKind {
    Fixed,
    Revolute,
    /// With the axis.
    Prismatic(Pair<f64>),
    /// With the axis.
    PointOnLine(Pair<f64>),
    /// With the length.
    Distance(Written),
}

/// A joint between two frames.
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

/// The law of a spring: stiffness, damping, what is the stretch of no force, and a force beside.
#[derive(Debug, Clone)]
pub struct Law {
    /// In N/m, or N*m.
    pub stiffness: Option<Written>,
    /// In N*s/m, or N*m*s.
    pub damping: Option<Written>,
    /// In m, or an angle.
    pub rest: Option<Written>,
    /// In N, or N*m.
    pub beside: Option<Written>,
}

/// A force element.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum ElementKind {
    /// In inertial axes, or in those of a frame.
    Force(Frame, Pair<Written>, Option<Frame>),
    Torque(Frame, Written),
    Spring(Frame, Frame, Law),
    Torsional(Frame, Frame, Law),
    /// Stiffness and damping along the axes of the first frame, and torsional stiffness.
    Bushing(Frame, Frame, Pair<Written>, Pair<Written>, Written),
}

/// A force element with its name.
#[derive(Debug, Clone)]
pub struct Element {
    /// The name.
    pub name: String,
    /// What it does.
    pub kind: ElementKind,
}

/// What is measured.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Measure {
    Position(Frame, usize),
    Velocity(Frame, usize),
    Acceleration(Frame, usize),
    /// Of the body with this position.
    AngularVelocity(usize),
    /// Of the element with this position, a spring.
    Length(usize),
    SpringForce(usize),
    /// Of the joint with this position, a revolute one.
    Angle(usize),
    Reaction(usize, usize),
    /// A prismatic one.
    Displacement(usize),
}

/// A planar mechanism.
#[derive(Debug, Clone)]
pub struct Planar {
    /// In m/s^2.
    pub gravity: Option<Pair<Written>>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Elements.
    pub elements: Vec<Element>,
    /// Name, unit and value of outputs.
    pub outputs: Vec<(String, Unit, Measure)>,
}

const AXES: [&str; 2] = ["x", "y"];
