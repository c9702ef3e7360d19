//! The transfer function of the engine mount, linearised at rest, as a rational function of s and its parameters.
//!
//! `cargo run --example transfer_function`

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow, ensure};
use costate_compiler::{Arguments, Compiled, ModelFile};
use costate_symbolica::{Atoms, atoms, text};
use symbolica::prelude::*;

fn main() -> Result<()> {
    let file = ModelFile::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/src/engine_mount.rs"))
        .map_err(|error| anyhow!("{error}"))?;
    let mount = file.compile(Some("LinearMount"), &Arguments::new()).map_err(|error| anyhow!("{error}"))?;
    let found = atoms(&mount)?;
    let s = symbol!("s");

    // [M s^2 - f_v s - f_q, C_q^T; C_q, 0] [X; Lambda] = [f_u; 0] U
    let (matrix, right) = system(&mount, &found, &s.to_atom())?;
    let mut of_x1 = matrix.clone();
    for (row, value) in of_x1.iter_mut().zip(&right) {
        row[0] = value.clone();
    }
    let response = s.pow(2) * determinant(&of_x1) / determinant(&matrix);
    let function: RationalPolynomial<IntegerRing, u16> = response.to_rational_polynomial(&Q, &Z, None);
    let numerator = function.numerator.to_expression();
    let denominator = function.denominator.to_expression();

    println!("ddot(x1)/drive of the linearised mount, coefficients by powers of s:\n");
    for (what, polynomial) in [("numerator", &numerator), ("denominator", &denominator)] {
        println!("{what}");
        for (power, coefficient) in polynomial.coefficient_list::<u16>(&[s.to_atom()]) {
            println!("  {:>4}: {}", text(&power)?, text(&coefficient.factor())?);
        }
    }

    // at 1 to 100 Hz, against the complex matrix of numbers
    println!("\n  f in Hz   |ddot(x1)/drive| in 1/kg   of the matrix");
    for frequency in [1.0, 3.0, 10.0, 30.0, 100.0] {
        let s_value = Complex::new(0.0, 2.0 * std::f64::consts::PI * frequency);
        let mut values: HashMap<Atom, Complex<f64>> = HashMap::new();
        values.insert(s.to_atom(), s_value);
        for (quantity, default) in mount.model.parameters.iter().zip(&mount.model.defaults) {
            let value = quantity.scale().apply(default.context("a parameter without default")?);
            values.insert(found.quantity(&quantity.name).context("no symbol")?, Complex::new(value, 0.0));
        }
        let number =
            |atom: &Atom| -> Result<Complex<f64>> { atom.evaluate(&values).map_err(|error| anyhow!("{error:?}")) };
        let rational = number(&numerator)? / number(&denominator)?;
        let mut numbers = Vec::new();
        for (row, right) in matrix.iter().zip(&right) {
            let mut row: Vec<Complex<f64>> = row.iter().map(number).collect::<Result<_>>()?;
            row.push(number(right)?);
            numbers.push(row);
        }
        let direct = s_value * s_value * solve_first(numbers)?;
        let size = |value: Complex<f64>| value.re.hypot(value.im);
        println!("  {frequency:>7}   {:<25.10e} {:.10e}", size(rational), size(direct));
        ensure!(size(rational - direct) < 1e-9 * size(direct), "{rational} is not {direct}");
    }
    Ok(())
}

/// The matrix of the linearised equations and their right-hand side for the first input, at rest.
fn system(model: &Compiled, atoms: &Atoms, s: &Atom) -> Result<(Vec<Vec<Atom>>, Vec<Atom>)> {
    let at_rest = |atom: &Atom| -> Result<Atom> {
        let mut atom = atom.clone();
        // velocities first, which contain the names of coordinates
        for quantity in &model.model.coordinates {
            let velocity = atoms.velocity(&quantity.name).context("no velocity")?;
            atom = atom.replace(velocity.to_pattern()).with(Atom::Zero);
        }
        for quantity in &model.model.coordinates {
            let coordinate = atoms.quantity(&quantity.name).context("no coordinate")?;
            atom = atom.replace(coordinate.to_pattern()).with(Atom::Zero);
        }
        Ok(atom)
    };
    let entry = |quantity: &str, row: &str, column: &str| -> Result<Atom> {
        atoms.get(quantity, &[row, column]).map_or_else(|| Ok(Atom::Zero), &at_rest)
    };
    let coordinates: Vec<&str> = model.model.coordinates.iter().map(|one| &*one.name).collect();
    let constraints: Vec<&str> = model.model.constraints.iter().map(|one| &*one.name).collect();
    let drive = &model.model.inputs.first().context("no input")?.name;
    let (mut matrix, mut right) = (Vec::new(), Vec::new());
    for row in &coordinates {
        let mut entries = Vec::new();
        for column in &coordinates {
            let (mass, damping) = (entry("M", row, column)?, entry("f_v", row, column)?);
            entries.push(mass * s.pow(2) - damping * s - entry("f_q", row, column)?);
        }
        for constraint in &constraints {
            entries.push(entry("C_q", constraint, row)?);
        }
        matrix.push(entries);
        right.push(entry("f_u", row, drive)?);
    }
    for constraint in &constraints {
        let mut entries = Vec::new();
        for column in &coordinates {
            entries.push(entry("C_q", constraint, column)?);
        }
        entries.extend(constraints.iter().map(|_| Atom::Zero));
        matrix.push(entries);
        right.push(Atom::Zero);
    }
    Ok((matrix, right))
}

/// By the first column.
fn determinant(matrix: &[Vec<Atom>]) -> Atom {
    if matrix.is_empty() {
        return Atom::num(1);
    }
    let mut sum = Atom::Zero;
    for (i, row) in matrix.iter().enumerate().filter(|(_, row)| !row[0].is_zero()) {
        let others = matrix.iter().enumerate().filter(|(other, _)| *other != i);
        let minor: Vec<Vec<Atom>> = others.map(|(_, row)| row[1..].to_vec()).collect();
        let sign = if i % 2 == 0 { 1 } else { -1 };
        sum += Atom::num(sign) * &row[0] * determinant(&minor);
    }
    sum.expand()
}

/// The first unknown of a linear system of numbers, each row with its right-hand side, by elimination with pivots.
fn solve_first(mut rows: Vec<Vec<Complex<f64>>>) -> Result<Complex<f64>> {
    let size = |value: &Complex<f64>| value.re.hypot(value.im);
    // from the last unknown to the first, so that the first is left
    for column in (0..rows.len()).rev() {
        let pivot = (0..=column).max_by(|&a, &b| size(&rows[a][column]).total_cmp(&size(&rows[b][column])));
        rows.swap(pivot.context("no rows")?, column);
        ensure!(size(&rows[column][column]) > 0.0, "the matrix is singular");
        let row = rows[column].clone();
        for other in &mut rows[..column] {
            let factor = other[column] / row[column];
            for (entry, value) in other.iter_mut().zip(&row) {
                *entry -= factor * *value;
            }
        }
    }
    let first = &rows[0];
    Ok(first[first.len() - 1] / first[0])
}
