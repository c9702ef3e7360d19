//! A step of the discrete adjoint in two parts: what depends on the state of the step alone, evaluation and elimination,
//! and what goes from step to step, substitution and products. The states of a run are all known before its adjoint: the
//! first part of several steps can be computed side by side.

use rustc_hash::FxHashMap;

use super::adjoint_step::AdjointStep;
use crate::symbolic::{Given, Graph, Id, Symbol};

/// Part of the recurrence's work that the coefficients' must be, to be worth storing them.
const LEAST_PART: f64 = 1.0 / 3.0;

/// What the scheme does with every variable of the adjoint besides, in additions.
const SCHEME: usize = 6;

/// The parts of an [`AdjointStep`].
#[derive(Debug, Clone)]
pub struct AdjointParts {
    /// The factors of the Newton matrix that change during a run.
    pub factors: Vec<Id>,
    /// What the recurrence uses besides factors and constants of the run: what adjoint variables need, then what the
    /// share of one parameter after the other needs besides.
    pub coefficients: Vec<Id>,
    /// Where the coefficients of each parameter's share begin, and the end of all.
    pub of_parameters: Vec<usize>,
    /// The step with given factors and coefficients.
    pub recurrence: AdjointStep,
    /// What the history adds to the right-hand side, with given factors and coefficients.
    pub history: Vec<Id>,
}

impl AdjointParts {
    /// Cuts `step`, in which `factors` are not given. `None` where there is little to be computed for the coefficients, or
    /// where the recurrence chooses between expressions by conditions, which are no coefficients.
    pub fn new(graph: &mut Graph, factors: &[Id], step: &AdjointStep, history: &[Id]) -> Option<Self> {
        let mut known: FxHashMap<Id, Id> = FxHashMap::default();
        for (i, &factor) in factors.iter().enumerate() {
            let symbol = graph.symbol(Symbol::Given(Given::Factor, i));
            let (factor, negative) = graph.without_sign(factor);
            if !graph.is_run_constant(factor) {
                known.insert(factor, if negative { graph.negate(symbol) } else { symbol });
            }
        }
        let mut cut = Cut { known, coefficients: Vec::new() };
        cut.take(graph, &step.variables);
        cut.take(graph, history);
        let variables = graph.replace(&step.variables, &cut.known);
        let history = graph.replace(history, &cut.known);
        let mut of_parameters = vec![cut.coefficients.len()];
        let mut gradient = Vec::with_capacity(step.gradient.len());
        for share in &step.gradient {
            // shares are computed one without the other: they have nothing in common
            let shared = cut.known.clone();
            cut.take(graph, &[*share]);
            gradient.extend(graph.replace(&[*share], &cut.known));
            cut.known = shared;
            of_parameters.push(cut.coefficients.len());
        }
        let of_coefficients = [factors, &cut.coefficients[..of_parameters[0]]].concat();
        let recurrent = graph.work(&variables) + SCHEME * variables.len();
        if (graph.work(&of_coefficients) as f64) < LEAST_PART * recurrent as f64 {
            return None;
        }
        let are_numbers = cut.coefficients.iter().all(|&id| !graph.node(id).is_condition());
        are_numbers.then(|| Self {
            factors: factors.to_vec(),
            coefficients: cut.coefficients,
            of_parameters,
            recurrence: AdjointStep { variables, gradient },
            history,
        })
    }
}

/// What is found while the recurrence is followed back.
struct Cut {
    /// What is put in place of an expression.
    known: FxHashMap<Id, Id>,
    coefficients: Vec<Id>,
}

impl Cut {
    /// Finds what the parts of `roots` that go from step to step use.
    fn take(&mut self, graph: &mut Graph, roots: &[Id]) {
        let reachable = graph.reachable(roots);
        let operands = reachable.iter().filter(|&&id| is_recurrent(graph, id));
        let operands: Vec<Id> = operands.flat_map(|&id| graph.node(id).operands()).collect();
        for id in operands.into_iter().chain(roots.iter().copied()) {
            let (id, _) = graph.without_sign(id);
            if is_recurrent(graph, id) || graph.is_run_constant(id) || self.known.contains_key(&id) {
                continue;
            }
            let symbol = graph.symbol(Symbol::Given(Given::AdjointCoefficient, self.coefficients.len()));
            self.known.insert(id, symbol);
            self.coefficients.push(id);
        }
    }
}

/// Whether the expression depends on the step after it.
fn is_recurrent(graph: &Graph, id: Id) -> bool {
    graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Given(Given::Passed | Given::Carried, _)))
}
