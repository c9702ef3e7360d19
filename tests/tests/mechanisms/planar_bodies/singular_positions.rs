//! Motions that pass singular positions smoothly: rounding is amplified there, and nothing else goes wrong.

use costate::cost::BolzaCost;
use costate::simulate::Scheme;
use costate::{Model, Parameter, Run, Simulation, check_gradient};

costate::model! {
    #[interpreted]
    /// Rockers side by side, coupled by rods of their distance: all lie flat in a line now and then.
    pub FourBars(loops: usize = 1) {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 1.5707963267948966, spin: rad/s = -1 }
        gravity { (0, -g) }
        bodies {
            for i in 0..=loops { rocker[i]: planar { mass: m, inertia: m*l^2/12 } },
            for i in 1..=loops { coupler[i]: planar { mass: m, inertia: m*l^2/12 } },
        }
        joints {
            for i in 0..=loops { base[i]: revolute(ground.at(i*l, 0), rocker[i].at(-l/2, 0)) },
            for i in 1..=loops {
                left[i]: revolute(rocker[i - 1].at(l/2, 0), coupler[i].at(-l/2, 0)),
                right[i]: revolute(rocker[i].at(l/2, 0), coupler[i].at(l/2, 0)),
            },
        }
        initial {
            for i in 0..=loops { rocker[i].angle = start, rocker[i].position ~ (i*l + l/2*cos(start), l/2*sin(start)) },
            for i in 1..=loops { coupler[i].angle = 0, coupler[i].position ~ ((i - 1/2)*l + l*cos(start),
            l*sin(start)) },
            dot(rocker[0].angle) = spin,
        }
        outputs { angle: rad = rocker[0].angle }
    }
    pub TwoLoops = FourBars(loops = 2);
}

costate::model! {
    #[interpreted]
    /// A slider-crank of equal lengths, in rotation: singular where the crank stands across the slider.
    pub EqualCrank {
        parameters { r: m = 1, j: kg*m^2 = 1, m: kg = 1, spin: rad/s = 2 }
        coordinates { theta: rad, phi: rad, s: m }
        mass { theta: j, phi: j, s: m }
        constraints { c_x: r*cos(theta) + r*cos(phi) - s, c_y: r*sin(theta) + r*sin(phi) }
        initial { theta = 0.3, phi = -0.3, s ~ 1.9[m], dot(theta) = spin }
        outputs { energy: J = j*(dot(theta)^2 + dot(phi)^2)/2 + m*dot(s)^2/2 }
    }
}

const SCHEMES: [Scheme; 2] = [Scheme::GeneralizedAlpha { rho_inf: 0.8 }, Scheme::Hht { alpha: -0.1 }];

/// The largest change of the energy of rods of 1 kg and 1 m whose coordinates are x, y and angle of each.
fn energy_error<M: Model>(run: &Run<M>) -> f64 {
    let energy = |i: usize| -> f64 {
        let trajectory = run.trajectory();
        let bodies = trajectory.coordinates(i).chunks(3).zip(trajectory.velocities(i).chunks(3));
        bodies.map(|(q, v)| 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 12.0) + 9.81 * q[1]).sum()
    };
    (0..=run.statistics().steps).map(|i| (energy(i) - energy(0)).abs()).fold(0.0, f64::max)
}

fn bars<M: Model + Default>(h: f64, scheme: Scheme) -> f64 {
    let model = M::default();
    let run = Simulation::new(&model).step(h).until(10.0).scheme(scheme).run().unwrap();
    let iterations = run.statistics().iterations as f64 / run.statistics().steps as f64;
    assert!(iterations < 2.2, "{iterations} iterations per step");
    energy_error(&run)
}

#[test]
fn four_bars_keep_their_energy_to_second_order() {
    for scheme in SCHEMES {
        for errors in
            [[4e-3, 2e-3].map(|h| bars::<FourBars>(h, scheme)), [4e-3, 2e-3].map(|h| bars::<TwoLoops>(h, scheme))]
        {
            let order = (errors[0] / errors[1]).log2();
            assert!((order - 2.0).abs() < 0.1 && errors[0] < 0.03, "{scheme:?}: {errors:?}");
        }
    }
}

#[test]
fn a_crank_of_equal_lengths_runs_with_every_step() {
    let model = EqualCrank::default();
    for scheme in SCHEMES {
        for steps in [500, 1000, 5000, 10_000, 50_000] {
            let run = Simulation::new(&model).step(10.0 / f64::from(steps)).until(10.0).scheme(scheme).run().unwrap();
            let energy = run.output(EqualCrank::ENERGY);
            let change = energy.iter().fold(0.0, |most: f64, now| most.max((now - energy[0]).abs()));
            let h = 10.0 / f64::from(steps);
            assert!(change < 20.0 * h * h, "{steps} steps, {scheme:?}: {change:e}");
        }
    }
}

/// Through the singular position at 0.7 s.
#[test]
fn gradients_pass_it_too() {
    let model = FourBars::default();
    for scheme in SCHEMES {
        let problem = Simulation::new(&model).step(2e-3).until(1.0).scheme(scheme).problem().unwrap();
        let cost = BolzaCost::new(2e-3, 501).with_end_value(FourBars::ANGLE, 1.0).unwrap();
        let report =
            check_gradient(&problem, &model, &cost, &[Parameter::named("g").unwrap(), FourBars::SPIN]).unwrap();
        assert!(report.agrees(1e-8), "{report}");
    }
}
