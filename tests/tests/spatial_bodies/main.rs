//! Spatial bodies with Euler parameters: closed forms, the same motion by energies, reactions, derivatives.

mod parts;

use costate::{Model, check_derivatives, random_points};

fn check<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 100, 3), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn derivatives_of_every_joint() {
    check(&parts::SpatialJoints::default());
}

#[test]
fn derivatives_of_joints_with_much_freedom_and_of_couplers() {
    check(&parts::SpatialCouplers::default());
}

#[test]
fn derivatives_of_every_element() {
    check(&parts::SpatialElements::default());
}
