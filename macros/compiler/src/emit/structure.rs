//! The struct of the parameters, the typed names, and the sizes of everything.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::contract::variant;
use super::documentation::{doc, kinks, quantity};
use crate::mechanics::Groups;
use crate::model::{ArgumentValue, Model, Quantity};
use crate::program::Program;

/// `pub struct EngineMount { pub c_e1: f64, ... }` with its defaults and typed names.
pub fn parameters(model: &Model) -> TokenStream {
    let (name, visibility) = (&model.name, &model.visibility);
    let text = if model.documentation.is_empty() {
        format!("The model `{name}`, with the values of its parameters.")
    } else {
        format!("{}\n\nThe fields are the values of the model's parameters.", model.documentation)
    };
    let kinks = kinks(model);
    let kinks = match kinks.as_str() {
        "" => String::new(),
        kinks => format!("\n\nNot smooth everywhere, which derivatives do not know: {kinks}."),
    };
    let documentation = doc(&format!("{text}{kinks}"));
    let fields = model.parameters.iter().zip(&model.defaults).map(|(parameter, default)| {
        let (documentation, field) = (doc(&quantity("Parameter", parameter, *default)), &parameter.field);
        quote!(#documentation pub #field: f64,)
    });
    let defaults = default_values(model);
    let names = typed_names(model);
    quote! {
        #documentation
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(non_snake_case)]
        #visibility struct #name { #(#fields)* }
        #defaults
        #names
    }
}

/// `Default`, where every parameter has one.
fn default_values(model: &Model) -> TokenStream {
    let name = &model.name;
    let Some(defaults) = model.defaults.iter().copied().collect::<Option<Vec<f64>>>() else {
        return TokenStream::new();
    };
    let fields = model.parameters.iter().zip(defaults).map(|(parameter, default)| {
        let (field, value) = (&parameter.field, Literal::f64_unsuffixed(default.abs()));
        if default < 0.0 { quote!(#field: -#value,) } else { quote!(#field: #value,) }
    });
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#fields)* }
            }
        }
    }
}

/// `EngineMount::C_E1` and its like; the structural arguments as numbers.
pub fn typed_names(model: &Model) -> TokenStream {
    let name = &model.name;
    let kinds: [(&str, &[Quantity]); 5] = [
        ("Parameter", &model.parameters),
        ("Input", &model.inputs),
        ("Coordinate", &model.coordinates),
        ("Constraint", &model.constraints),
        ("Output", &model.outputs),
    ];
    let tables = super::tables::typed_names(model);
    let constants = kinds.into_iter().flat_map(|(kind, quantities)| {
        let kind_type = format_ident!("{kind}");
        quantities.iter().enumerate().map(move |(i, item)| {
            let (documentation, constant) = (doc(&quantity(kind, item, None)), &item.constant);
            let index = Literal::usize_unsuffixed(i);
            quote! {
                #documentation
                pub const #constant: ::costate::#kind_type<Self> = ::costate::#kind_type::at(#index);
            }
        })
    });
    let sizes = model.arguments.iter().map(|argument| {
        let text = match argument.documentation.as_str() {
            "" => format!("Structural argument `{}`.", argument.name),
            own => own.to_owned(),
        };
        let (documentation, constant) = (doc(&text), &argument.constant);
        match argument.value {
            ArgumentValue::Size(size) => {
                let size = Literal::i64_unsuffixed(size);
                quote!(#documentation pub const #constant: usize = #size;)
            }
            ArgumentValue::Feature(on) => quote!(#documentation pub const #constant: bool = #on;),
        }
    });
    quote! {
        #[allow(dead_code)]
        impl #name { #(#sizes)* #(#constants)* #(#tables)* }
    }
}

/// The associated array types, with their lengths.
pub fn types(model: &Model, groups: &Groups, program: &Program) -> TokenStream {
    let vectors = [
        ("Coordinates", model.coordinates.len()),
        ("Multipliers", model.constraints.len()),
        ("Unknowns", model.coordinates.len() + model.constraints.len()),
        ("Parameters", model.parameters.len()),
        ("Inputs", model.inputs.len()),
        ("Outputs", model.outputs.len()),
    ];
    let arrays = groups
        .all
        .iter()
        .filter(|group| group.owns_array() && !group.kind.fills_slice())
        .map(|group| (variant(group.kind).to_string(), group.length()));
    let of_steps = [("Factors", program.factors), ("AdjointCoefficients", program.adjoint_coefficients)];
    let array = |name: String, length: usize| {
        let (name, length) = (format_ident!("{name}"), Literal::usize_unsuffixed(length));
        quote!(type #name<S: ::costate::model::Scalar> = [S; #length];)
    };
    let others = vectors.into_iter().chain(of_steps).map(|(name, length)| (name.to_owned(), length));
    let types = others.chain(arrays).map(|(name, length)| array(name, length));
    quote!(#(#types)*)
}

/// Writes the parts that every compiled model has: the type says everything, and no program is loaded.
pub fn of_compiled() -> TokenStream {
    quote! {
        type Program = ();

        #[inline(always)]
        fn program<S: ::costate::model::Scalar>(_: &Self::Constants<S>) {}

        fn erased((): ()) -> &'static dyn ::costate::emitted::Differentiable {
            <Self as ::costate::Model>::differentiable()
        }
    }
}

/// Writes the conversions between the struct and the array of the parameters.
pub fn conversions(model: &Model) -> TokenStream {
    let fields: Vec<_> = model.parameters.iter().map(|parameter| &parameter.field).collect();
    let indices: Vec<_> = (0..fields.len()).map(Literal::usize_unsuffixed).collect();
    let parameters = if fields.is_empty() { quote!(_) } else { quote!(parameters) };
    let length = Literal::usize_unsuffixed(fields.len());
    quote! {
        type Values = [f64; #length];

        fn parameters(&self) -> Self::Values {
            [#(self.#fields),*]
        }

        fn from_parameters(#parameters: &Self::Values) -> Self {
            Self { #(#fields: parameters[#indices]),* }
        }
    }
}

/// Writes the functions of a compiled model as values.
pub fn compiled_values() -> TokenStream {
    quote! {
        type Functions = Self;

        fn program() {}

        #[inline(never)]
        fn system() -> &'static dyn ::costate::emitted::System {
            const { &::costate::emitted::Compiled::<Self>::new() }
        }

        #[inline(never)]
        fn differentiable() -> &'static dyn ::costate::emitted::Differentiable {
            const { &::costate::emitted::Compiled::<Self>::new() }
        }

        #[inline]
        fn second_order() -> &'static dyn ::costate::emitted::SecondOrder {
            const { &::costate::emitted::Compiled::<Self>::new() }
        }

        #[inline]
        fn dual_equations() -> &'static dyn ::costate::emitted::DualEquations {
            const { &::costate::emitted::Compiled::<Self>::new() }
        }
    }
}
