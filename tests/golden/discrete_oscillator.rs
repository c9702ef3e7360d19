/// Free oscillator with an acceleration sensor (DA 4).
///
/// The fields are the values of the model's parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(non_snake_case)]
pub struct DiscreteOscillator {
    /// Parameter `m`.
    ///
    /// Unit: `kg`. Default: 1.
    pub m: f64,
    /// Parameter `c`.
    ///
    /// Unit: `N/m`. Default: 1.
    pub c: f64,
    /// Parameter `d`.
    ///
    /// Unit: `N*s/m`. Default: 0.5.
    pub d: f64,
    /// Initial displacement.
    ///
    /// Unit: `m`. Default: 1.
    pub q_0: f64,
}
#[automatically_derived]
#[allow(clippy::all, clippy::pedantic)]
impl ::core::default::Default for DiscreteOscillator {
    fn default() -> Self {
        Self {
            m: 1.0,
            c: 1.0,
            d: 0.5,
            q_0: 1.0,
        }
    }
}
#[allow(dead_code)]
impl DiscreteOscillator {
    /// Parameter `m`.
    ///
    /// Unit: `kg`.
    pub const M: ::costate::Parameter<Self> = ::costate::Parameter::at(0);
    /// Parameter `c`.
    ///
    /// Unit: `N/m`.
    pub const C: ::costate::Parameter<Self> = ::costate::Parameter::at(1);
    /// Parameter `d`.
    ///
    /// Unit: `N*s/m`.
    pub const D: ::costate::Parameter<Self> = ::costate::Parameter::at(2);
    /// Initial displacement.
    ///
    /// Unit: `m`.
    pub const Q_0: ::costate::Parameter<Self> = ::costate::Parameter::at(3);
    /// Coordinate `q`.
    ///
    /// Unit: `m`.
    pub const Q: ::costate::Coordinate<Self> = ::costate::Coordinate::at(0);
    /// Output `acceleration`.
    ///
    /// Unit: `m/s^2`.
    pub const ACCELERATION: ::costate::Output<Self> = ::costate::Output::at(0);
}
/// What does not change during a run of [`DiscreteOscillator`], computed once.
#[derive(Debug, Clone)]
#[allow(non_snake_case)]
pub struct DiscreteOscillatorConstants<S> {
    /// `m`
    pub m: S,
    /// `c`
    pub c: S,
    /// `d`
    pub d: S,
    /// `q_0`
    pub q_0: S,
    /// `w_a`
    pub w_a: S,
    /// `w_q`
    pub w_q: S,
    /// `w_v`
    pub w_v: S,
    /// `h`
    pub h: S,
    /// `w_previous`
    pub w_previous: S,
    /// `-c`
    pub k1: S,
    /// `w_a*m`
    pub k2: S,
    /// `w_a*m + w_q*c + w_v*d`
    pub k3: S,
    /// `1/(w_a*m + w_q*c + w_v*d)`
    pub k4: S,
    /// `h - w_v`
    pub k5: S,
    /// `-d`
    pub k6: S,
    /// `0.5*(h*h) - w_q`
    pub k7: S,
}
#[automatically_derived]
#[allow(clippy::all, clippy::pedantic, non_snake_case, unused_parens)]
impl ::costate::Model for DiscreteOscillator {
    const DESCRIPTION: ::costate::Description = ::costate::Description {
        name: "DiscreteOscillator",
        parameters: &[
            ::costate::Quantity {
                name: "m",
                unit: "kg",
                documentation: "",
            },
            ::costate::Quantity {
                name: "c",
                unit: "N/m",
                documentation: "",
            },
            ::costate::Quantity {
                name: "d",
                unit: "N*s/m",
                documentation: "",
            },
            ::costate::Quantity {
                name: "q_0",
                unit: "m",
                documentation: "Initial displacement.",
            },
        ],
        inputs: &[],
        coordinates: &[
            ::costate::Quantity {
                name: "q",
                unit: "m",
                documentation: "",
            },
        ],
        constraints: &[],
        outputs: &[
            ::costate::Quantity {
                name: "acceleration",
                unit: "m/s^2",
                documentation: "",
            },
        ],
        tables: &[],
        specified_coordinates: &[true],
        specified_velocities: &[false],
        groups: ::costate::Groups {
            initial: &[
                ::costate::Block {
                    function: ::costate::Function::InitialCoordinates,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::InitialVelocities,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 1,
                    entries: &[(0, 0)],
                },
            ],
            initial_derivatives: &[
                ::costate::Block {
                    function: ::costate::Function::InitialCoordinates,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 0,
                    entries: &[(0, 3)],
                },
                ::costate::Block {
                    function: ::costate::Function::InitialVelocities,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 1,
                    entries: &[],
                },
            ],
            residual: &[
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::ForceResidual,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 1,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::None,
                    rows: 0,
                    columns: 1,
                    offset: 2,
                    entries: &[],
                },
            ],
            newton: &[
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::ForceResidual,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 1,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::None,
                    rows: 0,
                    columns: 1,
                    offset: 2,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Step,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Accelerations,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 2,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 3,
                    entries: &[],
                },
            ],
            adjoint: &[
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ForceResidual,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::ForceResidual,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Velocities,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 1,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 2,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::ForceResidual,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 3,
                    entries: &[(0, 1), (0, 2)],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 0,
                    columns: 4,
                    offset: 5,
                    entries: &[],
                },
            ],
            linearization: &[
                ::costate::Block {
                    function: ::costate::Function::Force,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintForce,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 1,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Accelerations,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 2,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 3,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Inertia,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 3,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Force,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 4,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Force,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Velocities,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 5,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Force,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 6,
                    entries: &[(0, 1), (0, 2)],
                },
                ::costate::Block {
                    function: ::costate::Function::Force,
                    argument: ::core::option::Option::Some(::costate::Argument::Inputs),
                    rows: 1,
                    columns: 0,
                    offset: 8,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintForce,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 8,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintForce,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 8,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 8,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Constraint,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 0,
                    columns: 4,
                    offset: 8,
                    entries: &[],
                },
            ],
            kinematics: &[
                ::costate::Block {
                    function: ::costate::Function::ConstraintVelocity,
                    argument: ::core::option::Option::None,
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintAcceleration,
                    argument: ::core::option::Option::None,
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
            ],
            kinematics_derivatives: &[
                ::costate::Block {
                    function: ::costate::Function::ConstraintVelocity,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintVelocity,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 0,
                    columns: 4,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintAcceleration,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintAcceleration,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Velocities,
                    ),
                    rows: 0,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::ConstraintAcceleration,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 0,
                    columns: 4,
                    offset: 0,
                    entries: &[],
                },
            ],
            outputs: &[
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::None,
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
            ],
            output_derivatives: &[
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Coordinates,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Velocities,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Accelerations,
                    ),
                    rows: 1,
                    columns: 1,
                    offset: 0,
                    entries: &[(0, 0)],
                },
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Multipliers,
                    ),
                    rows: 1,
                    columns: 0,
                    offset: 1,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(
                        ::costate::Argument::Parameters,
                    ),
                    rows: 1,
                    columns: 4,
                    offset: 1,
                    entries: &[],
                },
                ::costate::Block {
                    function: ::costate::Function::Output,
                    argument: ::core::option::Option::Some(::costate::Argument::Inputs),
                    rows: 1,
                    columns: 0,
                    offset: 1,
                    entries: &[],
                },
            ],
        },
        elimination: ::core::option::Option::Some(::costate::Elimination {
            pivots: &[(0, 0)],
            factors: &[],
        }),
    };
    type Coordinates<S: ::costate::Scalar> = [S; 1];
    type Multipliers<S: ::costate::Scalar> = [S; 0];
    type Unknowns<S: ::costate::Scalar> = [S; 1];
    type Parameters<S: ::costate::Scalar> = [S; 4];
    type Inputs<S: ::costate::Scalar> = [S; 0];
    type Outputs<S: ::costate::Scalar> = [S; 1];
    type Initial<S: ::costate::Scalar> = [S; 2];
    type InitialDerivatives<S: ::costate::Scalar> = [S; 1];
    type Residual<S: ::costate::Scalar> = [S; 2];
    type Newton<S: ::costate::Scalar> = [S; 3];
    type Adjoint<S: ::costate::Scalar> = [S; 5];
    type Linearization<S: ::costate::Scalar> = [S; 8];
    type Kinematics<S: ::costate::Scalar> = [S; 0];
    type KinematicsDerivatives<S: ::costate::Scalar> = [S; 0];
    type OutputDerivatives<S: ::costate::Scalar> = [S; 1];
    type Factors<S: ::costate::Scalar> = [S; 0];
    fn parameters(&self) -> Self::Parameters<f64> {
        [self.m, self.c, self.d, self.q_0]
    }
    fn from_parameters(parameters: &Self::Parameters<f64>) -> Self {
        Self {
            m: parameters[0],
            c: parameters[1],
            d: parameters[2],
            q_0: parameters[3],
        }
    }
    type Constants<S: ::costate::Scalar> = DiscreteOscillatorConstants<S>;
    fn constants<S: ::costate::Scalar>(
        parameters: &Self::Parameters<S>,
        weights: &::costate::Weights,
        _: &::costate::Tables<Self>,
    ) -> Self::Constants<S> {
        let [m, c, d, q_0] = *parameters;
        let w_a = S::constant(weights.accelerations);
        let w_q = S::constant(weights.coordinates);
        let w_v = S::constant(weights.velocities);
        let h = S::constant(weights.step);
        let w_previous = S::constant(weights.previous);
        let e1 = w_a * m;
        let e2 = e1 + w_q * c + w_v * d;
        DiscreteOscillatorConstants {
            m,
            c,
            d,
            q_0,
            w_a,
            w_q,
            w_v,
            h,
            w_previous,
            k1: -c,
            k2: e1,
            k3: e2,
            k4: e2.recip(),
            k5: h - w_v,
            k6: -d,
            k7: h * h * 0.5 - w_q,
        }
    }
    /// The specified initial positions and velocities; zero where the model leaves them open.
    ///
    /// - `[0..1]` `q0` (1)
    /// - `[1..2]` `v0` (1)
    ///
    /// 0 operations.
    fn initial<S: ::costate::Scalar>(
        k: &Self::Constants<S>,
        out: &mut Self::Initial<S>,
    ) {
        let initial_coordinates = [k.q_0];
        out[0..1].copy_from_slice(&initial_coordinates);
        let initial_velocities = [S::constant(0.0)];
        out[1..2].copy_from_slice(&initial_velocities);
    }
    /// Their derivatives with respect to the parameters.
    ///
    /// - `[0..1]` `q0_p` (1 x 4): (q, q_0)
    ///
    /// 0 operations.
    fn initial_derivatives<S: ::costate::Scalar>(
        _: &Self::Constants<S>,
        out: &mut Self::InitialDerivatives<S>,
    ) {
        let initial_coordinates_wrt_parameters = [S::constant(1.0)];
        out[0..1].copy_from_slice(&initial_coordinates_wrt_parameters);
    }
    /// The residual of the equations of motion, in its parts: M a + G = 0 and C = 0.
    ///
    /// - `[0..1]` `M a` (1)
    /// - `[1..2]` `C_q^T lambda - f` (1)
    ///
    /// 4 operations.
    fn residual<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        out: &mut Self::Residual<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let inertia = [k.m * q_ddot];
        out[0..1].copy_from_slice(&inertia);
        let force_residual = [k.c * q + k.d * q_dot];
        out[1..2].copy_from_slice(&force_residual);
    }
    /// The residual with the Newton matrix [step, C_q^T; C_q, 0] of an implicit step.
    ///
    /// - `[0..1]` `M a` (1)
    /// - `[1..2]` `C_q^T lambda - f` (1)
    /// - `[2..3]` `w_a M + w_q (w_a (M a)_q + G_q) + w_v G_v` (1 x 1): (q, q)
    ///
    /// 4 operations.
    fn newton<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        out: &mut Self::Newton<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let inertia = [k.m * q_ddot];
        out[0..1].copy_from_slice(&inertia);
        let force_residual = [k.c * q + k.d * q_dot];
        out[1..2].copy_from_slice(&force_residual);
        let step_wrt_accelerations = [k.k3];
        out[2..3].copy_from_slice(&step_wrt_accelerations);
    }
    /// The matrices of one step of the discrete adjoint, and the factors of its Newton matrix.
    ///
    /// - `[0..1]` `(C_q^T lambda - f)_q` (1 x 1): (q, q)
    /// - `[1..2]` `(C_q^T lambda - f)_v` (1 x 1): (q, q)
    /// - `[2..3]` `(M a)_p` (1 x 4): (q, m)
    /// - `[3..5]` `(C_q^T lambda - f)_p` (1 x 4): (q, c), (q, d)
    ///
    /// 0 operations.
    fn adjoint<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        out: &mut Self::Adjoint<S>,
        _: &mut Self::Factors<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let force_residual_wrt_coordinates = [k.c];
        out[0..1].copy_from_slice(&force_residual_wrt_coordinates);
        let force_residual_wrt_velocities = [k.d];
        out[1..2].copy_from_slice(&force_residual_wrt_velocities);
        let inertia_wrt_parameters = [q_ddot];
        out[2..3].copy_from_slice(&inertia_wrt_parameters);
        let force_residual_wrt_parameters = [q, q_dot];
        out[3..5].copy_from_slice(&force_residual_wrt_parameters);
    }
    /// Forces, constraint forces, and the first derivatives of every term of the equations of motion.
    ///
    /// - `[0..1]` `f` (1)
    /// - `[1..2]` `C_q^T lambda` (1)
    /// - `[2..3]` `M` (1 x 1): (q, q)
    /// - `[3..4]` `(M a)_p` (1 x 4): (q, m)
    /// - `[4..5]` `f_q` (1 x 1): (q, q)
    /// - `[5..6]` `f_v` (1 x 1): (q, q)
    /// - `[6..8]` `f_p` (1 x 4): (q, c), (q, d)
    ///
    /// 6 operations.
    fn linearization<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        out: &mut Self::Linearization<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let force = [-(k.c * q + k.d * q_dot)];
        out[0..1].copy_from_slice(&force);
        let constraint_force = [S::constant(0.0)];
        out[1..2].copy_from_slice(&constraint_force);
        let inertia_wrt_accelerations = [k.m];
        out[2..3].copy_from_slice(&inertia_wrt_accelerations);
        let inertia_wrt_parameters = [q_ddot];
        out[3..4].copy_from_slice(&inertia_wrt_parameters);
        let force_wrt_coordinates = [k.k1];
        out[4..5].copy_from_slice(&force_wrt_coordinates);
        let force_wrt_velocities = [k.k6];
        out[5..6].copy_from_slice(&force_wrt_velocities);
        let force_wrt_parameters = [-q, -q_dot];
        out[6..8].copy_from_slice(&force_wrt_parameters);
    }
    /// The constraints on velocity and acceleration level.
    ///
    ///
    /// 0 operations.
    fn kinematics<S: ::costate::Scalar>(
        _: &::costate::Point<'_, Self, S>,
        _: &mut Self::Kinematics<S>,
    ) {}
    /// Derivatives of the constraints on velocity and acceleration level.
    ///
    ///
    /// 0 operations.
    fn kinematics_derivatives<S: ::costate::Scalar>(
        _: &::costate::Point<'_, Self, S>,
        _: &mut Self::KinematicsDerivatives<S>,
    ) {}
    /// The outputs.
    ///
    /// - `[0..1]` `s` (1)
    ///
    /// 0 operations.
    fn outputs<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        out: &mut Self::Outputs<S>,
    ) {
        let [q_ddot] = *at.accelerations;
        let output = [q_ddot];
        out[0..1].copy_from_slice(&output);
    }
    /// Derivatives of the outputs with respect to every argument.
    ///
    /// - `[0..1]` `s_a` (1 x 1): (acceleration, q)
    ///
    /// 0 operations.
    fn output_derivatives<S: ::costate::Scalar>(
        _: &::costate::Point<'_, Self, S>,
        out: &mut Self::OutputDerivatives<S>,
    ) {
        let output_wrt_accelerations = [S::constant(1.0)];
        out[0..1].copy_from_slice(&output_wrt_accelerations);
    }
    /// The correction of (a, lambda) in one iteration of Newton's method, `-K^-1 r`, and the factors of K that change during a run.
    ///
    /// 7 operations.
    #[inline(always)]
    fn newton_correction<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        history: &Self::Coordinates<S>,
        correction: &mut Self::Unknowns<S>,
        _: &mut Self::Factors<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let [history_q] = *history;
        *correction = [(history_q - k.c * q - (k.d * q_dot + k.k2 * q_ddot)) * k.k4];
    }
    /// The same with factors of an earlier iteration.
    ///
    /// 7 operations.
    #[inline(always)]
    fn chord_correction<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        history: &Self::Coordinates<S>,
        correction: &mut Self::Unknowns<S>,
        _: &Self::Factors<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let [history_q] = *history;
        *correction = [(history_q - k.c * q - (k.d * q_dot + k.k2 * q_ddot)) * k.k4];
    }
    /// Solves with the Newton matrix by the factors: forward and back substitution, written out.
    fn solve<S: ::costate::Scalar>(
        k: &Self::Constants<S>,
        _: &Self::Factors<S>,
        unknowns: &mut Self::Unknowns<S>,
    ) {
        let [b_q] = *unknowns;
        *unknowns = [b_q * k.k4];
    }
    /// Solves with the transposed Newton matrix by the factors.
    fn solve_transposed<S: ::costate::Scalar>(
        k: &Self::Constants<S>,
        _: &Self::Factors<S>,
        unknowns: &mut Self::Unknowns<S>,
    ) {
        let [b_q] = *unknowns;
        *unknowns = [b_q * k.k4];
    }
    /// One step of the discrete adjoint (DA 9 to 20): the adjoint variables of a step from those of the step `later`, the share of the step in dJ/dp for the selected parameters, and the factors of K.
    ///
    /// 25 operations with all parameters, 20 with none.
    #[inline(always)]
    fn adjoint_step<S: ::costate::Scalar>(
        at: &::costate::Point<'_, Self, S>,
        output_gradient: &Self::Outputs<S>,
        selected: &::costate::SelectedParameters,
        later: &::costate::AdjointVariables<Self, S>,
        adjoint: &mut ::costate::AdjointVariables<Self, S>,
        gradient: &mut Self::Parameters<S>,
        _: &mut Self::Factors<S>,
    ) {
        let k = at.constants;
        let [q] = *at.coordinates;
        let [q_dot] = *at.velocities;
        let [q_ddot] = *at.accelerations;
        let [cost_acceleration] = *output_gradient;
        let [later_y_q] = later.y;
        let [later_z_q] = later.z;
        let [later_w_q] = later.w;
        let e1 = k.w_previous * later_w_q;
        let e2 = later_y_q + k.c * e1;
        let e3 = later_z_q + k.h * later_y_q + k.d * e1;
        let e4 = (k.k7 * later_y_q - cost_acceleration + k.k5 * later_z_q + k.w_q * e2
            + k.w_v * e3) * k.k4;
        if selected.contains(0) {
            gradient[0] = q_ddot * k.w_a * e4;
        }
        if selected.contains(1) {
            gradient[1] = q * (e4 - e1);
        }
        if selected.contains(2) {
            gradient[2] = q_dot * (e4 - e1);
        }
        adjoint.y = [e2 - k.c * e4];
        adjoint.z = [e3 - k.d * e4];
        adjoint.w = [e4];
        adjoint.mu = [];
    }
}
