use proptest::prelude::*;

use super::*;

/// Equal to a few roundings of the larger part.
fn close(a: Dual, value: f64, derivative: f64) -> Result<(), TestCaseError> {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (1.0 + a.abs().max(b.abs()));
    prop_assert!(near(a.value, value), "value {} is not {}", a.value, value);
    prop_assert!(near(a.derivative, derivative), "derivative {} is not {}", a.derivative, derivative);
    Ok(())
}

fn dual(value: f64, derivative: f64) -> Dual {
    Dual { value, derivative }
}

proptest! {
    #[test]
    fn sums_products_and_quotients(x in -3.0..3.0f64, y in 0.3..3.0f64, dx in -2.0..2.0f64, dy in -2.0..2.0f64) {
        let (a, b) = (dual(x, dx), dual(y, dy));
        close(a + b, x + y, dx + dy)?;
        close(a - b, x - y, dx - dy)?;
        close(a * b, x * y, dx * y + x * dy)?;
        close(a / b, x / y, (dx * y - x * dy) / (y * y))?;
        close(-a, -x, -dx)?;
        close(a + y, x + y, dx)?;
        close(a - y, x - y, dx)?;
        close(a * y, x * y, dx * y)?;
        close(a / y, x / y, dx / y)?;
        let mut sum = a;
        sum += b;
        sum -= a;
        close(sum, y, dy)?;
    }

    #[test]
    fn functions_on_the_line(x in -3.0..3.0f64, dx in -2.0..2.0f64) {
        let a = dual(x, dx);
        close(a.sin(), x.sin(), x.cos() * dx)?;
        close(a.cos(), x.cos(), -x.sin() * dx)?;
        close(a.sin_cos().0, x.sin(), x.cos() * dx)?;
        close(a.sin_cos().1, x.cos(), -x.sin() * dx)?;
        close(a.atan(), x.atan(), dx / (1.0 + x * x))?;
        close(a.sinh(), x.sinh(), x.cosh() * dx)?;
        close(a.cosh(), x.cosh(), x.sinh() * dx)?;
        close(a.tanh(), x.tanh(), dx / x.cosh().powi(2))?;
        close(a.exp(), x.exp(), x.exp() * dx)?;
        close(a.powi(3), x * x * x, 3.0 * x * x * dx)?;
        prop_assume!(x.cos().abs() > 0.1 && x.abs() > 0.1);
        close(a.tan(), x.tan(), dx / x.cos().powi(2))?;
        close(a.powi(-2), 1.0 / (x * x), -2.0 / x.powi(3) * dx)?;
        close(a.abs(), x.abs(), x.signum() * dx)?;
        close(a.sign(), x.signum(), 0.0)?;
    }

    #[test]
    fn functions_of_positive_numbers(x in 0.1..5.0f64, y in -2.0..2.0f64, dx in -2.0..2.0f64, dy in -2.0..2.0f64) {
        let a = dual(x, dx);
        close(a.ln(), x.ln(), dx / x)?;
        close(a.log10(), x.log10(), dx / (x * std::f64::consts::LN_10))?;
        close(a.sqrt(), x.sqrt(), 0.5 * dx / x.sqrt())?;
        let power = x.powf(y);
        close(a.powf(dual(y, dy)), power, power * (y / x * dx + x.ln() * dy))?;
        close(dual(y, dy).atan2(a), y.atan2(x), (x * dy - y * dx) / (x * x + y * y))?;
    }

    #[test]
    fn inverse_functions(x in -0.95..0.95f64, dx in -2.0..2.0f64) {
        let a = dual(x, dx);
        close(a.asin(), x.asin(), dx / (1.0 - x * x).sqrt())?;
        close(a.acos(), x.acos(), -dx / (1.0 - x * x).sqrt())?;
    }

    #[test]
    fn identities_hold_with_derivatives(x in 0.1..1.4f64, y in 0.1..3.0f64, dx in -2.0..2.0f64) {
        let (a, one) = (dual(x, dx), Dual::constant(1.0));
        close(a.sin() * a.sin() + a.cos() * a.cos(), 1.0, 0.0)?;
        close(a.sin().asin(), x, dx)?;
        close(a.exp().ln(), x, dx)?;
        close(a.tan().atan(), x, dx)?;
        close(a.sqrt() * a.sqrt(), x, dx)?;
        close(a.powf(Dual::constant(y)) * a.powf(Dual::constant(-y)), 1.0, 0.0)?;
        close(a.powf(Dual::constant(3.0)) / a.powi(3), 1.0, 0.0)?;
        close(a.sinh() / a.cosh() / a.tanh(), 1.0, 0.0)?;
        close((a.sin() * y).atan2(a.cos() * y), x, dx)?;
        close(one / a * a, 1.0, 0.0)?;
    }
}

#[test]
fn derivatives_of_tanh_are_exact_where_it_saturates() {
    for x in [0.1, 5.0, 12.0, 18.0, 300.0, 1000.0] {
        for x in [x, -x] {
            let slope = 4.0 / (f64::exp(x) + f64::exp(-x)).powi(2);
            let at = Dual::variable(x);
            let found = [at.tanh().derivative, at.sech_squared().value, at.sech_squared().derivative];
            for (found, exact) in found.into_iter().zip([slope, slope, -2.0 * x.tanh() * slope]) {
                assert!((found - exact).abs() <= 1e-14 * exact.abs(), "at {x}: {found:e} {exact:e}");
            }
        }
    }
}

#[test]
fn edges_have_no_spurious_nan() {
    let zero = Dual::variable(0.0);
    assert_eq!(zero.powi(0), dual(1.0, 0.0));
    assert_eq!(zero.powi(1), dual(0.0, 1.0));
    assert_eq!(zero.powi(2), dual(0.0, 0.0));
    assert_eq!(zero.powf(Dual::constant(2.0)), dual(0.0, 0.0));
    assert_eq!(zero.powf(Dual::constant(1.0)), dual(0.0, 1.0));
    assert_eq!(zero.powf(Dual::constant(0.0)), dual(1.0, 0.0));
    assert_eq!(zero.powf(Dual::variable(2.0)), dual(0.0, 0.0));
    assert_eq!(dual(-2.0, 1.0).powf(Dual::constant(2.0)), dual(4.0, -4.0));
    assert_eq!(zero.abs(), dual(0.0, 0.0));
    assert_eq!(zero.sign(), dual(0.0, 0.0));
    assert_eq!(Dual::constant(0.0).sqrt(), dual(0.0, 0.0));
    assert_eq!(zero.sqrt().derivative, f64::INFINITY);
    assert_eq!(Dual::constant(1.0).asin(), dual(1f64.asin(), 0.0));
    assert_eq!(Dual::constant(0.0).atan2(Dual::constant(0.0)), dual(0.0, 0.0));
    assert_eq!(Dual::constant(2.0).powi(i32::MIN).derivative, 0.0);
}

#[test]
fn comparisons_look_at_values_only() {
    let (a, b) = (dual(1.0, 5.0), dual(2.0, -5.0));
    assert!(a.less(b) && a.less_equal(b) && !b.less(a) && !a.equal(b));
    assert!(a.equal(dual(1.0, 0.0)) && a.less_equal(dual(1.0, 0.0)));
    assert_eq!(Dual::select(a.less(b), a, b), a);
    assert_eq!(Dual::select(Dual::not(a.less(b)), a, b), b);
    assert!(Dual::or(true, false) && !Dual::and(true, false));
    let mut c = a;
    c.set_component(1, 7.0);
    assert_eq!((c.component(0), c.component(1), c.real()), (1.0, 7.0, 1.0));
}
