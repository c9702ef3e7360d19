//! Planar bodies, joints and force elements: their syntax, and their equations by virtual work.

mod text;
mod work;

use crate::models::tree::Written;
use crate::models::units::Unit;

/// Two components.
type Pair<T> = (T, T);

/// `rod: planar { mass: m, inertia: j, center: (x, y) }`
#[derive(Debug, Clone)]
pub struct Body {
    /// The name.
    pub name: String,
    /// Mass in kg.
    pub mass: Written,
    /// Moment of inertia in kg*m^2, about the centre of mass.
    pub inertia: Written,
    /// Centre of mass in m; `None` for the origin.
    pub center: Option<Pair<Written>>,
}

/// `rod.at(0, l).rotated(30[deg])`; a frame of the ground without a body.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Name of the body; `None` for the ground.
    pub body: Option<String>,
    /// Position in the axes of the body; `None` for the origin.
    pub at: Option<Pair<Written>>,
    /// Angle of rotation; `None` without rotation.
    pub turned: Option<Written>,
}

/// Kind of a joint.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum JointKind {
    Fixed,
    Revolute,
    /// Prismatic joint with the axis.
    Prismatic(Pair<f64>),
    /// Point on a line with the axis.
    PointOnLine(Pair<f64>),
    /// Distance with the length.
    Distance(Written),
}

/// A joint between two frames.
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

/// The law of a spring: stiffness, damping, stretch without force, and an additional force.
#[derive(Debug, Clone)]
pub struct Law {
    /// Stiffness in N/m, or N*m.
    pub stiffness: Option<Written>,
    /// Damping in N*s/m, or N*m*s.
    pub damping: Option<Written>,
    /// Stretch without force in m, or an angle.
    pub rest: Option<Written>,
    /// Additional force in N, or N*m.
    pub beside: Option<Written>,
}

/// A force element.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum ElementKind {
    /// Force in inertial axes, or in those of a frame.
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
    /// Kind of the element.
    pub kind: ElementKind,
}

/// A measured quantity.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Measure {
    Position(Frame, usize),
    Velocity(Frame, usize),
    Acceleration(Frame, usize),
    /// Angular velocity of the body at this position.
    AngularVelocity(usize),
    /// Length of the element at this position, a spring.
    Length(usize),
    SpringForce(usize),
    /// Angle of the joint at this position, a revolute one.
    Angle(usize),
    Reaction(usize, usize),
    /// Displacement of the joint at this position, a prismatic one.
    Displacement(usize),
}

/// A planar mechanism.
#[derive(Debug, Clone)]
pub struct Planar {
    /// Gravity in m/s^2; `None` without gravity.
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
