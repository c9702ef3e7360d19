//! The data of bodies, joints and elements that expressions can measure.

use std::collections::HashMap;

use crate::lower::geometry::{Body, Ends, Frame};
use crate::lower::kinds::{ElementKind, JointKind};
use crate::symbolic::Id;

/// The bodies, joints and elements of a model, each found by the space of its names.
#[derive(Debug, Default)]
pub struct Parts {
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub elements: Vec<Element>,
    pub by_space: HashMap<usize, usize>,
    /// Points named by `let`, and, with an empty name, points at which something is measured.
    pub points: Vec<(String, Frame)>,
}

impl Parts {
    /// Returns the body with this space of names.
    pub fn body(&self, space: usize) -> Option<Body> {
        self.bodies.get(*self.by_space.get(&space)?).copied()
    }
}

/// A joint or a coupler.
#[derive(Debug, Clone)]
pub struct Joint {
    pub kind: JointKind,
    pub spatial: bool,
    /// Position of the first constraint.
    pub first: usize,
    /// Position of the first coordinate of the joint itself, if it has any.
    pub coordinates: usize,
    /// True once the joint has been read.
    pub read: bool,
    /// The constraints with their positions, once they have been read.
    pub constraints: Vec<(usize, Id)>,
    /// The frames of the joint; `None` until it has been read without a mistake.
    pub ends: Option<Ends>,
}

/// The progress of reading a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The part is further below.
    NotYet,
    /// The options of the part are being read.
    Reading,
    /// The part has been read; a value of `None` then means a mistake.
    Read,
}

/// The data of a force element; values are `None` if they are not known, or not defined for the kind of element.
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

impl Element {
    pub fn new(kind: ElementKind) -> Self {
        Element { kind, progress: Progress::NotYet, length: None, angle: None, force: None, torque: None }
    }
}
