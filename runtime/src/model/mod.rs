//! What a compiled model is: the trait that `model!` implements, and the tables that describe it.

use crate::scalar::{Numbers, Scalar, Vector};
use crate::table::Tables;

/// A compiled multibody model; the struct that implements it holds the parameters' values.
///
/// The equations of motion in redundant coordinates (index-3 DAE) are
///
/// ```text
/// M(q,p) a + C_q(q,p,t)^T lambda = f(q,v,p,u,t),   C(q,p,t) = 0,   s = s(q,v,a,lambda,p,u,t)
/// ```
///
/// with n coordinates q, velocities v, accelerations a, m constraints C with multipliers lambda, parameters p,
/// inputs u and outputs s. G = C_q^T lambda - f is called the *force residual*.
///
/// `model!` writes the implementation. Each function fills a whole array, the *group*: a sequence of
/// [`Block`]s (vectors and the nonzeros of matrices) laid out as [`Description::groups`] says. Shared
/// subexpressions are computed once per group; what depends on parameters alone once per run, in
/// [`constants`](Model::constants).
pub trait Model: Clone + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// Names, units, patterns and sizes.
    const DESCRIPTION: Description;

    /// n coordinates, velocities or accelerations.
    type Coordinates<S: Scalar>: Vector<S>;
    /// m Lagrange multipliers or constraints.
    type Multipliers<S: Scalar>: Vector<S>;
    /// The n + m unknowns of a step: accelerations and multipliers.
    type Unknowns<S: Scalar>: Vector<S>;
    /// All parameters.
    type Parameters<S: Scalar>: Vector<S>;
    /// All inputs.
    type Inputs<S: Scalar>: Vector<S>;
    /// All outputs.
    type Outputs<S: Scalar>: Vector<S>;
    /// What does not change during a run.
    type Constants<S: Scalar>: Clone + Send + Sync + 'static;
    /// Array of [`Groups::initial`].
    type Initial<S: Scalar>: Vector<S>;
    /// Array of [`Groups::initial_derivatives`].
    type InitialDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::residual`].
    type Residual<S: Scalar>: Vector<S>;
    /// Array of [`Groups::newton`].
    type Newton<S: Scalar>: Vector<S>;
    /// Array of [`Groups::adjoint`].
    type Adjoint<S: Scalar>: Vector<S>;
    /// The factors of the Newton matrix that change during a run, see [`Elimination`].
    type Factors<S: Scalar>: Vector<S>;
    /// What [`adjoint_recurrence`](Model::adjoint_recurrence) uses besides the factors.
    type AdjointCoefficients<S: Scalar>: Vector<S>;
    /// Array of [`Groups::linearization`].
    type Linearization<S: Scalar>: Vector<S>;
    /// Array of [`Groups::kinematics`].
    type Kinematics<S: Scalar>: Vector<S>;
    /// Array of [`Groups::kinematics_derivatives`].
    type KinematicsDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::output_derivatives`].
    type OutputDerivatives<S: Scalar>: Vector<S>;
    /// Array of [`Groups::input_derivatives`].
    type InputDerivatives<S: Scalar>: Vector<S>;

    /// The parameters' values, in the order of declaration.
    fn parameters(&self) -> Self::Parameters<f64>;
    /// The model with these parameters.
    fn from_parameters(parameters: &Self::Parameters<f64>) -> Self;

    /// The data of the tables that are part of the model; tables that are given to a run have none here.
    fn tables() -> Tables<Self> {
        Tables::none()
    }

    /// Everything that depends on parameters (and the integrator's weights) alone, and the tables.
    fn constants<S: Scalar>(
        parameters: &Self::Parameters<S>,
        weights: &Weights,
        tables: &Tables<Self>,
    ) -> Self::Constants<S>;
    /// The initial values that the model specifies: q0(p), v0(p); zero where it leaves them open.
    fn initial<S: Scalar>(constants: &Self::Constants<S>, out: &mut Self::Initial<S>);
    /// Their derivatives with respect to the parameters.
    fn initial_derivatives<S: Scalar>(constants: &Self::Constants<S>, out: &mut Self::InitialDerivatives<S>);
    /// M a, the force residual G, and C.
    fn residual<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Residual<S>);
    /// The same, with the Newton matrix `w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v` and C_q.
    fn newton<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Newton<S>);
    /// The correction `-K^-1 r` of a and lambda in an iteration of Newton's method, with
    /// `r = (w_a M a + G - history, C/w_q)` and the Newton matrix K, and the factors of K in the order of pivots of
    /// [`Description::elimination`]. This and the following functions do nothing without an [`Elimination`].
    fn newton_correction<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _history: &Self::Coordinates<S>,
        _correction: &mut Self::Unknowns<S>,
        _factors: &mut Self::Factors<S>,
    ) {
    }
    /// The same with given factors, those of an earlier iteration.
    fn chord_correction<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _history: &Self::Coordinates<S>,
        _correction: &mut Self::Unknowns<S>,
        _factors: &Self::Factors<S>,
    ) {
    }
    /// Solves with the Newton matrix; `unknowns` holds the right-hand side (n equations of motion, m constraints)
    /// before and the solution after.
    fn solve<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: &Self::Factors<S>,
        _unknowns: &mut Self::Unknowns<S>,
    ) {
    }
    /// Solves with the transposed Newton matrix.
    fn solve_transposed<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: &Self::Factors<S>,
        _unknowns: &mut Self::Unknowns<S>,
    ) {
    }
    /// The matrices of the discrete adjoint: C_q, (M a)_q, G_q, G_v, (M a)_p, G_p, C_p, and the factors of the Newton
    /// matrix; the Newton matrix itself where there is no [`Elimination`].
    fn adjoint<S: Scalar>(
        at: &Point<'_, Self, S>,
        out: &mut Self::Adjoint<S>,
        factors: &mut Self::Factors<S>,
    );
    /// What a step of the discrete adjoint (DA 9 to 20) depends on besides the adjoint variables of the step after it:
    /// the factors of the Newton matrix, and the coefficients of [`adjoint_recurrence`](Model::adjoint_recurrence) with
    /// respect to the `selected` parameters. Models without [coefficients](Self::AdjointCoefficients), as large ones of
    /// like parts, have [`adjoint_step`](Model::adjoint_step) in one piece.
    fn adjoint_coefficients<S: Scalar>(
        _at: &Point<'_, Self, S>,
        _output_gradient: &Self::Outputs<S>,
        _selected: &SelectedParameters,
        _coefficients: &mut Self::AdjointCoefficients<S>,
        _factors: &mut Self::Factors<S>,
    ) {
    }
    /// The adjoint variables of a step from those of the step after it, and what the step adds to dJ/dp; entries of
    /// parameters that are not `selected` keep their values.
    fn adjoint_recurrence<S: Scalar>(
        _constants: &Self::Constants<S>,
        _factors: impl Numbers<S>,
        _coefficients: impl Numbers<S>,
        _selected: &SelectedParameters,
        _later: &AdjointVariables<Self, S>,
        _adjoint: &mut AdjointVariables<Self, S>,
        _gradient: &mut Self::Parameters<S>,
    ) {
    }
    /// One step of the discrete adjoint: coefficients from the state and dJ/ds, then the recurrence.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn adjoint_step<S: Scalar>(
        at: &Point<'_, Self, S>,
        output_gradient: &Self::Outputs<S>,
        selected: &SelectedParameters,
        later: &AdjointVariables<Self, S>,
        adjoint: &mut AdjointVariables<Self, S>,
        gradient: &mut Self::Parameters<S>,
        coefficients: &mut Self::AdjointCoefficients<S>,
        factors: &mut Self::Factors<S>,
    ) {
        Self::adjoint_coefficients(at, output_gradient, selected, coefficients, factors);
        Self::adjoint_recurrence(at.constants, &*factors, &*coefficients, selected, later, adjoint, gradient);
    }
    /// f and C_q^T lambda, and every first derivative of them, of M a and of C on its own.
    fn linearization<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Linearization<S>);
    /// The constraint at velocity level, `C_q v + C_t`, and at acceleration level,
    /// `C_q a + (C_q v)_q v + 2 C_qt v + C_tt`.
    fn kinematics<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Kinematics<S>);
    /// Their derivatives with respect to q, v and p (those with respect to v and a that equal C_q left out).
    fn kinematics_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::KinematicsDerivatives<S>);
    /// The outputs s.
    fn outputs<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::Outputs<S>);
    /// Their derivatives with respect to q, v, a, lambda, p and u.
    fn output_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::OutputDerivatives<S>);
    /// The derivatives of G and of the outputs with respect to the inputs.
    fn input_derivatives<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Self::InputDerivatives<S>);
}

