//! The expressions of every group of blocks.

use costate_contract::{Argument, Function, Group as Kind};

use super::block::Block;
use super::elimination::Elimination;
use super::equations::Equations;
use super::group::Group;
use super::lookups::Lookups;
use crate::model::Model;
use crate::symbolic::{Graph, Id};

/// All emitted functions.
#[derive(Debug, Clone)]
pub struct Groups {
    /// Groups in the order of [`Kind::ALL`].
    pub all: Vec<Group>,
    /// The lookups in tables to which columns of the groups belong.
    pub lookups: Lookups,
}

impl Groups {
    /// Derives every first-order function of the model.
    pub fn new(model: &Model, graph: &mut Graph, equations: &Equations, elimination: Option<&Elimination>) -> Groups {
        let initial = Initial::new(model, graph);
        let varying = elimination.map(|elimination| elimination.varying_of_blocks(graph));
        let lookups = Lookups::new(model, graph, equations, [&initial.coordinates, &initial.velocities]);
        let mut source = Source { model, graph, equations, initial, lookups };
        let groups = Kind::ALL.map(|kind| {
            let contents = kind.contents().iter();
            let is_factorised = kind == Kind::Adjoint && varying.is_some();
            let contents = contents.filter(|(function, _)| !(is_factorised && *function == Function::Step));
            Group {
                kind,
                blocks: contents.map(|&(function, argument)| source.block(kind, function, argument)).collect(),
                factors: (kind == Kind::Adjoint).then(|| varying.clone().unwrap_or_default()),
            }
        });
        Groups { all: groups.into(), lookups: source.lookups }
    }
}

/// The sources of the blocks.
struct Source<'a> {
    model: &'a Model,
    graph: &'a mut Graph,
    equations: &'a Equations,
    initial: Initial,
    lookups: Lookups,
}

impl Source<'_> {
    /// Derives a block of a group; matrices that belong to several groups are derived once.
    fn block(&mut self, group: Kind, function: Function, argument: Option<Argument>) -> Block {
        let equations = self.equations;
        let Some(argument) = argument else {
            return match function {
                Function::LookupArguments => Block::value(function, &self.lookup_arguments(group)),
                _ => Block::value(function, self.values(function)),
            };
        };
        match (function, argument) {
            (_, Argument::Lookups) => {
                let values = self.values(function).to_vec();
                self.lookups.derivative(self.graph, function, &values)
            }
            (Function::Step, _) if group == Kind::Newton => equations.newton.clone(),
            (Function::Step, _) => equations.step.clone(),
            (Function::Inertia, Argument::Accelerations) => equations.mass.clone(),
            (Function::Inertia, Argument::Coordinates) => equations.inertia_q.clone(),
            (Function::ForceResidual, Argument::Coordinates) => equations.residual_q.clone(),
            (Function::ForceResidual, Argument::Velocities) => equations.residual_v.clone(),
            (Function::Constraint, Argument::Coordinates) => equations.constraint_q.clone(),
            _ => {
                let values = self.values(function).to_vec();
                derivative(self.model, self.graph, function, &values, argument)
            }
        }
    }

    /// Returns the arguments of the lookups of a group.
    fn lookup_arguments(&self, group: Kind) -> Vec<Id> {
        let Lookups { all, of_steps } = &self.lookups;
        self.lookups.arguments(self.graph, if group == Kind::Lookups { *of_steps } else { all.len() })
    }

    fn values(&self, function: Function) -> &[Id] {
        match function {
            Function::InitialCoordinates => &self.initial.coordinates,
            Function::InitialVelocities => &self.initial.velocities,
            Function::Inertia => &self.equations.inertia,
            Function::Force => &self.equations.force,
            Function::ConstraintForce => &self.equations.constraint_force,
            Function::ForceResidual => &self.equations.force_residual,
            Function::Step | Function::LookupArguments => &[],
            Function::Constraint => &self.equations.constraint,
            Function::ConstraintVelocity => &self.equations.constraint_velocity,
            Function::ConstraintAcceleration => &self.equations.constraint_acceleration,
            Function::Output => &self.model.output,
        }
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
        Argument::Lookups => 0,
    };
    Block::derivative(graph, function, values, argument, columns)
}
