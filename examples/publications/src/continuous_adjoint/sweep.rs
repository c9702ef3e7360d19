//! The sweep from the end of a run to its start.

use costate_numerics::linalg::block::Products;
use costate_system::model::{Block, Description};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;
use costate_system::step::Blocks;

use super::adjoint_step::AdjointStep;
use super::matrices::Matrices;
use super::source::Source;

/// Coefficients alpha_0..alpha_k of the backward differentiation formulas of order 1 to 5 (OB 3.46).
const BDF: [&[f64]; 5] = [
    &[1.0, -1.0],
    &[1.5, -2.0, 0.5],
    &[11.0 / 6.0, -3.0, 1.5, -1.0 / 3.0],
    &[25.0 / 12.0, -4.0, 3.0, -4.0 / 3.0, 0.25],
    &[137.0 / 60.0, -5.0, 5.0, -10.0 / 3.0, 1.25, -0.2],
];

/// Adjoint variables of a run as far back as they are computed, and the sum of the gradient so far.
pub(super) struct Sweep<'a> {
    model: &'static Description,
    matrices: Matrices<'a>,
    system: AdjointStep,
    blocks: Blocks,
    source: Source<'a>,
    order: usize,
    steps: usize,
    h: f64,
    /// p and M w of the steps before, the latest first.
    history: Vec<(Vec<f64>, Vec<f64>)>,
    gradient: Vec<f64>,
}

impl<'a> Sweep<'a> {
    /// A sweep that has not begun.
    pub fn new(
        problem: &Problem,
        matrices: Matrices<'a>,
        (steps, h): (usize, f64),
        output_gradient: &'a Series<f64>,
        order: usize,
    ) -> Self {
        let model = problem.description();
        Self {
            model,
            matrices,
            system: AdjointStep::new(model),
            blocks: Blocks::of(model),
            source: Source::new(output_gradient),
            order,
            steps,
            h,
            history: Vec::new(),
            gradient: vec![0.0; model.parameters.len()],
        }
    }

    /// Goes from the end to the start, and returns the gradient with respect to the parameters `unknown`.
    pub fn run(mut self, problem: &Problem, unknown: &[usize]) -> Result<Vec<f64>, SimulationError> {
        self.begin()?;
        for i in (0..self.steps).rev() {
            self.step(i)?;
            problem.poll(self.steps - i)?;
        }
        self.finish(unknown)
    }

    fn n(&self) -> usize {
        self.model.coordinates.len()
    }

    /// s_q^T x and s_v^T x.
    fn through_outputs(&self, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let group = self.matrices.outputs();
        let (mut q, mut v) = (vec![0.0; self.n()], vec![0.0; self.n()]);
        self.blocks.output_q.add_transposed_product(group, 1.0, x, &mut q);
        self.blocks.output_v.add_transposed_product(group, 1.0, x, &mut v);
        (q, v)
    }

    /// Consistent values at the end (OB 3.40 to 3.44).
    fn begin(&mut self) -> Result<(), SimulationError> {
        let last = self.steps;
        self.matrices.evaluate(last);
        let (mayer_q, mayer_v) = self.through_outputs(&self.source.mayer(last));
        let (n, m) = (self.n(), self.model.constraints.len());
        let mut solution = vec![0.0; n + m];
        let mut p: Vec<f64> = mayer_q.iter().map(|value| -value).collect();
        if mayer_v.iter().any(|&value| value != 0.0) {
            for (row, value) in solution.iter_mut().zip(&mayer_v) {
                *row = -value;
            }
            self.system.solve_end(&self.matrices, last, &mut solution)?;
            let xi = &solution[n..];
            self.matrices.add_velocity_constraint(last, xi, &mut p, &mut self.gradient);
        }
        let w = solution[..n].to_vec();
        self.make_consistent(&w, &mut p)?;
        let mass_w = self.matrices.mass_times(&w);
        self.collect(last, &w, None);
        self.history.insert(0, (p, mass_w));
        Ok(())
    }

