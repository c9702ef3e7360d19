//! Shapes of bodies: solids with their sizes and places.

use std::borrow::Cow;

use costate_contract::scene::{SceneShape, ShapeKind};
use costate_contract::stl;
use syn::ext::IdentExt;

use super::Mechanism;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{Body, Frame, vector};
use crate::nearest::nearest;
use crate::symbolic::Id;
use crate::syntax::ast::{BodySyntax, Expr, OptionSyntax, ShapeSyntax};

/// Every solid with its word and its syntax for planar and for spatial bodies.
const SHAPES: [(ShapeKind, &str, [&str; 2]); 4] = [
    (ShapeKind::Box, "box", ["box(a, b)` or `box(a, b, c)", "box(a, b, c)"]),
    (ShapeKind::Cylinder, "cylinder", ["cylinder(r)` or `cylinder(r, l)", "cylinder(r, l)"]),
    (ShapeKind::Sphere, "sphere", ["sphere(r)"; 2]),
    (ShapeKind::Mesh, "mesh", ["mesh(\"hull.stl\")` or `mesh(\"hull.stl\", scale = 0.001)"; 2]),
];

impl Mechanism {
    /// Reads the layer of a body (the distance in front of the plane) and the solids of the body; `None` after an
    /// error.
    pub fn looks(
        &mut self,
        syntax: &BodySyntax,
        body: Body,
        position: usize,
        layer: Option<&OptionSyntax>,
    ) -> Option<(Id, Vec<SceneShape>)> {
        let zero = self.graph().zero();
        let layer = match layer {
            None => zero,
            Some(layer) if body.spatial => {
                let message =
                    "a spatial body has its place in space; leave `layer` out, which is for planar bodies";
                return self.refuse(layer.name.span(), message);
            }
            Some(layer) => {
                let what = format!("the layer of `{}`", syntax.name.ident.unraw());
                self.expressions().derived_value(&layer.value, Context::Fixed, DerivedUnit::LENGTH, &what)?
            }
        };
        let mut shapes = Vec::new();
        for (i, shape) in syntax.shapes.iter().enumerate() {
            shapes.push(self.shape(shape, body, (position, i))?);
        }
        Some((layer, shapes))
    }

    fn shape(&mut self, shape: &ShapeSyntax, body: Body, key: (usize, usize)) -> Option<SceneShape> {
        let word = shape.kind.unraw().to_string();
        let Some(&(kind, _, written)) = SHAPES.iter().find(|(_, known, _)| *known == word) else {
            let words = SHAPES.map(|(_, known, _)| known);
            let message = match nearest(&word, words) {
                Some(known) => format!("unknown shape `{word}`; did you mean `{known}`?"),
                None => format!("unknown shape `{word}`; the shapes are `{}`", words.join("`, `")),
            };
            return self.refuse(shape.kind.span(), message);
        };
        let written = written[usize::from(body.spatial)];
        let options: &[&str] = match kind {
            ShapeKind::Cylinder if body.spatial => &["axis"],
            ShapeKind::Mesh => &["scale"],
            _ => &[],
        };
        self.check_options(&shape.options, options, &format!("a `{word}`"), " = ")?;
        let lengths = match (kind, body.spatial) {
            (ShapeKind::Box, false) => 2..=3,
            (ShapeKind::Box, true) => 3..=3,
            (ShapeKind::Cylinder, false) => 1..=2,
            (ShapeKind::Cylinder, true) => 2..=2,
            (ShapeKind::Sphere, _) => 1..=1,
            (ShapeKind::Mesh, _) => 0..=0,
        };
        let is_mesh = kind == ShapeKind::Mesh;
        if !lengths.contains(&shape.arguments.len()) || is_mesh != shape.file.is_some() {
            return self.refuse(shape.place, format!("expected other arguments; write `{written}`"));
        }
        let zero = self.graph().zero();
        let mut sizes = [zero; 3];
        for (size, argument) in sizes.iter_mut().zip(&shape.arguments) {
            *size = self.size(argument, DerivedUnit::LENGTH, &format!("a length of the `{word}`"))?;
        }
        let option = |name: &str| shape.options.iter().find(|option| option.name == name);
        if is_mesh {
            sizes[0] = match option("scale") {
                Some(scale) => self.size(&scale.value, DerivedUnit::NUMBER, "the scale of a mesh")?,
                None => self.graph().constant(1.0),
            };
        }
        let own = Frame::of(Some(body), self.graph());
        let mut frame = self.expressions().transformed(own, &shape.transforms, body.spatial)?;
        if let Some(axis) = option("axis") {
            let axis = self.expressions().direction(&axis.value, true)?;
            let axis = self.expressions().reflection.axis(axis);
            let [u, w] = vector::across(axis);
            let columns = [u, w, axis].map(|column| vector::constant(self.graph(), column));
            frame.turn = vector::product(self.graph(), frame.turn, vector::transpose(columns));
        }
        let data = match &shape.file {
            Some((file, place)) => {
                let path = match self.files.path(file) {
                    Ok(path) => path,
                    Err(message) => {
                        let place = *place;
                        return self.refuse(place, message);
                    }
                };
                let read = costate_files::read(&path).map_err(|error| error.to_string());
                let checked = read.and_then(|bytes| {
                    stl::triangles(&bytes).map_err(|error| error.to_string())?;
                    Ok(bytes)
                });
                match checked {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        let place = *place;
                        let message = format!(
                            "the mesh `{file}` cannot be read: {error}; the path of an STL file starts at the folder of \
                             the crate's `Cargo.toml`"
                        );
                        return self.refuse(place, message);
                    }
                }
            }
            None => Vec::new(),
        };
        if let Some((file, _)) = &shape.file {
            let path = self.files.are_absolute.then(|| self.files.path(file).ok()).flatten();
            let path = path.and_then(|path| std::path::absolute(path).ok());
            let name = path.map_or_else(|| file.clone(), |path| path.to_string_lossy().into_owned());
            self.mesh_files.insert(key, name);
        }
        let [sizes, point, x, y, z] = self.shape_numbers(sizes, frame);
        Some(SceneShape { kind, sizes, point, turn: [x, y, z], data: Cow::Owned(data) })
    }

    /// Reads a size; reports a constant size that is not positive.
    fn size(&mut self, expr: &Expr, unit: DerivedUnit, what: &str) -> Option<Id> {
        let id = self.expressions().derived_value(expr, Context::Fixed, unit, what)?;
        match self.graph().as_constant(id) {
            Some(value) if value <= 0.0 => {
                self.refuse(expr.place, format!("{what} is {value}; write a positive one"))
            }
            _ => Some(id),
        }
    }
}
