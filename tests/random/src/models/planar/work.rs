//! Equations of planar mechanisms: energies, constraints, and forces with the displacements that they do work on.

use super::{AXES, Body, ElementKind, Frame, Joint, JointKind, Law, Measure, Pair, Planar};
use crate::models::flat::{Symbol, Value};
use crate::models::flatten::{Flatten, Here};
use crate::models::tree::{Expr, Path, Written, add, call, divide, multiply, negate, number, power, rate, subtract};
use crate::models::units::{LENGTH, ONE};

/// A frame as formulas: its position and its angle.
struct Placed {
    at: [Value; 2],
    angle: Value,
}

impl Planar {
    pub(crate) fn declare(&self, work: &mut Flatten, scope: usize) {
        for body in &self.bodies {
            let inner = work.inner_scope(scope, &body.name, None);
            for (name, dimension) in [("x", LENGTH), ("y", LENGTH), ("angle", ONE)] {
                work.declare_coordinate(inner, name, dimension.units().swap_remove(0));
            }
        }
    }

    /// Declares the constraints of the joints, after all others.
    pub(crate) fn declare_joints(&self, work: &mut Flatten, scope: usize) {
        for joint in &self.joints {
            let inner = work.inner_scope(scope, &joint.name, None);
            let names: &[&str] = match joint.kind {
                JointKind::Fixed => &["x", "y", "turn"],
                JointKind::Revolute => &["x", "y"],
                JointKind::Prismatic(_) => &["across", "turn"],
                JointKind::PointOnLine(_) => &["across"],
                JointKind::Distance(_) => &["distance"],
            };
            names.iter().for_each(|name| work.declare_constraint(inner, name));
        }
    }

    pub(crate) fn define(&self, work: &mut Flatten, here: &Here) {
        for body in &self.bodies {
            self.define_body(body, work, here);
        }
        for joint in &self.joints {
            for (name, value) in constraints(joint, work, here) {
                let position = work.constraint(&Path::name(&joint.name).member(name), here);
                work.flat.constraints[position].1 = Some(value);
            }
        }
        for element in &self.elements {
            let all = element.kind.work(work, here);
            work.flat.work.extend(all);
        }
        for (name, unit, measure) in &self.outputs {
            let value = self.measured(measure, work, here);
            let name = work.full_name(here.scope, name, None);
            work.flat.outputs.push((name, unit.clone(), value));
        }
    }

    fn define_body(&self, body: &Body, work: &mut Flatten, here: &Here) {
        let frame = Frame { body: Some(body.name.clone()), at: body.center.clone(), turned: None };
        let Placed { at: [x, y], angle } = placed(&frame, work, here);
        let (mass, inertia) = (work.value(&body.mass, here), work.value(&body.inertia, here));
        let half = |a: Value, b: Value| multiply(multiply(number(0.5), a), b);
        let speed = add(power(rate(x.clone()), 2.0), power(rate(y.clone()), 2.0));
        work.flat.kinetic.push(half(mass.clone(), speed));
        work.flat.kinetic.push(half(inertia, power(rate(angle), 2.0)));
        if let Some((g_x, g_y)) = &self.gravity {
            let (g_x, g_y) = (work.value(g_x, here), work.value(g_y, here));
            work.flat.work.push((multiply(mass.clone(), g_x), x));
            work.flat.work.push((multiply(mass, g_y), y));
        }
    }

    fn measured(&self, measure: &Measure, work: &Flatten, here: &Here) -> Value {
        let place = |frame: &Frame, i: usize| placed(frame, work, here).at[i].clone();
        match measure {
            Measure::Position(frame, i) => place(frame, *i),
            Measure::Velocity(frame, i) => rate(place(frame, *i)),
            Measure::Acceleration(frame, i) => Expr::SecondRate(place(frame, *i).into()),
            Measure::AngularVelocity(body) => {
                let frame = Frame { body: Some(self.bodies[*body].name.clone()), at: None, turned: None };
                rate(placed(&frame, work, here).angle)
            }
            Measure::Length(element) | Measure::SpringForce(element) => match &self.elements[*element].kind {
                ElementKind::Spring(p, q, law) => {
                    let length = distance(&placed(p, work, here), &placed(q, work, here));
                    if matches!(measure, Measure::Length(_)) { length } else { law.force(&length, work, here) }
                }
                _ => number(f64::NAN),
            },
            Measure::Angle(joint) => turn(&self.joints[*joint], work, here),
            Measure::Reaction(joint, i) => {
                // C = first - second, so that the force on the second body is the multiplier
                let path = Path::name(&self.joints[*joint].name).member(AXES[*i]);
                Expr::Multiplier(Symbol::Constraint(work.constraint(&path, here)))
            }
            Measure::Displacement(joint) => match &self.joints[*joint] {
                joint @ Joint { kind: JointKind::Prismatic(axis), .. } => along(joint, *axis, work, here),
                _ => number(f64::NAN),
            },
        }
    }
}

fn rotated([x, y]: [Value; 2], angle: &Value) -> [Value; 2] {
    let (sin, cos) = (|| call("sin", angle.clone()), || call("cos", angle.clone()));
    [subtract(multiply(cos(), x.clone()), multiply(sin(), y.clone())), add(multiply(sin(), x), multiply(cos(), y))]
}

