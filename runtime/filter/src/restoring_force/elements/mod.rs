//! Elements of any `model!`, whose deformations are functions of its state: z = beta(x) and v = gamma(x) (KE 2.3).

mod identification;
mod virtual_work;

use costate_system::identifiers::{Dynamic, Output, Parameter};

pub use identification::ElementIdentification;

/// An element of a model whose force is unknown: in the model it is s z + d v, with two parameters that a filter lets
/// follow the oscillation.
///
/// The force may act by any lever, between any bodies: of the model
///
/// ```text
/// elements {
///     strut: spring(frame.at(b, c), arm.at(a, 0), stiffness = s, damping = d, length = l)
/// }
/// outputs { stroke: m = strut.length - l, speed: m/s = ... }
/// ```
///
/// the element has the deformation `stroke`, the rate `speed`, the stiffness `s` and the damping `d`.
#[derive(Debug)]
pub struct ModelElement<M = Dynamic> {
    /// z, an output of the coordinates, in m.
    pub deformation: Output<M>,
    /// v = z', an output of coordinates and velocities, in m/s.
    pub rate: Output<M>,
    /// s in N/m; the model has what is expected on average.
    pub stiffness: Parameter<M>,
    /// d in N s/m; the model has what is expected on average.
    pub damping: Parameter<M>,
}

impl<M> Clone for ModelElement<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for ModelElement<M> {}

impl<M> ModelElement<M> {
    /// Without the type of the model.
    fn erased(self) -> ModelElement {
        ModelElement {
            deformation: self.deformation.erased(),
            rate: self.rate.erased(),
            stiffness: self.stiffness.erased(),
            damping: self.damping.erased(),
        }
    }
}