/// Where an emitted function is evaluated.
#[derive(Debug)]
pub struct Point<'a, M: Model, S: Scalar> {
    /// Time t in s.
    pub time: S,
    /// Generalized coordinates q.
    pub coordinates: &'a M::Coordinates<S>,
    /// Velocities v = q'.
    pub velocities: &'a M::Coordinates<S>,
    /// Accelerations a = q''.
    pub accelerations: &'a M::Coordinates<S>,
    /// Lagrange multipliers lambda.
    pub multipliers: &'a M::Multipliers<S>,
    /// Inputs u(t).
    pub inputs: &'a M::Inputs<S>,
    /// The run's constants.
    pub constants: &'a M::Constants<S>,
}

impl<'a, M: Model, S: Scalar> Point<'a, M, S> {
    /// At a state in its stored form: q, v, a, lambda in sequence (3n + m).
    #[inline(always)]
    pub(crate) fn of_stored(
        time: f64,
        stored: &'a [S],
        inputs: &'a M::Inputs<S>,
        constants: &'a M::Constants<S>,
    ) -> Option<Self> {
        let (coordinates, stored) = Vector::split_first(stored)?;
        let (velocities, stored) = Vector::split_first(stored)?;
        let (accelerations, stored) = Vector::split_first(stored)?;
        let (multipliers, _) = Vector::split_first(stored)?;
        let time = S::constant(time);
        Some(Self { time, coordinates, velocities, accelerations, multipliers, inputs, constants })
    }
}

