//! Growth that is small beside the frequency of its motion, against closed forms.

use std::f64::consts::TAU;

use costate_vibration::{Equilibrium, EquilibriumError, EquilibriumSearch, VibrationError};

use crate::{assert_near, assert_within, loaded, simulation};

/// Numbers from 0 to 1, the same for every seed.
struct Random(u64);

impl Random {
    fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(41))
    }

    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A power of ten between these exponents.
    fn decade(&mut self, least: f64, most: f64) -> f64 {
        10f64.powf(least + (most - least) * self.number())
    }
}

fn rest(text: &str) -> Result<Equilibrium, VibrationError> {
    Equilibrium::of(&simulation(loaded(text)))
}

/// A mass that a force along its velocity excites, beside one that a damper brings to rest: s^2 - e s + k = 0.
#[test]
fn a_self_excited_mode_is_unstable_however_fast_it_is() {
    for seed in 0..40 {
        let mut random = Random::of(seed);
        let (stiffness, growth) = (random.decade(0.0, 12.0), random.decade(-10.0, -3.0));
        // ratio of growth to frequency
        let excitation = 2.0 * growth * stiffness.sqrt();
        let soft = random.decade(-2.0, 4.0);
        let found = rest(&format!(
            "pub Excited {{
                parameters {{ k: N/m = {stiffness:e}, e: N*s/m = {excitation:e}, c: N/m = {soft:e} }}
                coordinates {{ a: m, b: m }}
                mass {{ a: 1[kg], b: 1[kg] }}
                forces {{ a: -k*a + e*dot(a), b: -c*b - 0.1[N*s/m]*dot(b) }}
            }}"
        ));
        match found {
            Err(VibrationError::Equilibrium(EquilibriumError::Unstable { coordinate, growth: found, .. })) => {
                assert_eq!(coordinate, "a", "{seed}");
                assert_near(found, 0.5 * excitation, 1e-4);
            }
            other => panic!("{seed}: {growth:e} of {stiffness:e}: {other:?}"),
        }
    }
}

/// Chains of masses and springs alone, some of them with equal parts on both sides, so that frequencies repeat.
#[test]
fn undamped_chains_are_stable_and_show_no_damping() {
    for seed in 0..40 {
        let mut random = Random::of(seed);
        let count = 2 + (random.number() * 6.0) as usize;
        let (mut springs, mut masses): (Vec<f64>, Vec<f64>) =
            (0..count).map(|_| (random.decade(1.0, 6.0), random.decade(-2.0, 2.0))).unzip();
        // another chain beside it: the same one, one that nearly is, or a different one
        let factor = [1.0, 1.0 + 1e-13, 1.0 + 1e-10, 1.0 + 1e-8, 1.0 + 1e-6, 2.3][seed as usize % 6];
        let other: Vec<f64> = springs.iter().map(|spring| spring * factor).collect();
        springs.extend(other);
        masses.extend(masses.clone());
        let all = 2 * count;
        let values = (0..all).map(|i| format!("k{i}: N/m = {:e}, m{i}: kg = {:e}", springs[i], masses[i]));
        let forces = (0..all).map(|i| {
            let below = if i % count == 0 { String::new() } else { format!(" - x{}", i - 1) };
            let above = if i % count == count - 1 { String::new() } else { format!(" - k{0}*(x{i} - x{0})", i + 1) };
            format!("x{i}: -k{i}*(x{i}{below}){above}")
        });
        let list = |of: &dyn Fn(usize) -> String| (0..all).map(of).collect::<Vec<_>>().join(", ");
        let found = rest(&format!(
            "pub Chains {{
                parameters {{ {} }}
                coordinates {{ {} }}
                mass {{ {} }}
                forces {{ {} }}
            }}",
            values.collect::<Vec<_>>().join(", "),
            list(&|i| format!("x{i}: m")),
            list(&|i| format!("x{i}: m{i}")),
            forces.collect::<Vec<_>>().join(", ")
        ));
        let found = found.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert!(found.is_stable() && found.stability_is_known(), "{seed}: {found}");
        let modes = found.linearized().modes().unwrap();
        assert!(modes.all().iter().all(|mode| !mode.is_damped()), "{seed}: {modes}");
    }
}

/// Damping ratios that are small and no rounding.
#[test]
fn small_damping_is_shown() {
    for seed in 0..20 {
        let mut random = Random::of(seed);
        let (stiffness, ratio) = (random.decade(0.0, 8.0), random.decade(-9.0, -2.0));
        let damping = 2.0 * ratio * stiffness.sqrt();
        let found = rest(&format!(
            "pub Damped {{
                parameters {{ k: N/m = {stiffness:e}, d: N*s/m = {damping:e} }}
                coordinates {{ a: m, b: m }}
                mass {{ a: 1[kg], b: 1[kg] }}
                forces {{ a: -k*a - d*dot(a), b: -k*b - d*dot(b) }}
            }}"
        ));
        let modes = found.unwrap().linearized().modes().unwrap();
        assert_eq!(modes.len(), 2, "{seed}");
        for mode in modes.all() {
            assert!(mode.is_damped(), "{seed}: {modes}");
            assert_near(mode.damping_ratio(), ratio, 1e-6);
        }
    }
}

