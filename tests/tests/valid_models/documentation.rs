//! Doc comments with characters that mean something in Rust, Markdown or TOML.
#![deny(warnings, missing_docs, dead_code)]

costate::model! {
    /// A "quoted" name, a back\slash, {braces}, 'apostrophes', `code`, <angle>, µ, 100 %, #hash, $dollar.
    ///
    /// ```text
    /// M a = f \n \t \u{41}
    /// ```
    pub Documented {
        parameters {
            /// Mass "m" of the slider\rider {}.
            /// On two lines.
            m: kg = 1,
            /** In a block comment: "c". */
            c: N/m = 2,
            ///
            d: N*s/m = 3,
            /// Every element of the array \x[i\].
            e[1..=2]: 1 = 4,
        }
        inputs {
            /// Drive: {0} "u".
            u: N,
        }
        coordinates {
            /// Position, e.g. `x < 0`.
            x: m, /* a remark */ // another one
        }
        mass { x: m }
        forces { x: u - c*x - d*dot(x) }
        constraints {
            /// It's "zero".
            rest: x*e[1]*e[2],
        }
        outputs {
            /// \\server\share
            s: m = x,
        }
    }
}

#[test]
fn runs() {
    let about = |text: &str, part: &str| assert!(text.contains(part), "{text}");
    about(Documented::M.quantity().documentation, "Mass \"m\" of the slider\\rider {}.\nOn two lines.");
    about(Documented::C.quantity().documentation, "In a block comment: \"c\".");
    assert_eq!(Documented::D.quantity().documentation, "");
    about(Documented::U.quantity().documentation, "{0} \"u\"");
    about(Documented::REST.quantity().documentation, "It's \"zero\".");
    about(Documented::S.quantity().documentation, "\\\\server\\share");
}
