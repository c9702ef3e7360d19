//! Outputs of a motion, and the derivatives of coefficients with respect to parameters.

use costate_contract::{Argument, Block, Function, Group};
use costate_numerics::linalg::block::{Products, find};
use costate_system::system::Instant;

use crate::harmonic::balance::{Balance, Fault, Motion};

/// The arrays of a group at all samples of a motion.
fn arrays(balance: &Balance<'_>, motion: &Motion, group: Group) -> Vec<Vec<f64>> {
    let mut arrays = Vec::with_capacity(balance.basis.samples);
    balance.each_sample(&balance.samples(motion), motion.omega, |_, state, inputs| {
        arrays.push(balance.equations.group(group, Instant { time: 0.0, state, inputs }));
    });
    arrays
}

/// Computes the coefficients of all outputs, one after the other.
pub(crate) fn outputs(balance: &Balance<'_>, motion: &Motion) -> Result<Vec<f64>, Fault> {
    let description = balance.layout.description;
    let block = find(description.groups.outputs, Function::Output, None);
    let mut samples = vec![vec![0.0; balance.basis.samples]; description.outputs.len()];
    for (j, array) in arrays(balance, motion, Group::Outputs).iter().enumerate() {
        for (row, _, value) in block.iter(array) {
            if let Some(own) = samples.get_mut(row).and_then(|row| row.get_mut(j)) {
                *own = value;
            }
        }
    }
    match samples.iter().flatten().all(|value| value.is_finite()) {
        true => Ok(balance.projected(&samples)),
        false => Err(Fault::NotFinite),
    }
}

/// Derivatives of coefficients with respect to one parameter.
#[derive(Debug, Clone)]
pub(crate) struct Derivative {
    /// Coefficients of the unknown functions.
    pub unknowns: Vec<f64>,
    /// Coefficients of the outputs.
    pub outputs: Vec<f64>,
}

/// Computes the derivatives of all coefficients; the factors are those of the motion.
///
/// The coefficients x of a motion satisfy r(x, p) = 0, so that dx/dp = -r_x^-1 r_p.
pub(crate) fn derivatives(
    balance: &Balance<'_>,
    motion: &Motion,
    parameters: &[usize],
) -> Result<Vec<Derivative>, Fault> {
    if parameters.is_empty() {
        return Ok(Vec::new());
    }
    let linear = arrays(balance, motion, Group::Linearization);
    let outputs = arrays(balance, motion, Group::OutputDerivatives);
    let derivatives = parameters.iter().map(|&parameter| {
        let mut unknowns = residual_by(balance, (&linear, &outputs), parameter);
        unknowns.iter_mut().for_each(|value| *value = -*value);
        balance.solve(false, &mut unknowns);
        let outputs = outputs_by(balance, (motion, &outputs), &unknowns, parameter);
        match unknowns.iter().chain(&outputs).all(|value| value.is_finite()) {
            true => Ok(Derivative { unknowns, outputs }),
            false => Err(Fault::NotFinite),
        }
    });
    derivatives.collect()
}

/// Coefficients of the derivative of the residual with respect to a parameter.
fn residual_by(balance: &Balance<'_>, (linear, outputs): (&[Vec<f64>], &[Vec<f64>]), parameter: usize) -> Vec<f64> {
    let layout = balance.layout;
    let groups = layout.description.groups;
    let block = |function| find(groups.linearization, function, Some(Argument::Parameters));
    let terms: [(&Block, usize, f64); 4] = [
        (block(Function::Inertia), 0, 1.0),
        (block(Function::ConstraintForce), 0, 1.0),
        (block(Function::Force), 0, -1.0),
        (block(Function::Constraint), layout.n, 1.0),
    ];
    let mut samples = vec![vec![0.0; balance.basis.samples]; layout.functions()];
    let mut add = |row: usize, j: usize, value: f64| {
        if let Some(sum) = samples.get_mut(row).and_then(|row| row.get_mut(j)) {
            *sum += value;
        }
    };
    for (j, array) in linear.iter().enumerate() {
        for (block, first, sign) in terms {
            block.column(array, parameter).for_each(|(row, value)| add(first + row, j, sign * value));
        }
    }
    if let Some(controlled) = layout.controlled {
        let block = find(groups.output_derivatives, Function::Output, Some(Argument::Parameters));
        for (j, array) in outputs.iter().enumerate() {
            let own = block.column(array, parameter).filter(|(output, _)| *output == controlled);
            own.for_each(|(_, value)| add(layout.drive_column(), j, value));
        }
    }
    let mut coefficients = balance.projected(&samples);
    if layout.controlled.is_some()
        && balance.excitation.mean.is_none()
        && let Some(mean) = coefficients.get_mut(layout.drive_column() * balance.basis.width())
    {
        *mean = 0.0;
    }
    coefficients
}

/// Coefficients of the derivatives of all outputs, along the derivatives of the unknowns.
fn outputs_by(
    balance: &Balance<'_>,
    (motion, arrays): (&Motion, &[Vec<f64>]),
    unknowns: &[f64],
    parameter: usize,
) -> Vec<f64> {
    let layout = balance.layout;
    let count = layout.description.outputs.len();
    let derivatives = layout.description.groups.output_derivatives;
    let block = |argument| find(derivatives, Function::Output, Some(argument));
    let [by_q, by_v, by_a, by_lambda, by_p, by_u] = [
        Argument::Coordinates,
        Argument::Velocities,
        Argument::Accelerations,
        Argument::Multipliers,
        Argument::Parameters,
        Argument::Inputs,
    ]
    .map(block);
    // a given drive does not change
    let change = Motion { coefficients: unknowns.to_vec(), omega: motion.omega, amplitude: 0.0 };
    let is_given = layout.controlled.is_none();
    let mut changes = Vec::with_capacity(arrays.len());
    balance.each_sample(&balance.samples(&change), motion.omega, |_, state, inputs| {
        let drive = if is_given { 0.0 } else { inputs.get(layout.drive).copied().unwrap_or(0.0) };
        changes.push((state.clone(), drive));
    });
    let mut samples = vec![vec![0.0; balance.basis.samples]; count];
    let mut values = vec![0.0; count];
    for (j, (array, (state, drive))) in arrays.iter().zip(&changes).enumerate() {
        values.fill(0.0);
        by_q.add_product(array, 1.0, &state.coordinates, &mut values);
        by_v.add_product(array, 1.0, &state.velocities, &mut values);
        by_a.add_product(array, 1.0, &state.accelerations, &mut values);
        by_lambda.add_product(array, 1.0, &state.multipliers, &mut values);
        by_p.add_column(array, 1.0, parameter, &mut values);
        by_u.add_column(array, *drive, layout.drive, &mut values);
        for (samples, value) in samples.iter_mut().zip(&values) {
            if let Some(own) = samples.get_mut(j) {
                *own = *value;
            }
        }
    }
    balance.projected(&samples)
}
