//! When the control of Newton's iteration goes on, renews its matrix and ends.

use super::*;
use crate::integrator::sizes::Sizes;

fn control() -> Control {
    let weights = Weights { accelerations: 1.0, coordinates: 1e-6, velocities: 1e-3, ..Weights::default() };
    let settings = NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() };
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
