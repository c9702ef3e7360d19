//! A slider crank whose rod has no mass, in three coordinates and in one.

use costate_vibration::harmonic::{HarmonicBalance, Verdict};

use crate::{loaded, simulation};

pub const REDUNDANT: &str = "SliderCrank {
    parameters { j: kg*m^2 = 0.02, m: kg = 3, r: m = 0.1, l: m = 0.3, c: N/m = 4000, s_0: m = 0.34, d: N*m*s = 0.2 }
    inputs { torque: N*m }
    coordinates { phi: rad, psi: rad, s: m }
    mass { phi: j, s: m }
    forces { phi: torque - d*dot(phi), s: -c*(s - s_0) }
    constraints { along: s - r*cos(phi) - l*cos(psi), across: r*sin(phi) - l*sin(psi) }
    initial { phi = 1[rad], psi ~ 0.28[rad], s ~ 0.34[m], dot(phi) = 0[rad/s] }
    outputs { crank: rad = phi, slider: m = s, acceleration: m/s^2 = ddot(s) }
}";

const MINIMAL: &str = "Crank {
    parameters { j: kg*m^2 = 0.02, m: kg = 3, r: m = 0.1, l: m = 0.3, c: N/m = 4000, s_0: m = 0.34, d: N*m*s = 0.2 }
    inputs { torque: N*m }
    coordinates { phi: rad }
    let x = r*cos(phi) + sqrt(l^2 - r^2*sin(phi)^2);
    forces { phi: torque }
    kinetic { rotor: j/2*dot(phi)^2, load: m/2*dot(x)^2 }
    potential { c/2*(x - s_0)^2 }
    dissipation { d/2*dot(phi)^2 }
    initial { phi = 1[rad], dot(phi) = 0[rad/s] }
    outputs { crank: rad = phi, slider: m = x, acceleration: m/s^2 = ddot(x) }
}";

/// Tests outputs, stiffness and derivatives of both forms against each other.
#[test]
fn a_slider_crank_in_three_coordinates_is_that_in_one() {
    let [redundant, minimal] = [REDUNDANT, MINIMAL].map(|text| {
        let model = loaded(text);
        let response = HarmonicBalance::new(&simulation(model))
            .input(model.input("torque").unwrap(), [2.0])
            .harmonics(20)
            .sensitivities([model.parameter("m").unwrap(), model.parameter("l").unwrap()])
            .response(&[2.0, 4.0, 6.0])
            .unwrap();
        (model, response)
    });
    assert_eq!(redundant.1.curves[0].motions.len(), minimal.1.curves[0].motions.len());
    for (a, b) in redundant.1.curves[0].motions.iter().zip(&minimal.1.curves[0].motions) {
        for name in ["crank", "slider", "acceleration"] {
            let (a_output, b_output) = (redundant.0.output(name).unwrap(), minimal.0.output(name).unwrap());
            let size = (0..6).map(|k| b.harmonic(b_output, k).unwrap().norm()).fold(0.0, f64::max);
            for k in 0..10 {
                let difference = a.harmonic(a_output, k).unwrap() - b.harmonic(b_output, k).unwrap();
                assert!(difference.norm() < 1e-9 * size, "{name} {k}: {difference} of {size}");
                for parameter in ["m", "l"] {
                    let [a_by, b_by] = [
                        a.harmonic_by(a_output, k, redundant.0.parameter(parameter).unwrap()).unwrap(),
                        b.harmonic_by(b_output, k, minimal.0.parameter(parameter).unwrap()).unwrap(),
                    ];
                    let largest = size.max(b_by.norm());
                    assert!((a_by - b_by).norm() < 1e-8 * largest, "{name} {k} {parameter}: {a_by} {b_by}");
                }
            }
        }
        let (a_torque, a_crank) = (redundant.0.input("torque").unwrap(), redundant.0.output("crank").unwrap());
        assert_eq!(a.stiffness(a_torque, a_crank).unwrap().unit, "N*m/rad");
        let [a, b] = [a, b].map(|motion| motion.stability.clone().unwrap());
        assert_eq!((a.verdict, b.verdict), (Verdict::Stable, Verdict::Stable));
        assert_eq!((a.multipliers.len(), b.multipliers.len()), (2, 2));
        for (a, b) in a.multipliers.iter().zip(&b.multipliers) {
            assert!((a.norm() - b.norm()).abs() < 1e-3, "{a} {b}");
        }
    }
}
