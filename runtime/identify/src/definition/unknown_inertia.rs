//! Bodies whose mass and inertia are found together.

use costate_system::body_inertia::BodyInertia;

/// A body whose mass and inertia are unknown, and stay those of a possible body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnknownInertia {
    pub body: BodyInertia,
    /// Prior deviation about the start, relative to sizes of the body.
    pub deviation: Option<f64>,
}
