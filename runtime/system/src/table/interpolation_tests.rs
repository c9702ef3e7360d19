//! Tests of tables that are no splines.

use super::any::AnyTable;
use super::{Curve, Extension, Interpolation, Surface, TableBasis};
use costate_numerics::scalar::Dual;
use std::sync::Arc;

/// Unrelated numbers from -1 to 1, the same for the same seed.
fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut state = 2 * seed + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    for _ in 0..8 {
        next();
    }
    (0..count).map(|_| next()).collect()
}

fn knots(seed: u64, count: usize) -> Vec<f64> {
    let steps = numbers(seed, count).into_iter().map(|x| 1.05 + x);
    steps.scan(-2.0, |x, step| Some(std::mem::replace(x, *x + step))).collect()
}

fn kinds() -> impl Iterator<Item = (Extension, Interpolation)> {
    Extension::ALL.into_iter().flat_map(|beyond| Interpolation::ALL.map(|between| (beyond, between)))
}

/// Values with a plateau and turns.
fn curve(seed: u64, (extension, interpolation): (Extension, Interpolation)) -> Curve {
    let count = 4 + seed as usize % 7;
    let mut values = numbers(100 + seed, count);
    values[2] = values[1];
    values[count - 1] = values[0];
    Curve::new(knots(seed, count), values, extension).unwrap().interpolated(interpolation)
}

/// Values, first and second derivatives of scipy 1.17.1, `PchipInterpolator(x, v)`.
#[test]
fn monotone_curves_are_those_of_scipy() {
    let stop = [
        (15.0, 0.0, 0.0, 0.0),
        (21.0, 12.266666666666666, 23.466666666666665, 20.266666666666666),
        (23.5, 117.59999999999998, 54.133333333333326, 4.266666666666666),
        (28.0, 415.68, 86.61333333333333, 7.2533333333333365),
        (34.0, 1063.36, 133.12, 7.359999999999999),
    ];
    let turning = [
        (-0.9, 1.1275252525252528, -8.068181818181818, 13.484848484848483),
        (-0.5, -0.9078282828282828, -1.8257575757575757, 17.727272727272727),
        (-0.2, -0.6432432432432431, 3.1783783783783788, 10.054054054054054),
        (0.12, 0.5851685944890889, 4.604032425398723, 0.03432450016708799),
        (0.9, 2.1306581356527343, 1.5056967969688668, -1.1644749756854722),
        (1.7, 2.9308798747434626, 0.4552279179266856, -1.4616972219199809),
        (2.2, 2.9531872925557137, -0.4596111901375063, -2.1703176861071594),
        (2.9, 2.17275533428165, -1.6658748221906117, -1.2761498340445714),
    ];
    for (x, values, expected) in [
        (
            vec![-20.0, -10.0, 0.0, 10.0, 20.0, 25.0, 30.0, 35.0],
            vec![0.0, 0.0, 0.0, 0.0, 0.0, 200.0, 600.0, 1200.0],
            &stop[..],
        ),
        (vec![-1.0, -0.4, 0.1, 0.15, 2.0, 3.0], vec![2.0, -1.0, 0.5, 0.7, 3.0, 2.0], &turning[..]),
    ] {
        let curve = Curve::new(x, values, Extension::Linear).unwrap().interpolated(Interpolation::Monotone);
        for &(x, value, slope, curvature) in expected {
            for (found, expected) in curve.derivatives(x, [0, 1, 2]).into_iter().zip([value, slope, curvature]) {
                assert!((found - expected).abs() <= 1e-13 * (1.0 + expected.abs()), "{x}: {found} {expected}");
            }
        }
    }
}

