costate::model! {
    pub Chain(n: usize = 3, ends: usize = 0) {
        parameters { m: kg = 2.0, c: N/m = 50.0 }
        coordinates { x[1..=n]: m }
        mass { for i in 1..=n { x[i]: m } }
        let force[i in 2..=n] = c*(x[i] - x[i - 1]);
        let end[i in 1..=ends] = c*x[i];
        let wrong[k in 1..=n] = c*x[k + 1];
        let m[i in 1..=n] = x[i];
        let mean[m in 1..=n] = x[m];
        forces {
            for i in 1..=n { x[i]: force[i] },
            x[1]: force + force[4],
            x[2]: -end[1] - wrong[2] - wrong[5],
            for i in 2..=n {
                let pull = c*(x[i] - x[i - 1]);
                x[i]: -pull,
            },
            x[3]: pull + pull[2],
        }
        outputs { last: N = force[n], later: N = after[1] }
        let after[i in 1..=n] = c*x[i];
        let fall[i in 1..=n] = if i == 1 { 0 } else { fall[i - 1] };
    }
}

costate::model! {
    pub Unreadable {
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: 1[kg] } }
        let first[1] = x[1];
        let all[1..=3] = x[1];
        let open[i in 1..] = x[i];
        let two[i in 1..=3, j in 1..=2] = x[i];
        let unused[i in 1..=3] = x[i];
    }
}

costate::model! {
    pub Unused {
        coordinates { x[1..=3]: m }
        mass { for i in 1..=3 { x[i]: 1[kg] } }
        let unused[i in 1..=3] = x[i];
    }
}
