#![allow(clippy::unwrap_used, clippy::panic)]
use costate::{BolzaCost, Model, Parameter, Problem, Simulation, check_gradient};

costate::model! {
    pub Signs {
        parameters { m: kg = 1.3, k: N/m = 70, f: N = 3, e: N = 2, d: N*s/m = 1, x0: m = 0, v0: m/s = 1, y0: m = 0, u0: m/s = 0, gap: m = 0.01 }
        coordinates { x: m, y: m }
        mass { x: m*(1 + 0.1*abs(sin(y*1[rad/m]))), y: m }
        forces {
            x: -k*(x - y) - f*sign(x) - d*dot(x),
            y: -k*(y - x) - e*sign(y) - k*y*abs(y)*1[1/m] - min(k*(y - x), e) + max(k*(x - gap), 0) - (if x > gap { d*dot(x) } else { 0 }),
        }
        initial { x = x0, dot(x) = v0, y = y0, dot(y) = u0 }
        outputs { a: m = x, b: m = y, c: m = abs(x), d_: m = min(x, y) }
    }
}
fn last<M: Model>(problem: &Problem<M>, output: usize) -> BolzaCost {
    BolzaCost::new(problem.settings().step, problem.steps() + 1).with_end_value(output, 1.0).unwrap()
}
#[test]
fn scan() {
    let (mut good, mut failed, mut worst) = (0, std::collections::BTreeMap::<String, usize>::new(), vec![]);
    for k in 0..24 {
        let model = Signs { k: 70.0 + 13.7 * f64::from(k), f: 0.3 + 0.2*f64::from(k), v0: if k % 3 == 0 { 0.0 } else { 0.1*f64::from(k) }, u0: if k % 2 == 0 { 0.0 } else { 0.5 }, ..Signs::default() };
        for h in [1e-2, 1e-3, 3e-4] {
            for steps in [1, 3, 40, 150] {
                let problem = Simulation::new(&model).step(h).until(h * f64::from(steps)).problem().unwrap();
                for output in 0..4 {
                    for p in Parameter::<Signs>::all() {
                        match check_gradient(&problem, &model, &last(&problem, output), &[p]) {
                            Ok(r) => { good += 1; if r.worst() > 1e-10 { worst.push((r.worst(), k, h, steps, output, r.entries[0].clone())); } }
                            Err(e) => { let t = e.to_string(); *failed.entry(t.chars().take(14).collect()).or_default() += 1; if !t.starts_with("no conv") { println!("{k} {h} {steps} {}: {t}", p.name()); } break; }
                        }
                    }
                }
            }
        }
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{good} good, {failed:?}, {} gaps", worst.len());
    for w in worst.iter().take(40) { println!("{w:?}"); }
}
