//! The data of bodies, joints and elements that expressions can measure.

use std::collections::HashMap;

use crate::lower::geometry::{Body, Ends, Frame, Sense};
use crate::lower::kinds::{ElementKind, JointKind};
use crate::symbolic::Id;

/// The bodies, joints and elements of a model, each found by the space of its names.
#[derive(Debug, Default)]
pub struct Parts {
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub elements: Vec<Element>,
    /// Connections of components to bodies and frames.
    pub connections: Vec<Connected>,
    pub by_space: HashMap<usize, usize>,
    /// Senses of constraints of joints and couplers.
    pub constraint_senses: HashMap<usize, Sense>,
    /// Senses of the coordinates of joints and couplers.
    pub coordinate_senses: HashMap<usize, Sense>,
    /// Points named by `let`, and, with an empty name, points at which something is measured.
    pub points: Vec<(String, Frame)>,
}

impl Parts {
    /// Returns the body with this space of names.
    pub fn body(&self, space: usize) -> Option<Body> {
        self.bodies.get(*self.by_space.get(&space)?).copied()
    }

    /// Returns the connection with this space of names.
    pub fn connection(&self, space: usize) -> Option<Connected> {
        self.connections.get(*self.by_space.get(&space)?).copied()
    }

    /// Returns the sense of a coordinate.
    pub fn sense_of_coordinate(&self, coordinate: usize) -> Sense {
        let body = self.bodies.iter().find_map(|body| {
            let i = coordinate.checked_sub(body.first)?;
            match (body.spatial, i) {
                (false, 0 | 1) | (true, 0..3) => Some(Sense::polar(i)),
                (false, 2) => Some(Sense::axial(2)),
                (true, 3) => Some(Sense::default()),
                (true, 4..7) => Some(Sense::axial(i - 4)),
                _ => None,
            }
        });
        body.or_else(|| self.coordinate_senses.get(&coordinate).copied()).unwrap_or_default()
    }
}

/// A connection of a component to a body or a frame.
#[derive(Debug, Clone, Copy)]
pub struct Connected {
    pub spatial: bool,
    pub bound: ConnectedFrame,
}

/// The frame that a connection is bound to.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "frames are copied wherever they are")]
pub enum ConnectedFrame {
    /// The component is used further below.
    Later,
    /// The binding has an error, which has been reported.
    Wrong,
    /// The frame, and the frame that it is given in with its place there, if a mirror image of it is known.
    Known { frame: Frame, given: Option<(Frame, Frame)> },
}

impl ConnectedFrame {
    /// Returns the frame, if it is known.
    pub fn frame(self) -> Option<Frame> {
        match self {
            ConnectedFrame::Known { frame, .. } => Some(frame),
            _ => None,
        }
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
    /// The axis of a torsional spring.
    pub axis: [f64; 3],
    /// Pull of a spring.
    pub force: Option<Id>,
    /// Torque of a torsional spring.
    pub torque: Option<Id>,
}

impl Element {
    pub fn new(kind: ElementKind) -> Self {
        Element {
            kind,
            progress: Progress::NotYet,
            length: None,
            angle: None,
            axis: [0.0, 0.0, 1.0],
            force: None,
            torque: None,
        }
    }
}