/// The adjoint variables of a step of the discrete adjoint (DA 9), multipliers of the scheme's equations.
#[derive(Debug, Clone)]
pub struct AdjointVariables<M: Model, S: Scalar> {
    /// Of the formula for q (n).
    pub y: M::Coordinates<S>,
    /// Of the formula for v (n).
    pub z: M::Coordinates<S>,
    /// Of the formula for the auxiliary acceleration (n).
    pub auxiliary: M::Coordinates<S>,
    /// Of the equations of motion (n).
    pub w: M::Coordinates<S>,
    /// Of the constraints, divided by beta h^2 (m).
    pub mu: M::Multipliers<S>,
}

impl<M: Model, S: Scalar> AdjointVariables<M, S> {
    /// Those after the last step.
    pub fn zeros() -> Self {
        Self {
            y: Vector::zeros(),
            z: Vector::zeros(),
            auxiliary: Vector::zeros(),
            w: Vector::zeros(),
            mu: Vector::zeros(),
        }
    }
}

/// The parameters with respect to which a gradient is computed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelectedParameters {
    contains: Vec<bool>,
}

/// Parameters with respect to which no gradient can be computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// An index that is not that of a parameter.
    #[error("`{model}` has no parameter with the index {index}; it has {count}, with the indices from 0 on")]
    NoParameter {
        /// The index.
        index: usize,
        /// Number of parameters that the model has.
        count: usize,
        /// The model's name.
        model: &'static str,
    },
    /// A parameter that is selected more than once.
    #[error("the parameter `{name}` (index {index}) is unknown twice; name it once")]
    Repeated {
        /// The parameter's name.
        name: &'static str,
        /// Its index.
        index: usize,
    },
}

