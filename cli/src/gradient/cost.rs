//! Costs on the command line: expressions of outputs at the end of a run, or integrated over it.

use std::fmt;
use std::str::FromStr;

use costate::cost::BolzaCost;
use costate::model::Dual;
use costate::model::Output;
use costate_compiler::Formula;

use crate::error::CommandError;
use crate::formula::wrong;
use crate::loaded::Loaded;

/// A cost as it was written.
#[derive(Debug, Clone, PartialEq)]
pub enum CostText {
    /// The value of an expression at the end of the run.
    End(String),
    /// The integral of an expression.
    Integral(String),
    /// The integral of the square of an output.
    Output(String),
}

/// A cost of the outputs of a model.
#[derive(Debug)]
pub struct Cost {
    /// The cost of a run.
    pub cost: BolzaCost,
    /// The SI unit of the cost.
    pub unit: String,
}

impl FromStr for CostText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let inner = |name: &str| {
            let inner = text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
            is_one_group(inner).then(|| inner.to_owned())
        };
        if let Some(expression) = inner("end") {
            return Ok(Self::End(expression));
        }
        if let Some(expression) = inner("integral") {
            return Ok(Self::Integral(expression));
        }
        if text.is_empty() || text.contains(['(', ')', '+', '*', '^']) {
            return Err(
                "write the name of an output, `end(EXPRESSION)` or `integral(EXPRESSION)`, e.g. `integral(position^2)`"
                    .to_owned(),
            );
        }
        Ok(Self::Output(text.to_owned()))
    }
}

/// Checks that the parentheses of a text belong to each other, so that it was one group in parentheses.
fn is_one_group(text: &str) -> bool {
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

impl fmt::Display for CostText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End(expression) => write!(f, "end({expression})"),
            Self::Integral(expression) => write!(f, "integral({expression})"),
            Self::Output(name) => write!(f, "integral({name}^2)"),
        }
    }
}

impl CostText {
    /// Makes the cost of runs of so many samples, `step` s apart.
    ///
    /// # Errors
    /// An output that the model does not have, and mistakes in the expression.
    pub fn of(&self, loaded: &Loaded, step: f64, samples: usize) -> Result<Cost, CommandError> {
        let (text, is_integral) = match self {
            Self::End(text) => (text.clone(), false),
            Self::Integral(text) => (text.clone(), true),
            Self::Output(name) => {
                loaded.system.output(name)?;
                (format!("({name})^2"), true)
            }
        };
        let formula = Formula::of(&text, &loaded.compiled.model.outputs);
        let formula = formula.map_err(|found| wrong("--cost".to_owned(), &text, found))?;
        let unit = if is_integral { formula.unit_of_integral() } else { formula.unit() };
        let unit = unit.unwrap_or_else(|| "1".to_owned());
        let used = formula.depends_on();
        let outputs: Vec<Output> = used.iter().map(|index| Output::of(loaded.system.description(), *index)).collect();
        let width = loaded.compiled.model.outputs.len();
        let evaluate = move |time: f64, selected: &[Dual]| evaluated(&formula, time, &used, selected, width);
        let end = step * samples.saturating_sub(1) as f64;
        let cost = BolzaCost::new(step, samples);
        let cost = match is_integral {
            true => cost.with_integrand(outputs, evaluate),
            false => cost.with_end_function(outputs, move |_, at_end| evaluate(end, at_end)),
        };
        Ok(Cost { cost, unit })
    }
}

/// Evaluates an expression of these outputs, with the derivative that they carry.
fn evaluated(formula: &Formula, time: f64, used: &[usize], selected: &[Dual], width: usize) -> Dual {
    let mut values = vec![0.0; width];
    for (index, dual) in used.iter().zip(selected) {
        if let Some(value) = values.get_mut(*index) {
            *value = dual.value;
        }
    }
    let derivatives = formula.derivatives(time, &values);
    let chain = used.iter().zip(selected).map(|(index, dual)| {
        // what does not change does not contribute, also where the derivative is infinite
        if dual.derivative == 0.0 {
            return 0.0;
        }
        derivatives.get(*index).copied().unwrap_or(f64::NAN) * dual.derivative
    });
    Dual { value: formula.value(time, &values), derivative: chain.sum() }
}
