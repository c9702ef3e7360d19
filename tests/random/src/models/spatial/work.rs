//! Equations of spatial mechanisms: energies, constraints and generalized forces.

use super::vectors::{Placed, Pose, Vector, cross, difference, dot, scaled, squares};
use super::{AXES, Body, EULER, ElementKind, Frame, Joint, JointKind, Measure, NORM, Spatial};
use crate::models::flat::{Sum, Symbol, Value};
use crate::models::flatten::{Flatten, Here};
use crate::models::tree::{
    Expr, InitialKind, Path, Written, add, call, divide, multiply, negate, number, power, rate, subtract,
};
use crate::models::units::{LENGTH, ONE};

impl Spatial {
    pub(crate) fn declare(&self, work: &mut Flatten, scope: usize) {
        for body in &self.bodies {
            let inner = work.inner_scope(scope, &body.name, None);
            for (names, dimension) in [(AXES.as_slice(), LENGTH), (EULER.as_slice(), ONE)] {
                for name in names {
                    work.declare_coordinate(inner, name, dimension.units().swap_remove(0));
                }
            }
            work.declare_constraint(inner, NORM);
        }
    }

    /// Declares the constraints of the joints, after all others.
    pub(crate) fn declare_joints(&self, work: &mut Flatten, scope: usize) {
        for joint in &self.joints {
            let inner = work.inner_scope(scope, &joint.name, None);
            joint.kind.constraints().iter().for_each(|name| work.declare_constraint(inner, name));
        }
    }

    pub(crate) fn define(&self, work: &mut Flatten, here: &Here) {
        for body in &self.bodies {
            self.define_body(body, work, here);
        }
        for joint in &self.joints {
            let values = constraints(joint, work, here);
            for (name, value) in joint.kind.constraints().iter().zip(values) {
                define_constraint(&joint.name, name, value, work, here);
            }
        }
        for element in &self.elements {
            element.kind.act(work, here);
        }
        for (name, unit, measure) in &self.outputs {
            let value = self.measured(measure, work, here);
            let name = work.full_name(here.scope, name, None);
            work.flat.outputs.push((name, unit.clone(), value));
        }
    }

    fn define_body(&self, body: &Body, work: &mut Flatten, here: &Here) {
        let frame = Frame { body: Some(body.name.clone()), at: body.center.clone(), turned: None };
        let center = Placed::of(&frame, work, here);
        let value = |expr: &Written, work: &Flatten| work.value(expr, here);
        let mass = value(&body.mass, work);
        let speed = squares(&center.position().map(rate));
        let moments = body.moments.each_ref().map(|moment| value(moment, work));
        let spin = center.pose.spin(true);
        let mut turning = dot(&moments, &spin.clone().map(|component| power(component, 2.0)));
        if let Some(products) = &body.products {
            let products = products.each_ref().map(|product| value(product, work));
            let pairs = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| multiply(spin[i].clone(), spin[j].clone()));
            turning = add(turning, multiply(number(2.0), dot(&products, &pairs)));
        }
        for energy in [multiply(mass.clone(), speed), turning] {
            work.flat.order.push(Sum::Kinetic);
            work.flat.kinetic.push(multiply(number(0.5), energy));
        }
        if let Some(gravity) = &self.gravity {
            let gravity = gravity.each_ref().map(|component| value(component, work));
            push(&frame, scaled(&mass, &gravity), work, here);
        }
        if let Some(euler) = center.pose.euler {
            let norm = euler.clone().map(|e| power(e, 2.0)).into_iter().reduce(add);
            let norm = subtract(norm.unwrap_or(number(0.0)), number(1.0));
            define_constraint(&body.name, NORM, norm, work, here);
            // no rotation, unless another initial value is given
            let e0 = work.coordinate(&Path::name(&body.name).member(EULER[0]), here);
            work.flat.initial.push((e0, InitialKind::Near, number(1.0)));
        }
    }

    fn measured(&self, measure: &Measure, work: &Flatten, here: &Here) -> Value {
        let place = |frame: &Frame, i: usize| Placed::of(frame, work, here).position()[i].clone();
        let spin =
            |body: usize, local, i: usize| Pose::of(Some(&self.bodies[body].name), work, here).spin(local)[i].clone();
        match measure {
            Measure::Position(frame, i) => place(frame, *i),
            Measure::Velocity(frame, i) => rate(place(frame, *i)),
            Measure::Acceleration(frame, i) => Expr::SecondRate(place(frame, *i).into()),
            Measure::AngularVelocity(body, i) => spin(*body, false, *i),
            Measure::LocalAngularVelocity(body, i) => spin(*body, true, *i),
            Measure::Length(element) | Measure::SpringForce(element) => match &self.elements[*element].kind {
                ElementKind::Spring(spring) => {
                    let length = length(&gap(&spring.first, &spring.second, work, here));
                    let is_length = matches!(measure, Measure::Length(_));
                    if is_length { length } else { spring.law.force(&length, work, here) }
                }
                _ => number(f64::NAN),
            },
            Measure::Angle(joint) => {
                let joint = &self.joints[*joint];
                match joint.kind {
                    JointKind::Revolute(axis) | JointKind::Cylindrical(axis) => {
                        let [u, w] = across(axis);
                        let cosine = |i, j| cosine(joint, i, j, work, here);
                        Expr::Call("atan2", vec![cosine(w, u), cosine(u, u)])
                    }
                    _ => number(f64::NAN),
                }
            }
            Measure::Displacement(joint) => match &self.joints[*joint] {
                joint @ Joint { kind: JointKind::Prismatic(axis) | JointKind::Cylindrical(axis), .. } => {
                    offset(joint, *axis, work, here)
                }
                _ => number(f64::NAN),
            },
            Measure::Reaction(joint, i) => {
                // C = first - second, so that the force on the second body is the multiplier
                let path = Path::name(&self.joints[*joint].name).member(AXES[*i]);
                Expr::Multiplier(Symbol::Constraint(work.constraint(&path, here)))
            }
        }
    }
}

