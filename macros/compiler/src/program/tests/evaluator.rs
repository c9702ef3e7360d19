//! A plain evaluator of programs: f64 over arrays that grow as they are stored.

use std::collections::BTreeMap;

use crate::program::{Array, Expression, Function, Index, Place, Program, Statement, Variable};
use crate::symbolic;

/// A function that is being evaluated.
pub struct Evaluator<'a> {
    pub program: &'a Program,
    pub arrays: BTreeMap<Array, Vec<f64>>,
    /// Returns the value of a table, of these orders, at these arguments.
    pub table: &'a dyn Fn(usize, [u8; 2], [f64; 2]) -> f64,
    pub selected: &'a [usize],
    variables: Vec<f64>,
}

impl<'a> Evaluator<'a> {
    pub fn new(
        program: &'a Program,
        arrays: BTreeMap<Array, Vec<f64>>,
        table: &'a dyn Fn(usize, [u8; 2], [f64; 2]) -> f64,
        selected: &'a [usize],
    ) -> Self {
        Evaluator { program, arrays, table, selected, variables: Vec::new() }
    }

    pub fn call(&mut self, function: &Function) {
        self.arrays.retain(|array, _| !matches!(array, Array::Local(_)));
        self.call_with_locals(function);
    }

    /// Calls a function whose local arrays are filled.
    pub fn call_with_locals(&mut self, function: &Function) {
        self.variables = vec![f64::NAN; function.variables.len()];
        self.run(function, &function.body, 0);
    }

    fn run(&mut self, function: &Function, statements: &[Statement], i: usize) {
        let value = |own: &Self, expression: &Expression| own.value(function, expression, i);
        for statement in statements {
            match statement {
                Statement::Let { to, value: expression } => self.variables[to.0] = value(self, expression),
                Statement::Unpack { array, entries } => {
                    for (i, to) in entries.iter().enumerate().filter(|(_, to)| to.is_some()) {
                        self.set(*to, self.arrays[array][i]);
                    }
                }
                Statement::Take { first, entries } => {
                    let position = position(function, first.index, i);
                    for (offset, to) in entries.iter().enumerate().filter(|(_, to)| to.is_some()) {
                        self.set(*to, self.arrays[&first.array][position + offset]);
                    }
                }
                Statement::Put { first, values } => {
                    let position = position(function, first.index, i);
                    let numbers: Vec<f64> = values.iter().map(|own| value(self, own)).collect();
                    for (offset, number) in numbers.into_iter().enumerate() {
                        let to = Place { array: first.array, index: Index::At(position + offset) };
                        *self.entry(function, to, i) = number;
                    }
                }
                Statement::SinCos { sin, cos, argument } => {
                    let argument = value(self, argument);
                    self.set(*sin, argument.sin());
                    self.set(*cos, argument.cos());
                }
                Statement::SinCosEach { sines, cosines, arguments } => {
                    let arguments: Vec<f64> = arguments.iter().map(|own| value(self, own)).collect();
                    for (i, argument) in arguments.into_iter().enumerate() {
                        self.set(sines[i], argument.sin());
                        self.set(cosines[i], argument.cos());
                    }
                }
                Statement::ExpEach { values, arguments } => {
                    let arguments: Vec<f64> = arguments.iter().map(|own| value(self, own)).collect();
                    for (to, argument) in values.iter().zip(arguments) {
                        self.set(*to, argument.exp());
                    }
                }
                Statement::Lookup { values, table, arguments, orders } => {
                    let mut at = [f64::NAN; 2];
                    arguments.iter().zip(&mut at).for_each(|(argument, at)| *at = value(self, argument));
                    for (to, orders) in values.iter().zip(orders) {
                        self.set(*to, (self.table)(*table, *orders, at));
                    }
                }
                Statement::Store { to, value: expression } => {
                    let number = value(self, expression);
                    *self.entry(function, *to, i) = number;
                }
                Statement::Add { to, value: expression } => {
                    let number = value(self, expression);
                    *self.entry(function, *to, i) += number;
                }
                Statement::StoreAll { array, first, values, .. } => {
                    let numbers: Vec<f64> = values.iter().map(|own| value(self, own)).collect();
                    for (offset, number) in numbers.into_iter().enumerate() {
                        let to = Place { array: *array, index: Index::At(first + offset) };
                        *self.entry(function, to, i) = number;
                    }
                }
                Statement::Loop { count, body } => (0..*count).for_each(|i| self.run(function, body, i)),
                Statement::SinCosLoop { count, before, argument, arguments, sines, cosines } => {
                    for i in 0..*count {
                        self.run(function, before, i);
                        let argument = self.value(function, argument, i);
                        let own = Index::At(i);
                        for (local, number) in
                            [(arguments, argument), (sines, argument.sin()), (cosines, argument.cos())]
                        {
                            *self.entry(function, Place { array: Array::Local(*local), index: own }, i) = number;
                        }
                    }
                }
                Statement::IfSelected { parameter, body } => {
                    if self.selected.contains(parameter) {
                        self.run(function, body, i);
                    }
                }
                Statement::Copy { from, to } => {
                    self.arrays.insert(Array::Local(*to), self.arrays[from].clone());
                }
                Statement::AddAll { from, to } => {
                    let numbers = self.arrays[&Array::Local(*from)].clone();
                    let to = self.arrays.entry(*to).or_default();
                    to.iter_mut().zip(numbers).for_each(|(to, number)| *to += number);
                }
                Statement::StoreSelected { from, to } => {
                    for &i in self.selected {
                        let (number, index) = (self.arrays[&Array::Local(*from)][i], Index::At(i));
                        *self.entry(function, Place { array: *to, index }, i) = number;
                    }
                }
                Statement::Call(name) => {
                    let other = self.program.function(name).unwrap();
                    let variables = std::mem::take(&mut self.variables);
                    self.call(other);
                    self.variables = variables;
                }
                Statement::Evaluate { function: name, to } => {
                    let other = self.program.function(name).unwrap();
                    let out = self.arrays.remove(&Array::Out);
                    let mut inner = Evaluator::new(self.program, self.arrays.clone(), self.table, self.selected);
                    inner.call(other);
                    self.arrays.insert(Array::Local(*to), inner.arrays.remove(&Array::Out).unwrap());
                    self.arrays.extend(out.map(|out| (Array::Out, out)));
                }
            }
        }
    }

