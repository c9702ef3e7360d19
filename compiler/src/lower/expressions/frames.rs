//! Points and frames that are fixed in bodies: `rod`, `rod.at(x, y)`, `rod.at(x, y, z).rotated(axis, angle)`, `ground`.

use syn::ext::IdentExt;

use super::{Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::DerivedUnit;
use crate::lower::geometry::{Body, Frame, vector};
use crate::lower::names::Kind;
use crate::symbolic::Id;
use crate::syntax::ast::{AttachedSyntax, Expr, ExprKind, NameSyntax, TransformSyntax};

/// The name of the inertial frame.
const GROUND: &str = "ground";

impl Expressions {
    /// The body that is named in `expr`, and the place of its name: `Some(None)` is the ground.
    pub fn carrier(&mut self, expr: &Expr) -> Option<(Option<Body>, Place)> {
        let name = match &expr.kind {
            ExprKind::Name(name) => name,
            ExprKind::Attached(attached) if attached.members.is_empty() => &attached.body,
            _ => {
                let message =
                    "expected a body or a point of one; write e.g. `rod.at(0, 1)`, `rod` or `ground`";
                return self.refuse(expr.place, message);
            }
        };
        self.named_body(name).map(|body| (body, name.place))
    }

    /// The body called `name`; `Some(None)` is the ground.
    fn named_body(&mut self, name: &NameSyntax) -> Option<Option<Body>> {
        if name.is_word() && name.ident == GROUND && self.names.table.get(GROUND).is_none() {
            return Some(None);
        }
        match self.names.resolve(name, Some(Kind::Body))? {
            (Kind::Body, space) => self.parts.body(space).map(Some),
            (kind, _) => {
                let message = format!("`{}` is {}; expected a body", self.names.written(name), kind.text());
                self.refuse(name.place, message)
            }
        }
    }

    /// The frame that `expr` names.
    pub fn frame(&mut self, expr: &Expr, spatial: bool) -> Option<Frame> {
        let (body, place) = self.carrier(expr)?;
        self.require_kind(body, spatial, place)?;
        match &expr.kind {
            ExprKind::Attached(attached) => self.transformed(body, &attached.transforms, spatial),
            _ => Some(Frame::of(body, &mut self.graph)),
        }
    }

    /// The frame of a measured quantity.
    pub fn measured_frame(&mut self, attached: &AttachedSyntax) -> Option<(Frame, bool)> {
        let body = self.named_body(&attached.body)?;
        let three = attached
            .transforms
            .iter()
            .any(|transform| transform.word == "at" && transform.arguments.len() == 3);
        let spatial = body.map_or(three, |body| body.spatial);
        self.transformed(body, &attached.transforms, spatial).map(|frame| (frame, spatial))
    }

    /// An error if a body is planar and should be spatial, or the other way round.
    pub fn require_kind(&mut self, body: Option<Body>, spatial: bool, place: Place) -> Option<()> {
        if body.is_none_or(|body| body.spatial == spatial) {
            return Some(());
        }
        let (is, other) = if spatial { ("planar", "spatial") } else { ("spatial", "planar") };
        let message = format!(
            "this body is {is} and the other one {other}; declare both as `{is}` or both as `{other}`"
        );
        self.refuse(place, message)
    }

    fn transformed(
        &mut self,
        body: Option<Body>,
        transforms: &[TransformSyntax],
        spatial: bool,
    ) -> Option<Frame> {
        let mut frame = Frame::of(body, &mut self.graph);
        for transform in transforms {
            frame = match transform.word.unraw().to_string().as_str() {
                "at" => self.moved(frame, transform, spatial)?,
                _ => self.turned(frame, transform, spatial)?,
            };
        }
        Some(frame)
    }

    /// `.at(x, y)`: in the axes of the frame before it.
    fn moved(&mut self, frame: Frame, transform: &TransformSyntax, spatial: bool) -> Option<Frame> {
        let count = if spatial { 3 } else { 2 };
        if transform.arguments.len() != count {
            let message = if spatial {
                "a point of a spatial body has three coordinates; write `at(x, y, z)`"
            } else {
                "a point of a planar body has two coordinates; write `at(x, y)`"
            };
            return self.refuse(transform.place, message);
        }
        let zero = self.graph.zero();
        let mut step = [zero; 3];
        let values: Vec<Option<Id>> =
            transform.arguments.iter().map(|argument| self.point_coordinate(argument)).collect();
        for (component, value) in step.iter_mut().zip(values) {
            *component = value?;
        }
        let graph = &mut self.graph;
        let step = vector::apply(graph, frame.turn, step);
        let point = vector::add(graph, frame.point, step);
        Some(Frame { point, ..frame })
    }

    fn point_coordinate(&mut self, expr: &Expr) -> Option<Id> {
        self.derived_value(expr, Context::Fixed, DerivedUnit::LENGTH, "a coordinate of a point")
    }

    /// `.rotated(angle)` or `.rotated(axis, angle)`.
    fn turned(&mut self, frame: Frame, transform: &TransformSyntax, spatial: bool) -> Option<Frame> {
        let (axis, angle) = match &*transform.arguments {
            [angle] if !spatial => ([0.0, 0.0, 1.0], angle),
            [axis, angle] if spatial => (self.direction(axis, true)?, angle),
            _ => {
                let message = if spatial {
                    "a spatial frame turns about an axis; write e.g. `rotated((0, 0, 1), 30[deg])`"
                } else {
                    "a planar frame turns by an angle; write e.g. `rotated(30[deg])`"
                };
                return self.refuse(transform.place, message);
            }
        };
        let what = "the angle of a rotation";
        let angle = self.derived_value(angle, Context::Fixed, DerivedUnit::NUMBER, what)?;
        let graph = &mut self.graph;
        let rotation = vector::rotation(graph, axis, angle);
        let turn = vector::product(graph, frame.turn, rotation);
        let angle = graph.add(frame.angle, angle);
        Some(Frame { turn, angle, ..frame })
    }
}
