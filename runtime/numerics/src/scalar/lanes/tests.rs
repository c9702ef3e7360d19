//! Four numbers side by side are four numbers, in vectors and in arrays.

use crate::scalar::{LANES, LaneSet, Scalar};

const A: [f64; LANES] = [0.3, -0.7, 0.0, 0.9];
const B: [f64; LANES] = [1.5, -0.7, 2.0, -3.0];

fn bits(values: [f64; LANES]) -> [u64; LANES] {
    values.map(|value| if value.is_nan() { 0 } else { value.to_bits() })
}

/// Every operation, by its name, with lanes and with the numbers of each lane.
fn operations<S: Scalar>(a: S, b: S) -> Vec<(&'static str, S)> {
    let (below, same) = (a.less(b), a.equal(b));
    let (mut plus, mut minus) = (a, a);
    plus += b;
    minus -= b;
    vec![
        ("+", a + b),
        ("-", a - b),
        ("*", a * b),
        ("/", a / b),
        ("+ f64", a + 0.1),
        ("- f64", a - 0.1),
        ("* f64", a * 0.1),
        ("/ f64", a / 0.1),
        ("neg", -a),
        ("+=", plus),
        ("-=", minus),
        ("plus_product", a.plus_product(b, a)),
        ("minus_product", a.minus_product(b, a)),
        ("tan", a.tan()),
        ("asin", a.asin()),
        ("acos", a.acos()),
        ("atan", a.atan()),
        ("atan2", a.atan2(b)),
        ("sinh", a.sinh()),
        ("cosh", a.cosh()),
        ("tanh", a.tanh()),
        ("sech_squared", a.sech_squared()),
        ("ln", b.ln()),
        ("log10", b.log10()),
        ("sqrt", b.sqrt()),
        ("recip", b.recip()),
        ("abs", a.abs()),
        ("sign", a.sign()),
        ("powi", b.powi(-7)),
        ("powf", b.powf(a)),
        ("less", S::select(below, a, b)),
        ("less_equal", S::select(a.less_equal(b), a, b)),
        ("equal", S::select(same, a + 1.0, b)),
        ("and", S::select(S::and(below, S::not(same)), a, b)),
        ("or", S::select(S::or(below, same), a, b)),
    ]
}

macro_rules! tests {
    ($module:ident, $is_there:expr) => {
        mod $module {
            use super::*;
            use crate::scalar::lanes::$module::{LaneMask, Lanes};

            #[test]
            fn rows_become_columns() {
                if !$is_there {
                    return;
                }
                let rows = [0.0, 4.0, 8.0, 12.0].map(|first| Lanes::of([first, first + 1.0, first + 2.0, first + 3.0]));
                let columns = Lanes::transpose(rows).map(Lanes::array);
                for (i, column) in columns.iter().enumerate() {
                    let first = i as f64;
                    assert_eq!(*column, [first, first + 4.0, first + 8.0, first + 12.0]);
                }
            }

            #[test]
            fn lanes_are_numbers_of_their_own() {
                if !$is_there {
                    return;
                }
                let found = operations(Lanes::of(A), Lanes::of(B));
                for lane in 0..LANES {
                    for ((name, found), (_, single)) in found.iter().zip(operations(A[lane], B[lane])) {
                        let found = found.lane(lane);
                        // powers may be multiplied in another order
                        let rounding = if *name == "powi" { 4.0 * f64::EPSILON * single.abs() } else { 0.0 };
                        let same = bits([found; LANES]) == bits([single; LANES]);
                        assert!(same || (found - single).abs() < rounding, "{name} in lane {lane}: {found} {single}");
                    }
                }
            }

            #[test]
            fn masks_and_components() {
                if !$is_there {
                    return;
                }
                let set = LaneSet::of([true, false, false, true]);
                let mask = LaneMask::of(set);
                assert_eq!(mask.set(), set);
                assert_eq!(Lanes::of(A).larger(Lanes::of(B)).array(), [1.5, -0.7, 2.0, 0.9]);
                let not_numbers = Lanes::of([f64::NAN; LANES]);
                assert_eq!(not_numbers.larger(Lanes::of(B)).array(), B);
                let mut chosen = Lanes::select(mask, Lanes::of(A), Lanes::of(B));
                assert_eq!(chosen.array(), [0.3, -0.7, 2.0, 0.9]);
                chosen.set_lane(2, 5.0);
                assert_eq!(chosen.array(), [0.3, -0.7, 5.0, 0.9]);
                let (sines, cosines) = Lanes::sin_cos_each([Lanes::of(A), Lanes::of(B)]);
                let (single_sines, single_cosines) = f64::sin_cos_each(B);
                assert_eq!(sines[1].array(), single_sines);
                assert_eq!(cosines[1].array(), single_cosines);
            }
        }
    };
}

tests!(arrays, true);
#[cfg(target_arch = "x86_64")]
tests!(vectors, Lanes::are_available());
