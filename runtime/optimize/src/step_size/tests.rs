//! The interpolating polynomials, and what each rule finds along a ray.

use std::convert::Infallible;

use super::super::erased::Erased;
use super::super::objective::{Failure, Objective};
use super::super::ray::Ray;
use super::super::settings::OptimizerSettings;
use super::super::state::OptimizerState;
use super::super::variables::{Scaling, Variable};
use super::super::{active_set, minimize};
use super::descent::Sample;
use super::*;

fn at(step: f64, cost: f64) -> Sample {
    Sample { step, cost }
}

#[test]
fn the_parabola_has_the_curvature_and_minimum_of_the_cost() {
    // J = 3 alpha^2 - 12 alpha + 5: a = 3, minimum at 2, wherever the samples are.
    let (cost, slope) = (|x: f64| 3.0 * x * x - 12.0 * x + 5.0, |x: f64| 6.0 * x - 12.0);
    for (left, right) in [(0.0, 1.0), (0.0, 7.0), (0.5, 2.0), (-3.0, 0.25), (3.0, 1.0)] {
        let (l, r) = (at(left, cost(left)), at(right, cost(right)));
        let a = quadratic::curvature(l, slope(left), r);
        assert!((a - 3.0).abs() < 1e-12, "a = {a} from {left} and {right}");
        let minimum = quadratic::minimum(l, slope(left), r).unwrap();
        assert!((minimum - 2.0).abs() < 1e-12, "{minimum} from {left} and {right}");
    }
}

#[test]
fn a_parabola_that_opens_downwards_has_no_minimum() {
    let cost = |x: f64| -x * x - x;
    assert_eq!(quadratic::curvature(at(0.0, 0.0), -1.0, at(2.0, cost(2.0))), -1.0);
    assert_eq!(quadratic::minimum(at(0.0, 0.0), -1.0, at(2.0, cost(2.0))), None);
    assert_eq!(quadratic::minimum(at(0.0, 0.0), -1.0, at(2.0, -2.0)), None, "a straight line");
    assert_eq!(quadratic::minimum(at(0.0, 0.0), -1.0, at(2.0, f64::INFINITY)), Some(0.0), "away from an infinite cost");
}

#[test]
fn the_cubic_has_the_minimum_of_the_cost() {
    // J = alpha^3 - 3 alpha: minimum at 1, maximum at -1.
    let cost = |x: f64| x * x * x - 3.0 * x;
    for (left, one, two) in [(0.0, 2.0, 1.5), (0.5, 3.0, 0.75), (-0.5, 1.0, 0.25)] {
        let slope = 3.0 * left * left - 3.0;
        let others = [at(one, cost(one)), at(two, cost(two))];
        let minimum = cubic::minimum(at(left, cost(left)), slope, others).unwrap();
        assert!((minimum - 1.0).abs() < 1e-12, "{minimum} from {left}, {one} and {two}");
    }
    // J = -alpha - alpha^3 has none.
    let falling = [at(1.0, -2.0), at(2.0, -10.0)];
    assert_eq!(cubic::minimum(at(0.0, 0.0), -1.0, falling), None);
    // A parabola: c = 0.
    let parabola = [at(1.0, -3.0), at(3.0, -3.0)];
    assert!((cubic::minimum(at(0.0, 0.0), -4.0, parabola).unwrap() - 2.0).abs() < 1e-12);
}

/// A cost of one variable that starts at x = 0; not a number for x > `wall`.
struct Curve {
    cost: fn(f64) -> f64,
    slope: fn(f64) -> f64,
    wall: f64,
}

impl Objective for Curve {
    type Error = Infallible;

    fn cost(&mut self, p: &[f64]) -> Result<f64, Failure<Infallible>> {
        Ok(if p[0] > self.wall { f64::NAN } else { (self.cost)(p[0]) })
    }

    fn gradient(&mut self, p: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Infallible>> {
        gradient[0] = (self.slope)(p[0]);
        Ok(())
    }
}

/// The end of the search by a rule for a first step and a limit in x, and the number of evaluations.
fn end(rule: StepSize, mut curve: Curve, first: f64, limit: f64) -> (f64, usize) {
    let settings = OptimizerSettings::default().with_step_size(rule).with_largest_step(limit);
    let variable = Variable::new("x", 0.0).scaled(Scaling::Linear { typical: 1.0 });
    let mut state = OptimizerState::new(vec![variable], settings.with_maximum_iterations(0)).unwrap();
    minimize(&mut curve, &mut state, |_| Ok(())).unwrap();
    let direction = active_set::steepest_descent(&state, limit).unwrap();
    let scale = direction.vector[0];
    let mut erased = Erased::<_, false>(&mut curve);
    let mut ray = Ray::new(&mut erased, &state, &direction);
    let range = (first / scale, direction.limit);
    search(&mut ray, (state.cost, direction.slope), range, &state.settings).unwrap();
    let reached = ray.reached.unwrap();
    assert!(reached.cost < state.cost && reached.position[0] <= limit * (1.0 + 1e-15));
    (reached.position[0], ray.evaluations)
}

#[test]
fn every_rule_finds_the_minimum_of_a_parabola() {
    let parabola = || Curve { cost: |x| (x - 2.0).powi(2), slope: |x| 2.0 * (x - 2.0), wall: f64::INFINITY };
    for (rule, error) in [
        (StepSize::StrongWolfe, 1.9),
        (StepSize::golden_section(), 0.02),
        (StepSize::quadratic_interpolation(), 1e-12),
        (StepSize::cubic_interpolation(), 1e-12),
    ] {
        for first in [0.3, 1.0, 9.0] {
            let (x, evaluations) = end(rule, parabola(), first, 10.0);
            assert!((x - 2.0).abs() <= error, "{rule} from {first}: {x}");
            assert!(evaluations <= 20, "{rule} from {first}: {evaluations}");
        }
        let (x, _) = end(rule, parabola(), 0.5, 1.5);
        assert!(x > 0.3, "{rule}: {x} below the limit");
    }
    assert_eq!(end(StepSize::golden_section(), parabola(), 0.5, 1.5).0, 1.5);
    assert_eq!(end(StepSize::quadratic_interpolation(), parabola(), 0.5, 1.5).0, 1.5);
    assert_eq!(end(StepSize::cubic_interpolation(), parabola(), 0.5, 1.5).0, 1.5);
}

#[test]
fn every_rule_steps_back_from_where_the_cost_is_not_a_number() {
    for rule in all() {
        let curve = Curve { cost: |x| (x - 0.02).powi(2), slope: |x| 2.0 * (x - 0.02), wall: 0.05 };
        let (x, _) = end(rule, curve, 4.0, 5.0);
        assert!((x - 0.02).abs() < 0.02, "{rule}: {x}");
    }
}

#[test]
fn every_rule_goes_on_where_the_cost_falls_more_steeply() {
    for rule in all() {
        // Concave up to x = 1, minimum at 2.
        let curve = Curve {
            cost: |x| x.powi(4) / 4.0 - 2.0 * x.powi(3) / 3.0 - x / 10.0,
            slope: |x| x.powi(3) - 2.0 * x * x - 0.1,
            wall: f64::INFINITY,
        };
        let (x, evaluations) = end(rule, curve, 0.01, 10.0);
        assert!(x > 0.5 && x < 3.0, "{rule}: {x} after {evaluations} evaluations");
    }
}

fn all() -> [StepSize; 4] {
    [
        StepSize::StrongWolfe,
        StepSize::golden_section(),
        StepSize::quadratic_interpolation(),
        StepSize::cubic_interpolation(),
    ]
}
