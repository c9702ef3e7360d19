//! Shapes of bodies: solids with their sizes and places.

use std::borrow::Cow;

use costate_contract::scene::{Number, SceneShape, ShapeKind};
use costate_contract::stl;
use syn::ext::IdentExt;

use costate_contract::nearest::nearest;

use super::Mechanism;
use crate::diagnostic::Place;
use crate::dimension::DerivedUnit;
use crate::lower::expressions::Context;
use crate::lower::geometry::{Body, Frame, Matrix, Sense, vector};
use crate::symbolic::Id;
use crate::syntax::ast::{BodySyntax, Expr, ExprKind, OptionSyntax, ShapeSyntax};

/// Every solid with its word and its syntax for planar and for spatial bodies.
const SHAPES: [(ShapeKind, &str, [&str; 2]); 5] = [
    (ShapeKind::Box, "box", ["box(a, b)` or `box(a, b, c)", "box(a, b, c)"]),
    (ShapeKind::Cylinder, "cylinder", ["cylinder(r)` or `cylinder(r, l)", "cylinder(r, l)"]),
    (ShapeKind::Sphere, "sphere", ["sphere(r)"; 2]),
    (
        ShapeKind::Extrusion,
        "extrusion",
        [
            "extrusion([(x, y), (x, y), ...])` or `extrusion([(x, y), (x, y), ...], width)",
            "extrusion([(x, z), (x, z), ...], width, axis = (0, 1, 0))",
        ],
    ),
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
                let message = "a spatial body has its place in space; leave `layer` out, which is for planar bodies";
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
            ShapeKind::Cylinder | ShapeKind::Extrusion if body.spatial => &["axis"],
            ShapeKind::Mesh => &["scale"],
            _ => &[],
        };
        self.check_options(&shape.options, options, &format!("a `{word}`"), " = ")?;
        let lengths = match (kind, body.spatial) {
            (ShapeKind::Box, false) => 2..=3,
            (ShapeKind::Box, true) => 3..=3,
            (ShapeKind::Cylinder | ShapeKind::Extrusion, false) => 1..=2,
            (ShapeKind::Cylinder | ShapeKind::Extrusion, true) => 2..=2,
            (ShapeKind::Sphere, _) => 1..=1,
            (ShapeKind::Mesh, _) => 0..=0,
        };
        let is_mesh = kind == ShapeKind::Mesh;
        let mut arguments = &*shape.arguments;
        let outline = match (kind, arguments) {
            (ShapeKind::Extrusion, [Expr { kind: ExprKind::List(corners), .. }, sizes @ ..]) => {
                arguments = sizes;
                Some(corners)
            }
            _ => None,
        };
        let fits = lengths.contains(&shape.arguments.len()) && is_mesh == shape.file.is_some();
        if !fits || outline.is_some() != (kind == ShapeKind::Extrusion) {
            return self.refuse(shape.place, format!("expected other arguments; write `{written}`"));
        }
        let zero = self.graph().zero();
        let mut sizes = [zero; 3];
        for (size, argument) in sizes.iter_mut().zip(arguments) {
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
        let axis = match option("axis") {
            Some(axis) => Some((self.expressions().direction(&axis.value, true)?, axis.value.place)),
            None => None,
        };
        let mut corners = Vec::new();
        if let Some(outline) = outline {
            let (columns, sides) = self.across_axis(axis)?;
            frame.turn = vector::product(self.graph(), frame.turn, vector::transpose(columns));
            corners = self.outline(outline, sides, shape.place)?;
        } else if let Some((axis, _)) = axis {
            let axis = self.expressions().reflection.axis(axis);
            let [u, w] = vector::across(axis);
            let columns = [u, w, axis].map(|column| vector::constant(self.graph(), column));
            frame.turn = vector::product(self.graph(), frame.turn, vector::transpose(columns));
        } else if is_mesh {
            let reflection = self.expressions().reflection;
            let columns = vector::transpose(frame.turn);
            let [x, y, z] = [0, 1, 2].map(|i| reflection.scaled(self.graph(), i, columns[i]));
            frame.turn = vector::transpose([x, y, z]);
        }
        let data = match &shape.file {
            Some((file, place)) => {
                let source = match self.files.source(file) {
                    Ok(source) => source,
                    Err(message) => {
                        let place = *place;
                        return self.refuse(place, message);
                    }
                };
                let read = source.bytes().map_err(|error| error.to_string());
                let checked = read.and_then(|bytes| {
                    stl::triangles(&bytes).map_err(|error| error.to_string())?;
                    Ok(bytes)
                });
                match checked {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        let place = *place;
                        let message = format!(
                            "the mesh `{file}` cannot be read: {error}; the path of an STL file starts at the folder \
                                 of \
                             the crate's `Cargo.toml`"
                        );
                        return self.refuse(place, message);
                    }
                }
            }
            None => Vec::new(),
        };
        if let Some((file, _)) = &shape.file {
            self.mesh_files.insert(key, file.clone());
        }
        let [sizes, point, x, y, z] = self.shape_numbers(sizes, frame);
        Some(SceneShape { kind, sizes, point, turn: [x, y, z], data: Cow::Owned(data), outline: Cow::Owned(corners) })
    }

    /// Returns the axes of an extrusion as columns, and the axes of coordinates that its outline is given in: those
    /// that are not drawn along, in their order.
    fn across_axis(&mut self, axis: Option<([f64; 3], Place)>) -> Option<(Matrix, [usize; 2])> {
        const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let along = match axis {
            None => 2,
            Some((axis, place)) => match axis.iter().position(|component| component.abs() == 1.0) {
                Some(along) => along,
                None => {
                    let message = "the axis of an extrusion is one of coordinates; write e.g. `axis = (0, 1, 0)`, and \
                         turn the \
                                   shape by `.rotated(...)`";
                    return self.refuse(place, message);
                }
            },
        };
        let [first, second] = [[1, 2], [0, 2], [0, 1]][along];
        // the third axis makes them right-handed: an extrusion is as wide on both sides
        let third = if along == 1 { [0.0, -1.0, 0.0] } else { UNIT[along] };
        let columns = [UNIT[first], UNIT[second], third].map(|column| vector::constant(self.graph(), column));
        Some((columns, [first, second]))
    }

    /// Reads the corners of an outline, each with two coordinates.
    fn outline(&mut self, written: &[Expr], sides: [usize; 2], place: Place) -> Option<Vec<[Number; 2]>> {
        if written.len() < 3 {
            return self.refuse(place, "an outline has three corners at least; write `[(0, 0), (l, 0), (0, h)]`");
        }
        let mut corners = Vec::new();
        for corner in written {
            let ExprKind::Vector(coordinates) = &corner.kind else {
                return self.refuse(corner.place, "a corner of an outline has two coordinates; write `(x, z)`");
            };
            let [x, y] = &**coordinates else {
                return self.refuse(corner.place, "a corner of an outline has two coordinates; write `(x, z)`");
            };
            let what = "a corner of an outline";
            let mut read = |expr: &Expr, side| {
                let value = self.expressions().derived_value(expr, Context::Fixed, DerivedUnit::LENGTH, what)?;
                let value = self.expressions().sensed(value, Sense::polar(side));
                Some(self.scene.number(value))
            };
            let (x, y) = (read(x, sides[0]), read(y, sides[1]));
            corners.push([x?, y?]);
        }
        Some(corners)
    }

    /// Reads a size; reports a constant size that is not positive.
    fn size(&mut self, expr: &Expr, unit: DerivedUnit, what: &str) -> Option<Id> {
        let id = self.expressions().derived_value(expr, Context::Fixed, unit, what)?;
        match self.graph().as_constant(id) {
            Some(value) if value <= 0.0 => self.refuse(expr.place, format!("{what} is {value}; write a positive one")),
            _ => Some(id),
        }
    }
}
