//! Nested loops, arithmetic and negative indices, loop variables as numbers, arrays of everything.
#![deny(warnings, missing_docs, dead_code)]

costate::model! {
    /// A grid of masses.
    pub Grid {
        parameters {
            m: kg = 1,
            for i in -1..=1 { c[i]: N/m = 10 + i },
            d[0..3]: N*s/m = 0.1,
        }
        inputs { u[-2..=-1]: N }
        coordinates { for i in 1..=2 { for j in 1..=i + 1 { x[10*i + j]: m } }, q[0..2]: m }
        mass {
            for i in 1..=2 { for j in 1..=i + 1 { x[10*i + j]: m*i, x[10*i + j]: m/2 } },
            for k in 0..=1 { q[k]: m },
            (q[0], q[1]): m/4,
        }
        forces {
            for i in 1..=2 {
                let stiffness = c[2*i - 3]*i;
                for j in 1..=i + 1 {
                    let spring = stiffness*(x[10*i + j] - j*1[m]/10);
                    x[10*i + j]: -spring,
                },
                for j in i..i { x[j]: 1[N] },
                q[i - 1]: u[-i] - d[i^2/i]*dot(q[(2 - i)*1]),
            },
        }
        constraints { for i in 1..=2 { joint[-i]: x[10*i + 1] - x[10*i + 2] } }
        initial { for i in 1..=2 { x[10*i + 1] = i*1[cm], dot(q[i - 1]) = -i*1[m/s] } }
        outputs { for i in 1..=2 { load[i]: N = multiplier(joint[-i]), for j in 0..2 { s[2*i + j]: mm = q[j] } } }
    }
}

#[test]
fn runs() {
    let grid = Grid { c_m1: 5.0, d_2: 0.0, ..Grid::default() };
    assert_eq!((grid.c_m1, grid.c_0, grid.c_1), (5.0, 10.0, 11.0));
    let names = [Grid::X_11, Grid::X_12, Grid::X_21, Grid::X_22, Grid::X_23, Grid::Q_0, Grid::Q_1];
    assert!(names.iter().enumerate().all(|(i, name)| name.index() == i));
    assert_eq!(Grid::JOINT_M2.quantity().name, "joint[-2]");
    assert_eq!((Grid::U_M2.index(), Grid::LOAD_2.index(), Grid::S_5.index()), (0, 3, 5));
}
