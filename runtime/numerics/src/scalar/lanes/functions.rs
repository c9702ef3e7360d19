//! Sine, cosine and exponential function of four numbers in one vector, by the reductions and, but for the last,
//! polynomials of fdlibm (Sun Microsystems, 1993); errors are below one unit in the last place.

// Coefficients as published.
#![allow(clippy::excessive_precision)]

use pulp::x86::V3;
use pulp::{Simd, cast, f64x4, u64x4};

use crate::scalar::LANES;

/// Largest argument of sine and cosine that is reduced here: multiples of pi/2 up to 2^20 are exact in the first parts.
const MAX_ANGLE: f64 = 1e6;

/// Shift to where doubles are whole numbers: added and subtracted, it leaves the nearest integer, which is then in the
/// lowest bits.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 2^52

/// pi/2 in three parts; the first two have 33 bits.
const HALF_PI: [f64; 3] =
    [1.570_796_326_734_125_614_17, 6.077_100_506_303_965_976_60e-11, 2.022_266_248_795_950_631_54e-21];

/// sin x = x + x^3 (S0 + x^2 (S1 + ..)) for |x| < pi/4.
const SINE: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];

/// cos x = 1 - x^2/2 + x^4 (C0 + x^2 (C1 + ..)) for |x| < pi/4.
const COSINE: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_90e-9,
    -1.135_964_755_778_819_482_65e-11,
];

/// Largest argument, without sign, of the exponential function that is reduced here.
const MAX_EXPONENT: f64 = 700.0;

/// ln 2 in two parts; the first has 33 bits.
const LN_2: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];

/// e^x = 1 + x + x^2 (P0 + P1 x + ..), 1/(k + 2)!: for |x| < ln 2/2 what is left out is below 4e-18.
const EXPONENTIAL: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// Sines and cosines. Arguments beyond the range of the reduction, and what is not finite, go through the standard
/// library.
#[inline(always)]
pub fn sin_cos(simd: V3, x: f64x4) -> (f64x4, f64x4) {
    let splat = |value: f64| simd.splat_f64s(value);
    let (mul, add, sub) = (|a, b| simd.mul_f64s(a, b), |a, b| simd.add_f64s(a, b), |a, b| simd.sub_f64s(a, b));
    let fused = |a, b, c| simd.mul_add_f64s(a, b, c);
    let shifted = add(mul(x, splat(std::f64::consts::FRAC_2_PI)), splat(ROUNDING_SHIFT));
    let quadrant: u64x4 = cast(shifted);
    let back = simd.neg_f64s(sub(shifted, splat(ROUNDING_SHIFT)));
    let rest = fused(back, splat(HALF_PI[0]), x);
    let rest = fused(back, splat(HALF_PI[1]), rest);
    let r = fused(back, splat(HALF_PI[2]), rest);
    let tail = fused(back, splat(HALF_PI[2]), sub(rest, r));
    let z = mul(r, r);
    let cube = mul(z, r);
    let sine = polynomial(simd, z, [SINE[1], SINE[2], SINE[3], SINE[4], SINE[5]]);
    let inner = sub(mul(splat(0.5), tail), mul(cube, sine));
    let s = sub(r, sub(sub(mul(z, inner), tail), mul(cube, splat(SINE[0]))));
    let half = mul(splat(0.5), z);
    let one = splat(1.0);
    let w = sub(one, half);
    let cosine = mul(z, polynomial(simd, z, COSINE));
    let c = add(w, add(sub(sub(one, w), half), sub(mul(z, cosine), mul(r, tail))));
    let [one, two] = [1, 2].map(|bit| simd.splat_u64s(bit));
    let swap = simd.cmp_eq_u64x4(simd.and_u64s(quadrant, one), one);
    let signed = |value: f64x4, quadrant: u64x4| -> f64x4 {
        let sign = simd.shl_const_u64x4::<62>(simd.and_u64s(quadrant, two));
        cast(simd.xor_u64s(cast(value), sign))
    };
    let sin = signed(simd.select_f64s(swap, c, s), quadrant);
    let cos = signed(simd.select_f64s(swap, s, c), simd.add_u64s(quadrant, one));
    if all_within(simd, x, MAX_ANGLE) {
        return (sin, cos);
    }
    let (sin, cos) = replace_sin_cos(cast(x), cast(sin), cast(cos));
    (cast(sin), cast(cos))
}

