//! Base parameters: the combinations of parameters that the forces of any motion tell.
//!
//! The forces that a motion needs, M a - f, are linear in masses, first moments and inertias, in stiffnesses and
//! dampings. Their derivatives at random states that satisfy the constraints, without what the constraints take, are
//! the columns of a matrix; a parameter whose column is a combination of others is never told from these (Gautier,
//! Numerical calculation of the base inertial parameters of robots, Journal of Robotic Systems 8, 1991).

mod error;
mod independent;
mod linear;
mod random_states;
mod regressor;
mod search;
mod text;

use nalgebra::DMatrix;

use costate_system::body_inertia::BodyInertia;
use costate_system::identifiers::Parameter;
use costate_system::simulation::Simulation;

pub use error::BaseParameterError;
use independent::Independent;
use linear::LinearForm;
pub use linear::LinearParameter;

/// The combinations of unknown parameters that forces and accelerations of a mechanism tell, found at random states.
///
/// Forces are those along all motions that the constraints allow. Constraints that the time moves are drives, whose
/// forces are known as well: they hold nothing. A parameter that constraints depend on, such as a length, is left out.
///
/// ```text
/// let base = BaseParameters::find(&Simulation::new(&arm), [Arm::M_1, Arm::M_2, Arm::J_2], [])?;
/// println!("{base}"); // which combinations are determined, and what may be held fixed
/// ```
#[derive(Debug, Clone)]
pub struct BaseParameters {
    model: &'static str,
    form: LinearForm,
    /// The values of the unknown parameters.
    at: Vec<f64>,
    linear: Vec<LinearParameter>,
    independent: Independent,
    without_influence: Vec<usize>,
    curved: Vec<usize>,
    geometric: Vec<&'static str>,
    drives: Vec<&'static str>,
}

/// A combination of linear parameters that is determined: one of them, with coefficient 1, and multiples of others that
/// may be held fixed.
#[derive(Debug, Clone, PartialEq)]
pub struct BaseParameter {
    /// Place in [`BaseParameters::linear`] of the parameter that is kept.
    pub kept: usize,
    /// Places and coefficients of those whose forces are a part of it.
    pub others: Vec<(usize, f64)>,
    /// Value with the parameters of the simulation, in the unit of the kept one.
    pub value: f64,
}

impl BaseParameters {
    /// Finds the combinations of these unknown parameters, in whose order the first ones are kept, masses of bodies
    /// last. Of a body with products of inertia and centre, first moments and the inertia about the origin take their
    /// place, in which forces are linear.
    ///
    /// # Errors
    /// [`BaseParameterError`].
    pub fn find<M>(
        simulation: &Simulation<M>,
        unknown: impl IntoIterator<Item = Parameter<M>>,
        bodies: impl IntoIterator<Item = BodyInertia<M>>,
    ) -> Result<Self, BaseParameterError> {
        let unknown = unknown.into_iter().map(Parameter::erased).collect();
        let bodies: Vec<BodyInertia> = bodies.into_iter().map(|body| body.erased()).collect();
        search::found(simulation.description(), unknown, &bodies)
    }

    /// Returns the unknown parameters, without those of constraints: the columns of [`derivatives`](Self::derivatives).
    pub fn parameters(&self) -> &[Parameter] {
        &self.form.parameters
    }

    /// Returns the numbers in which forces are linear, one for every parameter.
    pub fn linear(&self) -> &[LinearParameter] {
        &self.linear
    }

    /// Returns the number of combinations that are determined.
    pub fn rank(&self) -> usize {
        self.independent.columns.len()
    }

    /// Returns the combinations that are determined.
    pub fn determined(&self) -> Vec<BaseParameter> {
        let columns = self.independent.columns.iter().enumerate();
        let one = |(place, &kept): (usize, &usize)| {
            let all = self.independent.dependent.iter().map(|(other, coefficients)| (*other, coefficients[place]));
            let others: Vec<_> = all.filter(|(_, coefficient)| *coefficient != 0.0).collect();
            let sum: f64 = others.iter().map(|&(other, coefficient)| coefficient * self.linear[other].value).sum();
            BaseParameter { kept, others, value: self.linear[kept].value + sum }
        };
        columns.map(one).collect()
    }

    /// Returns the places of linear parameters that change no force.
    pub fn without_influence(&self) -> &[usize] {
        &self.without_influence
    }

    /// Returns the places of linear parameters to hold fixed: what they do is done by those that are kept.
    pub fn fixed(&self) -> Vec<usize> {
        self.independent.dependent.iter().map(|(place, _)| *place).collect()
    }

    /// Returns the places of parameters in which forces are not linear: combinations with them hold for small changes
    /// about these values.
    pub fn curved(&self) -> &[usize] {
        &self.curved
    }

    /// Returns the names of unknown parameters that were left out, because constraints depend on them.
    pub fn geometric(&self) -> &[&'static str] {
        &self.geometric
    }

    /// Returns the names of the constraints that are drives.
    pub fn drives(&self) -> &[&'static str] {
        &self.drives
    }

    /// Returns the values of the determined combinations at other values of the [parameters](Self::parameters); of a
    /// list of another length, those of the simulation.
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let parameters = if parameters.len() == self.at.len() { parameters } else { &self.at };
        let linear = self.form.values(parameters);
        let value = |base: &BaseParameter| {
            let sum: f64 = base.others.iter().map(|&(other, coefficient)| coefficient * linear[other]).sum();
            linear[base.kept] + sum
        };
        self.determined().iter().map(value).collect()
    }

    /// Returns the derivatives of the determined combinations (rows) by the [parameters](Self::parameters), at these
    /// values of them: B C B^T with the covariance C of a fit is that of the combinations. Of a list of another length,
    /// those at the values of the simulation.
    pub fn derivatives(&self, parameters: &[f64]) -> DMatrix<f64> {
        let parameters = if parameters.len() == self.at.len() { parameters } else { &self.at };
        let mut combinations = DMatrix::zeros(self.rank(), parameters.len());
        for (row, base) in self.determined().iter().enumerate() {
            combinations[(row, base.kept)] = 1.0;
            base.others.iter().for_each(|&(other, coefficient)| combinations[(row, other)] = coefficient);
        }
        combinations * self.form.derivatives(parameters)
    }
}
