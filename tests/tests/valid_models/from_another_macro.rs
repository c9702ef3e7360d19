//! A model whose names, numbers and ranges another macro inserts.
#![deny(warnings, missing_docs, dead_code)]

macro_rules! chain {
    ($documentation:literal, $name:ident, $links:literal, $stiffness:expr) => {
        costate::model! {
            #[doc = $documentation]
            pub $name {
                parameters { c: N/m = $stiffness }
                coordinates { x[1..=$links]: m }
                mass { for i in 1..=$links { x[i]: 1[kg] } }
                forces { for i in 1..$links { x[i]: c*(x[i + 1] - x[i]), x[i + 1]: -c*(x[i + 1] - x[i]) } }
            }
        }
    };
}

chain!("Two masses.", Short, 2, 3.0 + 4.0);
chain!("One mass.", Single, 1, 1e3);

#[test]
fn runs() {
    assert_eq!((Short::default().c, Short::X_2.index()), (7.0, 1));
    assert_eq!((Single::default().c, Single::X_1.index()), (1e3, 0));
}
