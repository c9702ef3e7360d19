//! Which blocks each emitted function computes.

use super::block::{Argument, Block, Function};
use super::elimination::Elimination;
use super::equations::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id};

/// The blocks of one emitted function, in the order of their storage.
#[derive(Debug, Clone)]
pub struct Group {
    /// The function's name, the same in the runtime's trait and table.
    pub name: &'static str,
    /// The trait's type of its array; `outputs` shares the type of the output vector.
    pub array: &'static str,
    /// What it is for.
    pub documentation: &'static str,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The varying factors of the Newton matrix, which the function writes to an array of their own; `None` for
    /// functions without that argument.
    pub factors: Option<Vec<Id>>,
}

impl Group {
    /// All expressions, in the order of storage; the factors come last.
    pub fn values(&self) -> Vec<Id> {
        let blocks = self.blocks.iter().flat_map(|block| &block.values);
        blocks.chain(self.factors.iter().flatten()).copied().collect()
    }

    /// Whether the function fills an array that is its own.
    pub fn owns_array(&self) -> bool {
        self.name != "outputs"
    }
}

/// All emitted functions.
#[derive(Debug, Clone)]
pub struct Groups(pub Vec<Group>);

impl Groups {
    /// Every first-order function of the model.
    pub fn new(
        model: &Model,
        graph: &mut Graph,
        equations: &Equations,
        elimination: Option<&Elimination>,
    ) -> Groups {
        let initial = Initial::new(model, graph);
        let varying = elimination.map(|elimination| elimination.varying_of_blocks(graph));
        let group =
            |name, array, documentation, blocks| Group { name, array, documentation, blocks, factors: None };
        let groups = vec![
            group(
                "initial",
                "Initial",
                "The specified initial positions and velocities; zero where the model leaves them open.",
                vec![
                    Block::value(Function::InitialCoordinates, &initial.coordinates),
                    Block::value(Function::InitialVelocities, &initial.velocities),
                ],
            ),
            group(
                "initial_derivatives",
                "InitialDerivatives",
                "Their derivatives with respect to the parameters.",
                initial.derivatives(model, graph),
            ),
            group(
                "residual",
                "Residual",
                "The residual of the equations of motion, in its parts: M a + G = 0 and C = 0.",
                residual(equations),
            ),
            group(
                "newton",
                "Newton",
                "The residual with the Newton matrix [step, C_q^T; C_q, 0] of an implicit step.",
                newton(equations),
            ),
            Group {
                factors: Some(varying.clone().unwrap_or_default()),
                ..group(
                    "adjoint",
                    "Adjoint",
                    "The matrices of one step of the discrete adjoint, and the factors of its Newton matrix.",
                    adjoint(model, graph, equations, varying.is_some()),
                )
            },
            group(
                "linearization",
                "Linearization",
                "Forces, constraint forces, and the first derivatives of every term of the equations of motion.",
                linearization(model, graph, equations),
            ),
            group(
                "kinematics",
                "Kinematics",
                "The constraints on velocity and acceleration level.",
                vec![
                    Block::value(Function::ConstraintVelocity, &equations.constraint_velocity),
                    Block::value(Function::ConstraintAcceleration, &equations.constraint_acceleration),
                ],
            ),
            group(
                "kinematics_derivatives",
                "KinematicsDerivatives",
                "Derivatives of the constraints on velocity and acceleration level.",
                kinematics_derivatives(model, graph, equations),
            ),
            group("outputs", "Outputs", "The outputs.", vec![Block::value(Function::Output, &model.output)]),
            group(
                "output_derivatives",
                "OutputDerivatives",
                "Derivatives of the outputs with respect to every argument.",
                output_derivatives(model, graph),
            ),
            group(
                "input_derivatives",
                "InputDerivatives",
                "Derivatives of the force residual and of the outputs with respect to the inputs.",
                input_derivatives(model, graph, equations),
            ),
        ];
        Groups(groups)
    }
}

struct Initial {
    coordinates: Vec<Id>,
    velocities: Vec<Id>,
}

impl Initial {
    fn new(model: &Model, graph: &mut Graph) -> Initial {
        let zero = graph.zero();
        let specified = model.initial_coordinates.iter().zip(&model.near_coordinates);
        Initial {
            coordinates: specified.map(|(value, near)| value.or(*near).unwrap_or(zero)).collect(),
            velocities: model.initial_velocities.iter().map(|value| value.unwrap_or(zero)).collect(),
        }
    }

