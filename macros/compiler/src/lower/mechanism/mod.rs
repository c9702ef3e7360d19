//! Bodies, joints, couplers and elements, which become coordinates, masses, forces and constraints of the model, so
//! that later stages need not know them.
//!
//! Only the scene keeps them, for pictures and lists (`scene`). Points, directions and sizes depend on parameters alone
//! and are numbered: one emitted function of the parameters (`program/build/run.rs`, `Functions::geometry`) computes
//! the numbers, and a table in the description says which numbers belong to a part. The place of a body follows from
//! its coordinates. stages need not know them.

mod body;
mod couplers;
mod declare;
mod elements;
mod gravity;
mod inertia;
mod initial;
mod joint_constraints;
mod joints;
mod laws;
mod loads;
mod options;
mod scene;
mod scene_builder;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};

use syn::ext::IdentExt;

use super::expressions::Expressions;
use super::geometry::{Body, Vector};
use super::names::{Kind, Names};
use super::system::System;
use crate::diagnostic::Place;
use crate::model::{BodyMass, ModelBody, ModelFiles, Norm};
use crate::symbolic::{Graph, Id};
use crate::syntax::ast::DeclaredName;
use scene_builder::SceneBuilder;

/// The bodies, joints and elements of a model while it is read.
#[derive(Default)]
pub struct Mechanism {
    pub system: System,
    /// State of each body apart from its coordinates.
    bodies: Vec<BodyState>,
    pub gravity: Option<(Vector, Place)>,
    /// Bodies as they are written.
    pub written_bodies: Vec<ModelBody>,
    /// Masses and moments of inertia of bodies.
    pub body_masses: Vec<BodyMass>,
    /// The norms of Euler parameters.
    pub norms: Vec<Norm>,
    /// Constraints of joints and couplers, with the axis of each in its first frame.
    pub of_joints: BTreeMap<usize, [f64; 3]>,
    /// Coordinates that describe rotations of bodies.
    pub turning: BTreeSet<usize>,
    /// Places of all parts, for pictures.
    pub scene: SceneBuilder,
    /// The files of meshes, by body and shape.
    pub mesh_files: BTreeMap<(usize, usize), String>,
    /// Folders of the model's files.
    pub files: ModelFiles,
}

/// The progress of reading a body.
struct BodyState {
    /// Mass and centre of mass in the body's frame; `None` until they have been read.
    inertia: Option<(Id, Vector)>,
    place: Place,
    /// True if an initial orientation is given above.
    oriented: bool,
}

impl Mechanism {
    fn expressions(&mut self) -> &mut Expressions {
        &mut self.system.expressions
    }

    fn names(&mut self) -> &mut Names {
        &mut self.system.expressions.names
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.system.expressions.graph
    }

    /// Reports a mistake.
    fn error(&mut self, place: impl Into<Place>, message: impl Into<String>) {
        self.system.error(place, message);
    }

    /// Reports a mistake, and returns `None` in place of a value.
    fn refuse<T>(&mut self, place: impl Into<Place>, message: impl Into<String>) -> Option<T> {
        self.names().report.refuse(place, message)
    }

    fn body(&self, position: usize) -> Body {
        self.system.expressions.parts.bodies[position]
    }

    /// Lists the parts that an entry declares, each with its space of names and its position among the parts of its
    /// kind.
    fn declared(&mut self, name: &DeclaredName, kind: Kind) -> Vec<(usize, usize)> {
        let text = name.ident.unraw().to_string();
        let Expressions { names, parts, .. } = &mut self.system.expressions;
        let indices = names.declared_indices(name);
        let spaces = indices.into_iter().filter_map(|index| names.table.here().position(&text, index, kind));
        spaces.filter_map(|space| Some((space, *parts.by_space.get(&space)?))).collect()
    }
}