    /// Lets p jump at the end such that C_q w = 0 goes on to hold: 0 = d/dt (C_q w) needs p in
    /// (M w)' = s_v^T h_s - p - B w to suit. With p + C_q^T kappa the multipliers have the impulse -kappa there, which
    /// the difference formulas must not see.
    fn make_consistent(&mut self, w: &[f64], p: &mut [f64]) -> Result<(), SimulationError> {
        let (last, n, m) = (self.steps, self.n(), self.model.constraints.len());
        if m == 0 || last < 2 {
            return Ok(());
        }
        // How M w and C_q w change backward in time at constant w, by a difference of second order.
        let mut right = vec![0.0; n + m];
        if w.iter().any(|&w| w != 0.0) {
            for (back, weight) in [(0, -3.0), (1, 4.0), (2, -1.0)] {
                self.matrices.evaluate(last - back);
                self.matrices.subtract_products(weight / (2.0 * self.h), w, &mut right);
            }
            self.matrices.evaluate(last);
        }
        let (_, density_v) = self.through_outputs(&self.source.density(last));
        for j in 0..n {
            right[j] += p[j] - density_v[j];
        }
        self.matrices.add_damping(w, &mut right[..n]);
        if self.system.solve_end(&self.matrices, last, &mut right).is_err() {
            // A coordinate without mass: the step's own matrix is regular, and as good to first order in h.
            self.system.solve(&self.matrices, last, (1.0, self.h), &mut right)?;
        }
        let impulse = &right[n..];
        self.matrices.add_constraint_parameters(1.0, impulse, &mut self.gradient);
        let kappa: Vec<f64> = impulse.iter().map(|value| -value).collect();
        self.matrices.add_constraint_forces(&kappa, p);
        Ok(())
    }

    /// p, w and mu at step i (OB 3.50 to 3.52).
    fn step(&mut self, i: usize) -> Result<(), SimulationError> {
        let (n, h) = (self.n(), self.h);
        self.matrices.evaluate(i);
        let (density_q, density_v) = self.through_outputs(&self.source.density(i));
        let alpha = BDF[self.order.min(self.history.len()) - 1];
        let mut old_p = vec![0.0; n];
        let mut right = vec![0.0; n + self.model.constraints.len()];
        for (weight, (p, mass_w)) in alpha[1..].iter().zip(&self.history) {
            for j in 0..n {
                old_p[j] += weight * p[j];
                right[j] -= weight * (h * p[j] + alpha[0] * mass_w[j]);
            }
        }
        for j in 0..n {
            right[j] -= alpha[0] * h * density_v[j] + h * h * density_q[j];
        }
        self.system.solve(&self.matrices, i, (alpha[0], h), &mut right)?;
        let (w, scaled_mu) = right.split_at(n);
        let mu: Vec<f64> = scaled_mu.iter().map(|value| value / (h * h)).collect();
        // p = -(h/alpha_0) (s_q^T h_s + A w + C_q^T mu) - 1/alpha_0 sum alpha_i p_{n-i}
        let mut p = density_q;
        self.matrices.add_stiffness(w, &mut p);
        self.matrices.add_constraint_forces(&mu, &mut p);
        for (p, old) in p.iter_mut().zip(&old_p) {
            *p = -(h * *p + old) / alpha[0];
        }
        let (w, mass_w) = (w.to_vec(), self.matrices.mass_times(w));
        self.collect(i, &w, Some(&mu));
        self.history.insert(0, (p, mass_w));
        self.history.truncate(BDF.len());
        Ok(())
    }

    /// The share of step i: the integral of w^T [(M a)_p + (C_q^T lambda)_p - f_p] + mu^T C_p by the trapezoidal and
    /// the rectangle rule (mu is not known at the end), and J_p through the outputs.
    fn collect(&mut self, i: usize, w: &[f64], mu: Option<&[f64]>) {
        let weight = if i == 0 || i == self.steps { 0.5 * self.h } else { self.h };
        self.matrices.add_parameters(weight, w, &mut self.gradient);
        if let Some(mu) = mu {
            self.matrices.add_constraint_parameters(self.h, mu, &mut self.gradient);
        }
        let samples = self.source.row(i);
        let output_p: &Block = self.blocks.output_p;
        output_p.add_transposed_product(self.matrices.outputs(), 1.0, samples, &mut self.gradient);
    }

    /// The share of the initial state: - p(0)^T q0_p - (M w)(0)^T v0_p, and the Mayer term there.
    fn finish(self, unknown: &[usize]) -> Result<Vec<f64>, SimulationError> {
        let n = self.n();
        let (mut q, mut v) = self.through_outputs(&self.source.mayer(0));
        if let Some((p, mass_w)) = self.history.first() {
            for j in 0..n {
                q[j] -= p[j];
                v[j] -= mass_w[j];
            }
        }
        let initial = self.matrices.initial_derivatives(unknown)?;
        let total = unknown.iter().zip(initial.column_iter()).map(|(&parameter, column)| {
            let positions: f64 = column.rows(0, n).iter().zip(&q).map(|(x, q)| x * q).sum();
            let velocities: f64 = column.rows(n, n).iter().zip(&v).map(|(x, v)| x * v).sum();
            self.gradient[parameter] + positions + velocities
        });
        Ok(total.collect())
    }
}
