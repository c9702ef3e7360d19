//! Joins pairs of instructions whose intermediate result nothing else uses; every rounding stays.

use super::operation::Operation;
use super::values::{Instruction, Value, Values};

/// True if the build fuses multiplication and addition where a program allows it.
const FUSES: bool = cfg!(target_feature = "fma");

/// Joins products with sums, and products with products.
pub fn join(values: &mut Values) {
    let (mut uses, matters) = values.uses();
    for (position, _) in matters.iter().enumerate().filter(|(_, matters)| **matters) {
        let instruction = values.instructions[position];
        let [a, b, c, _] = instruction.arguments;
        let factors = |value: Value| factors(values, &uses, &instruction, value);
        let joined = match instruction.operation {
            Operation::PlusProduct if !FUSES => Some((Operation::AddProduct, [a, b, c], None)),
            Operation::MinusProduct if !FUSES => Some((Operation::SubtractProduct, [a, b, c], None)),
            Operation::Add => match (factors(b), factors(a)) {
                (Some([x, y]), _) => Some((Operation::AddProduct, [a, x, y], Some(b))),
                (None, Some([x, y])) => Some((Operation::AddProduct, [b, x, y], Some(a))),
                (None, None) => None,
            },
            Operation::Subtract => match (factors(b), factors(a)) {
                (Some([x, y]), _) => Some((Operation::SubtractProduct, [a, x, y], Some(b))),
                (None, Some([x, y])) => Some((Operation::ProductLess, [b, x, y], Some(a))),
                (None, None) => None,
            },
            _ => None,
        };
        replace(values, &mut uses, position, joined);
    }
    for (position, _) in matters.iter().enumerate().filter(|(_, matters)| **matters) {
        let instruction = values.instructions[position];
        let [a, b, ..] = instruction.arguments;
        if instruction.operation != Operation::Multiply || uses[instruction.first as usize] == 0 {
            continue;
        }
        let factors = |value: Value| factors(values, &uses, &instruction, value);
        let joined = match (factors(a), factors(b)) {
            (Some([x, y]), _) => Some((Operation::MultiplyThree, [x, y, b], Some(a))),
            (None, Some([x, y])) => Some((Operation::MultiplyThree, [x, y, a], Some(b))),
            (None, None) => None,
        };
        replace(values, &mut uses, position, joined);
    }
}

/// Returns the factors of a product that only this instruction uses.
fn factors(values: &Values, uses: &[u32], by: &Instruction, value: Value) -> Option<[Value; 2]> {
    let product = values.instruction(value)?;
    let is_own = product.operation == Operation::Multiply && product.when == by.when && uses[value as usize] == 1;
    is_own.then_some([product.arguments[0], product.arguments[1]])
}

/// Replaces an instruction; `without` is the intermediate result that disappears.
fn replace(
    values: &mut Values,
    uses: &mut [u32],
    position: usize,
    joined: Option<(Operation, [Value; 3], Option<Value>)>,
) {
    let Some((operation, [a, b, c], without)) = joined else { return };
    let instruction = &mut values.instructions[position];
    (instruction.operation, instruction.arguments, instruction.count) = (operation, [a, b, c, 0], 3);
    if let Some(without) = without {
        uses[without as usize] = 0;
    }
}
