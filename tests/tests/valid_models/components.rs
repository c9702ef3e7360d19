//! Components of every kind: unused, without coordinates, in each other, defined below their use.

#![deny(warnings)]

use costate::{Model, Simulation};

costate::model! {
    /// A chain.
    pub Chain {
        /// Nobody uses it.
        component _Unused { coordinates { x: m } mass { x: unknown } }
        components { link[1..=2]: Link { start = base, c = 3*stiffness }, empty: Empty {} }
        parameters { stiffness: N/m = 2 }
        coordinates { base: m }
        component Link {
            connections { start: m }
            parameters {
                /// Mass of a link.
                m: g = 100,
                c: N/m,
            }
            inputs { pull: N }
            coordinates {
                /// Where a link is.
                x: m,
            }
            mass { x: m, base_mass: 1[kg] }
            coordinates { base_mass: m }
            components {
                /// Between start and end.
                spring: Spring { a = start, b = x, c = c, d = 1[N*s/m]*(1 + value(pull, N)^2) },
            }
            constraints { guide: base_mass - x }
            outputs { stretch: mm = x - start }
        }
        component Spring {
            connections { a: m, b: m }
            parameters { c: N/m }
            inputs { d: N*s/m }
            let force = c*(a - b) + d*(dot(a) - dot(b));
            forces { a: -force, b: force }
        }
        component Empty {}
        mass { base: 1[kg], link[1].x: 0.5[kg], (base, link[2].x): 0.1[kg] }
        forces { link[1].x: -0.1[N*s/m]*dot(link[1].x) }
        initial { link[1].x = 1[m], dot(link[2].x) = link[2].m*1[m/(kg*s)] }
        outputs { load: N = multiplier(link[2].guide) + link[1].spring.c*1[m] }
    }
}

#[test]
fn runs() {
    let chain = Chain { stiffness: 2.0, link_1_m: 100.0, link_2_m: 200.0 };
    let run = Simulation::new(&chain)
        .input(Chain::LINK_1_PULL, |t: f64| t)
        .input(Chain::LINK_2_PULL, 0.0)
        .step(1e-3)
        .until(0.1)
        .run()
        .unwrap();
    let _ = (run.output(Chain::LINK_2_STRETCH), run.coordinate(Chain::LINK_1_X), run.output(Chain::LOAD));
    let description = Chain::description();
    let names: Vec<_> = description.coordinates.iter().map(|quantity| quantity.name).collect();
    assert_eq!(names, ["link[1].x", "link[1].base_mass", "link[2].x", "link[2].base_mass", "base"]);
    assert_eq!(description.coordinates[2].documentation, "Where a link is.\n\nOf `link[2]`.");
    assert_eq!(description.parameters[0].name, "link[1].m");
}
