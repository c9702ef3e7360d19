//! Roughness against quadrature, conditions against curves that satisfy them, contradictions.

use super::super::{Curve, Extension, Surface};
use super::{Break, PriorError, Shape, conditions, knots_with_breaks, roughness, surface_roughness, weights_beside};

const KNOTS: [f64; 7] = [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0];

fn curve(values: [f64; 7], extension: Extension) -> Curve {
    Curve::new(KNOTS.to_vec(), values.to_vec(), extension).unwrap()
}

fn wave(extension: Extension) -> Curve {
    let mut values = KNOTS.map(|x| (1.7 * x).sin() + 0.3 * x * x);
    values[6] = values[0];
    curve(values, extension)
}

#[test]
fn roughness_is_that_of_the_spline() {
    for extension in Extension::ALL {
        let curve = wave(extension);
        let rough = roughness(&curve);
        // the square of a straight line between knots is integrated exactly by two points of Gauss
        let (mut sum, count) = (0.0, 9000);
        for i in 0..count {
            let (width, half) = (6.0 / f64::from(count), 1.0 / 3.0_f64.sqrt());
            let middle = -3.0 + (f64::from(i) + 0.5) * width;
            for side in [-half, half] {
                let [second] = curve.derivatives(middle + 0.5 * width * side, [2]);
                sum += 0.5 * width * second * second;
            }
        }
        let found = rough.value(&curve.values());
        assert!((found - sum).abs() < 1e-9 * sum, "{extension:?}: {found} {sum}");
        let (values, gram) = (curve.values(), rough.gram());
        let vector = nalgebra::DVector::from_vec(values.clone());
        assert!(((gram.clone() * &vector).dot(&vector) - found).abs() < 1e-9 * found);
        let gradient = rough.gradient(&values);
        for (one, other) in gradient.iter().zip((gram * vector * 2.0).iter()) {
            assert!((one - other).abs() < 1e-9 * found, "{one} {other}");
        }
    }
    let line = curve(KNOTS.map(|x| 2.0 - 3.0 * x), Extension::Linear);
    assert!(roughness(&line).value(&line.values()) < 1e-20);
}

