//! The table by which the runtime watches the factors of the Newton matrix.

use proc_macro2::TokenStream;
use quote::quote;
use rustc_hash::FxHashMap;

use super::patterns::{entries, indices};
use crate::mechanics::Elimination;
use crate::symbolic::{Graph, Id};

/// `const ELIMINATION`: the pivots, and the factors that change during a run with their places in the array of factors.
pub fn description(graph: &Graph, elimination: &Elimination) -> TokenStream {
    let varying = elimination.varying(graph);
    let places: FxHashMap<Id, usize> = varying.into_iter().enumerate().map(|(i, id)| (id, i)).collect();
    let place = |id: Id| places.get(&graph.without_sign(id).0).copied();
    let mut reciprocals = Vec::new();
    let mut lower = Vec::new();
    for step in &elimination.steps {
        reciprocals.extend(place(step.inverse).map(|index| (step.row, step.column, index)));
        let entries = step.lower.iter();
        lower.extend(entries.filter_map(|&(row, factor)| Some((row, step.column, place(factor)?))));
    }
    let pivots: Vec<_> = elimination.steps.iter().map(|step| (step.row, step.column)).collect();
    let (pivots, sums) = (entries(&pivots), indices(elimination.sums.iter().map(|sum| sum.row)));
    let [reciprocals, lower] = [reciprocals, lower].map(|factors| watched(&factors));
    quote! {
        const ELIMINATION: Elimination = Elimination {
            sums: &#sums,
            pivots: #pivots,
            reciprocals: #reciprocals,
            lower: #lower,
        };
    }
}

/// Factors by (row, column, index).
fn watched(factors: &[(usize, usize, usize)]) -> TokenStream {
    if factors.is_empty() {
        return quote!(&[]);
    }
    let rows = indices(factors.iter().map(|factor| factor.0));
    let columns = indices(factors.iter().map(|factor| factor.1));
    let places = indices(factors.iter().map(|factor| factor.2));
    quote!(&::costate::emitted::Factor::all(#rows, #columns, #places))
}