impl SelectedParameters {
    /// The parameters of the model `M` with these indices.
    ///
    /// # Errors
    /// [`SelectionError`] for an index that the model does not have, and for one that is there more than once.
    pub fn of<M: Model>(indices: &[usize]) -> Result<Self, SelectionError> {
        let Description { name: model, parameters, .. } = M::DESCRIPTION;
        let mut contains = vec![false; parameters.len()];
        for &index in indices {
            match contains.get_mut(index) {
                None => return Err(SelectionError::NoParameter { index, count: parameters.len(), model }),
                Some(true) => return Err(SelectionError::Repeated { name: parameters[index].name, index }),
                Some(selected) => *selected = true,
            }
        }
        Ok(Self { contains })
    }

    /// Whether parameter `index` is one of them.
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.contains.get(index).copied().unwrap_or(false)
    }
}

/// The weights with which an implicit integrator combines the Newton matrix
/// `w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v`: for HHT w_a = 1/(1+alpha), w_q = beta h^2, w_v = gamma h; with the numbers of
/// a step from the state, the acceleration a and the auxiliary acceleration s before it,
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
    /// How the adjoint variables y of the step after enter the equation for w, in s^2.
    pub carried_coordinates: f64,
    /// How z of the step after does, in s.
    pub carried_velocities: f64,
    /// How those of s of the step after do.
    pub carried_auxiliaries: f64,
}

impl Weights {
    /// Of the equations of motion alone, without a step.
    pub(crate) const NO_STEP: Self = Self {
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
        carried_coordinates: 0.0,
        carried_velocities: 0.0,
        carried_auxiliaries: 0.0,
    };

    /// With the numbers of the adjoint, which follow from those of the step.
    pub(crate) fn with_carried(self) -> Self {
        Self {
            carried_coordinates: self.coordinates_of_acceleration
                + self.coordinates
                + self.velocities * self.step
                + self.auxiliary_of_new * self.coordinates_of_auxiliary,
            carried_velocities: self.velocities_of_acceleration
                + self.velocities
                + self.auxiliary_of_new * self.velocities_of_auxiliary,
            carried_auxiliaries: self.auxiliary_of_acceleration
                + self.auxiliary_of_new * self.auxiliary_of_auxiliary,
            ..self
        }
    }
}

/// A named quantity of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    /// Name as declared; `x[2]` for an element of an array.
    pub name: &'static str,
    /// Unit as declared; `1` if dimensionless.
    pub unit: &'static str,
    /// Documentation as written above the declaration.
    pub documentation: &'static str,
}

impl Quantity {
    /// What stands for a quantity that a model does not have.
    pub(crate) const NONE: Self = Self { name: "?", unit: "?", documentation: "" };
}

/// A table of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableDescription {
    /// Name, documentation and the unit of the values.
    pub quantity: Quantity,
    /// Names and units of the arguments, one or two.
    pub arguments: &'static [Quantity],
}

/// What is known of a model when its crate is built.
#[derive(Debug, Clone, Copy)]
pub struct Description {
    /// The model's name.
    pub name: &'static str,
    /// Parameters, in the order of declaration.
    pub parameters: &'static [Quantity],
    /// Inputs.
    pub inputs: &'static [Quantity],
    /// Coordinates.
    pub coordinates: &'static [Quantity],
    /// Constraints; the unit is that of the multiplier's partner, empty where it is not declared.
    pub constraints: &'static [Quantity],
    /// Outputs.
    pub outputs: &'static [Quantity],
    /// Tables.
    pub tables: &'static [TableDescription],
    /// Coordinates whose initial position the model specifies.
    pub specified_coordinates: &'static [bool],
    /// Coordinates whose initial velocity the model specifies.
    pub specified_velocities: &'static [bool],
    /// Layout of every group.
    pub groups: Groups,
    /// How [`Model::newton_correction`] eliminates the Newton matrix; `None` for a model that is too large to write that out.
    pub elimination: Option<Elimination>,
}

