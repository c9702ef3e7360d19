//! Vectors of formulas; what is zero is left out.

use super::{Frame, Triple};
use crate::models::flat::Value;
use crate::models::flatten::{Flatten, Here};
use crate::models::tree::{self, Expr, Path, call, negate, number, power, rate};

pub(super) type Vector = Triple<Value>;

fn is_zero(value: &Value) -> bool {
    matches!(value, Expr::Number(number, _) if *number == 0.0)
}

pub(super) fn add(a: Value, b: Value) -> Value {
    match (is_zero(&a), is_zero(&b)) {
        (true, _) => b,
        (_, true) => a,
        _ => tree::add(a, b),
    }
}

pub(super) fn subtract(a: Value, b: Value) -> Value {
    match (is_zero(&a), is_zero(&b)) {
        (_, true) => a,
        (true, _) => negate(b),
        _ => tree::subtract(a, b),
    }
}

pub(super) fn multiply(a: Value, b: Value) -> Value {
    match (&a, &b) {
        _ if is_zero(&a) || is_zero(&b) => number(0.0),
        (Expr::Number(1.0, None), _) => b,
        (_, Expr::Number(1.0, None)) => a,
        _ => tree::multiply(a, b),
    }
}

pub(super) fn zero() -> Vector {
    [0.0; 3].map(number)
}

pub(super) fn sum(a: Vector, b: Vector) -> Vector {
    let [x, y, z] = a;
    let [u, v, w] = b;
    [add(x, u), add(y, v), add(z, w)]
}

pub(super) fn difference(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| subtract(a[i].clone(), b[i].clone()))
}

pub(super) fn scaled(factor: &Value, a: &Vector) -> Vector {
    a.clone().map(|component| multiply(factor.clone(), component))
}

pub(super) fn dot<const N: usize>(a: &[Value; N], b: &[Value; N]) -> Value {
    let products = a.iter().zip(b).map(|(a, b)| multiply(a.clone(), b.clone()));
    products.fold(number(0.0), add)
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    let product = |i: usize, j: usize| multiply(a[i].clone(), b[j].clone());
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| subtract(product(i, j), product(j, i)))
}

pub(super) fn squares(a: &Vector) -> Value {
    a.iter().filter(|a| !is_zero(a)).map(|a| power(a.clone(), 2.0)).fold(number(0.0), add)
}

/// A body's coordinates, as formulas.
pub(super) struct Pose {
    pub origin: Vector,
    /// `None` for the ground.
    pub euler: Option<[Value; 4]>,
}

impl Pose {
    pub fn of(body: Option<&str>, work: &Flatten, here: &Here) -> Pose {
        let Some(body) = body else { return Pose { origin: zero(), euler: None } };
        let coordinate = |name: &str| work.value(&Expr::Leaf(Path::name(body).member(name)), here);
        Pose { origin: super::AXES.map(coordinate), euler: Some(super::EULER.map(coordinate)) }
    }

    /// From the axes of the body to inertial ones (OB 2.20): A = I + 2 e0 s + 2 s s with the skew matrix s of e1, e2,
    /// e3.
    pub fn turned(&self, [x, y, z]: Vector) -> Vector {
        let Some([e0, e1, e2, e3]) = &self.euler else { return [x, y, z] };
        let twice = |value: Value| tree::multiply(number(2.0), value);
        let product = |a: &Value, b: &Value| tree::multiply(a.clone(), b.clone());
        let diagonal = |a: &Value, b: &Value| {
            tree::subtract(number(1.0), twice(tree::add(power(a.clone(), 2.0), power(b.clone(), 2.0))))
        };
        let plus = |a: (&Value, &Value), b: (&Value, &Value)| twice(tree::add(product(a.0, a.1), product(b.0, b.1)));
        let minus =
            |a: (&Value, &Value), b: (&Value, &Value)| twice(tree::subtract(product(a.0, a.1), product(b.0, b.1)));
        let rows = [
            [diagonal(e2, e3), minus((e1, e2), (e0, e3)), plus((e1, e3), (e0, e2))],
            [plus((e1, e2), (e0, e3)), diagonal(e1, e3), minus((e2, e3), (e0, e1))],
            [minus((e1, e3), (e0, e2)), plus((e2, e3), (e0, e1)), diagonal(e1, e2)],
        ];
        rows.map(|row| dot(&row, &[x.clone(), y.clone(), z.clone()]))
    }

    /// The rows of the matrix that makes the angular velocity of the rates of the Euler parameters (OB 2.26), in
    /// inertial axes or in those of the body.
    pub fn map(&self, local: bool) -> [[Value; 4]; 3] {
        let Some([e0, e1, e2, e3]) = &self.euler else { return [(); 3].map(|()| [0.0; 4].map(number)) };
        let twice = |value: &Value, negative: bool| {
            let two = if negative { negate(number(2.0)) } else { number(2.0) };
            tree::multiply(two, value.clone())
        };
        let (plus, minus) = (|value: &Value| twice(value, false), |value: &Value| twice(value, true));
        // 2 (e0 de - e de0 + e x de), in the axes of the body with the other sign of the last term
        let left = |value: &Value| twice(value, !local);
        let right = |value: &Value| twice(value, local);
        [
            [minus(e1), plus(e0), left(e3), right(e2)],
            [minus(e2), right(e3), plus(e0), left(e1)],
            [minus(e3), left(e2), right(e1), plus(e0)],
        ]
    }

    /// The angular velocity.
    pub fn spin(&self, local: bool) -> Vector {
        let Some(euler) = &self.euler else { return zero() };
        let rates = euler.clone().map(rate);
        self.map(local).map(|row| dot(&row, &rates))
    }
}

/// A frame, as formulas.
pub(super) struct Placed {
    pub pose: Pose,
    /// From the origin of the body, in inertial axes.
    pub lever: Vector,
    turned: Option<(usize, Value)>,
}

impl Placed {
    pub fn of(frame: &Frame, work: &Flatten, here: &Here) -> Placed {
        let pose = Pose::of(frame.body.as_deref(), work, here);
        let at = frame.at.as_ref().map(|at| at.each_ref().map(|component| work.value(component, here)));
        let lever = at.map_or(zero(), |at| pose.turned(at));
        let turned = frame.turned.as_ref().map(|(axis, angle)| (*axis, work.value(angle, here)));
        Placed { pose, lever, turned }
    }

    pub fn position(&self) -> Vector {
        sum(self.pose.origin.clone(), self.lever.clone())
    }

    /// An axis of the frame, from 0, in inertial axes.
    pub fn axis(&self, i: usize) -> Vector {
        let mut direction = zero();
        match &self.turned {
            Some((about, angle)) if *about != i => {
                let (next, last) = ((about + 1) % 3, (about + 2) % 3);
                let (sin, cos) = (call("sin", angle.clone()), call("cos", angle.clone()));
                (direction[next], direction[last]) = if i == next { (cos, sin) } else { (negate(sin), cos) };
            }
            _ => direction[i] = number(1.0),
        }
        self.pose.turned(direction)
    }
}
