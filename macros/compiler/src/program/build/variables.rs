//! The variables of a function.

use super::local_names::LocalNames;
use crate::program::Variable;

/// The variables of a function, and the names in use.
#[derive(Debug, Clone)]
pub struct Variables {
    /// Names in use, for variables and for other things.
    pub names: LocalNames,
    /// The names of all variables.
    pub all: Vec<String>,
}

impl Variables {
    /// Starts with names that variables may not have.
    pub fn new(names: LocalNames) -> Self {
        Variables { names, all: Vec::new() }
    }

    /// Adds a variable with this name, or this name and a suffix.
    pub fn unique(&mut self, name: &str) -> Variable {
        let name = self.names.unique(name);
        self.add(name)
    }

    /// Adds a variable with this name, which is in use for it alone.
    pub fn reserved(&mut self, name: &str) -> Variable {
        self.add(name.to_owned())
    }

    /// Adds a variable with the next of the names `prefix1`, `prefix2`, ...
    pub fn numbered(&mut self, prefix: &str) -> Variable {
        let name = self.names.numbered(prefix);
        self.add(name)
    }

    fn add(&mut self, name: String) -> Variable {
        self.all.push(name);
        Variable(self.all.len() - 1)
    }

    /// Returns the name of a variable.
    pub fn name(&self, variable: Variable) -> &str {
        &self.all[variable.0]
    }
}
