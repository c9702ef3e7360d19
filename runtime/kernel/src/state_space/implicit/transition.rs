//! F of a step: its tangent along every state.

use costate_system::model::Functions;

use super::super::layout::Layout;
use crate::step::{LinearStep, Moment, StepConstants, StepError, Tangent, With};

/// Work space.
pub(super) struct Transition<M: Functions> {
    /// At t_{i-1} and t_i.
    linear: [LinearStep<M>; 2],
    tangent: Tangent<M>,
}

impl<M: Functions> Transition<M> {
    pub fn new(program: M::Program) -> Self {
        let (n, m) = (M::lengths(program).coordinates, M::lengths(program).multipliers);
        Self {
            linear: std::array::from_fn(|_| LinearStep::new(program).prepared()),
            tangent: Tangent::single(program, With::Nothing, &vec![0.0; 4 * n + m]),
        }
    }

    /// Evaluates the step between two filter states.
    pub fn linearize(
        &mut self,
        layout: Layout,
        constants: &StepConstants<M, f64>,
        moments: [Moment<'_>; 2],
        x: [&[f64]; 2],
    ) -> Result<(), StepError> {
        let [before, after] = &mut self.linear;
        if constants.weights.previous != 0.0 {
            before.load(moments[0], &x[0][..layout.state()]);
            before.evaluate(constants);
        }
        after.load(moments[1], &x[1][..layout.state()]);
        after.evaluate(constants);
        after.factor(constants)
    }

    /// A column of F, that of `parameter` if it is one.
    pub fn column(
        &mut self,
        layout: Layout,
        constants: &StepConstants<M, f64>,
        column: usize,
        parameter: Option<usize>,
        result: &mut [f64],
    ) {
        let Self { linear: [before, after], tangent } = self;
        result.fill(0.0);
        result[column] = 1.0;
        let (state, auxiliary) = (&result[..layout.state()], &result[layout.auxiliary_accelerations()]);
        tangent.begin(parameter.map_or(With::Nothing, With::Parameter), state, auxiliary);
        if constants.weights.previous != 0.0 {
            tangent.remember_force_residual(before);
        }
        tangent.step(after, constants);
        tangent.store(&mut result[..layout.state()]);
        let auxiliaries = &mut result[layout.auxiliaries()];
        let own = auxiliaries.len();
        auxiliaries.copy_from_slice(&tangent.auxiliary()[..own]);
    }
}
