//! Pictures of mechanisms in motion: one HTML page without a network, glTF with animation, stills as SVG. Diagrams of
//! signals are those of [`plot`].
//!
//! A [`Mechanism`] is the scene of a model with the numbers of one set of parameters, and a [`Motion`] has the places
//! of its bodies at moments of a run. The drawing has solids of flat faces, and lines that a body carries or that
//! extend from point to point; the page, the glTF file and the still are written from it independently of each other.
//!
//! An [`Animation`] has the run of a mechanism, or several next to each other: names and shapes, where all bodies are
//! at moments of the run, and its outputs. `Run::animation` of costate makes one of a run, `costate animate` of a
//! model's file. A [`Page`] is what reports are written as.
//!
//! A format of pictures is a file in `src` over `Drawing`, with its ending in `src/output.rs`; a kind of diagram is a
//! type in `plot` that a `Panel` takes, with a file in `plot/draw`.

mod animation;
mod drawing;
mod error;
mod gltf;
mod html;
mod mechanism;
mod mesh;
mod outline;
mod output;
mod page;
pub mod plot;
mod svg;
mod vector;

pub use animation::{Animation, Motion, Plot};
pub use error::AnimationError;
pub use mechanism::{Body, End, Mechanism, Part, Point, Shape};
pub use page::Page;
pub use vector::Pose;
