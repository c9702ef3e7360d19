//! Every emitted derivative of every spatial joint, coupler and element against dual numbers at random states.

#[allow(missing_docs, reason = "the names say it")]
mod elements;
#[allow(missing_docs, reason = "the names say it")]
mod joints;

use costate::verify::random_points;
use costate::{Model, check_derivatives};

fn check<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 100, 3), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn joints() {
    check(&joints::Revolute::default());
    check(&joints::Fixed::default());
    check(&joints::Prismatic::default());
    check(&joints::SphericalAndUniversal::default());
    check(&joints::CylindricalAndDistance::default());
    check(&joints::PlanarAndPointOnLine::default());
}

#[test]
fn couplers() {
    check(&joints::GearAndRack::default());
}

#[test]
fn elements() {
    check(&elements::Spring::default());
    check(&elements::Torsional::default());
    check(&elements::Bushing::default());
    check(&elements::Loads::default());
}
