//! Directional and adjoint derivatives of states' derivatives and outputs.

use nalgebra::DMatrix;

use crate::instance::Instance;
use crate::refusal::Refusal;
use crate::variables::Variable;

impl Instance {
    /// Computes J `seed`, with the derivatives J of the `unknown` variables by the `known` ones.
    pub fn directional(&mut self, unknown: &[u32], known: &[u32], seed: &[f64]) -> Result<Vec<f64>, Refusal> {
        let part = self.part(unknown, known)?;
        check_seed(seed, known.len())?;
        let product = |row: usize| (0..known.len()).map(|column| part[(row, column)] * seed[column]).sum();
        Ok((0..unknown.len()).map(product).collect())
    }

    /// Computes J^T `seed`.
    pub fn adjoint(&mut self, unknown: &[u32], known: &[u32], seed: &[f64]) -> Result<Vec<f64>, Refusal> {
        let part = self.part(unknown, known)?;
        check_seed(seed, unknown.len())?;
        let product = |column: usize| (0..unknown.len()).map(|row| part[(row, column)] * seed[row]).sum();
        Ok((0..known.len()).map(product).collect())
    }

    /// Returns the rows and columns of the derivatives that are meant.
    fn part(&mut self, unknown: &[u32], known: &[u32]) -> Result<DMatrix<f64>, Refusal> {
        let states = self.packed.motion.as_ref().map_or(0, |motion| motion.states());
        let inputs = self.values.inputs.len();
        let row = |own: &Self, reference: u32| match Variable::of(&own.packed, reference)? {
            Variable::Derivative(place) => Ok(place),
            Variable::Output(place) => Ok(states + place),
            other => Err(Refusal::error(format!(
                "`{}` is no unknown of derivatives; take derivatives of states, and outputs",
                other.name(&own.packed)
            ))),
        };
        let column = |own: &Self, reference: u32| match Variable::of(&own.packed, reference)? {
            Variable::State(place) => Ok(place),
            Variable::Input(place) => Ok(states + place),
            Variable::Parameter(place) => Ok(states + inputs + place),
            other => Err(Refusal::error(format!(
                "`{}` is no known of derivatives; take states, inputs and parameters",
                other.name(&own.packed)
            ))),
        };
        let rows = unknown.iter().map(|&reference| row(self, reference)).collect::<Result<Vec<_>, _>>()?;
        let columns = known.iter().map(|&reference| column(self, reference)).collect::<Result<Vec<_>, _>>()?;
        let jacobian = self.jacobian()?;
        Ok(DMatrix::from_fn(rows.len(), columns.len(), |row, column| jacobian[(rows[row], columns[column])]))
    }
}

fn check_seed(seed: &[f64], expected: usize) -> Result<(), Refusal> {
    if seed.len() != expected {
        let text = format!("the seed has {} numbers, {expected} are needed", seed.len());
        return Err(Refusal::error(text));
    }
    match seed.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(Refusal::error(format!("the seed has {value}; it has to be finite"))),
        None => Ok(()),
    }
}