#[test]
fn straight_lines_are_straight() {
    let (x, values) = (vec![0.0, 1.0, 3.0], vec![2.0, 5.0, -1.0]);
    for extension in [Extension::Linear, Extension::Clamped] {
        let line = Curve::new(x.clone(), values.clone(), extension).unwrap().interpolated(Interpolation::Straight);
        assert_eq!(line.derivatives(0.25, [0, 1, 2, 3]), [2.75, 3.0, 0.0, 0.0]);
        assert_eq!(line.derivatives(1.0, [0, 1]), [5.0, -3.0]);
        assert_eq!(line.derivatives(3.0, [0, 1]), [-1.0, -3.0]);
        let beyond =
            if extension == Extension::Linear { [[-1.0, 3.0], [-4.0, -3.0]] } else { [[2.0, 0.0], [-1.0, 0.0]] };
        assert_eq!([-1.0, 4.0].map(|x| line.derivatives(x, [0, 1])), beyond);
    }
}

/// A monotone curve and straight lines stay within the values of neighbouring knots, and every curve goes through its
/// values.
#[test]
fn values_stay_between_those_of_the_knots() {
    for seed in 0..30 {
        for kind in kinds() {
            let curve = curve(seed, kind);
            let (x, values) = (curve.knots(), curve.values());
            for (pair, ends) in x.windows(2).zip(values.windows(2)) {
                let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                for i in 0..=50 {
                    let value = curve.value(pair[0] + f64::from(i) / 50.0 * (pair[1] - pair[0]));
                    let leaves = value < least - 1e-14 || value > most + 1e-14;
                    assert!(kind.1 == Interpolation::Spline || !leaves, "{kind:?} {seed} {pair:?} {value}");
                }
                assert!((curve.value(pair[0]) - ends[0]).abs() < 1e-13, "{kind:?} {seed}");
            }
        }
    }
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    for seed in 0..25 {
        for kind in kinds() {
            let curve = curve(seed, kind);
            let [first, last] = curve.range();
            for i in 0..40 {
                let x = first - 0.4 + (last - first + 0.8) * (f64::from(i) + 0.37) / 40.0;
                for order in 0..4 {
                    let [dual] = curve.derivatives(Dual::variable(x), [order]);
                    let [next] = curve.derivatives(x, [order + 1]);
                    let scale = 1.0 + next.abs();
                    assert!((dual.derivative - next).abs() <= 1e-10 * scale, "{kind:?} {seed} {order} at {x}");
                }
            }
        }
    }
}

/// The slope of a monotone curve is continuous at its knots and at its ends.
#[test]
fn monotone_slopes_are_continuous() {
    for seed in 0..25 {
        for extension in Extension::ALL {
            let curve = curve(seed, (extension, Interpolation::Monotone));
            for knot in curve.knots() {
                let [before, after] = [-1e-10, 1e-10].map(|step| curve.derivatives(knot + step, [0, 1]));
                assert!(
                    (before[0] - after[0]).abs() < 1e-7 && (before[1] - after[1]).abs() < 1e-5,
                    "{extension:?} {seed}"
                );
            }
        }
    }
}

