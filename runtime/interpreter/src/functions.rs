//! The functions of loaded models, as the kernel calls them.

use costate_compiler::symbolic::Integrator;
use costate_contract::{Description, Group};
use costate_numerics::scalar::{Numbers, Scalar};
use costate_system::model::{AdjointCarry, AdjointUpdate, Functions, Lengths, Point, SelectedParameters, Weights};
use costate_system::system::Differentiable;
use costate_system::table::{AnyTable, Tables};

use crate::arrays::{Given, Results};
use crate::program::{LoadedProgram, Other};
use crate::run_constants::RunConstants;

/// The models that are loaded while a program runs. Which one it is, its [program](Functions::Program) says.
#[derive(Debug, Clone)]
pub struct Interpreted;

/// The selection that functions take which depend on no selection of parameters.
static NOTHING_SELECTED: std::sync::LazyLock<SelectedParameters> =
    std::sync::LazyLock::new(SelectedParameters::default);

fn of_point<'a, S: Scalar>(at: &'a Point<'_, Interpreted, S>) -> Given<'a, S> {
    Given {
        time: std::slice::from_ref(&at.time),
        coordinates: at.coordinates,
        velocities: at.velocities,
        accelerations: at.accelerations,
        multipliers: at.multipliers,
        inputs: at.inputs,
        ..Given::default()
    }
}

fn given_tables(program: &LoadedProgram, tables: &Tables) -> Vec<AnyTable> {
    let tables = (0..program.description.tables.len()).map_while(|table| tables.at(table).cloned());
    tables.collect()
}

fn evaluate_constants<S: Scalar>(constants: &mut RunConstants<S>, parameters: &[S], weights: &Weights) {
    let weights = Integrator::ALL.map(|of| weight(weights, of));
    constants.renew(|values, run| {
        let given = Given { parameters, weights: &weights, ..Given::default() };
        let results = Results { constants: values, ..Results::default() };
        run.call(Other::Constants, &NOTHING_SELECTED, given, results);
    });
}

fn weight<S: Scalar>(weights: &Weights, of: Integrator) -> S {
    S::constant(match of {
        Integrator::Accelerations => weights.accelerations,
        Integrator::Coordinates => weights.coordinates,
        Integrator::Velocities => weights.velocities,
        Integrator::Step => weights.step,
        Integrator::Previous => weights.previous,
    })
}

impl Functions for Interpreted {
    type Program = &'static LoadedProgram;
    const COMPILED: Option<&'static Description> = None;
    type Coordinates<S: Scalar> = Vec<S>;
    type Multipliers<S: Scalar> = Vec<S>;
    type Unknowns<S: Scalar> = Vec<S>;
    type Parameters<S: Scalar> = Vec<S>;
    type Inputs<S: Scalar> = Vec<S>;
    type Outputs<S: Scalar> = Vec<S>;
    type Constants<S: Scalar> = RunConstants<S>;
    type Initial<S: Scalar> = Vec<S>;
    type InitialDerivatives<S: Scalar> = Vec<S>;
    type Residual<S: Scalar> = Vec<S>;
    type Newton<S: Scalar> = Vec<S>;
    type Adjoint<S: Scalar> = Vec<S>;
    type Factors<S: Scalar> = Vec<S>;
    type AdjointCoefficients<S: Scalar> = Vec<S>;
    type Linearization<S: Scalar> = Vec<S>;
    type Kinematics<S: Scalar> = Vec<S>;
    type KinematicsDerivatives<S: Scalar> = Vec<S>;
    type OutputDerivatives<S: Scalar> = Vec<S>;
    type InputDerivatives<S: Scalar> = Vec<S>;

