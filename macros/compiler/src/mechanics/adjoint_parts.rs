//! A step of the discrete adjoint in two parts. The first part depends on the state of the step alone: evaluation and
//! elimination. The second part goes from step to step: substitution and products. All states of a run are known
//! before its adjoint, so that the first part of several steps can be computed side by side.

use rustc_hash::FxHashMap;

use super::adjoint_step::AdjointStep;
use crate::symbolic::{Given, Graph, Id, Symbol};

/// The parts of an [`AdjointStep`].
#[derive(Debug, Clone)]
pub struct AdjointParts {
    /// The factors of the Newton matrix that change during a run.
    pub factors: Vec<Id>,
    /// The expressions that the recurrence uses apart from factors and constants of the run: first those of the adjoint
    /// variables, then those that the share of each parameter needs in addition.
    pub coefficients: Vec<Id>,
    /// The start of the coefficients of each parameter's share, and the end of all.
    pub of_parameters: Vec<usize>,
    /// The step as a function of given factors and coefficients.
    pub recurrence: AdjointStep,
    /// The contribution of the history to the right-hand side, as a function of given factors and coefficients.
    pub history: Vec<Id>,
}

impl AdjointParts {
    /// Splits `step`, in which `factors` are expressions. `None` if the work on the coefficients is small, or if the
    /// recurrence selects by conditions, which cannot be coefficients.
    pub fn new(graph: &mut Graph, factors: &[Id], step: &AdjointStep, history: &[Id]) -> Option<Self> {
        // Work of the integration scheme on every adjoint variable, in additions.
        const SCHEME_WORK: usize = 6;
        // Smallest ratio of the work on factors and coefficients to that of the recurrence at which storing them is
        // worth while.
        const MIN_WORK_RATIO: f64 = 1.0 / 3.0;
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
            // shares are computed independently, so that they have no coefficients in common
            let shared = cut.known.clone();
            cut.take(graph, &[*share]);
            gradient.extend(graph.replace(&[*share], &cut.known));
            cut.known = shared;
            of_parameters.push(cut.coefficients.len());
        }
        let of_coefficients = [factors, &cut.coefficients[..of_parameters[0]]].concat();
        let recurrent = graph.work(&variables) + SCHEME_WORK * variables.len();
        if (graph.work(&of_coefficients) as f64) < MIN_WORK_RATIO * recurrent as f64 {
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

/// Expressions found while the recurrence is followed back.
struct Cut {
    /// Replacements of expressions.
    known: FxHashMap<Id, Id>,
    coefficients: Vec<Id>,
}

impl Cut {
    /// Collects the expressions used by those parts of `roots` that go from step to step.
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

/// Checks whether the expression depends on the adjoint variables of step i + 1.
fn is_recurrent(graph: &Graph, id: Id) -> bool {
    graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Given(Given::AdjointCarry | Given::Carried, _)))
}
