//! Every emitted derivative against dual numbers.

use std::fmt;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::block::find;
use crate::dual::Dual;
use crate::integrator::State;
use crate::model::{Argument, Block, Function, Model, Quantity, Weights};
use crate::scalar::{Scalar, Vector};

/// A state, an input and parameters at which derivatives are checked.
#[derive(Debug, Clone)]
pub struct CheckPoint<M: Model> {
    /// Time in s.
    pub time: f64,
    /// q, v, a and lambda; they need not satisfy the equations of motion.
    pub state: State<M, f64>,
    /// u
    pub inputs: M::Inputs<f64>,
    /// p
    pub parameters: M::Parameters<f64>,
}

/// An entry of an emitted derivative that differs from the one by dual numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The emitted function, `newton`.
    pub group: &'static str,
    /// What is differentiated.
    pub function: Function,
    /// By what; `None` for a time derivative.
    pub argument: Option<Argument>,
    /// Name of the row: a coordinate, constraint or output.
    pub row: &'static str,
    /// Name of the column: a coordinate, constraint, parameter or input.
    pub column: &'static str,
    /// What the emitted function gives.
    pub emitted: f64,
    /// What dual numbers give.
    pub exact: f64,
    /// Their difference relative to the largest entry of the matrix.
    pub difference: f64,
}

/// The result of [`check_derivatives`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DerivativeReport {
    /// Number of matrices that were compared.
    pub matrices: usize,
    /// Number of matrices that could not be compared, because dual numbers gave no finite values there: outside of
    /// the domain of a square root, say.
    pub skipped: usize,
    /// The largest difference, relative to the largest entry of its matrix.
    pub worst: f64,
    /// The entries that differ by more than the tolerance.
    pub mismatches: Vec<Mismatch>,
}

impl fmt::Display for DerivativeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} matrices compared, {} skipped, largest relative difference {:.1e}",
            self.matrices, self.skipped, self.worst
        )?;
        for mismatch in &self.mismatches {
            let argument = match mismatch.argument {
                Some(argument) => format!("{argument:?}"),
                None => "time".to_owned(),
            };
            writeln!(
                f,
                "{}: {:?} by {argument}, entry ({}, {}): emitted {:e}, exact {:e}",
                mismatch.group,
                mismatch.function,
                mismatch.row,
                mismatch.column,
                mismatch.emitted,
                mismatch.exact
            )?;
        }
        Ok(())
    }
}

/// `count` random points around the model's own parameters: each parameter changed by up to 20 %, everything else
/// between -1 and 1.
pub fn random_points<M: Model>(model: &M, count: usize, seed: u64) -> Vec<CheckPoint<M>> {
    let mut random = SmallRng::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut fill = |values: &mut [f64]| values.fill_with(|| random.random_range(-1.0..1.0));
            let mut state = State::<M, f64>::zeros();
            fill(state.coordinates.as_mut());
            fill(state.velocities.as_mut());
            fill(state.accelerations.as_mut());
            fill(state.multipliers.as_mut());
            let mut inputs = M::Inputs::<f64>::zeros();
            fill(inputs.as_mut());
            let mut changes = M::Parameters::<f64>::zeros();
            fill(changes.as_mut());
            let mut parameters = model.parameters();
            for (parameter, change) in parameters.as_mut().iter_mut().zip(changes.as_ref()) {
                *parameter *= 1.0 + 0.2 * change;
            }
            CheckPoint { time: random.random_range(0.0..1.0), state, inputs, parameters }
        })
        .collect()
}

/// Compares every emitted derivative of the model with dual numbers at every point. Entries that differ by more
/// than `tolerance` times the largest entry of their matrix are listed; 1e-12 is what rounding leaves.
///
/// Structural zeros are compared too: a dependence that an emitted matrix leaves out is a mismatch.
pub fn check_derivatives<M: Model>(points: &[CheckPoint<M>], tolerance: f64) -> DerivativeReport {
    let weights = Weights { accelerations: 0.9, coordinates: 0.3, velocities: 0.6 };
    let mut report = DerivativeReport::default();
    for point in points {
        let check = Check { point, weights };
        for group in Group::all::<M>() {
            let values = check.evaluate::<f64>(group, |point| point);
            for block in group.blocks::<M>() {
                if let Some(argument) = block.argument {
                    let exact = check.derivative(block, argument);
                    report.compare::<M>(group, block, &values, &exact, tolerance);
                }
            }
        }
        check.time_derivatives(&mut report, tolerance);
    }
    report
}

/// The emitted functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Initial,
    InitialDerivatives,
    Residual,
    Newton,
    Adjoint,
    Linearization,
    Kinematics,
    KinematicsDerivatives,
    Outputs,
    OutputDerivatives,
}

impl Group {
    fn all<M: Model>() -> [Group; 10] {
        [
            Group::Initial,
            Group::InitialDerivatives,
            Group::Residual,
            Group::Newton,
            Group::Adjoint,
            Group::Linearization,
            Group::Kinematics,
            Group::KinematicsDerivatives,
            Group::Outputs,
            Group::OutputDerivatives,
        ]
    }

