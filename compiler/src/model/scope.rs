//! Names that live inside a block: `let` and loop variables.

use std::collections::HashMap;

use crate::symbolic::Id;

/// What a local name stands for.
#[derive(Debug, Clone, Copy)]
pub enum Local {
    /// The current value of a loop variable.
    Loop(i64),
    /// A named expression; `None` if its definition has an error, which has been reported.
    Let(Option<Id>),
}

/// Nested scopes, the innermost last.
#[derive(Debug, Default)]
pub struct Scopes {
    stack: Vec<HashMap<String, Local>>,
}

impl Scopes {
    pub fn push(&mut self) {
        self.stack.push(HashMap::new());
    }

    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// Adds a name to the innermost scope.
    pub fn define(&mut self, name: String, local: Local) {
        if let Some(scope) = self.stack.last_mut() {
            scope.insert(name, local);
        }
    }

    pub fn get(&self, name: &str) -> Option<Local> {
        self.stack.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// All names in scope.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.stack.iter().flat_map(|scope| scope.keys().map(String::as_str))
    }
}
