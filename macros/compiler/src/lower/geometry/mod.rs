//! Bodies in space: where they and the frames in them are, how they move, and what joins two frames.
//!
//! Functions of coordinates, built in the graph; nothing here knows of names or of what the user wrote. Planar bodies
//! are spatial ones that stay in the plane z = 0 and turn about z alone, so that positions, forces and most joints are
//! written once.

mod body;
mod ends;
pub mod euler;
mod frame;
mod reflection;
pub mod vector;

pub use body::{Body, angular_velocity, global_map, local_map, origin};
pub use ends::Ends;
pub use frame::Frame;
pub use reflection::{Reflection, Sense};
pub use vector::{Matrix, Vector};