    fn name(self) -> &'static str {
        match self {
            Group::Initial => "initial",
            Group::InitialDerivatives => "initial_derivatives",
            Group::Residual => "residual",
            Group::Newton => "newton",
            Group::Adjoint => "adjoint",
            Group::Linearization => "linearization",
            Group::Kinematics => "kinematics",
            Group::KinematicsDerivatives => "kinematics_derivatives",
            Group::Outputs => "outputs",
            Group::OutputDerivatives => "output_derivatives",
        }
    }

    fn blocks<M: Model>(self) -> &'static [Block] {
        let groups = M::DESCRIPTION.groups;
        match self {
            Group::Initial => groups.initial,
            Group::InitialDerivatives => groups.initial_derivatives,
            Group::Residual => groups.residual,
            Group::Newton => groups.newton,
            Group::Adjoint => groups.adjoint,
            Group::Linearization => groups.linearization,
            Group::Kinematics => groups.kinematics,
            Group::KinematicsDerivatives => groups.kinematics_derivatives,
            Group::Outputs => groups.outputs,
            Group::OutputDerivatives => groups.output_derivatives,
        }
    }

    /// The group that holds the function's value.
    fn of_value(function: Function) -> Group {
        match function {
            Function::InitialCoordinates | Function::InitialVelocities => Group::Initial,
            Function::Inertia | Function::ForceResidual | Function::Constraint | Function::Step => {
                Group::Residual
            }
            Function::Force | Function::ConstraintForce => Group::Linearization,
            Function::ConstraintVelocity | Function::ConstraintAcceleration => Group::Kinematics,
            Function::Output => Group::Outputs,
        }
    }
}

/// A point in another number type.
struct Lifted<M: Model, S: Scalar> {
    time: S,
    state: State<M, S>,
    inputs: M::Inputs<S>,
    parameters: M::Parameters<S>,
}

/// One point, with the weights of the step matrix.
struct Check<'a, M: Model> {
    point: &'a CheckPoint<M>,
    weights: Weights,
}

impl<M: Model> Check<'_, M> {
    /// The group's array at the point, after `seed` has put derivatives into it.
    fn evaluate<S: Scalar>(&self, group: Group, seed: impl FnOnce(Lifted<M, S>) -> Lifted<M, S>) -> Vec<S> {
        let lifted = seed(self.lift());
        let constants = M::constants(&lifted.parameters, &self.weights);
        let mut at = lifted.state.point(0.0, &lifted.inputs, &constants);
        at.time = lifted.time;
        macro_rules! evaluate {
            ($function:ident, $array:ident, $argument:expr) => {{
                let mut out = M::$array::<S>::zeros();
                M::$function($argument, &mut out);
                out.as_ref().to_vec()
            }};
        }
        match group {
            Group::Initial => evaluate!(initial, Initial, &constants),
            Group::InitialDerivatives => evaluate!(initial_derivatives, InitialDerivatives, &constants),
            Group::Residual => evaluate!(residual, Residual, &at),
            Group::Newton => evaluate!(newton, Newton, &at),
            Group::Adjoint => evaluate!(adjoint, Adjoint, &at),
            Group::Linearization => evaluate!(linearization, Linearization, &at),
            Group::Kinematics => evaluate!(kinematics, Kinematics, &at),
            Group::KinematicsDerivatives => evaluate!(kinematics_derivatives, KinematicsDerivatives, &at),
            Group::Outputs => evaluate!(outputs, Outputs, &at),
            Group::OutputDerivatives => evaluate!(output_derivatives, OutputDerivatives, &at),
        }
    }

    fn lift<S: Scalar>(&self) -> Lifted<M, S> {
        let mut state = State::<M, S>::zeros();
        lift(self.point.state.coordinates.as_ref(), state.coordinates.as_mut());
        lift(self.point.state.velocities.as_ref(), state.velocities.as_mut());
        lift(self.point.state.accelerations.as_ref(), state.accelerations.as_mut());
        lift(self.point.state.multipliers.as_ref(), state.multipliers.as_mut());
        let (mut inputs, mut parameters) = (M::Inputs::<S>::zeros(), M::Parameters::<S>::zeros());
        lift(self.point.inputs.as_ref(), inputs.as_mut());
        lift(self.point.parameters.as_ref(), parameters.as_mut());
        Lifted { time: S::constant(self.point.time), state, inputs, parameters }
    }

    /// The dense derivative by dual numbers, by columns.
    fn derivative(&self, block: &Block, argument: Argument) -> Vec<Vec<f64>> {
        let columns = (0..block.columns).map(|column| {
            let weights = self.weights;
            self.directional(block.function, |mut lifted| {
                let seed = |values: &mut [Dual], derivative| values[column].derivative = derivative;
                match argument {
                    Argument::Coordinates => seed(lifted.state.coordinates.as_mut(), 1.0),
                    Argument::Velocities => seed(lifted.state.velocities.as_mut(), 1.0),
                    Argument::Accelerations => seed(lifted.state.accelerations.as_mut(), 1.0),
                    Argument::Multipliers => seed(lifted.state.multipliers.as_mut(), 1.0),
                    Argument::Parameters => seed(lifted.parameters.as_mut(), 1.0),
                    Argument::Inputs => seed(lifted.inputs.as_mut(), 1.0),
                }
                if block.function == Function::Step {
                    // In a step, positions and velocities follow the acceleration.
                    seed(lifted.state.coordinates.as_mut(), weights.coordinates);
                    seed(lifted.state.velocities.as_mut(), weights.velocities);
                }
                lifted
            })
        });
        columns.collect()
    }

    /// The derivative of a function in the direction of the seeds.
    fn directional(
        &self,
        function: Function,
        seed: impl FnOnce(Lifted<M, Dual>) -> Lifted<M, Dual>,
    ) -> Vec<f64> {
        let group = Group::of_value(function);
        let values = self.evaluate::<Dual>(group, seed);
        let part = |function| {
            let block = find(group.blocks::<M>(), function, None);
            block.values(&values).iter().map(|value| value.derivative).collect::<Vec<f64>>()
        };
        if function != Function::Step {
            return part(function);
        }
        let (inertia, force_residual) = (part(Function::Inertia), part(Function::ForceResidual));
        inertia.iter().zip(force_residual).map(|(m, g)| self.weights.accelerations * m + g).collect()
    }

    /// C_q v + C_t is the time derivative of C, and the constraint at acceleration level that of it.
    fn time_derivatives(&self, report: &mut DerivativeReport, tolerance: f64) {
        let moving = |mut lifted: Lifted<M, Dual>| {
            lifted.time.derivative = 1.0;
            let state = &self.point.state;
            let rates = [
                (lifted.state.coordinates.as_mut(), state.velocities.as_ref()),
                (lifted.state.velocities.as_mut(), state.accelerations.as_ref()),
            ];
            for (values, rate) in rates {
                for (value, rate) in values.iter_mut().zip(rate) {
                    value.derivative = *rate;
                }
            }
            lifted
        };
        let emitted = self.evaluate::<f64>(Group::Kinematics, |point| point);
        for (function, of) in [
            (Function::ConstraintVelocity, Function::Constraint),
            (Function::ConstraintAcceleration, Function::ConstraintVelocity),
        ] {
            let block = find(Group::Kinematics.blocks::<M>(), function, None);
            let exact = vec![self.directional(of, moving)];
            report.compare::<M>(Group::Kinematics, block, &emitted, &exact, tolerance);
        }
    }
}

