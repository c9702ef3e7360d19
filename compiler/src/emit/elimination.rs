//! The emitted solution with the factors of the Newton matrix, and their table.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::constants::Constants;
use super::documentation::doc;
use super::local_names::LocalNames;
use super::operations::Operations;
use crate::mechanics::Elimination;
use crate::model::Model;
use crate::symbolic::Id;

/// An entry of L or U, or the reciprocal of a pivot.
#[derive(Debug, Clone, Copy)]
enum Factor {
    /// A number.
    Constant(f64),
    /// A constant of the run.
    Run { id: Id, negative: bool },
    /// An element of the array of factors.
    Varying { index: usize, negative: bool },
}

/// A step of the elimination; rows and columns are named by the step that eliminates them.
#[derive(Debug, Clone)]
struct Step {
    row: usize,
    column: usize,
    inverse: Factor,
    /// U's row: later steps.
    upper: Vec<(usize, Factor)>,
    /// L's column: later steps.
    lower: Vec<(usize, Factor)>,
}

/// Forward and back substitution, written out.
pub struct Solution {
    steps: Vec<Step>,
}

/// One term of a sum: factor times unknown.
type Term<'a> = (Factor, &'a Ident);

impl Solution {
    /// Lowers powers in the factors just as in the functions that compute them.
    pub fn new(model: &mut Model, elimination: &Elimination) -> Solution {
        let graph = &mut model.graph;
        let varying = elimination.varying(graph);
        let varying = graph.lower_powers(&varying);
        let indices: HashMap<Id, usize> = varying.iter().enumerate().map(|(i, &id)| (id, i)).collect();
        let values: Vec<Id> = elimination.values().collect();
        let mut lowered = graph.lower_powers(&values).into_iter();
        let mut factor = || {
            let id = lowered.next().unwrap_or_else(|| values[0]);
            let (unsigned, negative) = graph.without_sign(id);
            match (graph.as_constant(id), indices.get(&unsigned)) {
                (Some(value), _) => Factor::Constant(value),
                (None, Some(&index)) => Factor::Varying { index, negative },
                (None, None) => Factor::Run { id: unsigned, negative },
            }
        };
        let mut step_of_row = vec![0; elimination.steps.len()];
        let mut step_of_column = step_of_row.clone();
        for (k, step) in elimination.steps.iter().enumerate() {
            (step_of_row[step.row], step_of_column[step.column]) = (k, k);
        }
        let steps = elimination.steps.iter().map(|step| Step {
            row: step.row,
            column: step.column,
            inverse: factor(),
            upper: step.upper.iter().map(|&(column, _)| (step_of_column[column], factor())).collect(),
            lower: step.lower.iter().map(|&(row, _)| (step_of_row[row], factor())).collect(),
        });
        Solution { steps: steps.collect() }
    }