fn placed(frame: &Frame, work: &Flatten, here: &Here) -> Placed {
    let (origin, angle) = match &frame.body {
        Some(body) => {
            let coordinate = |name| Expr::Leaf(Path::name(body).member(name));
            let [x, y, angle] = ["x", "y", "angle"].map(|name| work.value(&coordinate(name), here));
            ([x, y], angle)
        }
        None => ([number(0.0), number(0.0)], number(0.0)),
    };
    let at = match &frame.at {
        Some((x, y)) => {
            let [x, y] = rotated([work.value(x, here), work.value(y, here)], &angle);
            let [from_x, from_y] = origin;
            [add(from_x, x), add(from_y, y)]
        }
        None => origin,
    };
    let angle = match &frame.turned {
        Some(turned) => add(angle, work.value(turned, here)),
        None => angle,
    };
    Placed { at, angle }
}

fn gap(from: &Placed, to: &Placed) -> [Value; 2] {
    [0, 1].map(|i| subtract(to.at[i].clone(), from.at[i].clone()))
}

fn distance(from: &Placed, to: &Placed) -> Value {
    let [x, y] = gap(from, to);
    call("sqrt", add(power(x, 2.0), power(y, 2.0)))
}

fn turn(joint: &Joint, work: &Flatten, here: &Here) -> Value {
    subtract(placed(&joint.second, work, here).angle, placed(&joint.first, work, here).angle)
}

/// Computes the offset of the second frame in a direction of the first one.
fn along(joint: &Joint, (x, y): Pair<f64>, work: &Flatten, here: &Here) -> Value {
    let (first, second) = (placed(&joint.first, work, here), placed(&joint.second, work, here));
    let length = x.hypot(y);
    let signed = |value: f64| if value < 0.0 { negate(number(-value)) } else { number(value) };
    let [x, y] = rotated([signed(x / length), signed(y / length)], &first.angle);
    let [gap_x, gap_y] = gap(&first, &second);
    add(multiply(x, gap_x), multiply(y, gap_y))
}

fn constraints(joint: &Joint, work: &Flatten, here: &Here) -> Vec<(&'static str, Value)> {
    let (first, second) = (placed(&joint.first, work, here), placed(&joint.second, work, here));
    let [x, y] = gap(&second, &first);
    let across = |(x, y): Pair<f64>| ("across", along(joint, (-y, x), work, here));
    let turn = || ("turn", turn(joint, work, here));
    match &joint.kind {
        JointKind::Fixed => vec![("x", x), ("y", y), turn()],
        JointKind::Revolute => vec![("x", x), ("y", y)],
        JointKind::Prismatic(axis) => vec![across(*axis), turn()],
        JointKind::PointOnLine(axis) => vec![across(*axis)],
        JointKind::Distance(length) => {
            let length = work.value(length, here);
            let squares = subtract(add(power(x, 2.0), power(y, 2.0)), power(length.clone(), 2.0));
            vec![("distance", divide(squares, multiply(number(2.0), length)))]
        }
    }
}

impl Law {
    /// Computes stiffness*(stretch - rest) + damping*rate + beside.
    pub(crate) fn force(&self, stretch: &Value, work: &Flatten, here: &Here) -> Value {
        let rest = self.rest.as_ref().map(|rest| work.value(rest, here));
        let from = rest.map_or(stretch.clone(), |rest| subtract(stretch.clone(), rest));
        let own = |option: &Option<Written>| option.as_ref().map(|value| work.value(value, here));
        let terms = [
            own(&self.stiffness).map(|stiffness| multiply(stiffness, from)),
            own(&self.damping).map(|damping| multiply(damping, rate(stretch.clone()))),
            own(&self.beside),
        ];
        terms.into_iter().flatten().reduce(add).unwrap_or(number(0.0))
    }
}

impl ElementKind {
    /// Lists forces, and the displacements in their directions.
    fn work(&self, work: &Flatten, here: &Here) -> Vec<(Value, Value)> {
        let value = |expr: &Written| work.value(expr, here);
        match self {
            ElementKind::Force(at, (f_x, f_y), frame) => {
                let [x, y] = placed(at, work, here).at;
                let mut force = [value(f_x), value(f_y)];
                if let Some(frame) = frame {
                    force = rotated(force, &placed(frame, work, here).angle);
                }
                let [f_x, f_y] = force;
                vec![(f_x, x), (f_y, y)]
            }
            ElementKind::Torque(at, torque) => vec![(value(torque), placed(at, work, here).angle)],
            ElementKind::Spring(p, q, law) => {
                let length = distance(&placed(p, work, here), &placed(q, work, here));
                vec![(negate(law.force(&length, work, here)), length)]
            }
            ElementKind::Torsional(p, q, law) => {
                let angle = subtract(placed(q, work, here).angle, placed(p, work, here).angle);
                vec![(negate(law.force(&angle, work, here)), angle)]
            }
            ElementKind::Bushing(p, q, stiffness, damping, torsional) => {
                let (p, q) = (placed(p, work, here), placed(q, work, here));
                let [x, y] = rotated(gap(&p, &q), &negate(p.angle.clone()));
                let line = |stiffness: &Written, damping: &Written, way: Value| {
                    let damping = multiply(value(damping), rate(way.clone()));
                    (negate(add(multiply(value(stiffness), way.clone()), damping)), way)
                };
                let angle = subtract(q.angle, p.angle);
                vec![
                    line(&stiffness.0, &damping.0, x),
                    line(&stiffness.1, &damping.1, y),
                    (negate(multiply(value(torsional), angle.clone())), angle),
                ]
            }
        }
    }
}
