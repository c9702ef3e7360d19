//! The static table that describes a model.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::mechanics::{Block, Groups};
use crate::model::{Model, Quantity};

/// `const DESCRIPTION: Description = ...;`
pub fn emit(model: &Model, groups: &Groups, elimination: TokenStream) -> TokenStream {
    let name = model.name.to_string();
    let [parameters, inputs, coordinates, constraints, outputs] =
        [&model.parameters, &model.inputs, &model.coordinates, &model.constraints, &model.outputs]
            .map(|quantities| quantity_table(quantities));
    let tables = super::tables::description(model);
    let specified_coordinates = model.initial_coordinates.iter().map(Option::is_some);
    let specified_velocities = model.initial_velocities.iter().map(Option::is_some);
    let groups = groups.0.iter().filter(|group| group.name != "factors").map(|group| {
        let name = format_ident!("{}", group.name);
        let mut offset = 0;
        let mut blocks = Vec::new();
        for block in &group.blocks {
            blocks.push(block_table(block, offset));
            offset += block.entries.len();
        }
        quote!(#name: &[#(#blocks),*],)
    });
    quote! {
        const DESCRIPTION: ::costate::emitted::Description = ::costate::emitted::Description {
            name: #name,
            parameters: #parameters,
            inputs: #inputs,
            coordinates: #coordinates,
            constraints: #constraints,
            outputs: #outputs,
            tables: #tables,
            specified_coordinates: &[#(#specified_coordinates),*],
            specified_velocities: &[#(#specified_velocities),*],
            groups: ::costate::emitted::Groups { #(#groups)* },
            elimination: #elimination,
        };
    }
}

fn quantity_table(quantities: &[Quantity]) -> TokenStream {
    let entries = quantities.iter().map(|quantity| {
        let (name, unit, documentation) = (&quantity.name, &quantity.unit, &quantity.documentation);
        quote!(::costate::model::Quantity { name: #name, unit: #unit, documentation: #documentation })
    });
    quote!(&[#(#entries),*])
}

fn block_table(block: &Block, offset: usize) -> TokenStream {
    let function = format_ident!("{}", block.function.variant());
    let argument = match block.argument {
        None => quote!(::core::option::Option::None),
        Some(argument) => {
            let argument = format_ident!("{}", argument.variant());
            quote!(::core::option::Option::Some(::costate::emitted::Argument::#argument))
        }
    };
    let [rows, columns, offset] = [block.rows, block.columns, offset].map(Literal::usize_unsuffixed);
    let entries = block.entries.iter().map(|&(row, column)| {
        let [row, column] = [row, column].map(Literal::usize_unsuffixed);
        quote!((#row, #column))
    });
    quote! {
        ::costate::emitted::Block {
            function: ::costate::emitted::Function::#function,
            argument: #argument,
            rows: #rows,
            columns: #columns,
            offset: #offset,
            entries: &[#(#entries),*],
        }
    }
}
