//! Sines, cosines and exponential functions of several numbers at once.
//!
//! One step of a model calls them with like arguments, the four cranks of an engine, say: side by side they cost a
//! fraction of as many calls one after the other. Where the processor has vectors of four numbers, which is found out
//! at run time, they go through [`lane_functions`], else through the standard library.

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, cast, x86::V3};

#[cfg(target_arch = "x86_64")]
use super::lanes::functions as lane_functions;
#[cfg(target_arch = "x86_64")]
use super::width::LANES;

/// Sines and cosines of `x`.
#[inline]
pub fn sin_cos<const N: usize>(x: [f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V3::try_new() {
        simd.vectorize(SinCos { simd, x: &x, sin: &mut sin, cos: &mut cos });
        return (sin, cos);
    }
    for i in 0..N {
        (sin[i], cos[i]) = x[i].sin_cos();
    }
    (sin, cos)
}

/// e^x of `x`.
#[inline]
pub fn exp<const N: usize>(mut x: [f64; N]) -> [f64; N] {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V3::try_new() {
        simd.vectorize(Exp { simd, x: &mut x });
        return x;
    }
    for x in &mut x {
        *x = x.exp();
    }
    x
}

#[cfg(target_arch = "x86_64")]
struct SinCos<'a, const N: usize> {
    simd: V3,
    x: &'a [f64; N],
    sin: &'a mut [f64; N],
    cos: &'a mut [f64; N],
}

#[cfg(target_arch = "x86_64")]
impl<const N: usize> NullaryFnOnce for SinCos<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (fours, rest) = self.x.as_chunks::<LANES>();
        let (fours_of_sin, rest_of_sin) = self.sin.as_chunks_mut::<LANES>();
        let (fours_of_cos, rest_of_cos) = self.cos.as_chunks_mut::<LANES>();
        for (x, (sin, cos)) in fours.iter().zip(fours_of_sin.iter_mut().zip(fours_of_cos)) {
            let of_four = lane_functions::sin_cos(self.simd, cast(*x));
            (*sin, *cos) = (cast(of_four.0), cast(of_four.1));
        }
        if rest.is_empty() {
            return;
        }
        let (sin, cos) = lane_functions::sin_cos(self.simd, cast(padded(rest)));
        let (sin, cos): ([f64; LANES], [f64; LANES]) = (cast(sin), cast(cos));
        for i in 0..rest.len() {
            (rest_of_sin[i], rest_of_cos[i]) = (sin[i], cos[i]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Exp<'a, const N: usize> {
    simd: V3,
    x: &'a mut [f64; N],
}

#[cfg(target_arch = "x86_64")]
impl<const N: usize> NullaryFnOnce for Exp<'_, N> {
    type Output = ();

    // number by number: a copy of less than four is a call
    #[allow(clippy::manual_memcpy)]
    #[inline(always)]
    fn call(self) {
        let (fours, rest) = self.x.as_chunks_mut::<LANES>();
        for x in fours {
            *x = cast(lane_functions::exp(self.simd, cast(*x)));
        }
        if rest.is_empty() {
            return;
        }
        let values: [f64; LANES] = cast(lane_functions::exp(self.simd, cast(padded(rest))));
        for i in 0..rest.len() {
            rest[i] = values[i];
        }
    }
}

/// Less than four numbers, and zeros.
#[cfg(target_arch = "x86_64")]
// number by number: a copy of less than four is a call
#[allow(clippy::manual_memcpy)]
#[inline(always)]
fn padded(numbers: &[f64]) -> [f64; LANES] {
    let mut four = [0.0; LANES];
    for i in 0..numbers.len() {
        four[i] = numbers[i];
    }
    four
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Units in the last place between two numbers.
    pub fn ulps(a: f64, b: f64) -> f64 {
        let unit = f64::EPSILON * b.abs().max(f64::MIN_POSITIVE / f64::EPSILON);
        (a - b).abs() / unit
    }

    pub fn arguments() -> Vec<f64> {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut found: Vec<f64> = (0..4000).map(|_| (random() - 0.5) * 20.0).collect();
        found.extend((0..4000).map(|_| (random() - 0.5) * 10f64.powf(7.0 * random() - 2.0)));
        // near multiples of pi/2, where most of the argument cancels
        found.extend((-2000..2000).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2));
        found.extend([0.0, -0.0, 1e-300, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
        found
    }

    #[test]
    fn sine_and_cosine_are_the_standard_librarys() {
        let mut worst = 0f64;
        for x in arguments() {
            let (sin, cos) = sin_cos([x, 0.3, 0.1, 0.2, x, 0.7, x]);
            for (found, exact) in [(sin[0], x.sin()), (cos[0], x.cos()), (sin[6], x.sin()), (cos[6], x.cos())] {
                if exact.is_nan() {
                    assert!(found.is_nan());
                } else {
                    worst = worst.max(ulps(found, exact));
                }
            }
            assert_eq!(sin[0].to_bits(), sin[4].to_bits(), "the same in every lane");
            assert_eq!(cos[0].to_bits(), cos[6].to_bits(), "the same in every lane");
        }
        // both are rounded within a unit
        assert!(worst <= 1.5, "{worst}");
        println!("largest difference: {worst} units in the last place");
    }
    #[test]
    fn the_exponential_function_is_the_standard_librarys() {
        for x in arguments() {
            let found = exp([x, 0.5, -3.0, 1.0, x, 0.7]);
            assert_eq!(found[0].to_bits(), found[4].to_bits(), "the same in every lane");
            let exact = x.exp();
            if exact.is_finite() && exact > 0.0 {
                assert!(ulps(found[0], exact) <= 1.0, "{x}");
            } else {
                assert!(found[0] == exact || exact.is_nan() && found[0].is_nan(), "{x}");
            }
            assert!(ulps(found[5], 0.7f64.exp()) <= 1.0);
        }
    }
}