    fn derivatives(&self, model: &Model, graph: &mut Graph) -> Vec<Block> {
        vec![
            derivative(model, graph, Function::InitialCoordinates, &self.coordinates, Argument::Parameters),
            derivative(model, graph, Function::InitialVelocities, &self.velocities, Argument::Parameters),
        ]
    }
}

fn residual(equations: &Equations) -> Vec<Block> {
    vec![
        Block::value(Function::Inertia, &equations.inertia),
        Block::value(Function::ForceResidual, &equations.force_residual),
        Block::value(Function::Constraint, &equations.constraint),
    ]
}

fn newton(equations: &Equations) -> Vec<Block> {
    let mut blocks = residual(equations);
    blocks.extend([equations.newton.clone(), equations.constraint_q.clone()]);
    blocks
}

/// The Newton matrix itself only where there are no factors of it.
fn adjoint(model: &Model, graph: &mut Graph, equations: &Equations, factorised: bool) -> Vec<Block> {
    let step = (!factorised).then(|| equations.step.clone());
    let matrices = [
        equations.constraint_q.clone(),
        equations.inertia_q.clone(),
        equations.residual_q.clone(),
        equations.residual_v.clone(),
        derivative(model, graph, Function::Inertia, &equations.inertia, Argument::Parameters),
        derivative(model, graph, Function::ForceResidual, &equations.force_residual, Argument::Parameters),
        derivative(model, graph, Function::Constraint, &equations.constraint, Argument::Parameters),
    ];
    step.into_iter().chain(matrices).collect()
}

fn linearization(model: &Model, graph: &mut Graph, equations: &Equations) -> Vec<Block> {
    use Argument::{Coordinates, Inputs, Parameters, Velocities};
    let mut blocks = vec![
        Block::value(Function::Force, &equations.force),
        Block::value(Function::ConstraintForce, &equations.constraint_force),
        equations.mass.clone(),
        equations.inertia_q.clone(),
        derivative(model, graph, Function::Inertia, &equations.inertia, Parameters),
    ];
    for argument in [Coordinates, Velocities, Parameters, Inputs] {
        blocks.push(derivative(model, graph, Function::Force, &equations.force, argument));
    }
    for argument in [Coordinates, Parameters] {
        blocks.push(derivative(
            model,
            graph,
            Function::ConstraintForce,
            &equations.constraint_force,
            argument,
        ));
    }
    blocks.push(equations.constraint_q.clone());
    blocks.push(derivative(model, graph, Function::Constraint, &equations.constraint, Parameters));
    blocks
}

fn kinematics_derivatives(model: &Model, graph: &mut Graph, equations: &Equations) -> Vec<Block> {
    use Argument::{Coordinates, Parameters, Velocities};
    let mut blocks = Vec::new();
    for argument in [Coordinates, Parameters] {
        let velocity = &equations.constraint_velocity;
        blocks.push(derivative(model, graph, Function::ConstraintVelocity, velocity, argument));
    }
    for argument in [Coordinates, Velocities, Parameters] {
        let acceleration = &equations.constraint_acceleration;
        blocks.push(derivative(model, graph, Function::ConstraintAcceleration, acceleration, argument));
    }
    blocks
}

fn output_derivatives(model: &Model, graph: &mut Graph) -> Vec<Block> {
    use Argument::{Accelerations, Coordinates, Inputs, Multipliers, Parameters, Velocities};
    let output = model.output.clone();
    [Coordinates, Velocities, Accelerations, Multipliers, Parameters, Inputs]
        .map(|argument| derivative(model, graph, Function::Output, &output, argument))
        .into()
}

/// What one sample of the inputs acts on: nothing else depends on inputs.
fn input_derivatives(model: &Model, graph: &mut Graph, equations: &Equations) -> Vec<Block> {
    let output = model.output.clone();
    vec![
        derivative(model, graph, Function::ForceResidual, &equations.force_residual, Argument::Inputs),
        derivative(model, graph, Function::Output, &output, Argument::Inputs),
    ]
}

pub(super) fn derivative(
    model: &Model,
    graph: &mut Graph,
    function: Function,
    values: &[Id],
    argument: Argument,
) -> Block {
    let columns = match argument {
        Argument::Coordinates | Argument::Velocities | Argument::Accelerations => model.coordinates.len(),
        Argument::Multipliers => model.constraints.len(),
        Argument::Parameters => model.parameters.len(),
        Argument::Inputs => model.inputs.len(),
    };
    Block::derivative(graph, function, values, argument, columns)
}
