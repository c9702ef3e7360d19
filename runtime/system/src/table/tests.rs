//! Tests of splines: interpolation, smoothness, and derivatives.

use super::any::AnyTable;
use super::{Curve, Extension, Interpolation, Surface, TableAdjoint};
use costate_numerics::scalar::{Dual, Scalar};
use std::sync::Arc;

const KNOTS: [f64; 6] = [-1.0, -0.4, 0.1, 0.15, 2.0, 3.0];
const VALUES: [f64; 6] = [2.0, -1.0, 0.5, 0.7, 3.0, 2.0];

fn curve(extension: Extension) -> Curve {
    Curve::new(KNOTS.to_vec(), VALUES.to_vec(), extension).unwrap()
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-12 * scale
}

#[test]
fn goes_through_its_values() {
    for extension in Extension::ALL {
        let curve = curve(extension);
        for (x, value) in KNOTS.into_iter().zip(VALUES) {
            assert!(close(curve.value(x), value, 10.0), "{extension:?} at {x}: {}", curve.value(x));
        }
    }
}

/// Tests the limits from both sides, at the knots of the data and those between them, and at the edges.
#[test]
fn value_slope_and_curvature_are_continuous() {
    let two = Curve::new(vec![0.0, 3.0], vec![1.0, 5.0], Extension::Clamped).unwrap();
    let three = Curve::new(vec![-1.0, 0.0, 3.0], vec![1.0, 5.0, 1.0], Extension::Periodic).unwrap();
    let curves = Extension::ALL.map(curve).into_iter().chain([two, three]);
    for curve in curves {
        let [first, last] = curve.range();
        let inner = [first + 0.2, first + 1.0, last - 1.0 / 3.0, last - 1.0];
        for knot in KNOTS.into_iter().chain(inner).chain([first, last]) {
            let side = |step: f64| curve.derivatives(knot + step, [0, 1, 2]);
            let (before, after) = (side(-1e-9), side(1e-9));
            for order in 0..3 {
                let jump = (before[order] - after[order]).abs();
                assert!(jump < 1e-4, "{curve:?}: derivative {order} jumps by {jump:e} at {knot}");
            }
        }
    }
}

#[test]
fn goes_on_as_it_should() {
    let clamped = curve(Extension::Clamped);
    assert_eq!(clamped.derivatives(-7.0, [0, 1, 2, 3]), [2.0, 0.0, 0.0, 0.0]);
    assert_eq!(clamped.derivatives(7.0, [0, 1, 2, 3]), [2.0, 0.0, 0.0, 0.0]);
    let linear = curve(Extension::Linear);
    let [value, slope] = linear.derivatives(3.0, [0, 1]);
    assert!(close(linear.value(5.0), value + 2.0 * slope, 10.0));
    assert_eq!(linear.derivatives(5.0, [1, 2]), [slope, 0.0]);
    let periodic = curve(Extension::Periodic);
    for x in [-0.9, 0.12, 1.0, 2.9] {
        for turns in [-2.0, 1.0, 5.0] {
            let (here, there) = (periodic.derivatives(x, [0, 1, 2]), periodic.derivatives(x + 4.0 * turns, [0, 1, 2]));
            assert!(here.into_iter().zip(there).all(|(a, b)| (a - b).abs() < 1e-10), "{x} {turns}");
        }
    }
    assert!(periodic.value(f64::NAN).is_nan());
}

/// A straight line stays straight, and the error for a sine falls with the fourth power of the distance of
/// the knots.
#[test]
fn accuracy() {
    let line = Curve::new(KNOTS.to_vec(), KNOTS.map(|x| 3.0 - 2.0 * x).to_vec(), Extension::Linear).unwrap();
    for x in [-5.0, -0.7, 0.11, 1.2, 9.0] {
        assert!(close(line.value(x), 3.0 - 2.0 * x, 10.0));
    }
    let error = |count: usize| {
        let x: Vec<f64> = (0..=count).map(|i| i as f64 / count as f64).collect();
        let wave = |x: f64| (2.0 * std::f64::consts::PI * x).sin();
        let sine = Curve::new(x.clone(), x.iter().map(|&x| wave(x)).collect(), Extension::Periodic).unwrap();
        (0..1000).map(|i| i as f64 / 777.0).fold(0f64, |most, x| most.max((sine.value(x) - wave(x)).abs()))
    };
    let ratio = error(32) / error(64);
    assert!((ratio - 16.0).abs() < 1.0, "{ratio}");
}

