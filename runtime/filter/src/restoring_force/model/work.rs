//! The work space of a step.

use nalgebra::DMatrix;

/// Work space of a step.
#[derive(Debug, Clone)]
pub(super) struct Work {
    /// Net forces on the elements.
    pub forces: Vec<f64>,
    /// M^-1 times those.
    pub accelerations: Vec<f64>,
    /// Inputs in the middle of the step.
    pub inputs: Vec<f64>,
    /// v' of the three stages, and z and v of a stage.
    pub stages: [Vec<f64>; 3],
    pub deformations: Vec<f64>,
    pub rates: Vec<f64>,
    /// dz, dv and dv' of a stage with respect to x_{i-1} (N x n each).
    pub slopes: [DMatrix<f64>; 2],
    pub acceleration_slopes: [DMatrix<f64>; 3],
    pub force_slopes: DMatrix<f64>,
}

impl Work {
    pub fn new(elements: usize, states: usize, inputs: usize) -> Self {
        let (vector, matrix) = (|| vec![0.0; elements], || DMatrix::zeros(elements, states));
        Self {
            forces: vector(),
            accelerations: vector(),
            inputs: vec![0.0; inputs],
            stages: [vector(), vector(), vector()],
            deformations: vector(),
            rates: vector(),
            slopes: [matrix(), matrix()],
            acceleration_slopes: [matrix(), matrix(), matrix()],
            force_slopes: matrix(),
        }
    }
}
