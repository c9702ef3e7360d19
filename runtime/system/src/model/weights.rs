//! The weights of a step that emitted functions take.

/// The weights with which an implicit integrator combines the Newton matrix
/// `w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v`: for HHT w_a = 1/(1+alpha), w_q = beta h^2, w_v = gamma h; with
/// the coefficients of the state, the acceleration a and the auxiliary acceleration s before a step in its
/// formulas,
///
/// ```text
/// q_i = q_{i-1} + h v_{i-1} + (dq/ds) s_{i-1} + (dq/da) a_{i-1} + w_q a_i
/// v_i = v_{i-1} + (dv/ds) s_{i-1} + (dv/da) a_{i-1} + w_v a_i
/// s_i = (ds/da_i) a_i + (ds/da) a_{i-1} + (ds/ds) s_{i-1}
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Weights {
    /// w_a, of the mass matrix.
    pub accelerations: f64,
    /// w_q = dq/da of one step, in s^2.
    pub coordinates: f64,
    /// w_v = dv/da of one step, in s.
    pub velocities: f64,
    /// h, the step size in s.
    pub step: f64,
    /// alpha/(1+alpha), the weight of the force residual of the step before.
    pub previous: f64,
    /// dq/ds in s^2.
    pub coordinates_of_auxiliary: f64,
    /// dq/da of the acceleration before, in s^2.
    pub coordinates_of_acceleration: f64,
    /// dv/ds in s.
    pub velocities_of_auxiliary: f64,
    /// dv/da of the acceleration before, in s.
    pub velocities_of_acceleration: f64,
    /// ds/da_i of the new acceleration.
    pub auxiliary_of_new: f64,
    /// ds/da of the acceleration before.
    pub auxiliary_of_acceleration: f64,
    /// ds/ds.
    pub auxiliary_of_auxiliary: f64,
    /// C_q h in s: a step that begins again has s = C_q h a' along the constraints.
    pub displacement: f64,
    /// Weight of the adjoint variables y of the step after in the equation for w, in s^2.
    pub carried_coordinates: f64,
    /// Weight of the adjoint variables z of the step after in the equation for w, in s.
    pub carried_velocities: f64,
    /// Weight of the adjoint variables of s of the step after in the equation for w.
    pub carried_auxiliaries: f64,
}

impl Weights {
    /// The weights of the equations of motion alone, without a step.
    #[doc(hidden)]
    pub const NO_STEP: Self = Self {
        accelerations: 1.0,
        coordinates: 0.0,
        velocities: 0.0,
        step: 0.0,
        previous: 0.0,
        coordinates_of_auxiliary: 0.0,
        coordinates_of_acceleration: 0.0,
        velocities_of_auxiliary: 0.0,
        velocities_of_acceleration: 0.0,
        auxiliary_of_new: 0.0,
        auxiliary_of_acceleration: 0.0,
        auxiliary_of_auxiliary: 0.0,
        displacement: 0.0,
        carried_coordinates: 0.0,
        carried_velocities: 0.0,
        carried_auxiliaries: 0.0,
    };

    /// Adds the weights of the adjoint, which follow from those of the step.
    #[doc(hidden)]
    pub fn with_carried(self) -> Self {
        Self {
            carried_coordinates: self.coordinates_of_acceleration
                + self.coordinates
                + self.velocities * self.step
                + self.auxiliary_of_new * self.coordinates_of_auxiliary,
            carried_velocities: self.velocities_of_acceleration
                + self.velocities
                + self.auxiliary_of_new * self.velocities_of_auxiliary,
            carried_auxiliaries: self.auxiliary_of_acceleration + self.auxiliary_of_new * self.auxiliary_of_auxiliary,
            ..self
        }
    }
}
