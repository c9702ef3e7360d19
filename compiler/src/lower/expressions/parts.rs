//! What is known of bodies, joints and elements: all that expressions may measure.

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
    /// Points that have a name by `let`, and without a name those at which something is measured.
    pub points: Vec<(String, Frame)>,
}

impl Parts {
    /// The body with these names.
    pub fn body(&self, space: usize) -> Option<Body> {
        self.bodies.get(*self.by_space.get(&space)?).copied()
    }
}

/// A joint or a coupler.
#[derive(Debug, Clone)]
pub struct Joint {
    pub kind: JointKind,
    pub spatial: bool,
    /// Position of its first constraint.
    pub first: usize,
    /// The first of its own coordinates, where it has some.
    pub coordinates: usize,
    /// It stands above what is being read.
    pub read: bool,
    /// Its constraints, with their positions, once they have been read.
    pub constraints: Vec<(usize, Id)>,
    /// Once it has been read without a mistake.
    pub ends: Option<Ends>,
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

impl Element {
    pub fn new(kind: ElementKind) -> Self {
        Element { kind, progress: Progress::NotYet, length: None, angle: None, force: None, torque: None }
    }
}
