use proptest::prelude::*;

use super::*;
use crate::scalar::Dual;

type Function = fn(Moving<Dual>) -> Moving<Dual>;

/// The number x + x' t + x'' t^2/2 along a motion, whose dual part is its derivative with respect to t.
fn along([value, rate, acceleration]: [f64; 3]) -> Moving<Dual> {
    Moving {
        value: Dual { value, derivative: rate },
        rate: Dual { value: rate, derivative: acceleration },
        acceleration: Dual::constant(acceleration),
    }
}

/// Checks the rate by the derivative of the value, and the acceleration by that of the rate.
fn check(name: &str, of: Moving<Dual>, value: f64) -> Result<(), TestCaseError> {
    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= 1e-12 * (1.0 + size.abs());
    prop_assert!(near(of.value.value, value, value), "{name}: value {:?} is not {value}", of.value);
    let rate = of.value.derivative;
    prop_assert!(near(of.rate.value, rate, rate), "{name}: rate {:?} is not {rate}", of.rate);
    let acceleration = of.rate.derivative;
    let size = acceleration.abs() + rate * rate;
    prop_assert!(near(of.acceleration.value, acceleration, size), "{name}: {of:?}");
    Ok(())
}

fn motion(value: std::ops::Range<f64>) -> impl Strategy<Value = [f64; 3]> {
    (value, -2.0..2.0f64, -2.0..2.0f64).prop_map(|(value, rate, acceleration)| [value, rate, acceleration])
}

proptest! {
    #[test]
    fn sums_products_and_quotients(x in motion(-3.0..3.0), y in motion(0.3..3.0)) {
        let ((a, b), (x, y)) = ((along(x), along(y)), (x[0], y[0]));
        check("sum", a + b, x + y)?;
        check("difference", a - b, x - y)?;
        check("product", a * b, x * y)?;
        check("quotient", a / b, x / y)?;
        check("reciprocal", b.recip(), 1.0 / y)?;
        check("negative", -a, -x)?;
        check("plain numbers", ((a + 2.0) * 3.0 - 1.0) / 7.0, ((x + 2.0) * 3.0 - 1.0) / 7.0)?;
        check("sum with a product", a.plus_product(a, b), x + x * y)?;
        check("difference to a product", b.minus_product(a, b), y - x * y)?;
        let mut sum = a;
        sum += b * a;
        sum -= a;
        check("assigned", sum, y * x)?;
        check("angle", a.atan2(b), x.atan2(y))?;
        check("angle to the left", a.atan2(-b), x.atan2(-y))?;
        check("upward angle", b.atan2(a), y.atan2(x))?;
        check("power", b.powf(a), y.powf(x))?;
        check("constant exponent", b.powf(Moving::constant(2.5)), y.powf(2.5))?;
    }

    #[test]
    fn elementary_functions(x in motion(-3.0..3.0)) {
        prop_assume!(x[0].cos().abs() > 0.1 && x[0].abs() > 0.1);
        let (a, x) = (along(x), x[0]);
        let of_all: [(&str, Function, f64); 11] = [
            ("sin", Scalar::sin, x.sin()),
            ("cos", Scalar::cos, x.cos()),
            ("tan", Scalar::tan, x.tan()),
            ("atan", Scalar::atan, x.atan()),
            ("sinh", Scalar::sinh, x.sinh()),
            ("cosh", Scalar::cosh, x.cosh()),
            ("tanh", Scalar::tanh, x.tanh()),
            ("sech squared", Scalar::sech_squared, x.cosh().powi(-2)),
            ("exp", Scalar::exp, x.exp()),
            ("abs", Scalar::abs, x.abs()),
            ("sign", Scalar::sign, x.signum()),
        ];
        for (name, function, value) in of_all {
            check(name, function(a), value)?;
        }
        let of_positive: [(&str, Function, f64); 3] = [
            ("ln", Scalar::ln, x.abs().ln()),
            ("log10", Scalar::log10, x.abs().log10()),
            ("sqrt", Scalar::sqrt, x.abs().sqrt()),
        ];
        for (name, function, value) in of_positive {
            check(name, function(a.abs()), value)?;
        }
        for exponent in -3..5 {
            check("integer power", a.powi(exponent), x.powi(exponent))?;
        }
        let inner = a.sin() * 0.9;
        check("asin", inner.asin(), (0.9 * x.sin()).asin())?;
        check("acos", inner.acos(), (0.9 * x.sin()).acos())?;
    }

    #[test]
    fn smaller_and_larger_numbers(x in motion(-3.0..3.0), y in motion(-3.0..3.0)) {
        prop_assume!(x[0] != y[0]);
        let ((a, b), (x, y)) = ((along(x), along(y)), (x[0], y[0]));
        check("smaller", Moving::select(a.less(b), a, b), x.min(y))?;
        check("larger", Moving::select(a.less_equal(b), b, a), x.max(y))?;
    }
}

#[test]
fn powers_at_zero_are_finite() {
    let x = Moving { value: 0.0, rate: 2.0, acceleration: 3.0 };
    assert_eq!(x.powi(0), Moving::constant(1.0));
    assert_eq!(x.powi(1), x);
    assert_eq!(x.powi(2), x * x);
    assert_eq!(x.powf(Moving::constant(1.0)), x);
    assert_eq!(x.powf(Moving::constant(3.0)), x * x * x);
    assert_eq!(Moving::<f64>::constant(1.5).powi(i32::MIN), Moving::constant(0.0));
}

#[test]
fn components_are_all_parts() {
    let mut number = Moving::<Dual>::default();
    for index in 0..Moving::<Dual>::COMPONENTS {
        number.set_component(index, index as f64);
        assert_eq!(number.component(index), index as f64);
    }
    assert_eq!((number.real(), number.acceleration), (0.0, Dual { value: 4.0, derivative: 5.0 }));
}