/// Derivatives with respect to the values: exact ones against central differences of other tables.
#[test]
fn values_are_differentiated() {
    const STEP: f64 = 1e-6;
    let check = |table: &AnyTable, places: &[[f64; 2]], what: &str| {
        let (basis, values) = (TableBasis::new(table), table.values());
        let is_periodic = matches!(table, AnyTable::Curve(curve) if curve.extension() == Extension::Periodic);
        let last = values.len() - 1;
        for at in places {
            let mut found = vec![0.0; values.len()];
            basis.rates(at, [0, 0], |i, rate| found[i] = rate);
            for (i, found) in found.into_iter().enumerate() {
                let Some(varying) = table.along_value(i) else { continue };
                assert!((varying.rate(at, [0, 0]) - found).abs() < 1e-10, "{what} {i} at {at:?}");
                let shifted = |step: f64| {
                    let mut values = values.clone();
                    values[i] += step;
                    if is_periodic && i == 0 {
                        values[last] = values[0];
                    }
                    match table.with_values(values).unwrap() {
                        AnyTable::Curve(curve) => curve.value(at[0]),
                        AnyTable::Surface(surface) => surface.value(at[0], at[1]),
                    }
                };
                let differences = (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP);
                assert!(
                    (differences - found).abs() < 1e-6 * (1.0 + found.abs()),
                    "{what} {i} at {at:?}: {found} {differences}"
                );
            }
        }
    };
    for seed in 0..20 {
        for (extension, interpolation) in kinds() {
            let count = 4 + seed as usize % 5;
            let mut values = numbers(300 + seed, count);
            values[count - 1] = values[0];
            let curve = Curve::new(knots(seed, count), values, extension).unwrap().interpolated(interpolation);
            let [first, last] = curve.range();
            let places: Vec<[f64; 2]> =
                (0..9).map(|i| [first - 0.5 + (last - first + 1.0) * f64::from(i) / 8.0, 0.0]).collect();
            check(&AnyTable::Curve(Arc::new(curve)), &places, &format!("{extension:?} {interpolation:?} {seed}"));
        }
        for kinds in [
            [Interpolation::Monotone, Interpolation::Spline],
            [Interpolation::Spline, Interpolation::Monotone],
            [Interpolation::Monotone, Interpolation::Straight],
            [Interpolation::Monotone; 2],
        ] {
            let extensions = [Extension::Linear, Extension::Clamped];
            let surface = Surface::new(knots(seed, 5), knots(seed + 50, 4), numbers(seed + 400, 20), extensions);
            let surface = surface.unwrap().interpolated(kinds);
            let places: Vec<[f64; 2]> = numbers(seed, 8).chunks(2).map(|at| [2.0 * at[0], 2.0 * at[1]]).collect();
            check(&AnyTable::Surface(Arc::new(surface)), &places, &format!("{kinds:?} {seed}"));
        }
    }
}

/// Along the lines of the grid a surface is the curve through the values there, whichever interpolation the other
/// argument has, and in the argument of a spline its curvature is continuous.
#[test]
fn surfaces_are_curves_on_their_grid() {
    for seed in 0..20 {
        let (x, y, values) = (knots(seed, 5), knots(seed + 70, 6), numbers(seed + 500, 30));
        for of_x in Interpolation::ALL {
            for of_y in Interpolation::ALL {
                let extensions = [Extension::Linear, Extension::Clamped];
                let surface = Surface::new(x.clone(), y.clone(), values.clone(), extensions).unwrap();
                let surface = surface.interpolated([of_x, of_y]);
                let row =
                    Curve::new(y.clone(), values[12..18].to_vec(), Extension::Clamped).unwrap().interpolated(of_y);
                let column: Vec<f64> = values.iter().skip(3).step_by(6).copied().collect();
                let column = Curve::new(x.clone(), column, Extension::Linear).unwrap().interpolated(of_x);
                for i in 0..30 {
                    let at = -3.0 + 0.3 * f64::from(i);
                    assert!((surface.value(x[2], at) - row.value(at)).abs() < 1e-12);
                    assert!((surface.value(at, y[3]) - column.value(at)).abs() < 1e-12);
                }
                if of_x == Interpolation::Spline && of_y == Interpolation::Monotone {
                    let [[before], [after]] =
                        [-1e-9, 1e-9].map(|step| surface.derivatives(x[2] + step, y[1] + 0.1, [[2, 0]]));
                    assert!((before - after).abs() < 1e-5 * (1.0 + before.abs()), "{before} {after}");
                }
                if of_x == Interpolation::Monotone && of_y == Interpolation::Spline {
                    let [[before], [after]] =
                        [-1e-9, 1e-9].map(|step| surface.derivatives(x[2] + 0.1, y[2] + step, [[0, 2]]));
                    assert!((before - after).abs() < 1e-5 * (1.0 + before.abs()), "{before} {after}");
                }
            }
        }
    }
}