    fn set(&mut self, to: Option<Variable>, number: f64) {
        if let Some(to) = to {
            self.variables[to.0] = number;
        }
    }

    fn entry(&mut self, function: &Function, place: Place, i: usize) -> &mut f64 {
        let array = self.arrays.entry(place.array).or_default();
        let position = position(function, place.index, i);
        if array.len() <= position {
            array.resize(position + 1, f64::NAN);
        }
        &mut array[position]
    }

    fn value(&self, function: &Function, expression: &Expression, i: usize) -> f64 {
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        let operands: Vec<f64> = expression.operands().iter().map(|operand| self.value(function, operand, i)).collect();
        match (expression, &operands[..]) {
            (Expression::Number(number), _) => *number,
            (Expression::NumberOf(table), _) => function.numbers[*table][i],
            (Expression::Variable(variable), _) => self.variables[variable.0],
            (Expression::Entry(place), _) => self.arrays[&place.array][position(function, place.index, i)],
            (Expression::Negate(_), [a]) => -a,
            (Expression::Add(_), [a, b]) => a + b,
            (Expression::Subtract(_), [a, b]) => a - b,
            (Expression::Multiply(_), [a, b]) => a * b,
            (Expression::Divide(_), [a, b]) => a / b,
            (Expression::PlusProduct(_), [sum, a, b]) => sum + a * b,
            (Expression::MinusProduct(_), [sum, a, b]) => sum - a * b,
            (Expression::PowerInteger(_, n), [a]) => a.powi(*n),
            (Expression::Power(_), [a, b]) => a.powf(*b),
            (Expression::Elementary(function, _), [a]) => elementary(*function, *a),
            (Expression::Atan2(_), [y, x]) => y.atan2(*x),
            (Expression::Select(_), [condition, yes, no]) => {
                if *condition != 0.0 {
                    *yes
                } else {
                    *no
                }
            }
            (Expression::Less(_), [a, b]) => truth(a < b),
            (Expression::LessEqual(_), [a, b]) => truth(a <= b),
            (Expression::Equal(_), [a, b]) => truth(a == b),
            (Expression::And(_), [a, b]) => truth(*a != 0.0 && *b != 0.0),
            (Expression::Or(_), [a, b]) => truth(*a != 0.0 || *b != 0.0),
            (Expression::Not(_), [a]) => truth(*a == 0.0),
            other => panic!("not as many operands: {other:?}"),
        }
    }
}

fn position(function: &Function, index: Index, i: usize) -> usize {
    match index {
        Index::At(position) => position,
        Index::Rising { offset, stride } => offset + stride * i,
        Index::Falling { offset, stride } => offset - stride * i,
        Index::Table(table) => function.positions[table][i],
    }
}

fn elementary(function: symbolic::Function, x: f64) -> f64 {
    let mut graph = symbolic::Graph::new();
    let argument = graph.symbol(symbolic::Symbol::Time);
    let value = graph.unary(function, argument);
    graph.evaluate(&[value], |_| x)[0]
}