    #[inline(always)]
    fn description(program: Self::Program) -> &'static Description {
        program.description
    }

    #[inline(always)]
    fn lengths(program: Self::Program) -> Lengths {
        program.lengths
    }

    #[inline(always)]
    fn program<S: Scalar>(constants: &Self::Constants<S>) -> Self::Program {
        constants.program()
    }

    fn erased(program: Self::Program) -> &'static dyn Differentiable {
        program.system()
    }

    fn geometry<S: Scalar>(program: Self::Program, parameters: &Vec<S>, tables: &Tables) -> Vec<S> {
        let mut numbers = vec![S::default(); program.geometry];
        let run = RunConstants::of(program, given_tables(program, tables));
        let given = Given { parameters, ..Given::default() };
        run.call(Other::Geometry, &NOTHING_SELECTED, given, Results { out: &mut numbers, ..Results::default() });
        numbers
    }

    fn own_tables(program: Self::Program) -> Tables {
        program.tables.clone()
    }

    fn constants<S: Scalar>(
        program: Self::Program,
        parameters: &Vec<S>,
        weights: &Weights,
        tables: &Tables,
    ) -> Self::Constants<S> {
        let mut constants = RunConstants::of(program, given_tables(program, tables));
        evaluate_constants(&mut constants, parameters, weights);
        constants
    }

    fn renew_constants<S: Scalar>(
        constants: &mut Self::Constants<S>,
        parameters: &Vec<S>,
        weights: &Weights,
        tables: &Tables,
    ) {
        constants.take_tables(given_tables(constants.program(), tables));
        evaluate_constants(constants, parameters, weights);
    }

    fn initial<S: Scalar>(constants: &Self::Constants<S>, out: &mut Vec<S>) {
        let results = Results { out, ..Results::default() };
        constants.call(Group::Initial, &NOTHING_SELECTED, Given::default(), results);
    }

    fn initial_derivatives<S: Scalar>(constants: &Self::Constants<S>, out: &mut Vec<S>) {
        let results = Results { out, ..Results::default() };
        constants.call(Group::InitialDerivatives, &NOTHING_SELECTED, Given::default(), results);
    }

    #[inline(always)]
    fn evaluate<S: Scalar>(group: Group, at: &Point<'_, Self, S>, out: &mut [S]) {
        let results = Results { out, ..Results::default() };
        at.constants.call(group, &NOTHING_SELECTED, of_point(at), results);
    }

    fn newton_correction<S: Scalar>(
        at: &Point<'_, Self, S>,
        history: &Vec<S>,
        correction: &mut Vec<S>,
        factors: &mut Vec<S>,
    ) {
        let given = Given { history, ..of_point(at) };
        let results = Results { correction, factors, ..Results::default() };
        at.constants.call(Other::NewtonCorrection, &NOTHING_SELECTED, given, results);
    }

    fn chord_correction<S: Scalar>(
        at: &Point<'_, Self, S>,
        history: &Vec<S>,
        correction: &mut Vec<S>,
        factors: &Vec<S>,
    ) {
        let given = Given { history, factors: factors.entries(), ..of_point(at) };
        let results = Results { correction, ..Results::default() };
        at.constants.call(Other::ChordCorrection, &NOTHING_SELECTED, given, results);
    }

    fn solve<S: Scalar>(constants: &Self::Constants<S>, factors: &Vec<S>, unknowns: &mut Vec<S>) {
        let given = Given { factors: factors.entries(), ..Given::default() };
        let results = Results { unknowns, ..Results::default() };
        constants.call(Other::Solve, &NOTHING_SELECTED, given, results);
    }

    fn solve_transposed<S: Scalar>(constants: &Self::Constants<S>, factors: &Vec<S>, unknowns: &mut Vec<S>) {
        let given = Given { factors: factors.entries(), ..Given::default() };
        let results = Results { unknowns, ..Results::default() };
        constants.call(Other::SolveTransposed, &NOTHING_SELECTED, given, results);
    }

    fn adjoint<S: Scalar>(at: &Point<'_, Self, S>, out: &mut Vec<S>, factors: &mut Vec<S>) {
        let results = Results { out, factors, ..Results::default() };
        at.constants.call(Group::Adjoint, &NOTHING_SELECTED, of_point(at), results);
    }

    fn adjoint_coefficients<S: Scalar>(
        at: &Point<'_, Self, S>,
        output_gradient: &Vec<S>,
        selected: &SelectedParameters,
        adjoint_coefficients: &mut Vec<S>,
        factors: &mut Vec<S>,
    ) {
        let given = Given { output_gradient, ..of_point(at) };
        let results = Results { adjoint_coefficients, factors, ..Results::default() };
        at.constants.call(Other::AdjointCoefficients, selected, given, results);
    }

    fn adjoint_recurrence<S: Scalar>(
        constants: &Self::Constants<S>,
        factors: impl Numbers<S>,
        coefficients: impl Numbers<S>,
        selected: &SelectedParameters,
        carry: &AdjointCarry<Self, S>,
        update: &mut AdjointUpdate<Self, S>,
        gradient: &mut Vec<S>,
    ) {
        let (factors, adjoint_coefficients) = (factors.entries(), coefficients.entries());
        let (carry_right, carried) = (&carry.right[..], &carry.carried[..]);
        let given = Given { carry_right, carried, factors, adjoint_coefficients, ..Given::default() };
        let results = Results {
            update_coordinates: &mut update.coordinates,
            update_velocities: &mut update.velocities,
            update_unknowns: &mut update.unknowns,
            gradient,
            ..Results::default()
        };
        constants.call(Other::AdjointRecurrence, selected, given, results);
    }

    fn adjoint_history<S: Scalar>(
        constants: &Self::Constants<S>,
        factors: impl Numbers<S>,
        coefficients: impl Numbers<S>,
        carry: &mut AdjointCarry<Self, S>,
    ) {
        let (factors, adjoint_coefficients) = (factors.entries(), coefficients.entries());
        let given = Given { carried: &carry.carried, factors, adjoint_coefficients, ..Given::default() };
        let results = Results { carry_right: &mut carry.right, ..Results::default() };
        constants.call(Other::AdjointHistory, &NOTHING_SELECTED, given, results);
    }

    fn adjoint_step<S: Scalar>(
        at: &Point<'_, Self, S>,
        output_gradient: &Vec<S>,
        selected: &SelectedParameters,
        carry: &mut AdjointCarry<Self, S>,
        update: &mut AdjointUpdate<Self, S>,
        gradient: &mut Vec<S>,
        coefficients: &mut Vec<S>,
        factors: &mut Vec<S>,
    ) {
        if at.constants.program().tape(Other::AdjointStep.into()).is_some() {
            let given = Given { output_gradient, carry_right: &carry.right, carried: &carry.carried, ..of_point(at) };
            let results = Results {
                update_coordinates: &mut update.coordinates,
                update_velocities: &mut update.velocities,
                update_unknowns: &mut update.unknowns,
                gradient,
                factors,
                ..Results::default()
            };
            at.constants.call(Other::AdjointStep, selected, given, results);
            return;
        }
        Self::adjoint_coefficients(at, output_gradient, selected, coefficients, factors);
        if carry.has_history {
            Self::adjoint_history(at.constants, &*factors, &*coefficients, carry);
        }
        Self::adjoint_recurrence(at.constants, &*factors, &*coefficients, selected, carry, update, gradient);
    }
}
