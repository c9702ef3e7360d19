//! The derivatives of the motion in independent coordinates, and their structure.

use nalgebra::DMatrix;

use costate_contract::Description;

use crate::system::{Equations, Instant};

use super::dependence::{Arithmetic, Dependence, Numbers, Structure};
use super::terms::Terms;
use super::{IndependentError, IndependentMotion};

impl IndependentMotion {
    /// Computes the derivatives of x' and, in the rows below, of the outputs, with respect to x, the inputs and the
    /// parameters, in columns of this order; `at` has a motion that [`evaluate`](Self::evaluate) has computed.
    ///
    /// # Errors
    /// [`IndependentError`].
    pub fn jacobian(
        &self,
        equations: &dyn Equations<f64>,
        at: Instant<'_, f64>,
    ) -> Result<DMatrix<f64>, IndependentError> {
        let jacobian = self.differentiated::<Numbers>(&Terms::at(equations, at));
        jacobian.ok_or_else(|| self.singular(equations, at.time, 0.0))
    }

    /// Returns a matrix of the size of [`jacobian`](Self::jacobian) that has true for derivatives that may be other
    /// than 0.
    pub fn structure(&self, model: &Description) -> DMatrix<bool> {
        let structure = self.differentiated::<Structure>(&Terms::structure(model));
        structure.unwrap_or_default().map(|value| value != 0.0)
    }

    fn differentiated<A: Arithmetic>(&self, terms: &Terms) -> Option<DMatrix<f64>> {
        let [c_q, c_p] = &terms.constraint;
        let [rate_q, rate_p] = &terms.rates;
        let [acceleration_q, acceleration_v, acceleration_p] = &terms.accelerations;
        let [force_q, force_v, force_u, force_p] = &terms.forces;
        let (n, states) = (c_q.ncols(), self.states());
        let (inputs, parameters) = (force_u.ncols(), force_p.ncols());
        let columns = states + inputs + parameters;
        let dependence = Dependence::<A>::new(c_q, &self.dependent);

        let mut dq = DMatrix::zeros(n, columns);
        dq.columns_mut(0, self.positions.len()).copy_from(&dependence.motions(&self.positions)?);
        dq.columns_mut(states + inputs, parameters).copy_from(&dependence.closing(c_p)?);

        let mut rates = rate_q * &dq;
        rates.columns_mut(states + inputs, parameters).zip_apply(rate_p, |sum, own| *sum += own);
        let mut dv = dependence.closing(&rates)?;
        let own = dependence.motions(&self.velocities)?;
        dv.columns_mut(self.positions.len(), self.velocities.len()).zip_apply(&own, |sum, own| *sum += own);

        // what is left of M da + C_q^T dlambda
        let mut left = force_q * &dq + force_v * &dv;
        left.columns_mut(states, inputs).zip_apply(force_u, |sum, own| *sum += own);
        left.columns_mut(states + inputs, parameters).zip_apply(force_p, |sum, own| *sum += own);
        let massless = dependence.motions(&self.massless)?;
        let balance = A::factor(massless.tr_mul(&(force_v * &massless)));
        let balanced = &massless * (A::solve(&balance, &massless.tr_mul(&left))? * A::MINUS);
        left += force_v * &balanced;
        dv += balanced;

        let mut bent = acceleration_q * &dq + acceleration_v * &dv;
        bent.columns_mut(states + inputs, parameters).zip_apply(acceleration_p, |sum, own| *sum += own);
        let particular = dependence.closing(&bent)?;
        let mass = A::factor(own.tr_mul(&(&terms.mass * &own)));
        let right = own.tr_mul(&(&left + &terms.mass * &particular * A::MINUS));
        let da = &own * A::solve(&mass, &right)? + particular;
        let of_multipliers = dependence.reactions()?.tr_mul(&(left + &terms.mass * &da * A::MINUS));

        let [output_q, output_v, output_a, output_lambda, output_u, output_p] = &terms.outputs;
        let mut outputs = output_q * &dq + output_v * &dv + output_a * &da + output_lambda * of_multipliers;
        outputs.columns_mut(states, inputs).zip_apply(output_u, |sum, own| *sum += own);
        outputs.columns_mut(states + inputs, parameters).zip_apply(output_p, |sum, own| *sum += own);

        let mut jacobian = DMatrix::zeros(states + outputs.nrows(), columns);
        let rows = self.positions.iter().map(|&index| dv.row(index));
        let rows = rows.chain(self.velocities.iter().map(|&index| da.row(index))).chain(outputs.row_iter());
        rows.enumerate().for_each(|(place, row)| jacobian.set_row(place, &row));
        Some(jacobian)
    }
}
