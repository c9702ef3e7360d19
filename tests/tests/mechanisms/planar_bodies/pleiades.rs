//! The Pleiades problem of celestial mechanics, with the solution of the test set: seven stars in the plane that pass
//! each other closely, here as bodies with springs whose pull is their attraction (Hairer, Nørsett, Wanner: Solving
//! ODEs I, II.10; Mazzia, Magherini: Test Set for IVP Solvers, problem Pleiades).

use costate::Simulation;
use costate::simulate::Scheme;

costate::model! {
    #[interpreted]
    /// Stars of the masses 1 to 7 that attract each other.
    pub Pleiades {
        parameters {
            m: kg = 1, j: kg*m^2 = 1, g: N*m^2/kg^2 = 1,
            x[1..=7]: m = [3, 3, -1, -3, 2, -2, 2],
            y[1..=7]: m = [3, -3, 2, 0, 0, -4, 4],
            u[1..=7]: m/s = [0, 0, 0, 0, 0, 1.75, -1.5],
            v[1..=7]: m/s = [0, 0, 0, -1.25, 1, 0, 0],
        }
        bodies { for i in 1..=7 { star[i]: planar { mass: i*m, inertia: j } } }
        elements {
            for i in 1..=6 {
                for k in i + 1..=7 {
                    pull[7*i + k]: spring(star[i], star[k], force = g*(i*m)*(k*m)/pull[7*i + k].length^2),
                },
            },
        }
        initial {
            for i in 1..=7 {
                star[i].position = (x[i], y[i]), star[i].velocity = (u[i], v[i]),
                star[i].angle = 0, dot(star[i].angle) = 0,
            },
        }
    }
}

/// x and y of the stars at t = 3, as published.
#[allow(clippy::excessive_precision)]
const PUBLISHED: [[f64; 2]; 7] = [
    [0.3706139143970502, -0.3943437585517392e1],
    [0.3237284092057233e1, -0.3271380973972550e1],
    [-0.3222559032418324e1, 0.5225081843456543e1],
    [0.6597091455775310, -0.2590612434977470e1],
    [0.3425581707156584, 0.1198213693392275e1],
    [0.1562172101400631e1, -0.2429682344935824],
    [-0.7003092922212495, 0.1091449240428980e1],
];

/// x and y at the end.
fn solve(steps: usize) -> [[f64; 2]; 7] {
    let model = Pleiades::default();
    let run = Simulation::new(&model).step(3.0 / steps as f64).until(3.0).scheme(Scheme::Undamped).run().unwrap();
    [
        [Pleiades::STAR_1_X, Pleiades::STAR_1_Y],
        [Pleiades::STAR_2_X, Pleiades::STAR_2_Y],
        [Pleiades::STAR_3_X, Pleiades::STAR_3_Y],
        [Pleiades::STAR_4_X, Pleiades::STAR_4_Y],
        [Pleiades::STAR_5_X, Pleiades::STAR_5_Y],
        [Pleiades::STAR_6_X, Pleiades::STAR_6_Y],
        [Pleiades::STAR_7_X, Pleiades::STAR_7_Y],
    ]
    .map(|star| star.map(|q| run.coordinate(q)[steps]))
}

fn error(values: &[[f64; 2]; 7]) -> f64 {
    let both = values.iter().flatten().zip(PUBLISHED.iter().flatten());
    both.map(|(value, published)| ((value - published) / published).abs()).fold(0.0, f64::max)
}

/// The limit of two solutions whose errors differ by `factor`.
fn extrapolate(coarse: &[[f64; 2]; 7], fine: &[[f64; 2]; 7], factor: f64) -> [[f64; 2]; 7] {
    std::array::from_fn(|i| [0, 1].map(|k| fine[i][k] + (fine[i][k] - coarse[i][k]) / (factor - 1.0)))
}

/// The errors of the scheme have even powers of the step alone, of which two are removed: close encounters make their
/// factors large.
#[test]
fn published_solution() {
    let [coarse, fine, finest] = [40_000, 80_000, 160_000].map(solve);
    let order = (error(&coarse) / error(&fine)).log2();
    assert!((order - 2.0).abs() < 0.1, "order {order}, errors {:e} and {:e}", error(&coarse), error(&fine));
    let (coarse, fine) = (extrapolate(&coarse, &fine, 4.0), extrapolate(&fine, &finest, 4.0));
    let order = (error(&coarse) / error(&fine)).log2();
    assert!((order - 4.0).abs() < 0.3, "order {order}, errors {:e} and {:e}", error(&coarse), error(&fine));
    let error = error(&extrapolate(&coarse, &fine, 16.0));
    assert!(error < 1e-8, "{error:e}");
}
