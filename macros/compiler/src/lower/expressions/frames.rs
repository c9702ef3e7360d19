//! Points and frames that are fixed in bodies: `rod`, `rod.at(x, y)`, `rod.at(x, y, z).rotated(axis, angle)`, `ground`.

use syn::ext::IdentExt;

use super::measures::spelled;
use super::{ConnectedFrame, Context, Expressions};
use crate::diagnostic::Place;
use crate::dimension::DerivedUnit;
use crate::lower::geometry::{Body, Frame, euler, vector};
use crate::lower::names::{Kind, LetValue};
use crate::symbolic::Id;
use crate::syntax::ast::{AttachedSyntax, Expr, ExprKind, NameSyntax, TransformSyntax};

/// The name of the inertial frame.
const GROUND: &str = "ground";

/// The owner of a frame.
#[derive(Debug, Clone, Copy)]
pub struct Carrier {
    /// The body; `None` for the ground, and for a connection that is not bound yet.
    pub body: Option<Body>,
    /// True for a connection of a component.
    pub is_connection: bool,
    /// True in space; `None` for the ground, which can be either.
    pub spatial: Option<bool>,
    /// The place of the name.
    pub place: Place,
}

impl Expressions {
    /// Returns what the frame in `expr` belongs to.
    pub fn carrier(&mut self, expr: &Expr) -> Option<Carrier> {
        let name = match &expr.kind {
            ExprKind::Name(name) => name,
            ExprKind::Attached(attached) if attached.members.is_empty() => &attached.body,
            _ => {
                let message = "expected a body or a point of one; write e.g. `rod.at(0, 1)`, `rod` or `ground`";
                return self.refuse(expr.place, message);
            }
        };
        self.named_carrier(name)
    }

    /// Returns the body called `name`, that of a named point or of a connection, or the ground.
    fn named_carrier(&mut self, name: &NameSyntax) -> Option<Carrier> {
        let place = name.place;
        let of =
            |body: Option<Body>| Carrier { body, is_connection: false, spatial: body.map(|body| body.spatial), place };
        match self.let_value(name).ok()? {
            Some(LetValue::Frame(frame, spatial)) if name.members.is_empty() => {
                // of a connection that is not bound yet
                let unbound = frame.body.is_none() && spatial.is_some() && self.is_unread_let(name);
                return Some(if unbound {
                    Carrier { body: None, is_connection: true, spatial, place }
                } else {
                    of(frame.body)
                });
            }
            Some(_) => {
                let message = format!(
                    "`{}` is no body and no point of one; write e.g. `rod.at(0, 1)`, `rod` or `ground`",
                    spelled(name, &name.members)
                );
                return self.refuse(name.place, message);
            }
            None => {}
        }
        if self.is_ground(name) {
            return Some(of(None));
        }
        match self.names.resolve(name, Some(Kind::Body))? {
            (Kind::Body, space) => Some(of(Some(self.parts.body(space)?))),
            (Kind::BodyConnection, space) => {
                let connection = self.parts.connection(space)?;
                let body = connection.bound.frame().and_then(|frame| frame.body);
                Some(Carrier { body, is_connection: true, spatial: Some(connection.spatial), place })
            }
            (kind, _) => {
                let message = format!("`{}` is {}; expected a body", self.names.written(name), kind.text());
                self.refuse(name.place, message)
            }
        }
    }

    /// Checks whether `name` is the inertial frame.
    pub fn is_ground(&self, name: &NameSyntax) -> bool {
        name.is_word() && name.ident == GROUND && self.names.table.get(GROUND).is_none()
    }

    /// Returns the frame called `name`, and `true` for a spatial frame; `None` for the ground, which can be either.
    pub fn named_frame(&mut self, name: &NameSyntax) -> Option<(Frame, Option<bool>)> {
        let carrier = self.named_carrier(name)?;
        if let Ok(Some(LetValue::Frame(frame, spatial))) = self.let_value(name) {
            return Some((frame, spatial));
        }
        if carrier.is_connection {
            let (_, space) = self.names.resolve(name, Some(Kind::Body))?;
            return Some((self.connected_frame(space, name)?, carrier.spatial));
        }
        Some((Frame::of(carrier.body, &mut self.graph), carrier.spatial))
    }

    /// Returns the frame that a connection is bound to.
    pub fn connected_frame(&mut self, space: usize, name: &NameSyntax) -> Option<Frame> {
        let bound = self.parts.connection(space)?.bound;
        if matches!(bound, ConnectedFrame::Later) && self.names.report.faults() == 0 {
            let text = self.names.written(name);
            let message = format!("`{text}` is bound further below; move its `components` block above this entry");
            self.error(name.place, message);
        }
        bound.frame()
    }

    /// Returns the frame that `expr` names.
    pub fn frame(&mut self, expr: &Expr, spatial: bool) -> Option<Frame> {
        let Carrier { spatial: kind, place, .. } = self.carrier(expr)?;
        self.require_kind(kind, spatial, place)?;
        let (frame, own) = match &expr.kind {
            ExprKind::Attached(attached) => self.named_frame(&attached.body)?,
            ExprKind::Name(name) => self.named_frame(name)?,
            _ => return None,
        };
        if own.is_some_and(|own| own != spatial) {
            let (is, wanted) = if spatial { ("in the plane", "at(x, y, z)") } else { ("in space", "at(x, y)") };
            let message = format!("this point is one {is}; write `{wanted}` where it is defined");
            return self.refuse(place, message);
        }
        match &expr.kind {
            ExprKind::Attached(attached) => self.transformed(frame, &attached.transforms, spatial),
            _ => Some(frame),
        }
    }