#[test]
fn derivatives_of_curves() {
    for extension in Extension::ALL {
        let curve = curve(extension);
        for i in 0..200 {
            let x = -2.5 + 0.0311 * f64::from(i);
            for order in 0..4 {
                let dual: [Dual; 1] = curve.derivatives(Dual::variable(x), [order]);
                let [next] = curve.derivatives(x, [order + 1]);
                assert!(close(dual[0].derivative, next, 1e3), "{extension:?}, {order} at {x}");
            }
        }
    }
}

/// The spline of a product of values is the product of the splines.
#[test]
fn surfaces_are_products_of_curves() {
    let (y, factors) = ([0.0, 1.0, 1.5, 4.0], [1.0, -2.0, 0.5, 1.0]);
    for along_x in Extension::ALL {
        for along_y in Extension::ALL {
            let values = VALUES.iter().flat_map(|value| factors.map(|factor| value * factor)).collect();
            let surface = Surface::new(KNOTS.to_vec(), y.to_vec(), values, [along_x, along_y]).unwrap();
            let (first, second) = (curve(along_x), Curve::new(y.to_vec(), factors.to_vec(), along_y).unwrap());
            for i in 0..60 {
                let (x, y) = (-2.0 + 0.11 * f64::from(i), 5.0 - 0.13 * f64::from(i));
                let orders = [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2], [1, 2], [4, 0], [0, 4]];
                let found = surface.derivatives(x, y, orders);
                for ([a, b], found) in orders.into_iter().zip(found) {
                    let ([left], [right]) = (first.derivatives(x, [a]), second.derivatives(y, [b]));
                    assert!(close(found, left * right, 1e4), "{along_x:?} {along_y:?} {a} {b} at {x}, {y}");
                }
            }
        }
    }
}

#[test]
fn derivatives_of_surfaces() {
    let values = (0..24).map(|i| f64::from(i * i % 7)).collect();
    let extensions = [Extension::Linear, Extension::Clamped];
    let surface = Surface::new(KNOTS.to_vec(), vec![0.0, 1.0, 1.5, 4.0], values, extensions).unwrap();
    for i in 0..100 {
        let (x, y) = (-1.5 + 0.05 * f64::from(i), 4.5 - 0.05 * f64::from(i));
        let [x_dual] = surface.derivatives(Dual::variable(x), Dual::constant(y), [[1, 1]]);
        let [y_dual] = surface.derivatives(Dual::constant(x), Dual::variable(y), [[1, 1]]);
        let [in_x, in_y] = surface.derivatives(x, y, [[2, 1], [1, 2]]);
        assert!(close(x_dual.derivative, in_x, 1e4) && close(y_dual.derivative, in_y, 1e4), "{x} {y}");
    }
}

fn kinds() -> impl Iterator<Item = (Extension, Interpolation)> {
    Extension::ALL.into_iter().flat_map(|beyond| Interpolation::ALL.map(|between| (beyond, between)))
}

/// Knots at very different distances.
fn uneven(count: usize) -> Vec<f64> {
    (0..count)
        .scan(0.0, |x, i| Some(std::mem::replace(x, *x + 1.0 + 30.0 * f64::from(i % 5 == 2))))
        .collect::<Vec<f64>>()
}

