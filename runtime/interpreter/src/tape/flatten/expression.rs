//! Expressions, which become instructions.

use costate_compiler::program::Expression;

use super::super::error::TranslationError;
use super::super::operation::Operation;
use super::super::values::Value;
use super::Flatten;
use super::frame::Frame;

/// Largest number of operations within one another, which bounds the recursion.
const MAX_DEPTH: usize = 500;

impl<'a> Flatten<'a> {
    pub(super) fn numbers(
        &mut self,
        frame: &Frame<'a>,
        expressions: &'a [Expression],
    ) -> Result<Vec<Value>, TranslationError> {
        expressions.iter().map(|expression| self.number(frame, expression, 0)).collect()
    }

    pub(super) fn number(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
    ) -> Result<Value, TranslationError> {
        self.operand(frame, expression, depth, false)
    }

    fn operand(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
        is_condition: bool,
    ) -> Result<Value, TranslationError> {
        let value = self.expression(frame, expression, depth)?;
        if self.values.is_condition(value) == is_condition {
            return Ok(value);
        }
        Err(TranslationError::Kind { function: frame.function.name, is_condition: !is_condition })
    }

    pub(super) fn expression(
        &mut self,
        frame: &Frame<'a>,
        expression: &Expression,
        depth: usize,
    ) -> Result<Value, TranslationError> {
        if depth > MAX_DEPTH {
            return Err(TranslationError::TooDeep { function: frame.function.name, limit: MAX_DEPTH });
        }
        let (operation, operands): (Operation, &[Expression]) = match expression {
            Expression::Number(number) => return Ok(self.values.number(*number)),
            Expression::NumberOf(table) => {
                let number = frame.by_repetition(&frame.function.numbers, *table)?;
                return Ok(self.values.number(number));
            }
            Expression::Variable(variable) => return frame.get(*variable),
            Expression::Entry(place) => {
                let index = frame.index(place)?;
                return self.read(frame, place.array, index);
            }
            Expression::PowerInteger(a, exponent) => {
                let a = self.number(frame, a, depth + 1)?;
                self.values.exponents.push(*exponent);
                let exponent = (self.values.exponents.len() - 1) as u32;
                return Ok(self.values.push(Operation::PowerInteger, self.when, &[a], exponent, 1));
            }
            Expression::Select(operands) => {
                let [condition, yes, no] = &**operands;
                let condition = self.operand(frame, condition, depth + 1, true)?;
                let [yes, no] = [self.number(frame, yes, depth + 1)?, self.number(frame, no, depth + 1)?];
                return Ok(self.values.push(Operation::Select, self.when, &[condition, yes, no], 0, 1));
            }
            Expression::Negate(a) => (Operation::Negate, std::slice::from_ref(&**a)),
            Expression::Elementary(function, a) => (Operation::elementary(*function), std::slice::from_ref(&**a)),
            Expression::Not(a) => (Operation::Not, std::slice::from_ref(&**a)),
            Expression::Add(operands) => (Operation::Add, &**operands),
            Expression::Subtract(operands) => (Operation::Subtract, &**operands),
            Expression::Multiply(operands) => (Operation::Multiply, &**operands),
            Expression::Divide(operands) => (Operation::Divide, &**operands),
            Expression::PlusProduct(operands) => (Operation::PlusProduct, &**operands),
            Expression::MinusProduct(operands) => (Operation::MinusProduct, &**operands),
            Expression::Power(operands) => (Operation::Power, &**operands),
            Expression::Atan2(operands) => (Operation::Atan2, &**operands),
            Expression::Less(operands) => (Operation::Less, &**operands),
            Expression::LessEqual(operands) => (Operation::LessEqual, &**operands),
            Expression::Equal(operands) => (Operation::Equal, &**operands),
            Expression::And(operands) => (Operation::And, &**operands),
            Expression::Or(operands) => (Operation::Or, &**operands),
        };
        let of_conditions = matches!(operation, Operation::And | Operation::Or | Operation::Not);
        let mut values = [0; 3];
        for (value, operand) in values.iter_mut().zip(operands) {
            *value = self.operand(frame, operand, depth + 1, of_conditions)?;
        }
        Ok(self.values.push(operation, self.when, &values[..operands.len()], 0, 1))
    }
}
