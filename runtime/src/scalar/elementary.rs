//! Sines and cosines of several numbers at once.
//!
//! One step of a model calls them with like arguments, the four cranks of an engine, say: side by side they cost a
//! fraction of as many calls one after the other. Reduction and polynomials are those of fdlibm (Sun Microsystems, 1993),
//! whose errors are below one unit in the last place; instructions are chosen by the processor at run time.
//! Arguments beyond the range of the reduction, and what is not finite, go through the standard library.

// Coefficients as published.
#![allow(clippy::excessive_precision)]

use pulp::{Arch, Simd, WithSimd};

/// Numbers that are computed side by side.
const LANES: usize = 4;

/// Largest argument of sine and cosine that is reduced here: multiples of pi/2 up to 2^20 are exact in the first parts.
pub(super) const LARGEST_ANGLE: f64 = 1e6;

/// Added and subtracted, it leaves the nearest integer, which is then in the lowest bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 2^52

/// pi/2 in three parts; the first two have 33 bits.
pub(super) const HALF_PI: [f64; 3] =
    [1.570_796_326_734_125_614_17, 6.077_100_506_303_965_976_60e-11, 2.022_266_248_795_950_631_54e-21];

/// sin x = x + x^3 (S0 + x^2 (S1 + ..)) for |x| < pi/4.
pub(super) const SINE: [f64; 6] = [
    -1.666_666_666_666_663_243_48e-1,
    8.333_333_333_322_489_461_24e-3,
    -1.984_126_982_985_794_931_34e-4,
    2.755_731_370_707_006_767_89e-6,
    -2.505_076_025_340_686_341_95e-8,
    1.589_690_995_211_550_102_21e-10,
];

/// cos x = 1 - x^2/2 + x^4 (C0 + x^2 (C1 + ..)) for |x| < pi/4.
pub(super) const COSINE: [f64; 6] = [
    4.166_666_666_666_660_190_37e-2,
    -1.388_888_888_887_410_957_49e-3,
    2.480_158_728_947_672_941_78e-5,
    -2.755_731_435_139_066_330_35e-7,
    2.087_572_321_298_174_827_90e-9,
    -1.135_964_755_778_819_482_65e-11,
];

/// Sines and cosines of `x`.
#[inline]
pub fn sin_cos<const N: usize>(x: [f64; N]) -> ([f64; N], [f64; N]) {
    let (mut sin, mut cos) = ([0.0; N], [0.0; N]);
    Arch::new().dispatch(SinCos { x: &x, sin: &mut sin, cos: &mut cos });
    for i in 0..N {
        let is_reduced = x[i].abs() <= LARGEST_ANGLE;
        if !is_reduced {
            (sin[i], cos[i]) = x[i].sin_cos();
        }
    }
    (sin, cos)
}

struct SinCos<'a> {
    x: &'a [f64],
    sin: &'a mut [f64],
    cos: &'a mut [f64],
}

impl WithSimd for SinCos<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let outputs = self.sin.chunks_mut(LANES).zip(self.cos.chunks_mut(LANES));
        for (x, (sin, cos)) in self.x.chunks(LANES).zip(outputs) {
            let mut lanes = [0.0; LANES];
            lanes[..x.len()].copy_from_slice(x);
            let (of_sin, of_cos) =
                if fuses::<S>() { sin_cos_lanes::<true>(lanes) } else { sin_cos_lanes::<false>(lanes) };
            sin.copy_from_slice(&of_sin[..x.len()]);
            cos.copy_from_slice(&of_cos[..x.len()]);
        }
    }
}

/// Whether the processor multiplies and adds in one instruction; all with four lanes do.
#[inline(always)]
fn fuses<S: Simd>() -> bool {
    S::F64_LANES >= LANES
}

/// `a b + c`
#[inline(always)]
fn multiply_add<const FUSE: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSE { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn polynomial<const FUSE: bool, const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        sum = multiply_add::<FUSE>(sum, x, coefficients[i]);
    }
    sum
}

#[inline(always)]
fn sin_cos_lanes<const FUSE: bool>(x: [f64; LANES]) -> ([f64; LANES], [f64; LANES]) {
    let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
    for i in 0..LANES {
        let shifted = x[i] * std::f64::consts::FRAC_2_PI + ROUND;
        let (quadrant, multiple) = (shifted.to_bits(), shifted - ROUND);
        // the rest in two parts: the second is what the first has lost
        let rest = multiply_add::<FUSE>(-multiple, HALF_PI[0], x[i]);
        let rest = multiply_add::<FUSE>(-multiple, HALF_PI[1], rest);
        let r = multiply_add::<FUSE>(-multiple, HALF_PI[2], rest);
        let tail = multiply_add::<FUSE>(-multiple, HALF_PI[2], rest - r);
        let z = r * r;
        let cube = z * r;
        let s = r
            - ((z
                * (0.5 * tail
                    - cube * polynomial::<FUSE, 5>(z, &[SINE[1], SINE[2], SINE[3], SINE[4], SINE[5]]))
                - tail)
                - cube * SINE[0]);
        let half = 0.5 * z;
        let w = 1.0 - half;
        let c = w + (((1.0 - w) - half) + (z * (z * polynomial::<FUSE, 6>(z, &COSINE)) - r * tail));
        let swap = quadrant & 1 == 1;
        let (a, b) = if swap { (c, s) } else { (s, c) };
        sin[i] = f64::from_bits(a.to_bits() ^ ((quadrant & 2) << 62));
        cos[i] = f64::from_bits(b.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62));
    }
    (sin, cos)
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
            let (sin, cos) = sin_cos([x, 0.3, x]);
            for (found, exact) in [(sin[0], x.sin()), (cos[0], x.cos()), (sin[2], x.sin()), (cos[2], x.cos())]
            {
                if exact.is_nan() {
                    assert!(found.is_nan());
                } else {
                    worst = worst.max(ulps(found, exact));
                }
            }
            assert_eq!(sin[0].to_bits(), sin[2].to_bits(), "the same in every lane");
        }
        // both are rounded within a unit
        assert!(worst <= 1.5, "{worst}");
        println!("largest difference: {worst} units in the last place");
    }

    #[test]
    fn without_fused_instructions_too() {
        for x in arguments().into_iter().filter(|x| x.abs() <= LARGEST_ANGLE) {
            let (sin, cos) = sin_cos_lanes::<false>([x; LANES]);
            assert!(ulps(sin[1], x.sin()) <= 1.5 && ulps(cos[1], x.cos()) <= 1.5, "{x}");
        }
    }
}