#[test]
fn roughness_of_surfaces() {
    let (x, y): (Vec<f64>, Vec<f64>) =
        ((0..41).map(|i| f64::from(i) / 20.0).collect(), (0..51).map(f64::from).collect());
    let of = |f: &dyn Fn(f64, f64) -> f64| {
        let values = x.iter().flat_map(|&x| y.iter().map(move |&y| f(x, y))).collect();
        let surface = Surface::new(x.clone(), y.clone(), values, [Extension::Linear; 2]).unwrap();
        surface_roughness(&surface, [2.0, 50.0]).unwrap().value(&surface.values())
    };
    assert!(of(&|x, y| 3.0 + x - 0.1 * y) < 1e-15);
    // in units of the ranges x^2 has the second derivative 8, y^2 5000, and x y the mixed one 100
    assert!((of(&|x, _| x * x) / 64.0 - 1.0).abs() < 0.1);
    assert!((of(&|_, y| y * y) / 2.5e7 - 1.0).abs() < 0.1);
    assert!((of(&|x, y| x * y) / 2e4 - 1.0).abs() < 1e-9);
    let surface = Surface::default();
    let error = surface_roughness(&surface, [1.0, 0.0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the scale of the second argument is 0; it is a positive number, a length in the argument's unit"
    );
}

#[test]
fn curves_satisfy_what_is_known_of_them() {
    let cubic = curve(KNOTS.map(|x| x + x.powi(3)), Extension::Linear);
    let square = curve(KNOTS.map(|x| x * x), Extension::Linear);
    for (of, holds, fails) in [
        (&cubic, Shape::Odd, Shape::Convex),
        (&cubic, Shape::ThroughOrigin, Shape::Through { x: 0.5, value: 0.7 }),
        (&cubic, Shape::Increasing, Shape::Decreasing),
        (&square, Shape::Convex, Shape::Concave),
        (&square, Shape::Between { least: 0.0, most: 9.0 }, Shape::Between { least: 0.1, most: f64::INFINITY }),
        (&square, Shape::ZeroOutside { from: -3.0, to: 5.0 }, Shape::ZeroOutside { from: -1.0, to: 1.0 }),
        (&square, Shape::Through { x: 0.25, value: square.value(0.25) }, Shape::Through { x: 0.25, value: 0.1 }),
    ] {
        let violation = |shape| conditions(of, &[shape], &[]).unwrap().violation(&of.values());
        assert!(violation(holds) < 1e-12 && violation(fails) > 0.01, "{holds:?} {fails:?}");
    }
}

#[test]
fn contradictions_are_named() {
    let curve = wave(Extension::Linear);
    let check = |shapes: &[Shape]| conditions(&curve, shapes, &[]).unwrap().check();
    let through = |x, value| Shape::Through { x, value };
    for shapes in [
        &[Shape::Odd, Shape::ThroughOrigin, Shape::Increasing, through(1.0, 2.0)][..],
        &[Shape::Convex, through(-3.0, 4.0), through(3.0, 1.0), through(0.0, -1.0)],
        &[Shape::ZeroOutside { from: -1.0, to: 1.0 }, Shape::Concave, Shape::Between { least: 0.0, most: 2.0 }],
        &[through(0.3, 1e-3), through(-2.0, 5e3)],
    ] {
        let conditions = conditions(&curve, shapes, &[]).unwrap();
        let start = conditions.check().unwrap_or_else(|error| panic!("{shapes:?}: {error}"));
        let largest = start.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        assert!(conditions.violation(&start) <= 1e-8 * largest, "{shapes:?}: {start:?}");
    }
    let falling = check(&[Shape::Odd, Shape::Increasing, through(1.0, -2.0), Shape::Convex]).unwrap_err();
    let PriorError::Contradiction { shapes } = &falling else { panic!("{falling}") };
    assert!(shapes.contains(&Shape::Increasing) && shapes.contains(&through(1.0, -2.0)), "{shapes:?}");
    let twice = check(&[through(0.0, 1.0), Shape::Convex, Shape::ThroughOrigin]).unwrap_err();
    assert_eq!(
        twice.to_string(),
        "no values satisfy `through (0, 1)` and `through the origin` together; leave out one of them"
    );
    let periodic = wave(Extension::Periodic);
    let rising = conditions(&periodic, &[Shape::Increasing, through(-3.0, 1.0), through(0.0, 2.0)], &[]).unwrap();
    assert!(rising.check().unwrap_err().to_string().contains("`periodic`"));
}

#[test]
fn what_the_knots_cannot_express() {
    let uneven = Curve::new(vec![-1.0, 0.0, 2.0], vec![0.0; 3], Extension::Linear).unwrap();
    let error = |shape| conditions(&uneven, &[shape], &[]).unwrap_err().to_string();
    assert_eq!(error(Shape::Odd), "`odd`: the knot -1 has no counterpart at 1; place the knots symmetrically about 0");
    assert_eq!(
        error(Shape::Through { x: 3.0, value: 0.0 }),
        "`through (3, 0)`: 3 is outside of the knots, from -1 to 2; place knots around it"
    );
    assert!(error(Shape::Through { x: f64::NAN, value: 0.0 }).contains("the argument is NaN"));
    assert!(error(Shape::ZeroOutside { from: 2.0, to: 1.0 }).contains("not less than the start"));
    assert!(error(Shape::Between { least: f64::NAN, most: 1.0 }).contains("the lower bound is NaN"));
}

#[test]
fn a_kink_is_rough_but_where_it_is_allowed() {
    let even: Vec<f64> = (-4..=4).map(|k| 0.25 * f64::from(k)).collect();
    let breaks = [Break::Kink(0.1)];
    let knots = knots_with_breaks(&even, &breaks).unwrap();
    assert!([0.1 - 0.0125, 0.1, 0.1 + 0.0125].iter().all(|x| knots.iter().any(|knot| (knot - x).abs() < 1e-12)));
    let values = knots.iter().map(|x| (x - 0.1).max(0.0)).collect();
    let curve = Curve::new(knots, values, Extension::Linear).unwrap();
    let residuals = roughness(&curve);
    let weights = weights_beside(&curve, &breaks).unwrap();
    let squares = residuals.residuals().iter().map(|residual| residual.of(&curve.values()).powi(2));
    let beside: f64 = squares.zip(&weights).map(|(square, weight)| square * weight * weight).sum();
    assert_eq!(weights.iter().filter(|weight| **weight < 1.0).count(), 4);
    // two intervals of 0.0125 take up a change of the slope by 1, whose square then counts (0.0125/2)^2
    assert!(beside < 0.1 * residuals.value(&curve.values()), "{beside}");
}

#[test]
fn a_jump_has_knots_at_distances_of_all_sizes() {
    let even: Vec<f64> = (0..=10).map(f64::from).collect();
    let knots = knots_with_breaks(&even, &[Break::Jump(5.0)]).unwrap();
    let beside: Vec<f64> = knots.iter().map(|x| x - 5.0).filter(|x| *x > 0.0 && *x < 0.5).collect();
    assert_eq!((beside.len(), knots.len()), (4, 19));
    assert!(beside.windows(2).all(|pair| (pair[1] / pair[0] - 2.0).abs() < 1e-9), "{beside:?}");
    assert!(knots.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn breaks_need_knots_around_them() {
    let even: Vec<f64> = (0..=10).map(f64::from).collect();
    for at in [-1.0, 0.0, 10.0, 9.99, f64::NAN] {
        assert!(matches!(knots_with_breaks(&even, &[Break::Jump(at)]), Err(PriorError::Break { .. })), "{at}");
    }
    let curve = Curve::new(even, vec![0.0; 11], Extension::Linear).unwrap();
    assert!(matches!(weights_beside(&curve, &[Break::Kink(4.5)]), Err(PriorError::Break { at: 4.5, .. })));
}

#[test]
fn a_curve_through_the_origin_that_jumps_there_jumps_about_it() {
    let jump = Break::Jump(0.0);
    let knots = knots_with_breaks(&[-4.0, -2.0, 0.0, 2.0, 4.0], &[jump]).unwrap();
    let at = |shift: f64| {
        let values = knots.iter().map(|x| 0.5 * x + if *x == 0.0 { 0.0 } else { 3.0 * x.signum() + shift });
        let curve = Curve::new(knots.clone(), values.collect(), Extension::Linear).unwrap();
        conditions(&curve, &[Shape::ThroughOrigin], &[jump]).unwrap().violation(&curve.values())
    };
    assert!(at(0.0) < 1e-12);
    // a constant force beside the friction would be seen in both
    assert!((at(0.25) - 0.5).abs() < 1e-12);
    let elsewhere = knots_with_breaks(&[-4.0, -2.0, 0.0, 2.0, 4.0], &[Break::Jump(1.0)]).unwrap();
    let curve = Curve::new(elsewhere.clone(), vec![0.0; elsewhere.len()], Extension::Linear).unwrap();
    let of_other = conditions(&curve, &[Shape::ThroughOrigin], &[Break::Jump(1.0)]).unwrap();
    assert_eq!(of_other.equalities.len(), 1);
}
