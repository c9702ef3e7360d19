//! The work space of several points.

use costate_numerics::scalar::{LANES, Lanes, Vector, gather, lift_into};
use costate_system::model::Functions;

use super::super::Selected;
use super::super::stages::{MASS, Stages};
use crate::evaluate;

/// Work space.
#[derive(Debug, Clone)]
pub(super) struct StageLanes<M: Functions> {
    pub stages: Stages<M, Lanes>,
    pub x: Vec<Lanes>,
    pub outputs: M::Outputs<Lanes>,
}

impl<M: Functions> StageLanes<M> {
    /// Creates the working memory for points of this number of states, where lanes are available.
    pub fn new(selected: &Selected<M>, states: usize) -> Self {
        let mut parameters = M::Parameters::<Lanes>::zeros(M::lengths(selected.program).parameters);
        lift_into(selected.parameters.as_ref(), parameters.as_mut());
        let constants = evaluate::constants::<M, _>(selected.program, &parameters, &MASS, selected.problem.tables());
        let outputs = Vector::zeros(M::lengths(selected.program).outputs);
        Self { stages: Stages::new(constants), x: vec![Lanes::default(); states], outputs }
    }

    /// Takes the points, and the constants of their parameters.
    #[inline(always)]
    pub fn load(&mut self, selected: &Selected<M>, points: [&[f64]; LANES]) {
        gather(&mut self.x, points);
        if !selected.estimated.is_empty() {
            let fixed = self.x.len() - selected.estimated.len();
            let parameters = selected.parameters(&self.x[fixed..]);
            M::renew_constants(&mut self.stages.constants, &parameters, &MASS, selected.problem.tables());
        }
    }
}