impl DerivativeReport {
    /// Compares a sparse block of a group's array with a dense matrix given by columns.
    fn compare<M: Model>(
        &mut self,
        group: Group,
        block: &'static Block,
        values: &[f64],
        exact: &[Vec<f64>],
        tolerance: f64,
    ) {
        if !exact.iter().flatten().all(|value| value.is_finite()) {
            self.skipped += 1;
            return;
        }
        self.matrices += 1;
        let mut emitted: Vec<Vec<f64>> = exact.iter().map(|column| vec![0.0; column.len()]).collect();
        for (row, column, value) in block.iter(values) {
            emitted[column][row] += value;
        }
        let largest = exact.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        for (column, (emitted, exact)) in emitted.iter().zip(exact).enumerate() {
            for (row, (&emitted, &exact)) in emitted.iter().zip(exact).enumerate() {
                if emitted == exact {
                    continue;
                }
                let difference = (emitted - exact).abs() / if largest > 0.0 { largest } else { 1.0 };
                if !(difference <= self.worst) {
                    self.worst = difference;
                }
                if !(difference <= tolerance) {
                    self.mismatches.push(Mismatch {
                        group: group.name(),
                        function: block.function,
                        argument: block.argument,
                        row: row_name::<M>(block.function, row),
                        column: column_name::<M>(block.argument, column),
                        emitted,
                        exact,
                        difference,
                    });
                }
            }
        }
    }
}

fn row_name<M: Model>(function: Function, row: usize) -> &'static str {
    let description = M::DESCRIPTION;
    name(
        match function {
            Function::Constraint | Function::ConstraintVelocity | Function::ConstraintAcceleration => {
                description.constraints
            }
            Function::Output => description.outputs,
            _ => description.coordinates,
        },
        row,
    )
}

fn column_name<M: Model>(argument: Option<Argument>, column: usize) -> &'static str {
    let description = M::DESCRIPTION;
    match argument {
        None => "t",
        Some(Argument::Parameters) => name(description.parameters, column),
        Some(Argument::Inputs) => name(description.inputs, column),
        Some(Argument::Multipliers) => name(description.constraints, column),
        Some(_) => name(description.coordinates, column),
    }
}

fn name(quantities: &'static [Quantity], index: usize) -> &'static str {
    quantities.get(index).map_or("?", |quantity| quantity.name)
}

fn lift<S: Scalar>(from: &[f64], to: &mut [S]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = S::constant(*from);
    }
}
