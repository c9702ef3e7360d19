//! Outputs at both ends of a run, their integrals and functions of these: Mayer, Lagrange and Bolza costs.

use std::fmt;
use std::sync::Arc;

use super::{Cost, CostWeightError, add_none, same_step};
use costate_numerics::scalar::{Dual, Scalar};
use costate_system::identifiers::Output;
use costate_system::series::Series;

/// phi of the outputs at the start and at the end.
type EndFunction = dyn Fn(&[Dual], &[Dual]) -> Dual + Send + Sync;

/// h of time and outputs.
type Integrand = dyn Fn(f64, &[Dual]) -> Dual + Send + Sync;

/// J = phi(s(0), s(T)) + integral of h(t, s) from 0 to T, the Bolza form of OB (3.9): phi alone makes a Mayer cost, h
/// alone a Lagrange cost.
///
/// Both are sums of terms, outputs with weights or functions of some outputs. Functions of the motion may as well be
/// outputs of the model, `outputs { loss: W = d*dot(x)^2 }`. Derivatives are exact in either case. The integral is the
/// trapezoidal sum over the steps. In an identification, such a cost has no residuals.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: -c*x - d*dot(x) }
/// #         initial { x = 0.01[m], dot(x) = 0[m/s] }
/// #         outputs { position: m = x, velocity: m/s = dot(x) }
/// #     }
/// # }
/// use costate::cost::BolzaCost;
/// use costate::{Model, Simulation};
///
/// # fn main() -> anyhow::Result<()> {
/// let mount = Mount::default();
/// let problem = Simulation::new(&mount).step(1e-4).until(1.0).problem()?;
/// // how much of the deflection is left at the end, and the mean square of the velocity late in the run
/// let cost = BolzaCost::new(1e-4, problem.samples())
///     .with_end_function([Mount::POSITION], |start, end| end[0] * end[0] / (start[0] * start[0]))
///     .with_integrand([Mount::VELOCITY], |t, s| if t > 0.5 { s[0] * s[0] } else { s[0] * 0.0 });
/// let (value, gradient) = problem.value_and_gradient(&cost, &mount.parameters(), &[Mount::D])?;
/// assert!(value > 0.0 && gradient[0] < 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct BolzaCost {
    step: f64,
    samples: usize,
    /// Output and weight.
    starts: Vec<(usize, f64)>,
    ends: Vec<(usize, f64)>,
    integrals: Vec<(usize, f64)>,
    /// Outputs and a function of them.
    end_functions: Vec<(Vec<usize>, Arc<EndFunction>)>,
    integrands: Vec<(Vec<usize>, Arc<Integrand>)>,
}

impl BolzaCost {
    /// No terms, J = 0, for runs of `samples` = N + 1 samples with `step` = h in s.
    pub fn new(step: f64, samples: usize) -> Self {
        Self {
            step,
            samples,
            starts: Vec::new(),
            ends: Vec::new(),
            integrals: Vec::new(),
            end_functions: Vec::new(),
            integrands: Vec::new(),
        }
    }

    /// Adds `weight` times the output at the start of the run.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not finite.
    pub fn with_start_value<M>(mut self, output: Output<M>, weight: f64) -> Result<Self, CostWeightError> {
        self.starts.push((output.index(), finite(weight)?));
        Ok(self)
    }

    /// Adds `weight` times the output at the end of the run: a Mayer term.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not finite.
    pub fn with_end_value<M>(mut self, output: Output<M>, weight: f64) -> Result<Self, CostWeightError> {
        self.ends.push((output.index(), finite(weight)?));
        Ok(self)
    }

    /// Adds `weight` times the integral of the output over the run: a Lagrange term.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not finite.
    pub fn with_integral<M>(mut self, output: Output<M>, weight: f64) -> Result<Self, CostWeightError> {
        self.integrals.push((output.index(), finite(weight)?));
        Ok(self)
    }

    /// Adds a function phi of these outputs at the start and at the end of the run: a Mayer term of any form. It is
    /// given their values there, in this order, and what it makes of them by the operations of [`Dual`] is
    /// differentiated exactly.
    #[must_use]
    pub fn with_end_function<M>(
        mut self,
        outputs: impl IntoIterator<Item = Output<M>>,
        phi: impl Fn(&[Dual], &[Dual]) -> Dual + Send + Sync + 'static,
    ) -> Self {
        self.end_functions.push((outputs.into_iter().map(Output::index).collect(), Arc::new(phi)));
        self
    }

    /// Adds the integral of a function h of the time in s and of these outputs: a Lagrange term of any form.
    #[must_use]
    pub fn with_integrand<M>(
        mut self,
        outputs: impl IntoIterator<Item = Output<M>>,
        h: impl Fn(f64, &[Dual]) -> Dual + Send + Sync + 'static,
    ) -> Self {
        self.integrands.push((outputs.into_iter().map(Output::index).collect(), Arc::new(h)));
        self
    }

    fn last(&self) -> usize {
        self.samples.saturating_sub(1)
    }

    /// The weight of sample i in an integral.
    fn part(&self, i: usize) -> f64 {
        if i == 0 || i == self.last() { 0.5 * self.step } else { self.step }
    }