/// Takes those that could not be reduced from the standard library.
#[cold]
#[inline(never)]
fn replace_sin_cos(x: [f64; LANES], mut sin: [f64; LANES], mut cos: [f64; LANES]) -> ([f64; LANES], [f64; LANES]) {
    for i in 0..LANES {
        let is_reduced = x[i].abs() <= MAX_ANGLE;
        if !is_reduced {
            (sin[i], cos[i]) = x[i].sin_cos();
        }
    }
    (sin, cos)
}

/// e^x
#[inline(always)]
pub fn exp(simd: V3, x: f64x4) -> f64x4 {
    /// Bias of the exponent in the bits of a number.
    const EXPONENT_BIAS: u64 = 1023;
    let splat = |value: f64| simd.splat_f64s(value);
    let (mul, add, sub) = (|a, b| simd.mul_f64s(a, b), |a, b| simd.add_f64s(a, b), |a, b| simd.sub_f64s(a, b));
    let fused = |a, b, c| simd.mul_add_f64s(a, b, c);
    let shifted = fused(x, splat(std::f64::consts::LOG2_E), splat(ROUNDING_SHIFT));
    let back = sub(splat(ROUNDING_SHIFT), shifted);
    let high = fused(back, splat(LN_2[0]), x);
    let r = fused(back, splat(LN_2[1]), high);
    let tail = fused(back, splat(LN_2[1]), sub(high, r));
    // pairs, then pairs of pairs: a chain through all coefficients would take three times as long
    let z = mul(r, r);
    let [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11] = EXPONENTIAL;
    let fourth = mul(z, z);
    let first = fused(fused(splat(p3), r, splat(p2)), z, fused(splat(p1), r, splat(p0)));
    let second = fused(fused(splat(p7), r, splat(p6)), z, fused(splat(p5), r, splat(p4)));
    let third = fused(fused(splat(p11), r, splat(p10)), z, fused(splat(p9), r, splat(p8)));
    let sum = fused(fused(third, fourth, second), fourth, first);
    let value = add(splat(1.0), add(r, fused(z, sum, tail)));
    // the lowest bits of the sum are the multiple's
    let exponent = simd.shl_const_u64x4::<52>(simd.add_u64s(cast(shifted), simd.splat_u64s(EXPONENT_BIAS)));
    let result = mul(value, cast(exponent));
    if all_within(simd, x, MAX_EXPONENT) {
        return result;
    }
    cast(replace_exp(cast(x), cast(result)))
}

/// Takes those that could not be reduced from the standard library.
#[cold]
#[inline(never)]
fn replace_exp(x: [f64; LANES], mut result: [f64; LANES]) -> [f64; LANES] {
    for i in 0..LANES {
        let is_reduced = x[i].abs() <= MAX_EXPONENT;
        if !is_reduced {
            result[i] = x[i].exp();
        }
    }
    result
}

#[inline(always)]
fn all_within(simd: V3, x: f64x4, limit: f64) -> bool {
    let within = simd.less_than_or_equal_f64s(simd.abs_f64s(x), simd.splat_f64s(limit));
    simd.avx._mm256_movemask_pd(cast(within)) == 0b1111
}

#[inline(always)]
fn polynomial<const N: usize>(simd: V3, x: f64x4, coefficients: [f64; N]) -> f64x4 {
    let mut sum = simd.splat_f64s(coefficients[N - 1]);
    for i in (0..N - 1).rev() {
        sum = simd.mul_add_f64s(sum, x, simd.splat_f64s(coefficients[i]));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::elementary::tests::{arguments, ulps};

    #[test]
    fn the_exponential_function_is_the_standard_librarys() {
        let Some(simd) = V3::try_new() else { return };
        let mut worst = 0f64;
        let scaled = arguments().into_iter().flat_map(|x| [x, 70.0 * x, 1e-3 * x]);
        for x in scaled.chain([709.7, 710.0, -745.0, -746.0, 700.0, -700.0]) {
            let found: [f64; LANES] = cast(exp(simd, cast([x, 0.5, x, -x])));
            if x.is_nan() {
                assert!(found[0].is_nan());
                continue;
            }
            assert_eq!(found[0].to_bits(), found[2].to_bits());
            for (found, exact) in [(found[0], x.exp()), (found[3], (-x).exp()), (found[1], 0.5f64.exp())] {
                if exact.is_infinite() || exact == 0.0 {
                    assert_eq!(found, exact, "{x}");
                } else {
                    worst = worst.max(ulps(found, exact));
                }
            }
        }
        assert!(worst <= 1.0, "{worst}");
    }
}
