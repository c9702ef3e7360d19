//! Names of the prelude, of Rust's types and of crates, in every role.
#![deny(warnings)]

use costate::Simulation;

costate::model! {
    /// As parameters, outputs and inputs.
    pub Option {
        parameters { Some: 1 = 1, None: 1 = 2, Ok: 1 = 3, Err: 1 = 4, f64: 1 = 5, usize: 1 = 6, Default: 1 = 7,
        core: 1 = 8 }
        inputs { Result: 1/s^2, std: 1/s^2 }
        coordinates { x: 1, y: 1 }
        mass { x: 1 + Some^2, y: None*f64 + usize }
        let Vec = sin(x)*Ok*1[1/s^2];
        let Box = Some*None*1[1/s^2];
        forces { x: -Vec*Err - Box*x + Result, y: std - Default*core*y*1[1/s^2] }
        outputs { String: 1 = x*None, Clone: 1/s^2 = Vec, drop: 1 = y }
    }
    /// A variant.
    pub Vec = Option();
}

costate::model! {
    /// As coordinates, constraints, components and structural arguments.
    pub Default(Iterator: usize = 3, Send: bool = true) {
        component Some {
            parameters { None: 1/s^2 = 2 }
            coordinates { Ok: 1 }
            mass { Ok: 1 }
            forces { Ok: -None*Ok }
        }
        coordinates { None: 1, Err: 1, Vec[1..=Iterator]: 1, bool: 1, costate: 1 }
        mass { None: 1, Err: 2, bool: 1, costate: if Send { 1 } else { 2 }, for i in 1..=Iterator { Vec[i]: 1 } }
        components { Box: Some {}, String: Some {} }
        forces {
            None: -sin(None)*cos(None)*1[1/s^2], bool: -bool*costate*1[1/s^2],
            for i in 1..=Iterator { Vec[i]: -sin(Vec[i])*1[1/s^2] },
        }
        constraints { Fn: None - Err^2 - 1 }
        initial { None = 1 }
        outputs { Debug: 1/s^2 = multiplier(Fn), Drop: 1 = Box.Ok }
    }
}

costate::model! {
    /// Called like what functions are generic over.
    pub S {
        parameters { c: N/m = 1 }
        coordinates { Copy: m }
        mass { Copy: 1[kg] }
        forces { Copy: -c*Copy }
    }
}

#[test]
fn runs() {
    let model = <Option as ::core::default::Default>::default();
    let run =
        Simulation::new(&model).input(Option::RESULT, |t: f64| t).input(Option::STD, |t: f64| t).step(1e-2).until(0.1);
    assert!(run.run().is_ok_and(|run| run.output(Option::CLONE).len() == 11));
    let model = <Vec as ::core::default::Default>::default();
    assert_eq!((model.Some, model.None, Vec::SOME.index()), (1.0, 2.0, 0));
    let model = <Default as ::core::default::Default>::default();
    assert!(Simulation::new(&model).step(1e-2).until(0.1).run().is_ok());
    assert_eq!((Default::ITERATOR, Default::SEND), (3, true));
    assert!(Simulation::new(&S { c: 2.0 }).step(1e-2).until(0.1).run().is_ok());
}
