//! Gradients at places where rounding and kinks decide: initial states, runs in dual numbers, and their checks.

#![allow(clippy::unwrap_used, clippy::panic)] // a test may fail

use costate::{BolzaCost, Model, Parameter, Problem, Simulation, check_gradient};

costate::model! {
    /// A pendulum whose support moves.
    pub Moving {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 0.5, a: m = 0.3, w: rad/s = 5 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: (x - a*sin(w*t))^2 + y^2 - l^2 }
        initial { x = l*sin(start), y ~ -l }
        outputs { e_x: m = x }
    }
}

costate::model! {
    /// A constraint whose parameter is a factor: it changes nothing.
    pub Factor {
        parameters { p: 1 = 0.3 }
        coordinates { x: 1, y: 1 }
        mass { x: 1[kg*m^2], y: 1[kg*m^2] }
        forces { x: -1[N*m]*x }
        constraints { c: sqrt(0.4 + p^2)*(y + 0.3*sin(y) - sin(x)) }
        initial { x = 0.4, dot(x) = 0.3[1/s] }
        outputs { position: 1 = x }
    }
}

costate::model! {
    /// Slider-crank that starts at rest at its dead centre.
    pub DeadCentre {
        parameters { r: m = 0.1, l: m = 0.3, gamma: rad = 0.3, j: kg*m^2 = 0.01, m_s: kg = 2, torque: N*m = 5 }
        coordinates { theta: rad, phi: rad, s: m }
        mass { theta: j, s: m_s }
        forces { theta: torque }
        constraints { c_x: r*cos(theta) + l*cos(phi) - s*cos(gamma), c_y: r*sin(theta) + l*sin(phi) - s*sin(gamma) }
        initial { theta = gamma, phi = gamma, s = r + l, dot(theta) = 0, dot(phi) = 0, dot(s) = 0 }
        outputs { angle: rad = theta, slider: m = s }
    }
}

costate::model! {
    /// Kinks of every kind.
    pub Kinks {
        parameters { m: kg = 1, k: N/m = 10, f: N = 0.3, x0: m = 0.1, v0: m/s = 0, gap: m = 0.1, c: N*s/m = 0.2 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -k*x - f*sign(dot(x)) - c*abs(dot(x)) - k*max(x - gap, 0) - (if x > gap { f } else { 0 }) }
        initial { x = x0, dot(x) = v0 }
        outputs { position: m = x, size: m = abs(x - gap), least: m = min(x, gap) }
    }
}

fn last<M: Model>(problem: &Problem<M>, output: usize) -> BolzaCost {
    BolzaCost::new(problem.settings().step, problem.steps() + 1).with_end_value(output, 1.0).unwrap()
}

fn report<M: Model>(name: &str, model: &M, step: f64, steps: usize, parameters: &[&str], output: usize) {
    let problem = Simulation::new(model).step(step).until(step * steps as f64).problem();
    let problem = match problem { Ok(p) => p, Err(e) => { println!("{name}: {e}"); return; } };
    for p in parameters {
        let p = Parameter::<M>::named(p).unwrap();
        match check_gradient(&problem, model, &last(&problem, output), &[p]) {
            Ok(r) => println!("{name} h={step} {}: {:?}", p.name(), r.entries[0]),
            Err(e) => println!("{name} h={step} {}: {e}", p.name()),
        }
    }
}

#[test]
fn scratch() {
    for l in [0.7, 0.9, 1.0, 2.0, 1.3] {
        report("moving", &Moving { l, ..Moving::default() }, 1e-3, 1000, &["l"], 0);
    }
    report("factor", &Factor::default(), 1e-3, 1000, &["p"], 0);
    for p in [0.1, 0.2, 0.5, 0.7, 1.1] {
        report("factor", &Factor { p, ..Factor::default() }, 1e-3, 100, &["p"], 0);
    }
    for h in [1e-3, 1e-4, 1e-5] {
        for gamma in [0.0, 0.3, 0.7, 1.0] {
            let all = ["r", "l", "gamma", "j", "m_s", "torque"];
            println!("gamma {gamma}");
            report("dead", &DeadCentre { gamma, ..DeadCentre::default() }, h, 100, &all, 0);
            report("dead", &DeadCentre { gamma, ..DeadCentre::default() }, h, 100, &all, 1);
        }
    }
    for output in 0..3 {
        report("kinks", &Kinks::default(), 1e-3, 1000, &["m", "k", "f", "x0", "v0", "gap", "c"], output);
        report("kinks", &Kinks::default(), 1e-3, 3, &["m", "k", "f", "x0", "v0", "gap", "c"], output);
    }
}

costate::model! {
    /// At rest in an equilibrium, with friction that has a kink there.
    pub Resting {
        parameters { m: kg = 1.3, k: N/m = 70, l: m = 0.7, g: m/s^2 = 9.81, c: N*s/m = 2, d: N*s/m = 1, f: N = 0.7, b: 1/m = 0.3 }
        coordinates { x: m, y: m }
        mass { x: m*(1 + b^2*y^2), y: m }
        forces {
            x: -k*(x - l) - m*g - c*abs(dot(x)) - d*dot(x) - k*max(x - l + m*g/k, 0),
            y: -k*(y - x) - 0.3*k*b*(y - x)^2 - min(f*dot(y)*1[s/m], 2*f*dot(y)*1[s/m]) - (if dot(y) > 0.1[m/s] { f } else { f*dot(y)*10[s/m] }),
        }
        initial { x = l - m*g/k, y = l - m*g/k }
        outputs { position: m = x, other: m = y, speed: m/s = abs(dot(x)), more: m = max(x, y) }
    }
}

#[test]
fn kinks() {
    for h in [1e-2, 1e-3, 1e-4] {
        for steps in [1, 2, 10, 100, 1000] {
            for k in [70.0, 69.0, 33.3] {
                for output in 0..4 {
                    report(&format!("rest {k} {steps} {output}"), &Resting { k, ..Resting::default() }, h, steps, &["m", "k", "l", "g", "c", "d", "f", "b"], output);
                }
            }
        }
    }
}

costate::model! {
    /// At rest in an equilibrium, with friction that has a kink there; the start does not follow the equilibrium.
    pub Started {
        parameters { m: kg = 1.3, k: N/m = 70, l: m = 0.7, g: m/s^2 = 9.81, c: N*s/m = 2, d: N*s/m = 1, b: 1/m^2 = 30, start: m = 0.5, v: m/s = 0 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -k*(x - l)*(1 + b*(x - l)^2) - m*g - c*abs(dot(x)) - d*dot(x) }
        initial { x = start, dot(x) = v }
        outputs { position: m = x, size: m = abs(x - start) }
    }
}

#[test]
fn started() {
    for h in [1e-2, 1e-3, 1e-4] {
        for steps in [1, 2, 10, 100, 1000] {
            for k in [70.0, 69.0, 33.3, 51.7] {
                for b in [0.0, 30.0] {
                // equilibrium by bisection
                let (mut low, mut high) = (-2.0f64, 0.7f64);
                let force = |x: f64| -k*(x - 0.7)*(1.0 + b*(x - 0.7)*(x - 0.7)) - 1.3*9.81;
                for _ in 0..200 { let mid = 0.5*(low + high); if force(mid) > 0.0 { low = mid } else { high = mid } }
                for output in 0..2 {
                    report(&format!("started {k} {b} {steps} {output}"), &Started { k, b, start: low, ..Started::default() }, h, steps, &["m", "k", "l", "g", "c", "d", "start", "v"], output);
                }
                }
            }
        }
    }
}