    /// Returns the frame of a measured quantity, and `true` for a spatial frame.
    pub fn measured_frame(&mut self, attached: &AttachedSyntax) -> Option<(Frame, bool)> {
        let (frame, spatial) = self.named_frame(&attached.body)?;
        let spatial = spatial.unwrap_or_else(|| is_spatial(&attached.transforms));
        self.transformed(frame, &attached.transforms, spatial).map(|frame| (frame, spatial))
    }

    /// Checks whether an expression is a body or a point of a body.
    pub fn is_frame(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Attached(attached) => attached.members.is_empty(),
            ExprKind::Name(name) if self.names.scopes.get(&name.ident.unraw().to_string()).is_some() => {
                name.members.is_empty() && matches!(self.let_value(name), Ok(Some(LetValue::Frame(..))))
            }
            ExprKind::Name(name) => self.is_ground(name) || self.names.body_space(name).is_some(),
            _ => false,
        }
    }

    /// Checks, without messages, whether a point is spatial; `None` if there is no such body.
    pub fn is_spatial_point(&mut self, attached: &AttachedSyntax) -> Option<bool> {
        let open = is_spatial(&attached.transforms);
        if self.names.scopes.get(&attached.body.ident.unraw().to_string()).is_some() {
            return match self.let_value(&attached.body).ok()?? {
                LetValue::Frame(_, spatial) => Some(spatial.unwrap_or(open)),
                _ => None,
            };
        }
        if self.is_ground(&attached.body) {
            return Some(open);
        }
        self.spatial_part(&attached.body)
    }

    /// Checks, without messages, whether a body or a connection to one is spatial; `None` if there is none.
    pub fn spatial_part(&mut self, name: &NameSyntax) -> Option<bool> {
        match self.names.body_space(name)? {
            (Kind::Body, space) => self.parts.body(space).map(|body| body.spatial),
            (_, space) => self.parts.connection(space).map(|connection| connection.spatial),
        }
    }

    /// Returns the value of a `let` that is a body or a point of a body.
    pub fn frame_value(&mut self, expr: &Expr) -> Option<LetValue> {
        match &expr.kind {
            ExprKind::Attached(attached) => {
                let (frame, spatial) = self.measured_frame(attached)?;
                Some(LetValue::Frame(frame, Some(spatial)))
            }
            ExprKind::Name(name) => {
                self.carrier(expr)?;
                self.named_frame(name).map(|(frame, spatial)| LetValue::Frame(frame, spatial))
            }
            _ => None,
        }
    }

    /// Reports a body that is planar and should be spatial, or the reverse.
    pub fn require_kind(&mut self, is: Option<bool>, spatial: bool, place: Place) -> Option<()> {
        if is.is_none_or(|is| is == spatial) {
            return Some(());
        }
        let (is, other) = if spatial { ("planar", "spatial") } else { ("spatial", "planar") };
        let message =
            format!("this body is {is} and the other one {other}; declare both as `{is}` or both as `{other}`");
        self.refuse(place, message)
    }

    /// Applies `transforms` to a frame.
    pub fn transformed(&mut self, mut frame: Frame, transforms: &[TransformSyntax], spatial: bool) -> Option<Frame> {
        for transform in transforms {
            frame = match transform.word.unraw().to_string().as_str() {
                "at" => self.moved(frame, transform, spatial)?,
                _ => self.turned(frame, transform, spatial)?,
            };
        }
        Some(frame)
    }

    /// Applies `.at(x, y)`, in the axes of the frame before it.
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
        let step = self.polar(step);
        let graph = &mut self.graph;
        let step = vector::apply(graph, frame.turn, step);
        let point = vector::add(graph, frame.point, step);
        Some(Frame { point, ..frame })
    }

    fn point_coordinate(&mut self, expr: &Expr) -> Option<Id> {
        self.derived_value(expr, Context::Fixed, DerivedUnit::LENGTH, "a coordinate of a point")
    }

    /// Applies `.rotated(angle)` or `.rotated(axis, angle)`.
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
        // about the opposite axis in the plane of a mirror
        let axis = self.reflection.axial_numbers(axis);
        let graph = &mut self.graph;
        let rotation = vector::rotation(graph, axis, angle);
        let turn = vector::product(graph, frame.turn, rotation);
        if spatial {
            let rotation = euler::rotation(graph, axis, angle);
            return Some(Frame { turn, euler: euler::product(graph, frame.euler, rotation), ..frame });
        }
        let angle = if axis[2] < 0.0 { graph.negate(angle) } else { angle };
        let angle = graph.add(frame.angle, angle);
        Some(Frame { turn, angle, ..frame })
    }
}

/// Checks whether the number of coordinates and axes makes a point of the ground spatial.
fn is_spatial(transforms: &[TransformSyntax]) -> bool {
    transforms.iter().any(|transform| {
        let in_space = if transform.word == "at" { 3 } else { 2 };
        transform.arguments.len() == in_space
    })
}