    fn factors(&self) -> impl Iterator<Item = Factor> + '_ {
        self.steps.iter().flat_map(|step| {
            let entries = step.upper.iter().chain(&step.lower);
            std::iter::once(step.inverse).chain(entries.map(|&(_, factor)| factor))
        })
    }

    /// The factors that are constants of the run.
    pub fn constants(&self) -> Vec<Id> {
        let constants = self.factors().filter_map(|factor| match factor {
            Factor::Run { id, .. } => Some(id),
            _ => None,
        });
        constants.collect()
    }

    /// The work of one solution.
    pub fn operations(&self) -> Operations {
        let mut count = Operations {
            function: "solve",
            additions: 0,
            multiplications: 0,
            divisions: 0,
            calls: 0,
            selections: 0,
        };
        for step in &self.steps {
            count.additions += step.upper.len() + step.lower.len();
        }
        let products = self.factors().filter(|factor| !factor.is_unit());
        count.multiplications = products.count();
        count
    }

    /// The functions `solve` and `solve_transposed`.
    pub fn emit(&self, model: &Model, constants: &Constants) -> TokenStream {
        let text =
            "Solves with the Newton matrix by the factors: forward and back substitution, written out.";
        let solve = self.function(model, "solve", text, |names, statements| {
            self.substitute(names, constants, statements)
        });
        let text = "Solves with the transposed Newton matrix.";
        let transposed = self.function(model, "solve_transposed", text, |names, statements| {
            self.substitute_transposed(names, constants, statements)
        });
        quote!(#solve #transposed)
    }

    fn function(
        &self,
        model: &Model,
        name: &str,
        text: &str,
        substitute: impl FnOnce(&Substitution, &mut Vec<TokenStream>),
    ) -> TokenStream {
        let mut names = LocalNames::new();
        let (unknowns, factors) = (names.unique("unknowns"), names.unique("factors"));
        let quantities: Vec<String> = model
            .coordinates
            .iter()
            .map(|quantity| quantity.field.to_string())
            .chain(model.constraints.iter().map(|quantity| format!("lambda_{}", quantity.field)))
            .collect();
        let mut named = |prefix: &str| -> Vec<Ident> {
            quantities.iter().map(|name| names.unique(&format!("{prefix}{name}"))).collect()
        };
        let substitution = Substitution { given: named("b_"), between: named("y_"), found: named("x_") };
        let mut statements = Vec::new();
        substitute(&substitution, &mut statements);
        let (given, found) = (&substitution.given, &substitution.found);
        let uses = |wanted: fn(Factor) -> bool| self.factors().any(wanted);
        let k = if uses(|factor| matches!(factor, Factor::Run { .. })) { quote!(k) } else { quote!(_) };
        let varies = uses(|factor| matches!(factor, Factor::Varying { .. }));
        let factors = if varies { quote!(#factors) } else { quote!(_) };
        let (documentation, function) = (doc(text), format_ident!("{name}"));
        quote! {
            #documentation
            fn #function<S: ::costate::Scalar>(
                #k: &Self::Constants<S>,
                #factors: &Self::Factors<S>,
                #unknowns: &mut Self::Unknowns<S>,
            ) {
                let [#(#given),*] = *#unknowns;
                #(#statements)*
                *#unknowns = [#(#found),*];
            }
        }
    }

    fn substitute(&self, names: &Substitution, constants: &Constants, statements: &mut Vec<TokenStream>) {
        let mut terms: Vec<Vec<Term>> = vec![Vec::new(); self.steps.len()];
        for (k, step) in self.steps.iter().enumerate() {
            let own = &names.between[step.row];
            let value = sum(&names.given[step.row], &terms[k], constants);
            statements.push(quote!(let #own = #value;));
            for &(later, factor) in &step.lower {
                terms[later].push((factor, own));
            }
        }
        for step in self.steps.iter().rev() {
            // those found last come last, so that nothing waits for them longer than necessary
            let mut upper = step.upper.clone();
            upper.sort_by_key(|&(later, _)| std::cmp::Reverse(later));
            let terms: Vec<Term> = upper
                .iter()
                .map(|&(later, factor)| (factor, &names.found[self.steps[later].column]))
                .collect();
            let own = &names.found[step.column];
            let value = sum(&names.between[step.row], &terms, constants);
            let value = step.inverse.times(value, !terms.is_empty(), constants);
            statements.push(quote!(let #own = #value;));
        }
    }

    fn substitute_transposed(
        &self,
        names: &Substitution,
        constants: &Constants,
        statements: &mut Vec<TokenStream>,
    ) {
        let mut terms: Vec<Vec<Term>> = vec![Vec::new(); self.steps.len()];
        for (k, step) in self.steps.iter().enumerate() {
            let own = &names.between[step.column];
            let value = sum(&names.given[step.column], &terms[k], constants);
            let value = step.inverse.times(value, !terms[k].is_empty(), constants);
            statements.push(quote!(let #own = #value;));
            for &(later, factor) in &step.upper {
                terms[later].push((factor, own));
            }
        }
        for step in self.steps.iter().rev() {
            let mut lower = step.lower.clone();
            lower.sort_by_key(|&(later, _)| std::cmp::Reverse(later));
            let terms: Vec<Term> =
                lower.iter().map(|&(later, factor)| (factor, &names.found[self.steps[later].row])).collect();
            let own = &names.found[step.row];
            let value = sum(&names.between[step.column], &terms, constants);
            statements.push(quote!(let #own = #value;));
        }
    }

    /// The table that the runtime watches the varying factors by.
    pub fn description(&self) -> TokenStream {
        let pivots = self.steps.iter().map(|step| {
            let [row, column] = [step.row, step.column].map(Literal::usize_unsuffixed);
            quote!((#row, #column))
        });
        let mut factors = Vec::new();
        let mut push = |part: TokenStream, row: usize, column: usize, factor: Factor| {
            if let Factor::Varying { index, .. } = factor {
                let [row, column, index] = [row, column, index].map(Literal::usize_unsuffixed);
                factors.push(quote! {
                    ::costate::Factor { part: ::costate::FactorPart::#part, row: #row, column: #column, index: #index }
                });
            }
        };
        for step in &self.steps {
            push(quote!(Pivot), step.row, step.column, step.inverse);
            for &(later, factor) in &step.upper {
                push(quote!(Upper), step.row, self.steps[later].column, factor);
            }
            for &(later, factor) in &step.lower {
                push(quote!(Lower), self.steps[later].row, step.column, factor);
            }
        }
        quote! {
            ::core::option::Option::Some(::costate::Elimination {
                pivots: &[#(#pivots),*],
                factors: &[#(#factors),*],
            })
        }
    }
}

/// The names of the right-hand side, of what forward substitution gives and of the solution.
struct Substitution {
    given: Vec<Ident>,
    between: Vec<Ident>,
    found: Vec<Ident>,
}

/// `first - f1*x1 - f2*x2 ...`
fn sum(first: &Ident, terms: &[Term], constants: &Constants) -> TokenStream {
    let mut tokens = quote!(#first);
    for &(factor, name) in terms {
        let (negative, value) = factor.tokens(constants);
        let product = match value {
            Some(value) => quote!(#name * #value),
            None => quote!(#name),
        };
        tokens.extend(if negative { quote!(+ #product) } else { quote!(- #product) });
    }
    tokens
}

impl Factor {
    fn is_unit(self) -> bool {
        matches!(self, Factor::Constant(value) if value.abs() == 1.0)
    }

    /// Whether it is to be negated, and its absolute value as it is written; none for 1.
    fn tokens(self, constants: &Constants) -> (bool, Option<TokenStream>) {
        match self {
            Factor::Constant(value) => {
                let number = Literal::f64_unsuffixed(value.abs());
                (value < 0.0, (value.abs() != 1.0).then(|| quote!(#number)))
            }
            Factor::Run { id, negative } => (negative, constants.field(id)),
            Factor::Varying { index, negative } => {
                let index = Literal::usize_unsuffixed(index);
                (negative, Some(quote!(factors[#index])))
            }
        }
    }

    /// `value * factor`
    fn times(self, value: TokenStream, is_sum: bool, constants: &Constants) -> TokenStream {
        let (negative, factor) = self.tokens(constants);
        let value = if is_sum && (negative || factor.is_some()) { quote!((#value)) } else { value };
        let value = match factor {
            Some(factor) => quote!(#value * #factor),
            None => value,
        };
        if negative { quote!(-#value) } else { value }
    }
}