fn define_constraint(part: &str, name: &str, value: Value, work: &mut Flatten, here: &Here) {
    let position = work.constraint(&Path::name(part).member(name), here);
    work.flat.constraints[position].1 = Some(value);
}

/// Returns the two axes perpendicular to `axis`, such that the three are right-handed with `axis` as the last.
fn across(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

/// Computes the vector from the first frame to the second.
fn gap(first: &Frame, second: &Frame, work: &Flatten, here: &Here) -> Vector {
    let [first, second] = [first, second].map(|frame| Placed::of(frame, work, here).position());
    difference(&second, &first)
}

fn length(gap: &Vector) -> Value {
    call("sqrt", squares(gap))
}

/// Computes the offset of the second frame along an axis of the first one.
fn offset(joint: &Joint, axis: usize, work: &Flatten, here: &Here) -> Value {
    let along = Placed::of(&joint.first, work, here).axis(axis);
    dot(&along, &gap(&joint.first, &joint.second, work, here))
}

/// Computes the cosine of the angle between an axis of the first frame and one of the second.
fn cosine(joint: &Joint, first: usize, second: usize, work: &Flatten, here: &Here) -> Value {
    let axis = |frame: &Frame, i: usize| Placed::of(frame, work, here).axis(i);
    dot(&axis(&joint.first, first), &axis(&joint.second, second))
}

fn constraints(joint: &Joint, work: &Flatten, here: &Here) -> Vec<Value> {
    let point = || Vec::from(gap(&joint.second, &joint.first, work, here));
    let cosine = |i: usize, j: usize| cosine(joint, i, j, work, here);
    let offsets = |axis: usize| Vec::from(across(axis).map(|across| offset(joint, across, work, here)));
    let tilts = |axis: usize| across(axis).map(|across| cosine(axis, across));
    let mut all;
    match &joint.kind {
        JointKind::Fixed => {
            all = point();
            all.extend([cosine(1, 2), cosine(2, 0), cosine(0, 1)]);
        }
        JointKind::Revolute(axis) => {
            all = point();
            all.extend(tilts(*axis));
        }
        JointKind::Prismatic(axis) => {
            let [u, w] = across(*axis);
            all = offsets(*axis);
            all.extend(tilts(*axis));
            all.push(cosine(u, w));
        }
        JointKind::Cylindrical(axis) => {
            all = offsets(*axis);
            all.extend(tilts(*axis));
        }
        JointKind::Spherical => all = point(),
        JointKind::Universal(axis, second) => {
            all = point();
            all.push(cosine(*axis, *second));
        }
        JointKind::Distance(length) => {
            let length = work.value(length, here);
            let gap = gap(&joint.second, &joint.first, work, here);
            let change = subtract(squares(&gap), power(length.clone(), 2.0));
            all = vec![divide(change, multiply(number(2.0), length))];
        }
    }
    all
}

/// Adds a force in inertial axes at a frame; its moment about the origin of the body acts on the Euler parameters
/// (OB 2.33).
fn push(frame: &Frame, force: Vector, work: &mut Flatten, here: &Here) {
    let Some(body) = &frame.body else { return };
    let moment = cross(&Placed::of(frame, work, here).lever, &force);
    for (name, component) in AXES.iter().zip(force) {
        add_force(body, name, component, work, here);
    }
    twist(body, moment, work, here);
}

/// Adds a torque in inertial axes on a body.
fn twist(body: &str, moment: Vector, work: &mut Flatten, here: &Here) {
    let rows = Pose::of(Some(body), work, here).map(false);
    for (j, name) in EULER.iter().enumerate() {
        let column = rows.each_ref().map(|row| row[j].clone());
        add_force(body, name, dot(&column, &moment), work, here);
    }
}

fn add_force(body: &str, coordinate: &str, value: Value, work: &mut Flatten, here: &Here) {
    let coordinate = work.coordinate(&Path::name(body).member(coordinate), here);
    work.flat.order.push(Sum::Forces);
    work.flat.forces.push((coordinate, value));
}

impl ElementKind {
    /// Adds the forces of the element.
    fn act(&self, work: &mut Flatten, here: &Here) {
        let values = |vector: &[Written; 3], work: &Flatten| vector.each_ref().map(|one| work.value(one, here));
        match self {
            ElementKind::Force(at, force) => {
                let force = values(force, work);
                push(at, force, work, here);
            }
            ElementKind::Torque(at, torque) => {
                let torque = values(torque, work);
                if let Some(body) = &at.body {
                    twist(body, torque, work, here);
                }
            }
            ElementKind::Spring(spring) => {
                let gap = gap(&spring.first, &spring.second, work, here);
                let length = length(&gap);
                let pull = divide(spring.law.force(&length, work, here), length);
                push(&spring.first, scaled(&pull, &gap), work, here);
                push(&spring.second, scaled(&negate(pull), &gap), work, here);
            }
        }
    }
}
