//! The order of the schemes: halved steps divide the errors of positions, velocities, accelerations and multipliers by
//! 2^p.

use costate::simulate::Scheme;
use costate::{Model, Simulation};

const END: f64 = 1.0;
const STEPS: usize = 800;

costate::model! {
    #[interpreted]
    /// A double pendulum of point masses in minimal coordinates: its masses depend on the angle between the rods.
    pub Angles {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81 }
        coordinates { phi[1..=2]: rad }
        let x_1 = l*sin(phi[1]);
        let y_1 = -l*cos(phi[1]);
        let x_2 = x_1 + l*sin(phi[2]);
        let y_2 = y_1 - l*cos(phi[2]);
        kinetic { m/2*(dot(x_1)^2 + dot(y_1)^2 + dot(x_2)^2 + dot(y_2)^2) }
        potential { m*g*(y_1 + y_2) }
        initial { phi[1] = 1.5, phi[2] = -0.5 }
    }
}

costate::model! {
    #[interpreted]
    /// The double pendulum of `Angles` in redundant coordinates, with constant masses.
    pub Points {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81 }
        coordinates { x[1..=2]: m, y[1..=2]: m }
        mass { for i in 1..=2 { x[i]: m, y[i]: m } }
        forces { for i in 1..=2 { y[i]: -m*g } }
        constraints {
            rod[1]: (x[1]^2 + y[1]^2 - l^2)/2,
            rod[2]: ((x[2] - x[1])^2 + (y[2] - y[1])^2 - l^2)/2,
        }
        initial {
            x[1] = l*sin(1.5), y[1] = -l*cos(1.5),
            x[2] = l*(sin(1.5) - sin(0.5)), y[2] = -l*(cos(1.5) + cos(0.5)),
        }
    }
}

/// Computes p for q, v, a and lambda at the end, from steps h, h/2 and h/4.
fn orders<M: Model>(model: &M, scheme: Scheme) -> [f64; 4] {
    let runs = [1, 2, 4].map(|refined| {
        let steps = refined * STEPS;
        let simulation = Simulation::new(model).step(END / steps as f64).until(END).scheme(scheme);
        let run = simulation.problem().unwrap().forward(model.parameters().as_ref()).unwrap();
        [run.coordinates(steps), run.velocities(steps), run.accelerations(steps), run.multipliers(steps)]
            .map(<[f64]>::to_vec)
    });
    [0, 1, 2, 3].map(|k| {
        let change = |from: usize| {
            let pairs = runs[from][k].iter().zip(&runs[from + 1][k]);
            pairs.map(|(coarse, fine)| (coarse - fine).powi(2)).sum::<f64>().sqrt()
        };
        (change(0) / change(1)).log2()
    })
}

fn assert_orders<M: Model>(model: &M, scheme: Scheme, expected: [Option<f64>; 4]) {
    let found = orders(model, scheme);
    println!("{} with {scheme:?}: {found:?}", M::description().name);
    for (found, expected) in found.iter().zip(expected) {
        assert!(expected.is_none_or(|expected| (found - expected).abs() < 0.06), "{found} instead of {expected:?}");
    }
}

/// Checks the orders of DA (13), which weights the forces, gyroscopic ones too, between two times but takes M a
/// at the later one: where M changes between them, the scheme is of first order. The accelerations are those at t
/// + alpha h.
#[test]
fn damping_costs_an_order_where_masses_depend_on_positions() {
    let (first, second) = (Some(1.0), Some(2.0));
    assert_orders(&Angles::default(), Scheme::Undamped, [second, second, second, None]);
    assert_orders(&Angles::default(), Scheme::Hht { alpha: -0.1 }, [first, first, first, None]);
    // undamped, accelerations and multipliers of index 3 are dominated by the rounding of the constraints over
    // h^2 at these steps
    assert_orders(&Points::default(), Scheme::Undamped, [second, second, None, None]);
    assert_orders(&Points::default(), Scheme::Hht { alpha: -0.1 }, [second, second, first, second]);
}

/// Checks that generalized alpha, which takes the equations of motion at one time, is of second order.
#[test]
fn generalized_alpha_is_of_second_order_in_everything() {
    let second = Some(2.0);
    for rho_inf in [0.6, 0.8, 0.9] {
        let scheme = Scheme::GeneralizedAlpha { rho_inf };
        assert_orders(&Angles::default(), scheme, [second, second, second, None]);
        assert_orders(&Points::default(), scheme, [second; 4]);
    }
}
