//! The table of the scene of a model.

use std::collections::{BTreeMap, BTreeSet};

use costate_contract::scene::{Number, SceneEnd, ScenePart, ShapeKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::contract::variant;
use crate::model::Model;

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
            if shape.kind == ShapeKind::Extrusion {
                let outline = shape.outline.iter().map(|corner| {
                    let corner = corner.map(number);
                    quote!([#(#corner),*])
                });
                return quote!(SceneShape::extrusion(#sizes, #point, [#(#turn),*], &[#(#outline),*]));
            }
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
            use ::costate::emitted::{PartKind, Scene, SceneBody, SceneEnd, ScenePart, ScenePoint, SceneShape,
            ShapeKind};
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
