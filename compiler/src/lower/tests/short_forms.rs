//! Sums and named values are what they stand for.

use super::{assert_same, compile, errors};

#[test]
fn sums_are_their_terms() {
    let short = "Chain(n: usize = 3) {
        parameters { m: kg = 1, c[1..=n]: N/m = [1, 2, 3], w: N/m = 4 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        let pull = sum(i in 1..=n, c[i]*x[i]);
        forces {
            x[1]: -pull - sum(i in 2..n, 2*c[i]*(x[i] - x[i - 1])),
            for i in 1..=n { x[i]: -sum(j in i..=n, w*sum(k in i..j, x[k]/2 + j*x[j])) - sum(j in 1..=0, x[j + 7]) },
        }
        outputs { mean: m = sum(i in 1..=n, x[i])/n, none: N = sum(i in n..1, x[i]) }
    }";
    let by_hand = "Chain(n: usize = 3) {
        parameters { m: kg = 1, c[1..=3]: N/m = [1, 2, 3], w: N/m = 4 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        let pull = c[1]*x[1] + c[2]*x[2] + c[3]*x[3];
        forces {
            x[1]: -pull - 2*c[2]*(x[2] - x[1]),
            x[1]: -(w*(x[1]/2 + 2*x[2]) + w*((x[1]/2 + 3*x[3]) + (x[2]/2 + 3*x[3]))),
            x[2]: -(w*(x[2]/2 + 3*x[3])),
        }
        outputs { mean: m = (x[1] + x[2] + x[3])/3, none: N = 0 }
    }";
    assert_same(&compile(short), &compile(by_hand));
}

#[test]
fn a_long_sum_is_no_tall_expression() {
    let source = "Chain {
        parameters { c: N/m = 1 }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*x*sum(i in 1..=8000, sin(i*x/1[m])) }
    }";
    assert_eq!(compile(source).model.coordinates.len(), 1);
}

#[test]
fn sums_count_as_repetitions() {
    let source = "Chain {
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -sum(i in 1..=1000, sum(j in 1..=1000, x*1[N/m])) }
    }";
    let errors = errors(source);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("repeat more than 100000 times"), "{errors:?}");
}

#[test]
fn a_table_or_a_quantity_may_be_called_sum() {
    let source = "Slider {
        tables { sum(x: m): N }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -sum(x) - sum(i in 1..=2, sum(i*x)) }
    }";
    compile(source);
    compile(
        "Slider { parameters { sum: N/m = 1 } coordinates { x: m } mass { x: 1[kg] } forces { x: -sum*x } }",
    );
}

#[test]
fn a_let_with_an_index_is_a_let_for_each() {
    let short = "Chain(n: usize = 4) {
        parameters { m: kg = 1, c: N/m = 30 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        let force[i in 2..=n] = c*sin(x[i]/1[m] - x[i - 1]/1[m])*1[m];
        let none[i in 2..2] = x[i];
        forces {
            let both[k in 2..n] = force[k] + force[k + 1];
            for i in 2..=n { x[i]: -force[i], x[i - 1]: force[i] },
            x[1]: -both[n - 1],
        }
        outputs { load: N = force[3] + sum(i in 2..=n, force[i]) + sum(i in 2..2, none[i]) }
    }";
    let by_hand = "Chain(n: usize = 4) {
        parameters { m: kg = 1, c: N/m = 30 }
        coordinates { x[1..=4]: m }
        mass { for i in 1..=4 { x[i]: m } }
        let force_2 = c*sin(x[2]/1[m] - x[1]/1[m])*1[m];
        let force_3 = c*sin(x[3]/1[m] - x[2]/1[m])*1[m];
        let force_4 = c*sin(x[4]/1[m] - x[3]/1[m])*1[m];
        forces {
            x[2]: -force_2, x[1]: force_2, x[3]: -force_3, x[2]: force_3, x[4]: -force_4, x[3]: force_4,
            x[1]: -(force_3 + force_4),
        }
        outputs { load: N = force_3 + (force_2 + force_3 + force_4) }
    }";
    let (short, by_hand) = (compile(short), compile(by_hand));
    assert_same(&short, &by_hand);
    assert!(short.source().unwrap().contains("let force_3 ="));
}
