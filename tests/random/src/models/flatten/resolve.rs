//! Resolution of names, indices and conditions in their context.

use std::rc::Rc;

use super::{Flatten, Here, Meaning};
use crate::models::flat::{Symbol, Value};
use crate::models::tree::{Condition, Entry, Expr, Index, Path, Use, Written};

impl Flatten {
    pub(super) fn indices_of(&self, used: &Use, here: &Here) -> Vec<Option<i64>> {
        match &used.index {
            Some(index) => vec![Some(self.index(index, here))],
            None => self.indices(used.range.as_ref(), here),
        }
    }

    pub(super) fn indices(&self, range: Option<&(Index, Index)>, here: &Here) -> Vec<Option<i64>> {
        match range {
            Some((from, to)) => (self.index(from, here)..=self.index(to, here)).map(Some).collect(),
            None => vec![None],
        }
    }

    fn index(&self, index: &Index, here: &Here) -> i64 {
        let variable =
            index.variable.as_ref().map_or(0, |name| self.whole(name, here).unwrap_or_else(|| panic!("{name}")));
        index.factor * variable + index.offset
    }

    /// Returns the value of a loop variable or a size; `None` for other names.
    fn whole(&self, name: &str, here: &Here) -> Option<i64> {
        let variable = here.variables.iter().rev().find(|(own, _)| own == name);
        variable.map(|(_, value)| *value).or_else(|| self.sizes.get(name).copied())
    }

    pub(super) fn declared_name(&self, path: &Path, here: &Here) -> (String, Option<i64>) {
        let segment = &path.0[0];
        (segment.name.clone(), segment.index.as_ref().map(|index| self.index(index, here)))
    }

    /// Calls `one` for each entry, with loops unrolled and features chosen.
    pub(super) fn each<T>(
        &mut self,
        entries: &[Entry<T>],
        here: &mut Here,
        one: &mut dyn FnMut(&mut Flatten, &T, &Here),
    ) {
        let lets = here.lets.len();
        for entry in entries {
            match entry {
                Entry::One(entry) => one(self, entry, here),
                Entry::Let(name, value) => {
                    // names are not known yet while they are declared
                    if self.is_known(value, here) {
                        let value = self.value(value, here);
                        here.lets.push((name.clone(), value));
                    }
                }
                Entry::For(variable, from, to, entries) => {
                    for i in self.index(from, here)..=self.index(to, here) {
                        here.variables.push((variable.clone(), i));
                        self.each(entries, here, one);
                        here.variables.pop();
                    }
                }
                Entry::If(condition, yes, no) => {
                    let entries = if self.feature(condition) == Some(true) { yes } else { no };
                    self.each(entries, here, one);
                }
            }
        }
        here.lets.truncate(lets);
    }

    pub(super) fn is_known(&self, value: &Written, here: &Here) -> bool {
        let mut known = true;
        crate::models::walk::leaves(value, &mut |path: &Path| known &= self.find(path, here).is_some());
        known
    }

    /// Evaluates a condition of structural arguments alone; `None` for other conditions.
    fn feature<L>(&self, condition: &Condition<L>) -> Option<bool> {
        match condition {
            Condition::Feature(name) => self.features.get(name).copied(),
            Condition::Not(a) => Some(!self.feature(a)?),
            Condition::And(a, b) => Some(self.feature(a)? && self.feature(b)?),
            Condition::Or(a, b) => Some(self.feature(a)? || self.feature(b)?),
            Condition::Compare(..) => None,
        }
    }

    fn find(&self, path: &Path, here: &Here) -> Option<Meaning> {
        let mut scope = here.scope;
        let mut found = None;
        for (position, segment) in path.0.iter().enumerate() {
            let index = segment.index.as_ref().map(|index| self.index(index, here));
            if position == 0 && index.is_none() {
                if let Some(value) = self.whole(&segment.name, here) {
                    return Some(Meaning::Value(whole_number(value)));
                }
                if let Some((_, value)) = here.lets.iter().rev().find(|(name, _)| *name == segment.name) {
                    return Some(Meaning::Value(value.clone()));
                }
            }
            found = self.scopes[scope].names.get(&(segment.name.clone(), index)).cloned();
            match found {
                Some(Meaning::Scope(inner)) => scope = inner,
                Some(_) => {}
                None => return None,
            }
        }
        found
    }

    /// Returns the position of the coordinate that a name stands for.
    pub(crate) fn coordinate(&self, path: &Path, here: &Here) -> usize {
        match self.find(path, here) {
            Some(Meaning::Quantity(Symbol::Coordinate(i))) => i,
            other => panic!("{path:?} is {other:?}, no coordinate"),
        }
    }

    /// Returns the position of a constraint.
    pub(crate) fn constraint(&self, path: &Path, here: &Here) -> usize {
        match self.find(path, here) {
            Some(Meaning::Quantity(Symbol::Constraint(i))) => i,
            other => panic!("{path:?} is {other:?}, no constraint"),
        }
    }

    /// Resolves the names of an expression.
    pub(crate) fn value(&self, expr: &Written, here: &Here) -> Value {
        let of = |a: &Rc<Written>| Rc::new(self.value(a, here));
        let list = |all: &[Written]| all.iter().map(|a| self.value(a, here)).collect();
        match expr {
            Expr::Number(value, unit) => Expr::Number(*value, unit.clone()),
            Expr::Pi => Expr::Pi,
            Expr::Time => Expr::Time,
            Expr::Leaf(path) => match self.find(path, here) {
                Some(Meaning::Quantity(symbol)) => Expr::Leaf(symbol),
                Some(Meaning::Value(value)) => value,
                other => panic!("{path:?} is {other:?}"),
            },
            Expr::Negate(a) => Expr::Negate(of(a)),
            Expr::Binary(operator, a, b) => Expr::Binary(*operator, of(a), of(b)),
            Expr::Call(function, arguments) => Expr::Call(function, list(arguments)),
            Expr::Table(name, arguments) => Expr::Table(name.clone(), list(arguments)),
            Expr::Value(a, unit) => Expr::Value(of(a), unit.clone()),
            Expr::If(condition, a, b) => match self.feature(condition) {
                Some(true) => self.value(a, here),
                Some(false) => self.value(b, here),
                None => Expr::If(Rc::new(self.condition(condition, here)), of(a), of(b)),
            },
            Expr::Rate(a) => Expr::Rate(of(a)),
            Expr::SecondRate(a) => Expr::SecondRate(of(a)),
            Expr::Multiplier(path) => Expr::Multiplier(Symbol::Constraint(self.constraint(path, here))),
        }
    }

    fn condition(&self, condition: &Condition<Path>, here: &Here) -> Condition<Symbol> {
        let of = |a: &Rc<Condition<Path>>| Rc::new(self.condition(a, here));
        match condition {
            Condition::Compare(sign, a, b) => Condition::Compare(sign, self.value(a, here), self.value(b, here)),
            Condition::And(a, b) => Condition::And(of(a), of(b)),
            Condition::Or(a, b) => Condition::Or(of(a), of(b)),
            Condition::Not(a) => Condition::Not(of(a)),
            Condition::Feature(name) => Condition::Feature(name.clone()),
        }
    }
}

fn whole_number(value: i64) -> Value {
    let size = Expr::Number(value.unsigned_abs() as f64, None);
    if value < 0 { Expr::Negate(Rc::new(size)) } else { size }
}
