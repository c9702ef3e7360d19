//! Decisions of the control of Newton's iteration: to go on, to renew the matrix and to end.

use super::*;
use crate::step::Stall;
use crate::step::sizes::Sizes;

fn control() -> Control {
    let weights = Weights { accelerations: 1.0, coordinates: 1e-6, velocities: 1e-3, ..Weights::default() };
    let settings = NewtonSettings::default().with_tolerance(1e-12);
    let mut control = Control::new(settings, weights, 1);
    control.begin();
    control.renewed(true, 1.0);
    control
}

fn measured(real: Sizes) -> Measured<'static> {
    Measured { real, derivatives: &[] }
}

fn update(size: f64) -> Measured<'static> {
    measured(Sizes { accelerations: 1.0, acceleration_update: size, ..Sizes::default() })
}

#[test]
fn the_estimate_decides_not_the_update() {
    let mut newton = control();
    assert_eq!(newton.judge(update(1e-4)), Verdict::Continue);
    // contraction 1e-2: the error that is left is 1e-8, then 1e-10, then 1e-12
    assert_eq!(newton.judge(update(1e-6)), Verdict::Continue);
    assert_eq!(newton.judge(update(1e-8)), Verdict::Continue);
    assert_eq!(newton.judge(update(0.9e-10)), Verdict::Converged);
}

#[test]
fn one_iteration_with_old_factors_is_never_enough() {
    let mut newton = control();
    assert_eq!(newton.judge(update(1e-13)), Verdict::Converged);
    assert!(!newton.begin());
    assert_eq!(newton.judge(update(1e-13)), Verdict::Continue);
    assert_eq!(newton.judge(update(1e-15)), Verdict::Converged);
}

#[test]
fn what_old_factors_leave_must_be_smaller() {
    let mut newton = control();
    newton.judge(update(1e-13));
    newton.begin();
    newton.judge(update(1e-10));
    // 1e-12 times the contraction 1e-2 would do with factors of this step
    assert_eq!(newton.judge(update(2e-12)), Verdict::Continue);
    assert_eq!(newton.judge(update(4e-14)), Verdict::Converged);
}

#[test]
fn slow_iterations_get_a_new_matrix_and_end() {
    let mut newton = control();
    newton.judge(update(1.0));
    assert_eq!(newton.judge(update(0.5)), Verdict::Renew);
    let last = (0..30).map(|_| newton.judge(update(0.5))).find(|verdict| *verdict == Verdict::Failed);
    assert_eq!(last, Some(Verdict::Failed));
    assert_eq!(newton.iterations(), NewtonSettings::default().maximum_iterations);
    assert!(newton.begin(), "the next step begins with a new matrix");
}

#[test]
fn more_rounding_than_estimated_ends_the_iteration_too() {
    let mut newton = control();
    assert_eq!(newton.judge(update(1e-8)), Verdict::Continue);
    assert_eq!(newton.judge(update(5e-10)), Verdict::Continue);
    // no longer shrinking: first with the matrix of this iterate
    assert_eq!(newton.judge(update(5e-10)), Verdict::Renew);
    newton.renewed(true, 1.0);
    assert_eq!(newton.judge(update(4e-10)), Verdict::Converged);
    // it is known from then on
    newton.begin();
    newton.renewed(true, 1.0);
    assert_eq!(newton.judge(update(7e-10)), Verdict::Converged);
    // but what is not small is no rounding
    newton.begin();
    newton.renewed(true, 1.0);
    newton.judge(update(1e-6));
    newton.renewed(true, 1.0);
    assert_eq!(newton.judge(update(1e-6)), Verdict::Renew);
}

#[test]
fn a_system_at_rest_converges() {
    let mut newton = control();
    assert_eq!(newton.judge(measured(Sizes { coordinates: 1.0, ..Sizes::default() })), Verdict::Converged);
    newton.begin();
    // rounding of a constraint: eps/(beta h^2)
    let noise = measured(Sizes { coordinates: 1.0, acceleration_update: 1e-10, ..Sizes::default() });
    newton.judge(noise);
    assert_eq!(newton.judge(noise), Verdict::Renew);
    newton.renewed(true, 1.0);
    assert_eq!(newton.judge(noise), Verdict::Converged);
}

/// A real part that rests but for the rounding of its positions, 2e-10, and a derivative whose updates stay.
fn with_derivative<'s>(sizes: &'s [Sizes], update: f64) -> Measured<'s> {
    let real = Sizes { coordinates: 1.0, acceleration_update: update, accelerations: 10.0, ..Sizes::default() };
    Measured { real, derivatives: sizes }
}

fn end(newton: &mut Control, measured: Measured<'_>) -> Verdict {
    loop {
        match newton.judge(measured) {
            Verdict::Continue | Verdict::Renew => newton.renewed(true, 1.0),
            verdict => return verdict,
        }
    }
}

#[test]
fn what_is_left_of_a_derivative_that_is_zero_ends_the_iteration() {
    let weights = Weights { coordinates: 1e-6, velocities: 1e-3, ..Weights::default() };
    let mut newton = Control::new(NewtonSettings::default(), weights, 2);
    let rest = [Sizes { accelerations: 1e-10, acceleration_update: 1e-10, ..Sizes::default() }];
    newton.begin();
    newton.renewed(true, 1.0);
    assert_eq!(end(&mut newton, with_derivative(&rest, 1e-10)), Verdict::Failed);
    // the parameter is 2, its derivative is known to what a change of accelerations by 2e-10 makes of it
    newton.direct([0.5].into_iter());
    newton.begin();
    newton.renewed(true, 1.0);
    assert_eq!(end(&mut newton, with_derivative(&rest, 1e-10)), Verdict::Converged);
    // a derivative that is not zero does not end so, and it is named
    let open = [Sizes { accelerations: 1e-2, acceleration_update: 1e-4, ..Sizes::default() }];
    newton.begin();
    newton.renewed(true, 1.0);
    assert_eq!(end(&mut newton, with_derivative(&open, 1e-10)), Verdict::Failed);
    assert_eq!(newton.worst(with_derivative(&open, 1e-10)).0, 1);
    // values that do not converge come first
    assert_eq!(newton.worst(with_derivative(&open, 1e-3)).0, 0);
}

#[test]
fn an_iteration_that_fails_says_what_helps() {
    let fails = |size: f64| {
        let mut newton = control();
        while newton.judge(update(size)) != Verdict::Failed {
            newton.renewed(true, 1.0);
        }
        newton.cause(update(size), 1e4)
    };
    // small updates that stay: 1e4 times what the tolerance 1e-12 allows
    assert_eq!(fails(1e-7), Stall::Rounding { tolerance: 2e-8 });
    assert_eq!(fails(1e-2), Stall::Divergence);
    assert!(fails(1e-7).to_string().contains("`newton.tolerance` 2e-8"));
}