/// 0.5 m (1 - 20 x^2) v^2: the mass is -0.8 kg where the spring holds a force of 0.3 N.
#[test]
fn a_mass_that_is_negative_where_the_model_rests_is_refused() {
    const MODEL: &str = "pub Inverted {
        parameters { f: N = 0.3 }
        coordinates { x: m }
        kinetic { 0.5[kg]*(1 - 20[1/m^2]*x^2)*dot(x)^2 }
        forces { x: -1[N/m]*x + f }
        initial { x = 0[m], dot(x) = 0[m/s] }
    }";
    let model = loaded(MODEL);
    let force = model.parameter("f").unwrap();
    for unstable in [false, true] {
        let search = EquilibriumSearch::new(&simulation(model));
        let search = if unstable { search.unstable() } else { search };
        match search.find() {
            Err(VibrationError::Equilibrium(EquilibriumError::NegativeMass { of, coordinates })) => {
                assert_eq!(of, ["x"]);
                assert_within(coordinates[0].1, 0.3, 1e-12);
            }
            other => panic!("{other:?}"),
        }
        // 0.2 kg at 0.2 m
        let found = search.parameter(force, 0.2).find().unwrap();
        assert_near(found.linearized().modes().unwrap().all()[0].frequency(), 5f64.sqrt() / TAU, 1e-12);
    }
}

/// A pendulum that is begun beside its highest and beside the horizontal position comes to a position near it.
#[test]
fn a_search_from_a_flat_slope_stays_near_its_start() {
    let model = loaded(
        "pub Pendulum {
            parameters { c: N*m = 1, load: N*m = 0 }
            coordinates { one: rad, two: rad }
            mass { one: 1[kg*m^2], two: 1[kg*m^2] }
            forces { one: -c*sin(one), two: -c*sin(two) - 1e-3[N*m]*two + load }
            initial { one = 0, two = 0 }
        }",
    );
    let [one, two] = ["one", "two"].map(|name| model.system().coordinate(name).unwrap());
    let search = EquilibriumSearch::new(&simulation(model)).unstable();
    for start in [1.5, 1.57, 1.5705, 1.571, 1.6, 1.8, 3.0] {
        let found = search.clone().start(one, start).start(two, 0.1).find().unwrap();
        let wanted = if start < 0.25 * TAU { 0.0 } else { 0.5 * TAU };
        assert_within(found.coordinates()[0], wanted, 1e-9);
        assert_eq!(found.is_stable(), wanted == 0.0, "{start}");
    }
    // a soft shaft that turns far is no pendulum
    let shaft = loaded(
        "pub Shaft {
            parameters { c: N*m/rad = 1e-3, load: N*m = 25 }
            coordinates { angle: rad }
            mass { angle: 1[kg*m^2] }
            forces { angle: load - c*angle }
        }",
    );
    assert_near(Equilibrium::of(&simulation(shaft)).unwrap().coordinates()[0], 2.5e4, 1e-12);
}

/// Springs without stiffness where the force is zero: a position of rest that no linear model knows.
#[test]
fn a_stiffness_of_zero_is_no_family() {
    for force in ["-f*(x/l)^3", "-f*(x/l)^5", "f*(x/l)^3", "-100[N/m]*x - f*sqrt(abs(x/l))"] {
        let text = format!(
            "pub Flat {{
                parameters {{ f: N = 5, l: m = 1 }}
                coordinates {{ x: m, y: m }}
                mass {{ x: 1[kg], y: 1[kg] }}
                forces {{ x: {force}, y: -100[N/m]*y }}
            }}"
        );
        match rest(&text) {
            Err(VibrationError::Equilibrium(EquilibriumError::NoStiffness { coordinates, .. })) => {
                assert_eq!(coordinates, ["x"], "{force}");
            }
            other => panic!("{force}: {other:?}"),
        }
    }
    // a mass on a spring that turns about its end is free, along a circle
    let circle = rest(
        "pub Turning {
            parameters { k: N/m = 1e6, l: m = 0.5 }
            coordinates { x: m, y: m }
            mass { x: 1[kg], y: 1[kg] }
            forces {
                x: -k*(sqrt(x^2 + y^2) - l)*x/sqrt(x^2 + y^2),
                y: -k*(sqrt(x^2 + y^2) - l)*y/sqrt(x^2 + y^2),
            }
            initial { x = 0.3[m], y = 0.4[m] }
        }",
    );
    assert!(matches!(circle, Err(VibrationError::Equilibrium(EquilibriumError::Family { .. }))), "{:?}", circle.err());
}

/// A force that is left is said with its sign and unit.
#[test]
fn a_force_that_is_left_has_its_sign() {
    for (force, wanted) in [("-9.81[N]", -9.81), ("1[N]", 1.0)] {
        let text = format!(
            "pub Free {{ coordinates {{ x: m }} mass {{ x: 1[kg] }} forces {{ x: {force} - 1[N*s/m]*dot(x) }} }}"
        );
        match rest(&text) {
            Err(VibrationError::Equilibrium(EquilibriumError::NotFound { value, unit, .. })) => {
                assert_eq!((value, &*unit), (wanted, "N"));
            }
            other => panic!("{other:?}"),
        }
    }
}
