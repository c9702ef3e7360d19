costate::model! {
    pub Chain {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: m } }
        forces {
            x[1]: -c*sum(i in 1..=4, x[i]),
            x[2]: -c*sum(m in 1..=3, x[m]),
            for i in 1..=3 { x[3]: -c*sum(i in 1..=3, x[i]) },
            x[3]: -sum(i in 1..=3, c*x[i]) - i,
        }
        outputs {
            force: N = sum(k in 1..=3, if k == 2 { x[k] } else { c*x[k] }),
            mean: m = sum(k in 1..=x[1], x[k]),
            all: m = sum(x),
            stiff: N = sum(k in 1..=3, stiffness*x[k]),
        }
    }
}

costate::model! {
    pub Mixed {
        parameters { j: kg*m^2 = 1, m: kg = 2 }
        coordinates { x[1]: m, x[2]: rad }
        mass { x[1]: m, x[2]: j }
        outputs { all: m = sum(i in 1..=2, x[i]) }
    }
}

costate::model! {
    pub Unreadable {
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: 1[kg] } }
        forces {
            x[1]: -sum(i in 1..=3),
            x[1]: -sum(i in 1.., x[i]),
            x[2]: -sum(i in 1..=3, ),
            x[2]: -sum(i in 3, x[i]),
            x[3]: -sum(i in 1..=3, x[i], x[1]),
        }
    }
}
