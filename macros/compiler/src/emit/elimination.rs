//! The table by which the runtime watches the factors of the Newton matrix.

use proc_macro2::TokenStream;
use quote::quote;

use super::patterns::{entries, indices};
use crate::mechanics::Elimination;
use crate::symbolic::Graph;

/// `const ELIMINATION`: the pivots, and the factors that change during a run with their places in the array of factors.
pub fn description(graph: &Graph, elimination: &Elimination) -> TokenStream {
    let pivots: Vec<_> = elimination.steps.iter().map(|step| (step.row, step.column)).collect();
    let (pivots, sums) = (entries(&pivots), indices(elimination.sums.iter().map(|sum| sum.row)));
    let [reciprocals, lower] = elimination.watched(graph).map(|factors| watched(&factors));
    quote! {
        const ELIMINATION: Elimination = Elimination {
            sums: &#sums,
            pivots: #pivots,
            reciprocals: #reciprocals,
            lower: #lower,
        };
    }
}

/// Writes factors by row, column and index.
fn watched(factors: &[[usize; 3]]) -> TokenStream {
    if factors.is_empty() {
        return quote!(&[]);
    }
    let [rows, columns, places] = [0, 1, 2].map(|part| indices(factors.iter().map(|factor| factor[part])));
    quote!(&::costate::emitted::Factor::all(#rows, #columns, #places))
}
