//! Models that leave out what can be left out.
#![deny(warnings, missing_docs, dead_code)]

use costate::Simulation;

costate::model! { Nothing { coordinates { x: m } mass { x: 1 } } }

costate::model! {
    /// Without defaults.
    pub(crate) Bare {
        parameters { m: kg, c: N/m }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x }
    }
}

mod inner {
    costate::model! {
        pub(super) Massless {
            parameters { d: N*s/m = 1 }
            inputs { u: N }
            coordinates { x: m }
            mass {}
            forces { x: u - d*dot(x) }
        }
    }
}

costate::model! {
    Empty {
        parameters {}
        inputs {}
        coordinates { x: m, }
        mass { x: 2, }
        forces {}
        constraints {}
        initial {}
        outputs {}
    }
}

costate::model! {
    /// A model with two tables, of which one is looked up before the run and one is not used.
    Tabled {
        parameters { c: N/m = 1, wear: 1 = 0 }
        tables { softening(wear: 1): 1, _spare(x: m): N }
        coordinates { x: m }
        mass { x: 1[kg] }
        forces { x: -c*softening(wear)*x }
    }
}

#[test]
fn runs() {
    let run = Simulation::new(&Nothing {}).step(1e-2).until(1.0).run();
    assert!(run.is_ok_and(|run| run.coordinate(Nothing::X).iter().all(|x| *x == 0.0)));
    let run = Simulation::new(&Bare { m: 2.0, c: 3.0 }).step(1e-2).until(1.0).run();
    assert!(run.is_ok_and(|run| run.coordinate(Bare::X).iter().all(|x| *x == 0.0)));
    let massless = inner::Massless::default();
    let _ = Simulation::new(&massless).input(inner::Massless::U, 1.0);
    let _ = Simulation::new(&Empty::default()).step(1e-2);
    let _ = Simulation::new(&Tabled::default()).step(1e-2);
}