/// The elimination of the Newton matrix [N, C_q^T; C_q, 0] that was laid out when the model was compiled: its order of
/// pivots, and which of its factors change during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elimination {
    /// Rows of constraints, n + i, that are added to equations of motion before the elimination begins, times their own
    /// entry there and a moment of inertia.
    pub sums: &'static [u32],
    /// (row, column) of every pivot, in order; n + i stands for constraint i and its multiplier.
    pub pivots: &'static [(u32, u32)],
    /// The varying factors. One element of the array may be several factors, up to the sign.
    pub factors: &'static [Factor],
}

/// A varying factor of the Newton matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// What it is.
    pub part: FactorPart,
    /// Its row in the Newton matrix.
    pub row: u32,
    /// Its column.
    pub column: u32,
    /// Its place in the array of [`Model::Factors`].
    pub index: u32,
}

/// The parts of the factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorPart {
    /// The reciprocal of a pivot.
    Pivot,
    /// An entry of U beside the pivots, which are not divided out.
    Upper,
    /// An entry of L.
    Lower,
}

/// The layout of the emitted functions' results.
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    /// [`Model::initial`].
    pub initial: &'static [Block],
    /// [`Model::initial_derivatives`].
    pub initial_derivatives: &'static [Block],
    /// [`Model::residual`].
    pub residual: &'static [Block],
    /// [`Model::newton`].
    pub newton: &'static [Block],
    /// [`Model::adjoint`].
    pub adjoint: &'static [Block],
    /// [`Model::linearization`].
    pub linearization: &'static [Block],
    /// [`Model::kinematics`].
    pub kinematics: &'static [Block],
    /// [`Model::kinematics_derivatives`].
    pub kinematics_derivatives: &'static [Block],
    /// [`Model::outputs`].
    pub outputs: &'static [Block],
    /// [`Model::output_derivatives`].
    pub output_derivatives: &'static [Block],
    /// [`Model::input_derivatives`].
    pub input_derivatives: &'static [Block],
}

/// A vector function of a model, or the matrix of its derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// q0(p), the initial positions (n).
    InitialCoordinates,
    /// v0(p), the initial velocities (n).
    InitialVelocities,
    /// M a (n).
    Inertia,
    /// f, the generalized forces (n).
    Force,
    /// C_q^T lambda, the constraint forces (n).
    ConstraintForce,
    /// G = C_q^T lambda - f (n).
    ForceResidual,
    /// The combination that a step solves, with q, v depending on a through [`Weights`] (n).
    Step,
    /// C (m).
    Constraint,
    /// C_q v + C_t (m).
    ConstraintVelocity,
    /// C_q a + (C_q v)_q v + 2 C_qt v + C_tt (m).
    ConstraintAcceleration,
    /// s, the outputs.
    Output,
}

/// What a function is differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// q
    Coordinates,
    /// v
    Velocities,
    /// a
    Accelerations,
    /// lambda
    Multipliers,
    /// p
    Parameters,
    /// u
    Inputs,
}

/// One vector or sparse matrix in a group's array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The function.
    pub function: Function,
    /// The argument of the derivative; `None` for the function's value, which is stored densely.
    pub argument: Option<Argument>,
    /// Length of the function's value.
    pub rows: usize,
    /// Length of the argument; 1 for a value.
    pub columns: usize,
    /// Index of the first entry in the group's array.
    pub offset: usize,
    /// (row, column) of every stored entry, by rows; a value has all rows.
    pub entries: &'static [(u32, u32)],
}
