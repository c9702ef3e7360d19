//! Slow motions beside stiff parts, against eigenvalues with 120 digits.

use costate_interpreter::LoadedModel;
use costate_vibration::{Complex, Equilibrium, EquilibriumError, EquilibriumSearch, ModeKind, VibrationError};
use serde::Deserialize;

use crate::{assert_near, loaded, simulation};

/// Four masses in a row, the first one with a spring to the ground, and a gyroscopic term between the first two.
#[derive(Deserialize)]
struct Chain {
    masses: [f64; 4],
    springs: [f64; 4],
    dampers: [f64; 4],
    gyro: f64,
    /// Number of eigenvalues that are 0.
    zeros: usize,
    /// The other eigenvalues in 1/s, of pairs that with a positive imaginary part, in the order of modes; by mpmath
    /// with 120 digits.
    poles: Vec<(f64, f64)>,
}

const MODEL: &str = "pub Graded {
    parameters { m[1..=4]: kg = 1, k[1..=4]: N/m = 1, d[1..=4]: N*s/m = 0, g: N*s/m = 0 }
    coordinates { x[1..=4]: m }
    mass { for i in 1..=4 { x[i]: m[i] } }
    forces {
        x[1]: -k[1]*x[1] - d[1]*dot(x[1]) - g*dot(x[2]),
        x[2]: g*dot(x[1]),
        for i in 2..=4 {
            x[i]: -k[i]*(x[i] - x[i - 1]) - d[i]*(dot(x[i]) - dot(x[i - 1])),
            x[i - 1]: k[i]*(x[i] - x[i - 1]) + d[i]*(dot(x[i]) - dot(x[i - 1])),
        }
    }
}";

fn search(model: LoadedModel, chain: &Chain) -> EquilibriumSearch {
    let mut search = EquilibriumSearch::new(&simulation(model));
    let lists = [("m", &chain.masses), ("k", &chain.springs), ("d", &chain.dampers)];
    for (name, values) in lists {
        for (index, value) in values.iter().enumerate() {
            search = search.parameter(model.parameter(&format!("{name}[{}]", index + 1)).unwrap(), *value);
        }
    }
    search.parameter(model.parameter("g").unwrap(), chain.gyro)
}

#[test]
fn slow_motions_beside_stiff_parts() {
    let model = loaded(MODEL);
    let first = model.system().coordinate("x[1]").unwrap();
    let chains: Vec<Chain> = serde_json::from_str(include_str!("graded.json")).unwrap();
    let mut clear = 0;
    assert_eq!(chains.len(), 36);
    for (number, chain) in chains.iter().enumerate() {
        let mut search = search(model, chain).unstable();
        if chain.zeros > 0 {
            search = search.held([first]);
        }
        let rest = match search.find() {
            Ok(rest) => rest,
            Err(VibrationError::Hidden { rate, .. }) => {
                // the spring to the ground is lost in the stiffest one
                let stiffest = chain.springs.into_iter().fold(0.0, f64::max);
                assert!(chain.springs[0].abs() <= 1e-14 * stiffest && rate > 0.1, "{number}: {rate}");
                continue;
            }
            Err(error) => panic!("{number}: {error}"),
        };
        let linear = rest.linearized();
        let modes = linear.modes().unwrap();
        let rigid: Vec<f64> =
            (modes.all().iter()).filter(|mode| mode.kind() == ModeKind::Rigid).map(|mode| mode.rounding()).collect();
        let oscillations = chain.poles.iter().filter(|(_, im)| *im > 0.0).count();
        let coordinates = oscillations + (chain.poles.len() - oscillations + chain.zeros) / 2;
        assert_eq!(coordinates, 4);
        let found = modes.oscillations().count();
        let aperiodic = modes.len() - found - rigid.len();
        assert_eq!(found + rigid.len() + aperiodic / 2, 4, "{number}: {modes}");
        assert!(rigid.len() >= chain.zeros / 2, "{number}: {modes}");
        let mut is_clear = true;
        for &(re, im) in &chain.poles {
            let wanted = Complex::new(re, im);
            let others = modes.all().iter().filter(|mode| mode.kind() != ModeKind::Rigid);
            let near = others.min_by(|one, other| {
                let away = |mode: &costate_vibration::Mode| (mode.eigenvalue - wanted).norm();
                away(one).total_cmp(&away(other))
            });
            let near = near.unwrap();
            let error = (near.eigenvalue - wanted).norm();
            // what is called rigid may have a rate that is said
            let is_hidden = rigid.len() > chain.zeros / 2 && rigid.iter().any(|hidden| wanted.norm() <= *hidden);
            assert!(
                is_hidden || error <= 1e-9 * wanted.norm() + near.rounding(),
                "{number}: {} in place of {wanted} +- {}",
                near.eigenvalue,
                near.rounding()
            );
            is_clear &= !is_hidden && near.rounding() <= 1e-4 * wanted.norm();
        }
        clear += usize::from(is_clear);
        // stability is said correctly, or not at all
        let grows = chain.poles.iter().any(|(re, _)| *re > 0.0);
        if chain.zeros == 0 && rest.stability_is_known() {
            assert_eq!(rest.is_stable(), !grows, "{number}");
        }
    }
    assert!(clear >= 22, "{clear} of {} are known to 1e-4", chains.len());
}

