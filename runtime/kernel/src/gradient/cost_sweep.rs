//! One cost of a backward sweep: its adjoint steps, and its accumulated gradient.

use costate_numerics::linalg::block::Products;
use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{Functions, Weights};
use costate_system::series::Series;

use super::displaced::Displaced;
use crate::step::{AdjointStep, LinearStep, LookupAdjoint, Moment, ParameterBlocks, StepAdjoint, StepConstants};

/// One cost: its adjoint steps, and its accumulated gradient.
pub(super) struct CostSweep<'a, M: Functions, S: Scalar> {
    pub program: M::Program,
    pub output_gradient: &'a Series<S>,
    /// dJ/dx_N of a cost of the final state (3n + m), until step N is done; `None` afterwards and for other
    /// costs.
    pub end_gradient: Option<&'a [S]>,
    /// dJ/du; `None` if it is not wanted.
    pub inputs: Option<Series<S>>,
    /// The derivatives with respect to tables; `None` if they are not wanted.
    pub lookups: Option<LookupAdjoint<S>>,
    pub step: StepAdjoint<M, S>,
    /// dJ/ds at steps without a sample: zeros.
    pub nothing: Vec<S>,
    /// The accumulated dJ/dp of all parameters; only the entries of the unknown ones are valid.
    pub gradient: M::Parameters<S>,
}

impl<'a, M: Functions, S: Scalar> CostSweep<'a, M, S> {
    pub fn new(program: M::Program, output_gradient: &'a Series<S>) -> Self {
        Self {
            program,
            output_gradient,
            end_gradient: None,
            inputs: None,
            lookups: None,
            step: StepAdjoint::new(program),
            nothing: vec![S::default(); output_gradient.width()],
            gradient: Vector::zeros(M::lengths(program).parameters),
        }
    }

    /// Returns the arguments of the emitted step that ends at this sample; `None` between samples.
    #[inline(always)]
    pub fn emitted(&mut self, sample: Option<usize>) -> AdjointStep<'_, M, S> {
        let output_gradient = match sample {
            Some(sample) => self.output_gradient.of_step(sample),
            None => &self.nothing,
        };
        self.step.emitted(output_gradient)
    }

    /// Checks whether derivatives with respect to tables are wanted and the model has lookups.
    #[inline(always)]
    pub fn has_lookups(&self) -> bool {
        !M::description(self.program).lookups.is_empty() && self.lookups.is_some()
    }

    /// Adds the share of the step in the derivatives with respect to tables, if they are wanted.
    #[inline(always)]
    pub fn differentiate_lookups(
        &mut self,
        linear: &mut LinearStep<M, S>,
        constants: &StepConstants<M, S>,
        at: Moment<'_>,
        state: &[S],
        sample: Option<usize>,
    ) {
        if self.has_lookups()
            && let Some(lookups) = &mut self.lookups
        {
            linear.evaluate_lookups(constants, at, state, &mut lookups.group);
            if linear.determined().is_some() {
                linear.evaluate_levels(constants, &mut lookups.levels);
                lookups.add_levels(self.step.levels.each_ref().map(AsRef::as_ref));
            }
            self.add_lookups(&constants.weights, sample);
        }
    }

    /// Adds the share of the step in the derivatives with respect to tables, where the group of lookups is
    /// evaluated.
    #[inline(always)]
    pub fn add_lookups(&mut self, weights: &Weights, sample: Option<usize>) {
        let Some(lookups) = &mut self.lookups else { return };
        let output_gradient = match sample {
            Some(sample) => self.output_gradient.of_step(sample),
            None => &self.nothing,
        };
        let StepAdjoint { later, adjoint, .. } = &self.step;
        lookups.add_step::<M>(weights, adjoint, later, output_gradient);
    }

    /// Ends the step: adds its share to the gradient.
    #[inline(always)]
    pub fn commit(&mut self, unknown: &[usize]) {
        self.step.commit();
        let (gradient, share) = (self.gradient.as_mut(), self.step.share.as_ref());
        for &parameter in unknown {
            gradient[parameter] += share[parameter];
        }
    }

    /// Adds the share of a displacement: step i + 1 restarts with velocities displaced from the state of
    /// step i, which contributes to the derivatives of the cost with respect to that state and to the
    /// gradients.
    pub fn restart(&mut self, displaced: &Displaced<S>, unknown: &[usize]) {
        let StepAdjoint { later, cost, share, .. } = &mut self.step;
        let worth = displaced.worth(later);
        for (part, of_state) in [&mut cost.q, &mut cost.v, &mut cost.a].into_iter().zip(&worth.state) {
            part.iter_mut().zip(of_state).for_each(|(part, of_state)| *part += *of_state);
        }
        displaced.differentiate_parameters(&worth, unknown, share.as_mut());
        if let Some(lookups) = &mut self.lookups {
            displaced.differentiate_lookups(&worth, lookups);
        }
    }

    /// Evaluates J_q, J_v, J_a and J_lambda at the step; J_p goes into the step's share.
    pub fn differentiate_cost(
        &mut self,
        linear: &mut LinearStep<M, S>,
        constants: &StepConstants<M, S>,
        sample: Option<usize>,
        parameters: &ParameterBlocks,
    ) {
        let StepAdjoint { share, cost, .. } = &mut self.step;
        share.as_mut().fill(S::default());
        cost.clear();
        if let Some(last) = self.end_gradient.take() {
            let mut rest = last;
            for part in [&mut cost.q, &mut cost.v, &mut cost.a, &mut cost.lambda] {
                let (own, others) = rest.split_at(part.len());
                part.copy_from_slice(own);
                rest = others;
            }
        }
        let Some(sample) = sample else { return };
        let output_gradient = self.output_gradient.of_step(sample);
        if output_gradient.iter().all(|derivative| is_zero(*derivative)) {
            return;
        }
        linear.evaluate_outputs(constants);
        let (blocks, group) = (&linear.blocks, linear.outputs());
        for (block, part) in [
            (blocks.output_q, &mut cost.q),
            (blocks.output_v, &mut cost.v),
            (blocks.output_a, &mut cost.a),
            (blocks.output_lambda, &mut cost.lambda),
        ] {
            block.add_transposed_product(group, 1.0, output_gradient, part);
        }
        parameters.output.add_transposed_product(group, 1.0, output_gradient, share.as_mut());
    }

    /// Concludes step 0, where `linear` is evaluated: adds the share of G_0 in the first step to the
    /// gradient, and returns dJ/dx_0 and dJ/ds_0 (4n + m).
    pub fn begin(
        &mut self,
        linear: &mut LinearStep<M, S>,
        constants: &StepConstants<M, S>,
        parameters: &ParameterBlocks,
    ) -> Vec<S> {
        self.differentiate_cost(linear, constants, Some(0), parameters);
        self.step.begin(linear, &constants.weights, parameters);
        for (gradient, share) in self.gradient.as_mut().iter_mut().zip(self.step.share.as_ref()) {
            *gradient += *share;
        }
        self.step.cost.parts().map(|part| part.clone()).concat()
    }
}

/// Checks whether all components are zero.
fn is_zero<S: Scalar>(value: S) -> bool {
    (0..S::COMPONENTS).all(|component| value.component(component) == 0.0)
}
