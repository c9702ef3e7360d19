//! Losses and their derivatives.

use costate_cost::residuals::Loss;

const LOSSES: [Loss; 6] = [
    Loss::Squares,
    Loss::huber(),
    Loss::cauchy(),
    Loss::student(4.0),
    Loss::student(0.5),
    Loss::Cauchy { scale: 20.0 },
];

/// The derivative by differences of order eight, whose errors are below 1e-11 here.
fn slope(function: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 0.01;
    let difference = |k: f64| function(x + k * h) - function(x - k * h);
    let terms = [(1.0, 0.8), (2.0, -0.2), (3.0, 4.0 / 105.0), (4.0, -1.0 / 280.0)];
    terms.iter().map(|&(k, weight)| weight * difference(k)).sum::<f64>() / h
}

#[test]
fn derivatives_are_those_of_the_loss() {
    for loss in LOSSES {
        for x in [-30.0, -7.3, -2.0, -0.9, -0.1, 0.3, 1.0, 1.25, 1.5, 4.0, 11.0] {
            let near = |found: f64, wanted: f64| {
                let tolerance = 1e-10 * (1.0 + wanted.abs());
                assert!((found - wanted).abs() < tolerance, "{loss:?} at {x}: {found} {wanted}");
            };
            near(loss.psi(x), slope(|x| loss.rho(x), x));
            near(loss.psi_prime(x), slope(|x| loss.psi(x), x));
            near(loss.signed_root_derivative(x), slope(|x| loss.signed_root(x), x));
            near(loss.signed_root(x).powi(2), 2.0 * loss.rho(x));
            near(loss.signed_root(x) * loss.signed_root_derivative(x), loss.psi(x));
        }
    }
}

#[test]
fn nothing_is_lost_near_zero_and_far_away() {
    for loss in LOSSES {
        for x in [0.0, -0.0, 5e-324, 1e-200, 1e-160, 1e-100, -1e-20, 1e-9] {
            assert!((loss.signed_root(x) - x).abs() <= 1e-15 * x.abs(), "{loss:?} {x}");
            assert!((loss.signed_root_derivative(x) - 1.0).abs() < 1e-15, "{loss:?} {x}");
            assert!((loss.psi(x) - x).abs() <= 1e-15 * x.abs() && (loss.psi_prime(x) - 1.0).abs() < 1e-15);
        }
        for x in [1e160, -1e300, f64::INFINITY] {
            for value in [loss.psi(x), loss.psi_prime(x), loss.signed_root(x), loss.signed_root_derivative(x)] {
                assert!(!value.is_nan(), "{loss:?} {x}");
            }
        }
        assert!(loss.rho(f64::NAN).is_nan() && loss.psi(f64::NAN).is_nan());
    }
    let (cauchy, x) = (Loss::Cauchy { scale: 2.0 }, 1e200);
    assert!((cauchy.psi(x) / 4e-200 - 1.0).abs() < 1e-14);
    assert!((cauchy.rho(x) / (4.0 * 5e199_f64.ln()) - 1.0).abs() < 1e-14);
    assert!((Loss::huber().rho(1e300) / 1.345e300 - 1.0).abs() < 1e-14);
}

#[test]
fn constants_that_make_no_loss_are_refused() {
    for loss in LOSSES {
        assert!(loss.check().is_ok());
    }
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for loss in [Loss::Huber { threshold: value }, Loss::Cauchy { scale: value }, Loss::student(value)] {
            assert!(loss.check().is_err());
            let _ = (loss.rho(1.0), loss.psi(1.0), loss.signed_root_derivative(1.0), loss.efficiency());
        }
    }
}