/// -40 N/m beside a stiffness over mass that is 1e12 times as large, and more.
#[test]
fn instability_beside_a_stiff_part_is_found_or_left_open() {
    for stiffness in [1e6, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e16, 1e18] {
        let model = loaded(&format!(
            "pub Sinking {{
                parameters {{ k: N/m = 40, c: N/m = {stiffness:e} }}
                coordinates {{ q: m, s: m }}
                mass {{ q: 1[kg], s: 1e-3[kg] }}
                forces {{ q: k*q - c*(q - s), s: -c*(s - q) }}
            }}"
        ));
        match Equilibrium::of(&simulation(model)) {
            Err(VibrationError::Equilibrium(EquilibriumError::Unstable { growth, .. })) => {
                // s^2 = 40/(1 + 1e-3)
                let error = 4.0 * f64::EPSILON * stiffness / 40.0;
                assert!((growth / (40.0f64 / 1.001).sqrt() - 1.0).abs() < 1e-9 + error, "{stiffness:e}: {growth}");
                assert!(stiffness <= 1e16);
            }
            Err(VibrationError::Hidden { .. }) => assert!(stiffness > 1e14),
            Ok(rest) => assert!(!rest.stability_is_known() && stiffness > 1e14, "{stiffness:e}"),
            other => panic!("{stiffness:e}: {other:?}"),
        }
    }
}

/// Slow motions of nearly the same frequency beside a stiff light part stay as many, and each keeps its damping.
#[test]
fn neighbours_beside_a_stiff_part_are_told_apart() {
    for stiffness in [1e4_f64, 1e8, 1e9, 1e10, 3e10, 1e11] {
        for neighbour in [20.0_f64, 36.0, 41.0, 45.0, 60.0, 80.0, 160.0, 400.0] {
            for growth in [0.0_f64, 1.0] {
                let model = loaded(&format!(
                    "pub Neighbours {{
                        parameters {{ c: N/m = {stiffness:e}, k: N/m = {neighbour}, g: N*s/m = {growth} }}
                        coordinates {{ q: m, z: m, y: m }}
                        mass {{ q: 1[kg], z: 1[kg], y: 1e-3[kg] }}
                        forces {{ q: -40[N/m]*q - c*(q - y), y: -c*(y - q), z: -k*z + g*dot(z) }}
                    }}"
                ));
                let rest = EquilibriumSearch::new(&simulation(model)).unstable().find().unwrap();
                assert_eq!(rest.is_stable(), growth == 0.0, "{stiffness:e}, {neighbour}, {growth}");
                let modes = rest.linearized().modes().unwrap();
                assert_eq!(modes.oscillations().count(), 3, "{stiffness:e}, {neighbour}, {growth}: {modes}");
                // z'' - g z' + k z = 0
                let alone = Complex::new(0.5 * growth, (neighbour - 0.25 * growth * growth).sqrt());
                // 1e-3 x^2 - b x + 40 c = 0 for x = -s^2
                let b = 1.001 * stiffness + 0.04;
                let with_part = Complex::new(0.0, (80.0 * stiffness / (b + (b * b - 0.16 * stiffness).sqrt())).sqrt());
                let error = 1e-9 + 4.0 * f64::EPSILON * stiffness / 40.0;
                for wanted in [alone, with_part] {
                    let distances = modes.all().iter().map(|mode| (mode.eigenvalue - wanted).norm());
                    let nearest = distances.fold(f64::INFINITY, f64::min);
                    assert!(nearest <= error * wanted.norm(), "{stiffness:e}, {neighbour}: {wanted} in {modes}");
                }
            }
        }
    }
}

/// 1e-6 N/m beside 1e8 N/m is no motion without stiffness.
#[test]
fn a_soft_support_beside_a_stiff_spring() {
    for (soft, mass) in [(1.0_f64, 1e-4), (1e-3, 1e-4), (1e-6, 1e-9)] {
        let model = loaded(&format!(
            "pub Near {{
                parameters {{ m: kg = {mass:e}, k: N/m = 1e8, s: N/m = {soft:e} }}
                coordinates {{ x: m, y: m }}
                mass {{ x: 1[kg], y: m }}
                forces {{ x: -s*x - k*(x - y), y: -k*(y - x) }}
            }}"
        ));
        let rest = Equilibrium::of(&simulation(model)).unwrap();
        assert!(rest.is_stable() && rest.stability_is_known());
        let modes = rest.linearized().modes().unwrap();
        assert_eq!(modes.len(), 2, "{modes}");
        let wanted = (soft / (1.0 + mass)).sqrt();
        let slow = &modes.all()[0];
        assert!((slow.eigenvalue.im - wanted).abs() <= slow.rounding() + 1e-12 * wanted, "{modes}");
        assert!(slow.rounding() < 0.2 * wanted, "{modes}");
    }
}

/// A mass of any size ends in a result or an error.
#[test]
fn masses_of_any_size_come_to_an_end() {
    for mass in [1e-300_f64, 1e-200, 1e-160, 1e-100, 1e100, 1e200] {
        let model = loaded(&format!(
            "pub Tiny {{
                parameters {{ m: kg = {mass:e}, k: N/m = 1 }}
                coordinates {{ q: m, r: m }}
                mass {{ q: m, r: 1[kg] }}
                forces {{ q: -k*(q - r), r: -1[N/m]*r - k*(r - q) }}
            }}"
        ));
        let Ok(rest) = Equilibrium::of(&simulation(model)) else { continue };
        let modes = rest.linearized().modes().unwrap();
        assert_eq!(modes.len(), 2);
        if mass < 1.0 {
            // the tiny mass follows the other one, and swings on its spring
            assert_near(modes.all()[0].eigenvalue.im, 1.0, 1e-9);
            assert_near(modes.all()[1].eigenvalue.im, 1.0 / mass.sqrt(), 1e-9);
        }
    }
}
