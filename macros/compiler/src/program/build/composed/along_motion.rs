//! The constraints at the levels of velocities and accelerations, and their derivatives, composed of the constraints
//! and their derivatives along the motion.
//!
//! The first and second derivatives of C with respect to time, along a motion with the velocities v and accelerations
//! a, are the constraints at these levels: C' = C_q v + C_t, C'' = C_q a + (C_q v)_q v + 2 C_qt v + C_tt. Derivatives
//! with respect to coordinates and parameters may be taken before or after those with respect to time, so that
//!
//! ```text
//! (C')_q = (C_q)'     (C'')_q = (C_q)''     (C'')_v = 2 (C_q)'     (C')_p = (C_p)'     (C'')_p = (C_p)''
//! ```
//!
//! One function of C, C_q and C_p, evaluated with numbers that have rates and accelerations, is much shorter than
//! functions that write these derivatives out.

use costate_contract::{Argument, Function as Quantity, Group as Kind};
use rustc_hash::FxHashSet;

use super::{Entries, Term, Writer};
use crate::mechanics::{Block, Group, Groups, Parts};
use crate::model::Model;
use crate::program::build::constants::Constants;
use crate::program::build::documentation;
use crate::program::build::groups::{self, Wanted};
use crate::program::build::operations::Operations;
use crate::program::build::parts::Split;
use crate::program::{AlongMotion, Array, Expression, Function, Local, LocalArray};
use crate::symbolic::{Graph, Id, Node};

/// The local arrays with the rates and accelerations of C, C_q and C_p.
const RATES: Local = Local(0);
const ACCELERATIONS: Local = Local(1);

/// Expressions of the constraints and their derivatives, of which the functions of both levels are composed.
pub struct Constraints {
    group: Group,
    values: Vec<Id>,
    split: Option<Split>,
}

impl Constraints {
    /// Collects the expressions. Returns `None` where the derivatives at both levels are short, where writing them out
    /// takes less work than the constraints along the motion, where results are too many, and where constraints depend
    /// on tables, because lookups branch on numbers. `roots` are the values of all groups.
    pub fn find(graph: &mut Graph, groups: &Groups, parts: Option<&Parts>, roots: &[Vec<Id>]) -> Option<Constraints> {
        // Most results of the function of the constraints: they are three numbers each, on the stack.
        const MAX_RESULTS: usize = 4096;
        // Number of operations of one on numbers with rates and accelerations: additions take three, products nine.
        const WORK_RATIO: usize = 6;
        // Fewest operations of the derivatives at both levels that are worth a function of their own.
        const MIN_WORK: usize = 5000;
        let position = groups.all.iter().position(|group| group.kind == Kind::KinematicsDerivatives)?;
        let replaced = Operations::count(graph, "", roots.get(position)?, |_| false).total();
        if replaced < MIN_WORK {
            return None;
        }
        let block = |kind: Kind, argument: Option<Argument>| {
            let group = groups.all.iter().find(|group| group.kind == kind)?;
            let is_wanted = |block: &&Block| (block.function, block.argument) == (Quantity::Constraint, argument);
            group.blocks.iter().find(is_wanted)
        };
        let mut blocks = vec![block(Kind::Newton, None)?.clone()];
        for argument in [Argument::Coordinates, Argument::Parameters] {
            blocks.push(changing(groups, block(Kind::Linearization, Some(argument))?));
        }
        // a group needs a kind; the function has a name and a purpose of its own
        let group = Group { kind: Kind::KinematicsDerivatives, blocks, factors: None };
        let values = graph.lower_powers(&group.values());
        let looks_up = |id: &Id| matches!(graph.node(*id), Node::Curve(..) | Node::Surface(..));
        if graph.reachable(&values).iter().any(looks_up) {
            return None;
        }
        let work = WORK_RATIO * Operations::count(graph, "", &values, |_| false).total();
        if work > replaced || values.len() > MAX_RESULTS {
            return None;
        }
        let split = parts.map(|parts| Split::new(parts, graph, &group, &values));
        Some(Constraints { group, values, split })
    }

    /// Lists all expressions.
    pub fn expressions(&self) -> Vec<Id> {
        self.split.iter().flat_map(Split::values).chain(self.values.iter().copied()).collect()
    }

    /// Writes the function of the constraints and those that are composed of it.
    pub fn write(
        &self,
        (model, graph): (&Model, &mut Graph),
        constants: &Constants,
        groups: &Groups,
        parts: Option<&Parts>,
    ) -> Option<AlongMotion> {
        let Self { group, values, split } = self;
        let parts = parts.zip(split.as_ref());
        let purpose = "The constraints, and their derivatives with respect to coordinates and parameters.";
        let constraints =
            groups::function(model, graph, constants, Wanted { name: NAME, purpose, group, values, parts })?;
        let levels = groups.all.iter().filter(|group| LEVELS.contains(&group.kind));
        Some(AlongMotion {
            constraints,
            length: group.length(),
            levels: levels.map(|level| compose(model, graph, group, level)).collect::<Option<_>>()?,
        })
    }
}

/// Returns the entries of a derivative of the constraints that occur at one of the levels; the others are constant.
fn changing(groups: &Groups, of: &Block) -> Block {
    let levels = groups.all.iter().filter(|group| LEVELS.contains(&group.kind));
    let blocks = levels.flat_map(|group| &group.blocks);
    let used: FxHashSet<_> = blocks
        .filter(|block| block.argument.map(before_time) == of.argument)
        .flat_map(|block| &block.entries)
        .collect();
    let entries = of.iter().filter(|(row, column, _)| used.contains(&(*row, *column)));
    let (entries, values) = entries.map(|(row, column, value)| ((row, column), value)).unzip();
    Block { entries, values, ..of.clone() }
}

/// Returns the argument of the derivative whose rate is a derivative with respect to `argument`.
fn before_time(argument: Argument) -> Argument {
    if argument == Argument::Velocities { Argument::Coordinates } else { argument }
}

/// The name of the function of the constraints.
pub const NAME: &str = "constraints";

/// The groups that are composed.
const LEVELS: [Kind; 2] = [Kind::Kinematics, Kind::KinematicsDerivatives];

/// Writes the function of a group, whose results are rates and accelerations of the constraints and their derivatives.
fn compose(model: &Model, graph: &Graph, constraints: &Group, level: &Group) -> Option<Function> {
    let mut writer = Writer { positions: Vec::new(), body: Vec::new(), operations: Operations::default() };
    let twice = Expression::Number(2.0);
    for block in &level.blocks {
        let (array, factors) = match (block.function, block.argument) {
            (Quantity::ConstraintVelocity, _) => (RATES, vec![]),
            (_, Some(Argument::Velocities)) => (RATES, vec![&twice]),
            _ => (ACCELERATIONS, vec![]),
        };
        let to = Entries::find((level, Array::Out), block.function, block.argument)?;
        let from = (constraints, Array::Local(array));
        let entries = Entries::find(from, Quantity::Constraint, block.argument.map(before_time))?;
        writer.compose(&to, &[Term { entries, factors, is_subtracted: false }]);
    }
    let local = |name: &str| LocalArray { name: name.to_owned(), length: constraints.length() };
    Some(Function {
        name: level.kind.name(),
        documentation: documentation::along_motion(model, graph, level),
        locals: vec![local("rates"), local("accelerations")],
        positions: writer.positions,
        body: writer.body,
        ..Function::default()
    })
}
