//! One degree of freedom.

use crate::measure::*;
use costate::Curve;
use costate::filter::{Method, SigmaPoints};
use costate::restoring_force::*;
use costate_models::restoring_force::*;

pub fn identification(case: &Case) -> RestoringForceIdentification {
    let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(cases::SCALE).unwrap();
    let (stiffness, damping) = case.a_priori;
    RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness, damping }])
        .unwrap()
        .lowest_stiffness(&[case.lowest_stiffness])
        .unwrap()
}

fn straight(slope: f64) -> Curve {
    Curve::new(vec![-1e-4, 1e-4], vec![-1e-4 * slope, 1e-4 * slope], costate::Extension::Linear).unwrap()
}

#[test]
#[ignore]
fn explore() {
    let sr = Method::SquareRootUnscented(SigmaPoints::default());
    let list: Vec<(&Case, Method, f64, f64)> = vec![
        (&cases::ADDITIVE, Method::Extended, 3.0, 1.0),
        (&cases::ADDITIVE, sr, 2.0, 1.0),
        (&cases::BACKLASH, Method::Extended, 2.5, 0.0),
        (&cases::BACKLASH, sr, 2.0, 1.0),
        (&cases::FRICTION, Method::Extended, 3.0, 1.0),
        (&cases::VAN_DER_POL_FORCED, Method::Extended, 0.0, 4.0),
        (&cases::VAN_DER_POL_FREE, Method::Extended, 0.0, 4.0),
    ];
    for (case, method, qs, qd) in list {
        let motion = (case.simulate)(case.sweep).unwrap();
        let (s, d) = case.a_priori;
        println!(
            "{} {qs} {qd} unadapted {:.1}",
            case.name,
            response_error(case, straight(s * cases::SCALE), straight(d * cases::SCALE), &motion)
        );
        for seed in 1..=5 {
            let start = std::time::Instant::now();
            let y = record(&motion, seed);
            let found = identification(case)
                .exponents(Exponents::new(qs, qd))
                .method(method)
                .run(&motion.base, &y)
                .unwrap();
            let filter_time = start.elapsed();
            let c = found.convergence();
            let start = std::time::Instant::now();
            let settings = CurveSettings::default();
            let e = found.elastic_curve(0, &settings);
            let ct = start.elapsed();
            let d = found.dissipative_curve(0, &settings);
            let start = std::time::Instant::now();
            let surface = found.surface(0, &SurfaceSettings::default());
            let st = start.elapsed();
            let (Ok(e), Ok(d), Ok(surface)) = (e, d, surface) else {
                println!("  {seed}: failed good {:.2} {:?}", c.good_part(), found.run().stopped());
                continue;
            };
            let ce = curve_error(&e, |z| case.elastic(z), &motion.deformations);
            let cd = curve_error(&d, |v| case.dissipative(v), &motion.rates);
            let sl = surface
                .averaged_dissipative_slice()
                .map(|c| curve_error(&c, |v| case.dissipative(v), &motion.rates))
                .unwrap_or(f64::NAN);
            let se = surface
                .averaged_elastic_slice()
                .map(|c| curve_error(&c, |v| case.elastic(v), &motion.deformations))
                .unwrap_or(f64::NAN);
            let r = response_error(case, e.table().unwrap(), d.table().unwrap(), &motion);
            let rs = surface
                .averaged_dissipative_slice()
                .map(|c| response_error(case, e.table().unwrap(), c.table().unwrap(), &motion))
                .unwrap_or(f64::NAN);
            let rc = coupled_response_error(case, surface.table().unwrap(), &motion);
            println!(
                "  {seed}: c_E {ce:.2} c_D {cd:.2} surface {:.2} slices {se:.2} {sl:.2} response {r:.1} {rs:.1} {rc:.1}  good {:.3} em {:.2e} es {:.2e} empty {} warn {:?} filter {filter_time:?} curve {ct:?} surface {st:?} {:?}",
                surface_error(&surface, case, &motion),
                c.good_part(),
                c.measurement_error,
                c.synchronisation_errors.iter().filter(|x| x.is_finite()).sum::<f64>() / 3e4,
                surface.empty,
                found.warnings(),
                found.run().stopped()
            );
        }
    }
}
