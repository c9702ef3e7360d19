//! The scene of a model: its table, and the function that computes its numbers.

use std::collections::{BTreeMap, BTreeSet};

use costate_contract::scene::{Number, SceneEnd, ScenePart};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use rustc_hash::FxHashMap;

use super::code::Code;
use super::constants::{Constants, parameter_pattern};
use super::contract::variant;
use super::local_names::LocalNames;
use super::tables::{TableVariable, from_set};
use crate::model::Model;
use crate::symbolic::{Graph, Id};

/// `const SCENE: Scene = ...;`, and the field of the description; nothing for a model without bodies.
pub fn description(model: &Model) -> (TokenStream, TokenStream) {
    let scene = &model.scene;
    if scene.bodies.is_empty() {
        return Default::default();
    }
    let files: BTreeSet<&String> = model.mesh_files.values().collect();
    let names = files.iter().enumerate().map(|(i, &file)| (file.as_str(), format_ident!("MESH_{}", i + 1)));
    let names: BTreeMap<&str, Ident> = names.collect();
    let meshes = names.iter().map(|(file, name)| {
        // a path from the crate's folder is right wherever the crate is
        let path = match std::path::Path::new(file).is_absolute() {
            true => quote!(#file),
            false => {
                let below = format!("/{file}");
                quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #below))
            }
        };
        quote!(const #name: &[u8] = ::core::include_bytes!(#path);)
    });
    // each list is a constant of its own: nothing that owns memory is made on the way
    let mut shapes = Vec::new();
    let bodies = scene.bodies.iter().enumerate().map(|(i, body)| {
        let (name, documentation, spatial) = (&*body.name, &*body.documentation, body.spatial);
        let (first, center, layer) = (number(body.first), triple(body.center), number(body.layer));
        let own = body.shapes.iter().enumerate().map(|(j, shape)| {
            let (kind, sizes, point) = (variant(shape.kind), triple(shape.sizes), triple(shape.point));
            let turn = shape.turn.map(triple);
            let mesh = model.mesh_files.get(&(i, j)).and_then(|file| names.get(file.as_str()));
            let mesh = mesh.map_or_else(|| quote!(&[]), |mesh| quote!(#mesh));
            quote!(SceneShape::new(ShapeKind::#kind, #sizes, #point, [#(#turn),*], #mesh))
        });
        let own: Vec<TokenStream> = own.collect();
        let list = if own.is_empty() {
            quote!(&[])
        } else {
            let name = format_ident!("SHAPES_{}", shapes.len() + 1);
            shapes.push(quote!(const #name: &[SceneShape] = &[#(#own),*];));
            quote!(#name)
        };
        quote!(SceneBody::new((#name, #documentation), (#spatial, #first), #center, #layer, #list))
    });
    let bodies: Vec<TokenStream> = bodies.collect();
    let [joints, elements] = [&scene.joints, &scene.elements].map(|parts| parts.iter().map(part));
    let points = scene.points.iter().map(|point| {
        let (name, end) = (&*point.name, end(&point.end));
        quote!(ScenePoint::new(#name, #end))
    });
    let gravity = match scene.gravity.map(triple) {
        Some(gravity) => quote!(::core::option::Option::Some(#gravity)),
        None => quote!(::core::option::Option::None),
    };
    let constant = quote! {
        const SCENE: &::costate::emitted::Scene = {
            #[allow(unused_imports)]
            use ::costate::emitted::{PartKind, Scene, SceneBody, SceneEnd, ScenePart, ScenePoint, SceneShape, ShapeKind};
            #(#meshes)*
            #(#shapes)*
            const BODIES: &[SceneBody] = &[#(#bodies),*];
            const JOINTS: &[ScenePart] = &[#(#joints),*];
            const ELEMENTS: &[ScenePart] = &[#(#elements),*];
            const POINTS: &[ScenePoint] = &[#(#points),*];
            &Scene::new(BODIES, JOINTS, ELEMENTS, POINTS, #gravity)
        };
    };
    (constant, quote!(scene: SCENE,))
}

fn number(number: Number) -> Literal {
    Literal::u32_unsuffixed(number)
}

fn triple(numbers: [Number; 3]) -> TokenStream {
    let numbers = numbers.map(number);
    quote!([#(#numbers),*])
}

fn end(end: &SceneEnd) -> TokenStream {
    let (point, axis) = (triple(end.point), triple(end.axis));
    match end.body.map(number) {
        Some(body) => quote!(SceneEnd::of(#body, #point, #axis)),
        None => quote!(SceneEnd::ground(#point, #axis)),
    }
}

fn part(part: &ScenePart) -> TokenStream {
    let (name, documentation) = (&*part.name, &*part.documentation);
    let (kind, [first, second]) = (variant(part.kind), [end(&part.ends[0]), end(&part.ends[1])]);
    quote!(ScenePart::new((#name, #documentation), PartKind::#kind, [#first, #second]))
}

/// The function `geometry`, with the lowered `values` of the scene's numbers; nothing for a model without bodies.
pub fn geometry(model: &Model, graph: &Graph, constants: &Constants, values: &[Id]) -> TokenStream {
    if values.is_empty() {
        return TokenStream::new();
    }
    let used = graph.symbols_of(values);
    let (mut names, mut known) = (LocalNames::new(), FxHashMap::default());
    let pattern = parameter_pattern(model, graph, &used, &mut names, &mut known);
    let mut bindings = Vec::new();
    let looked_up: BTreeSet<usize> = graph
        .reachable(values)
        .into_iter()
        .filter_map(|id| graph.node(id).lookup())
        .map(|(lookup, _)| lookup.table as usize)
        .collect();
    let tables = model.tables.iter().enumerate().map(|(i, table)| {
        let local = names.unique(&table.quantity.field.to_string());
        if looked_up.contains(&i) {
            let value = from_set(table);
            bindings.push(quote!(let #local = #value;));
        }
        TableVariable::new(table, quote!(#local))
    });
    let tables: Vec<TableVariable> = tables.collect();
    let tables_name = if looked_up.is_empty() { quote!(_) } else { quote!(tables) };
    let known_parameters = known.len();
    let mut code = Code::new(graph, constants, tables, known, names);
    let numbers = code.write(values);
    let statements = code.statements();
    let (parameters_name, parameters) = match known_parameters {
        0 => (quote!(_), TokenStream::new()),
        _ => (quote!(parameters), quote!(let [#(#pattern),*] = *parameters;)),
    };
    quote! {
        fn geometry<S: ::costate::model::Scalar>(
            (): (),
            #parameters_name: &Self::Parameters<S>,
            #tables_name: &::costate::table::Tables,
        ) -> ::std::vec::Vec<S> {
            #parameters
            #(#bindings)*
            #(#statements)*
            ::std::vec![#(#numbers),*]
        }
    }
}