    /// dJ/ds_ik of the terms that are linear in the outputs, for every sample i and output k that they depend on.
    fn linear(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let starts = self.starts.iter().map(|&(output, weight)| (0, output, weight));
        let ends = self.ends.iter().map(move |&(output, weight)| (self.last(), output, weight));
        let integrals = self
            .integrals
            .iter()
            .flat_map(move |&(output, weight)| (0..self.samples).map(move |i| (i, output, weight * self.part(i))));
        starts.chain(ends).chain(integrals)
    }

    /// J of outputs in dual numbers; NaN for those of another run.
    fn evaluate<S: Scalar>(&self, outputs: &Series<S>, dual: impl Fn(S) -> Dual) -> Dual {
        if self.samples == 0 || !self.fits(outputs.step(), outputs.samples(), outputs.width()) {
            return Dual { value: f64::NAN, derivative: f64::NAN };
        }
        let mut sum = Dual::default();
        for (i, output, derivative) in self.linear() {
            sum += dual(outputs.row(i)[output]) * derivative;
        }
        let values = |i: usize, selected: &[usize]| -> Vec<Dual> {
            selected.iter().map(|&output| dual(outputs.row(i)[output])).collect()
        };
        for (selected, phi) in &self.end_functions {
            sum += phi(&values(0, selected), &values(self.last(), selected));
        }
        for (selected, h) in &self.integrands {
            for i in 0..self.samples {
                sum += h(i as f64 * self.step, &values(i, selected)) * self.part(i);
            }
        }
        sum
    }

    /// Adds the derivatives of phi and h, one variable after the other.
    fn add_functions(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        let constants = |i: usize, selected: &[usize]| -> Vec<Dual> {
            selected.iter().map(|&output| Dual::constant(outputs.row(i)[output])).collect()
        };
        let last = self.last();
        for (selected, phi) in &self.end_functions {
            let (mut start, mut end) = (constants(0, selected), constants(last, selected));
            for (k, &output) in selected.iter().enumerate() {
                start[k].derivative = 1.0;
                gradient.row_mut(0)[output] += phi(&start, &end).derivative;
                start[k].derivative = 0.0;
                end[k].derivative = 1.0;
                gradient.row_mut(last)[output] += phi(&start, &end).derivative;
                end[k].derivative = 0.0;
            }
        }
        for (selected, h) in &self.integrands {
            for i in 0..self.samples {
                let mut values = constants(i, selected);
                for (k, &output) in selected.iter().enumerate() {
                    values[k].derivative = 1.0;
                    gradient.row_mut(i)[output] += self.part(i) * h(i as f64 * self.step, &values).derivative;
                    values[k].derivative = 0.0;
                }
            }
        }
    }
}

impl Cost for BolzaCost {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.evaluate(outputs, Dual::constant).value
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        self.evaluate(outputs, |value| value)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        let fits = |series: &Series<f64>| self.fits(series.step(), series.samples(), series.width());
        if self.samples == 0 || !fits(outputs) || !fits(gradient) {
            return add_none(gradient);
        }
        for (i, output, derivative) in self.linear() {
            gradient.row_mut(i)[output] += derivative;
        }
        self.add_functions(outputs, gradient);
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let weighted = self.starts.iter().chain(&self.ends).chain(&self.integrals).map(|(output, _)| output);
        let of_ends = self.end_functions.iter().flat_map(|(outputs, _)| outputs);
        let of_integrands = self.integrands.iter().flat_map(|(outputs, _)| outputs);
        let known = weighted.chain(of_ends).chain(of_integrands).all(|output| *output < width);
        known && samples == self.samples && same_step(step, self.step)
    }
}

/// Functions are equal where they are the same one.
impl PartialEq for BolzaCost {
    fn eq(&self, other: &Self) -> bool {
        type Of<F> = (Vec<usize>, Arc<F>);
        fn same<F: ?Sized>(a: &[Of<F>], b: &[Of<F>]) -> bool {
            let is_same =
                |(a, b): (&Of<F>, &Of<F>)| a.0 == b.0 && std::ptr::addr_eq(Arc::as_ptr(&a.1), Arc::as_ptr(&b.1));
            a.len() == b.len() && a.iter().zip(b).all(is_same)
        }
        self.step == other.step
            && self.samples == other.samples
            && self.starts == other.starts
            && self.ends == other.ends
            && self.integrals == other.integrals
            && same(&self.end_functions, &other.end_functions)
            && same(&self.integrands, &other.integrands)
    }
}

impl fmt::Debug for BolzaCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_ends: Vec<_> = self.end_functions.iter().map(|(outputs, _)| outputs).collect();
        let of_integrands: Vec<_> = self.integrands.iter().map(|(outputs, _)| outputs).collect();
        f.debug_struct("BolzaCost")
            .field("step", &self.step)
            .field("samples", &self.samples)
            .field("starts", &self.starts)
            .field("ends", &self.ends)
            .field("integrals", &self.integrals)
            .field("end_functions_of", &of_ends)
            .field("integrands_of", &of_integrands)
            .finish()
    }
}

fn finite(weight: f64) -> Result<f64, CostWeightError> {
    if weight.is_finite() { Ok(weight) } else { Err(CostWeightError { weight }) }
}
