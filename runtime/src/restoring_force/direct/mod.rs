//! The direct model of restoring forces (KE 2.3): the forces themselves are states, which the filter follows as if they were constant. It
//! shows the forces over time with any sensors, and, with displacement sensors, samples of their surfaces (KE 2.4).

mod forces;
mod identification;
mod model;
#[cfg(test)]
mod tests;

pub use forces::DirectForces;
pub use identification::{DirectIdentification, ExpectedForce};
pub use model::DirectModel;