/// Compares the derivatives of lookups anywhere and of any order with respect to the values with dual numbers
/// in the values.
#[test]
fn lookups_reach_the_values_of_curves() {
    for (extension, interpolation) in kinds() {
        for count in [3, 4, 5, 300] {
            let mut values: Vec<f64> = (0..count).map(|i| (1.3 * i as f64).sin()).collect();
            values[count - 1] = values[0];
            let curve = Curve::new(uneven(count), values.clone(), extension).unwrap().interpolated(interpolation);
            assert_eq!((curve.knots(), curve.values()), (uneven(count), values));
            let last = curve.range()[1];
            let places: Vec<(f64, usize)> =
                (0..40).map(|i| (last * (1.3 * f64::from(i) / 40.0 - 0.15), (i % 4) as usize)).collect();
            let table = AnyTable::Curve(Arc::new(curve));
            let mut adjoint = TableAdjoint::<f64>::new(&table);
            for (x, order) in &places {
                adjoint.add(&[*x], [*order, 0], x.cos());
            }
            let found = adjoint.by_values();
            assert_eq!(found.len(), count);
            for (i, found) in found.into_iter().enumerate().step_by(1 + count / 20) {
                let Some(varying) = table.along_value(i) else {
                    assert_eq!((extension, i, found), (Extension::Periodic, count - 1, 0.0));
                    continue;
                };
                let exact: f64 = places.iter().map(|(x, order)| x.cos() * varying.rate(&[*x], [*order, 0])).sum();
                assert!(close(found, exact, 100.0), "{extension:?} {interpolation:?} {count} {i}: {found} {exact}");
            }
        }
    }
}

#[test]
fn lookups_reach_the_values_of_surfaces() {
    for (along_x, of_x) in kinds() {
        for (along_y, of_y) in kinds() {
            let (x, y) = (uneven(5), KNOTS.to_vec());
            // the same at both ends of each argument
            let wave = |i: usize, count: usize| (2.0 * (i % (count - 1)) as f64).cos();
            let values = (0..30).map(|i| wave(i / 6, 5) * (2.0 + wave(i % 6, 6))).collect();
            let surface = Surface::new(x.clone(), y.clone(), values, [along_x, along_y]).unwrap();
            let surface = surface.interpolated([of_x, of_y]);
            assert_eq!(surface.knots(), [x, y]);
            assert!(surface.values().iter().enumerate().all(|(i, v)| *v == wave(i / 6, 5) * (2.0 + wave(i % 6, 6))));
            let places: Vec<([f64; 2], [usize; 2])> = (0..30)
                .map(|i| ([-5.0 + 1.7 * f64::from(i), 4.0 - 0.2 * f64::from(i)], [i as usize % 3, i as usize % 2]))
                .collect();
            let table = AnyTable::Surface(Arc::new(surface.clone()));
            let mut adjoint = TableAdjoint::<f64>::new(&table);
            for (at, orders) in &places {
                adjoint.add(at, *orders, at[0].cos());
            }
            for (i, found) in adjoint.by_values().into_iter().enumerate() {
                let exact = match table.along_value(i) {
                    Some(varying) => places.iter().map(|(at, orders)| at[0].cos() * varying.rate(at, *orders)).sum(),
                    None => 0.0,
                };
                assert!(close(found, exact, 1e3), "{surface:?} {i}: {found} {exact}");
            }
        }
    }
}

/// All data that are accepted give finite values everywhere.
#[test]
fn accepted_data_have_numbers_everywhere() {
    let distances = [5e-324, 1e-300, 1e-61, 1e-60, 1e-16, f64::EPSILON, 1e-15, 1e-14, 1e-12, 1.0, 1e89, 1e90, 1e300];
    let mut accepted = 0;
    for start in [0.0, 1.0, -1.0, 1e89, -1e300] {
        for distance in distances {
            for value in [0.0, 1.0, 1e90, -1e90, 1e308] {
                for extension in Extension::ALL {
                    let knots = vec![start, start + distance, start + 2.0 * distance, start + 5.0 * distance];
                    let values = vec![value, -value, 0.5 * value, value];
                    let Ok(curve) = Curve::new(knots.clone(), values, extension) else { continue };
                    accepted += 1;
                    for at in knots.iter().flat_map(|x| [*x, x + 0.3 * distance, x - 0.1 * distance]) {
                        let found = curve.derivatives(at, [0, 1, 2]);
                        assert!(found.iter().all(|x| x.is_finite()), "{knots:?} {value} {extension:?}: {found:?}");
                    }
                }
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}
