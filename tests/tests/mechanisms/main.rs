//! Bodies, chains and engines: closed forms, the same motion by other equations, sizes.

#![allow(missing_docs, reason = "the names of the models' parts say it")]

mod animation;
mod base_parameters;
mod chains;
mod engine;
mod engine_bodies;
mod engine_sizes;
mod planar_bodies;
mod spatial_bodies;
mod spatial_loops;
mod spatial_parts;
