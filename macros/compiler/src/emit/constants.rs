//! The functions that are evaluated once for a run, and the struct of the constants.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::documentation::doc;
use super::names::{Names, identifier};
use super::statement::takes_arguments;
use super::step_functions::argument;
use super::tables::{data_type, from_set};
use crate::model::Model;
use crate::program::{Array, Constant, Expression, Program, Statement};

/// Returns the name of the struct.
pub fn struct_name(model: &Model) -> Ident {
    format_ident!("{}Constants", model.name)
}

/// Writes the definition of the struct.
pub fn definition(model: &Model, program: &Program) -> TokenStream {
    let (name, visibility) = (struct_name(model), &model.visibility);
    let text = format!("The quantities that do not change during a run of [`{}`], computed once.", model.name);
    let documentation = doc(&text);
    let fields = read_constants(program).map(|(_, constant)| {
        let (documentation, field) = (doc(&constant.documentation), field(model, &constant.name));
        quote!(#documentation pub #field: S,)
    });
    let functions = program.functions.iter().filter(|_| !model.tables.is_empty());
    let read: BTreeSet<usize> = functions.flat_map(|function| function.uses().lookups).collect();
    let tables = model.tables.iter().zip(&program.tables).enumerate().map(|(i, (table, field))| {
        let (documentation, field) = (doc(&format!("Table `{}`.", table.signature())), identifier(field));
        let data = data_type(table);
        // a table that only parameters use is read once, before the run; a warning names unused tables
        let allowed = (!read.contains(&i)).then(|| quote!(#[allow(dead_code)]));
        quote!(#documentation #allowed pub #field: ::std::sync::Arc<#data>,)
    });
    let marker = read_constants(program).next().is_none().then(|| quote!(scalar: ::core::marker::PhantomData<S>,));
    quote! {
        #documentation
        #[derive(Debug, Clone)]
        #[allow(non_snake_case)]
        #visibility struct #name<S> { #(#fields)* #(#tables)* #marker }
    }
}

/// Lists the constants that emitted functions read, with their positions.
fn read_constants(program: &Program) -> impl Iterator<Item = (usize, &Constant)> {
    let along_motion = program.along_motion.as_ref().map(|along_motion| {
        let is_replaced = |name: &str| along_motion.levels.iter().any(|level| level.name == name);
        let others = program.functions.iter().filter(|function| !is_replaced(function.name));
        let emitted = others.chain([&along_motion.constraints]);
        emitted.flat_map(|function| function.uses().constants).collect::<BTreeSet<usize>>()
    });
    let constants = program.run_constants.iter().enumerate();
    constants.filter(move |(position, _)| along_motion.as_ref().is_none_or(|read| read.contains(position)))
}

/// Writes the name of a constant, for a parameter at the token of the user.
fn field(model: &Model, name: &str) -> Ident {
    let parameter = model.parameters.iter().find(|parameter| parameter.field == name);
    parameter.map_or_else(|| identifier(name), |parameter| parameter.field.clone())
}

/// Writes the associated type and the function that computes it.
pub fn function(model: &Model, program: &Program) -> TokenStream {
    let struct_name = struct_name(model);
    let names = Names::new(program, &program.constants);
    let uses = &names.uses;
    let all = 0..model.tables.len();
    let Parts { arguments, tables, statements, values } = parts(model, &names, &all.clone().collect());
    let fields = read_constants(program).map(|(position, constant)| {
        let Some(value) = values.get(position) else {
            return quote!(::core::compile_error!("a constant without a value"));
        };
        let (field, value) = (identifier(&constant.name), names.scalar(value));
        // The local variable's own token is used: inside a macro, the token of the field may have another
        // meaning.
        if field == value.to_string() { quote!(#value,) } else { quote!(#field: #value,) }
    });
    let of_tables = program.tables.iter().zip(&program.constants.tables).map(|(field, local)| {
        let (field, local) = (identifier(field), identifier(local));
        if field == local { quote!(#local,) } else { quote!(#field: #local,) }
    });
    let marker = read_constants(program).next().is_none().then(|| quote!(scalar: ::core::marker::PhantomData));
    // shared by constants that no function reads
    let unused = program.along_motion.as_ref().map(|_| quote!(#[allow(unused_variables)]));
    let parameters_name = argument(uses.arrays.contains(&Array::Parameters), "parameters");
    let weights_name = argument(uses.arrays.contains(&Array::Weights), "weights");
    let tables_name = argument(!all.is_empty(), "tables");
    quote! {
        type Constants<S: ::costate::model::Scalar> = #struct_name<S>;

        #unused
        #[inline(always)]
        fn constants<S: ::costate::model::Scalar>(
            (): (),
            #parameters_name: &Self::Parameters<S>,
            #weights_name: &::costate::emitted::Weights,
            #tables_name: &::costate::table::Tables,
        ) -> Self::Constants<S> {
            #(#arguments)*
            #(#tables)*
            #(#statements)*
            #struct_name { #(#fields)* #(#of_tables)* #marker }
        }
    }
}

/// Writes the function `geometry`; nothing for a model without bodies.
pub fn geometry(model: &Model, program: &Program) -> TokenStream {
    let Some(function) = &program.geometry else { return TokenStream::new() };
    let names = Names::new(program, function);
    let uses = &names.uses;
    let Parts { arguments, tables, statements, values } = parts(model, &names, &uses.lookups);
    let numbers = names.scalars(values);
    let parameters_name = argument(uses.arrays.contains(&Array::Parameters), "parameters");
    let tables_name = argument(!uses.lookups.is_empty(), "tables");
    quote! {
        fn geometry<S: ::costate::model::Scalar>(
            (): (),
            #parameters_name: &Self::Parameters<S>,
            #tables_name: &::costate::table::Tables,
        ) -> ::std::vec::Vec<S> {
            #(#arguments)*
            #(#tables)*
            #(#statements)*
            ::std::vec![#numbers]
        }
    }
}

/// The parts of a function whose last statement stores its results.
struct Parts<'a> {
    arguments: Vec<TokenStream>,
    /// The variables that hold tables.
    tables: Vec<TokenStream>,
    statements: Vec<TokenStream>,
    values: &'a [Expression],
}

/// Writes the parts of a function in which variables hold these `tables`.
fn parts<'a>(model: &Model, names: &Names<'a>, tables: &BTreeSet<usize>) -> Parts<'a> {
    let (body, values): (_, &[Expression]) = match &names.function.body[..] {
        [body @ .., Statement::StoreAll { values, .. }] => (body, values),
        body => (body, &[]),
    };
    let arguments = body.iter().take_while(|statement| takes_arguments(statement)).count();
    let tables = model.tables.iter().enumerate().filter(|(i, _)| tables.contains(i)).map(|(i, table)| {
        let (local, value) = (names.table(i), from_set(table));
        quote!(let #local = #value;)
    });
    Parts {
        arguments: names.statements(&body[..arguments]),
        tables: tables.collect(),
        statements: names.statements(&body[arguments..]),
        values,
    }
}
