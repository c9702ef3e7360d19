//! Unknowns that a fit pushes against zero on a logarithmic scale, where they cannot change their sign.

use costate_optimize::{OptimizerState, Scaling, StartError, Variable};

use super::definition::Definition;
use super::definition::digits::significant;
use super::definition::error::IdentificationError;
use super::estimation::evaluation::Evaluation;
use super::estimation::reweighting::Round;
use super::search::Search;
use super::thresholds::SAME_COST;

/// The unknowns that have gone towards zero on a logarithmic scale, and may be negative as far as is known.
fn pushed(state: &OptimizerState) -> Vec<usize> {
    /// Below this part of its start value an unknown is on its way to zero.
    const MAX_PUSHED_PART: f64 = 1e-3;
    let is_pushed = |(variable, p): (&Variable, f64)| {
        variable.scaling() == Scaling::Logarithmic && !variable.is_positive() && p < MAX_PUSHED_PART * variable.start()
    };
    let all = state.variables().iter().zip(state.parameters()).enumerate();
    all.filter(|(_, one)| is_pushed(*one)).map(|(k, _)| k).collect()
}

/// A minimisation that begins where another one ended, with linear scales for some of the unknowns.
fn linear(state: &OptimizerState, unknowns: &[usize]) -> Result<OptimizerState, StartError> {
    let restarted = state.restarted();
    let variable = |(k, variable): (usize, &Variable)| match unknowns.contains(&k) {
        true => variable.clone().scaled(Scaling::Linear { typical: state.variables()[k].start().abs() }),
        false => variable.clone(),
    };
    let variables = restarted.variables().iter().enumerate().map(variable).collect();
    OptimizerState::new(variables, restarted.settings().clone())
}

impl Definition {
    /// Minimises once more on linear scales where unknowns have been pushed against zero on logarithmic ones; keeps
    /// what is better, and says what has happened. A stored state is that of the minimisation before, until this one
    /// has ended.
    pub(super) fn try_other_sign(
        &self,
        evaluation: &mut Evaluation<'_>,
        round: &mut Round,
        search: &mut Search<'_, '_>,
    ) -> Result<Vec<String>, IdentificationError> {
        let unknowns = pushed(&round.state);
        if unknowns.is_empty() {
            return Ok(Vec::new());
        }
        let mut linear = Round { state: linear(&round.state, &unknowns)?, ..round.clone() };
        let mut unstored = Search { peers: search.peers, ..Search::unstored(search.progress) };
        self.minimise(evaluation, &mut linear, &mut unstored)?;
        let is_better = linear.state.cost() < (1.0 - SAME_COST) * round.state.cost();
        let remark = |k: &usize| {
            let name = round.state.variables()[*k].name();
            let found = significant(linear.state.parameters()[*k], 4);
            match is_better {
                true => format!(
                    "`{name}` went towards 0 on its logarithmic scale; on a linear one it is {found}, with a lower cost"
                ),
                false => {
                    format!("`{name}` goes towards 0 on its logarithmic scale, and a linear one finds nothing better")
                }
            }
        };
        let remarks = unknowns.iter().map(remark).collect();
        if is_better {
            let before = std::mem::replace(&mut round.state, linear.state);
            round.earlier.push(before);
            search.keep(round, &self.run.interrupt)?;
        }
        Ok(remarks)
    }
}
