//! The table by which the runtime watches the factors of the Newton matrix.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use rustc_hash::FxHashMap;

use crate::mechanics::Elimination;
use crate::symbolic::{Graph, Id};

/// The pivots, and the factors that change during a run with their places in the array of factors.
pub fn description(graph: &Graph, elimination: &Elimination) -> TokenStream {
    let varying = elimination.varying(graph);
    let places: FxHashMap<Id, usize> = varying.into_iter().enumerate().map(|(i, id)| (id, i)).collect();
    let pivots = elimination.steps.iter().map(|step| {
        let [row, column] = [step.row, step.column].map(Literal::usize_unsuffixed);
        quote!((#row, #column))
    });
    let sums = elimination.sums.iter().map(|sum| Literal::usize_unsuffixed(sum.row));
    let mut factors = Vec::new();
    let mut push = |part: TokenStream, row: usize, column: usize, id: Id| {
        if let Some(&index) = places.get(&graph.without_sign(id).0) {
            let [row, column, index] = [row, column, index].map(Literal::usize_unsuffixed);
            factors.push(quote! {
                ::costate::emitted::Factor { part: ::costate::emitted::FactorPart::#part, row: #row, column: #column, index: #index }
            });
        }
    };
    for step in &elimination.steps {
        push(quote!(Pivot), step.row, step.column, step.inverse);
        for &(column, factor) in &step.upper {
            push(quote!(Upper), step.row, column, factor);
        }
        for &(row, factor) in &step.lower {
            push(quote!(Lower), row, step.column, factor);
        }
    }
    quote! {
        ::core::option::Option::Some(::costate::emitted::Elimination {
            sums: &[#(#sums),*],
            pivots: &[#(#pivots),*],
            factors: &[#(#factors),*],
        })
    }
}
