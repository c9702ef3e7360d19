//! Structural arguments wherever integers and numbers stand, lists of defaults with units and chosen by `if`.
#![deny(warnings, missing_docs, dead_code)]

costate::model! {
    /// Masses in a row.
    pub Row(
        /// Number of masses.
        masses: usize = 2 + 1,
        springs: usize = masses + 1,
        none: usize = masses - 3,
    ) {
        parameters {
            m[1..=masses]: kg = [2, 1.5, 500[g],],
            c[1..=springs]: N/m = if masses == 2 {
                [10, 20]
            } else if masses == 3 && !(springs < masses) {
                ([100*masses, 20, -3 + 33, 40/springs])
            } else {
                5
            },
            d[0..2]: N*s/m = if none > 0 { [1] } else { springs/8 },
            for i in 1..=none { _brake[i]: N = i },
            one[1..2]: mm = [2[cm]],
            pair[-1..=0]: 1 = if masses > 2 { if springs > 4 { [7, 8, 9] } else { [none, pi] } } else { [0] },
        }
        coordinates { x[1..=masses]: m, for i in 1..=none { y[i]: m } }
        mass { for i in 1..=masses { x[i]: m[i] }, (x[1], x[masses]): 1[kg]/masses }
        let stretched = x[masses]*none + x[springs - 1];
        forces {
            x[1]: -c[1]*x[1] - d[0]*dot(x[1]),
            x[masses]: -c[springs]*stretched - d[1]*dot(x[masses]) + c[2]*one[1]*pair[0]*pair[-1],
            for i in 2..=masses { let force = c[i]*(x[i] - x[i - 1]); x[i]: -force, x[i - 1]: force },
        }
        outputs { end: m = if masses > 1 { stretched } else { x[1] } }
    }
}

costate::model! {
    Empty() { coordinates { x: m } mass { x: 1 } }
}

#[test]
fn runs() {
    const SUM: usize = Row::MASSES + Row::SPRINGS + Row::NONE;
    assert_eq!((SUM, Row::MASSES, [0.0; Row::SPRINGS].len()), (7, 3, 4));
    let row = Row::default();
    assert_eq!((row.m_1, row.m_2, row.m_3), (2.0, 1.5, 0.5));
    assert_eq!((row.c_1, row.c_2, row.c_3, row.c_4), (300.0, 20.0, 30.0, 10.0));
    assert_eq!((row.d_0, row.d_1, row.one_1), (0.5, 0.5, 20.0));
    assert_eq!((row.pair_m1, row.pair_0), (0.0, std::f64::consts::PI));
    for k in 1..=Row::MASSES {
        assert!(costate::Coordinate::<Row>::named(&format!("x[{k}]")).is_ok());
    }
    let _ = Empty {};
}
