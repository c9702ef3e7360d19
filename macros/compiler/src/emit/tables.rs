//! Tables and their data.

use std::collections::BTreeSet;

use costate_contract::tables::{Extension, Interpolation};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::contract::variant;
use super::documentation::doc;
use crate::model::{Model, Table, TableValues};

/// Writes the type `Curve` or `Surface`.
pub fn data_type(table: &Table) -> TokenStream {
    if table.arguments.len() == 1 { quote!(::costate::table::Curve) } else { quote!(::costate::table::Surface) }
}

/// Writes `tables.curve(Self::STIFFNESS)`.
pub fn from_set(table: &Table) -> TokenStream {
    let method = if table.arguments.len() == 1 { format_ident!("curve") } else { format_ident!("surface") };
    let constant = &table.quantity.constant;
    quote!(tables.#method(Self::#constant))
}

/// Writes `pub const PRESSURE: Table<Self, Surface> = ...;` for every table.
pub fn typed_names(model: &Model) -> Vec<TokenStream> {
    let constants = model.tables.iter().enumerate().map(|(i, table)| {
        let (quantity, data) = (&table.quantity, data_type(table));
        let own = if quantity.documentation.is_empty() {
            format!("Table `{}`.", quantity.name)
        } else {
            quantity.documentation.clone()
        };
        let arguments: Vec<String> =
            table.arguments.iter().map(|argument| format!("`{}` in `{}`", argument.name, argument.unit)).collect();
        let text = format!("{own}\n\nArguments: {}. Unit: `{}`.", arguments.join(" and "), quantity.unit);
        let (documentation, constant) = (doc(&text), &quantity.constant);
        let index = Literal::usize_unsuffixed(i);
        quote! {
            #documentation
            pub const #constant: ::costate::table::Table<Self, #data> = ::costate::table::Table::at(#index);
        }
    });
    constants.collect()
}

/// Writes the function that returns the data which are part of the model; nothing without such data.
pub fn data(model: &Model) -> TokenStream {
    let (mut statics, mut with, mut types) = (Vec::new(), Vec::new(), BTreeSet::new());
    for table in &model.tables {
        let Some(values) = &table.values else { continue };
        let constant = &table.quantity.constant;
        let (data, arguments, way) = match values {
            TableValues::Curve(grid) => {
                let (x, values) = (numbers(&grid.x), numbers(&grid.values));
                let extension = extension(grid.extension);
                let way = interpolated(&[grid.interpolation]);
                (format_ident!("Curve"), quote!(&[#x], &[#values], #extension), way)
            }
            TableValues::Surface(grid) => {
                let (x, y, values) = (numbers(&grid.x), numbers(&grid.y), numbers(&grid.values));
                let [first, second] = grid.extensions.map(extension);
                let way = interpolated(&grid.interpolations);
                (format_ident!("Surface"), quote!(&[#x], &[#y], &[#values], [#first, #second]), way)
            }
        };
        let bare = table.without_units.iter().map(|[file, column, unit]| quote!([#file, #column, #unit]));
        let bare = (!table.without_units.is_empty()).then(|| quote!(.without_units(&[#(#bare),*])));
        statics.push(quote! {
            static #constant: LazyLock<Arc<#data>> = LazyLock::new(|| Arc::new(#data::compiled(#arguments) #way #bare));
        });
        with.push(quote!(.with(Self::#constant, Arc::clone(&#constant))));
        types.insert(data);
        if way.is_some() {
            types.insert(format_ident!("Interpolation"));
        }
    }
    if statics.is_empty() {
        return TokenStream::new();
    }
    let types = types.iter();
    quote! {
        fn own_tables((): ()) -> ::costate::table::Tables {
            use ::costate::table::{#(#types,)* Extension};
            use ::std::sync::{Arc, LazyLock};
            #(#statics)*
            ::costate::table::Tables::none::<Self>() #(#with)*
        }
    }
}

fn numbers(values: &[f64]) -> TokenStream {
    let values = values.iter().map(|value| {
        let number = Literal::f64_unsuffixed(value.abs());
        if *value < 0.0 { quote!(-#number) } else { quote!(#number) }
    });
    quote!(#(#values),*)
}

/// Writes `.interpolated(Interpolation::Monotone)`; nothing for a spline.
fn interpolated(kinds: &[Interpolation]) -> Option<TokenStream> {
    let words = kinds.iter().map(|kind| {
        let variant = variant(kind);
        quote!(Interpolation::#variant)
    });
    let words = if kinds.len() == 1 { quote!(#(#words)*) } else { quote!([#(#words),*]) };
    kinds.iter().any(|kind| *kind != Interpolation::Spline).then(|| quote!(.interpolated(#words)))
}

fn extension(extension: Extension) -> TokenStream {
    let variant = variant(extension);
    quote!(Extension::#variant)
}
