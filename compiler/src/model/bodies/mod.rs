//! Bodies, joints and elements: everything becomes coordinates, masses, forces and constraints of the model.
//!
//! Planar bodies are spatial ones that stay in the plane z = 0 and turn about z alone, so that positions, forces and most
//! joints are written once.

mod body;
mod couplers;
mod element_kinds;
mod elements;
mod frames;
mod inertia;
mod initial;
mod joint_kinds;
mod joints;
mod kinematics;
mod measures;
mod options;
mod vector;
mod vectors;

use std::collections::HashMap;

use crate::diagnostic::Place;
use crate::symbolic::Id;

pub use body::KINDS as BODY_KINDS;
pub use element_kinds::ElementKind;
use frames::Frame;
pub use joint_kinds::JointKind;
use vector::Vector;

/// The bodies, joints and elements of a model, each found by the space of its names.
#[derive(Debug, Default)]
pub struct Mechanism {
    bodies: Vec<Body>,
    joints: Vec<Joint>,
    elements: Vec<Element>,
    by_space: HashMap<usize, usize>,
    gravity: Option<(Vector, Place)>,
}

impl Mechanism {
    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }
}

/// A rigid body. Its coordinates belong to the origin of its frame.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    pub spatial: bool,
    /// x, y, angle; or x, y, z, e0, e1, e2, e3.
    pub first: usize,
    /// Mass and centre of mass in the body's frame, once they have been read.
    pub inertia: Option<(Id, Vector)>,
    pub place: Place,
    /// An initial orientation stands above.
    pub oriented: bool,
}

/// A joint or a coupler.
#[derive(Debug, Clone)]
pub struct Joint {
    pub kind: JointKind,
    pub spatial: bool,
    /// Positions of its constraints.
    pub first: usize,
    pub count: usize,
    /// Of what has coordinates of its own.
    pub coordinates: usize,
    /// It stands above what is being read.
    pub read: bool,
    /// Once it has been read without a mistake.
    pub ends: Option<Ends>,
}

/// The two frames that a joint connects, and its axis in both of them.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    pub first: Frame,
    pub second: Frame,
    pub axis: [f64; 3],
}

/// How far a part has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It stands below.
    NotYet,
    /// Its own options are being read.
    Reading,
    /// It stands above; without a value there was a mistake in it.
    Read,
}

/// What is known of a force element.
#[derive(Debug, Clone, Copy)]
pub struct Element {
    pub kind: ElementKind,
    pub progress: Progress,
    /// Distance of the ends of a spring.
    pub length: Option<Id>,
    /// Relative angle of a torsional spring.
    pub angle: Option<Id>,
    /// Pull of a spring.
    pub force: Option<Id>,
    /// Torque of a torsional spring.
    pub torque: Option<Id>,
}
