//! Mass and inertia of a body as one unknown.

use costate::identify::{Fit, Prior};
use costate::model::BodyInertia;
use costate::{Identification, Model, Output, Record, Simulation, model};
use nalgebra::Matrix3;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, StandardNormal};

model! {
    #[interpreted]
    /// A thin plate that hangs on a ball, and is pushed about all axes.
    pub Plate {
        parameters {
            m: kg = 1.2,
            i_xx: kg*m^2 = 0.010,
            i_yy: kg*m^2 = 0.012,
            i_zz: kg*m^2 = 0.02198,
            i_xy: kg*m^2 = 0.001,
            i_xz: kg*m^2 = 0,
            i_yz: kg*m^2 = 0,
        }
        let turn = 1[rad/s]*t;
        gravity { (0, 0, -9.81[m/s^2]) }
        bodies { plate: spatial { mass: m, inertia: (i_xx, i_yy, i_zz, i_xy, i_xz, i_yz), center: (0, 0, -0.1[m]) } }
        joints { ball: spherical(ground, plate) }
        elements {
            push: torque(plate, (0.3[N*m]*sin(7*turn), 0.3[N*m]*sin(9*turn + 1), 0.2[N*m]*sin(5*turn))),
        }
        initial { plate.orientation = rotation((1, 0, 0), 10[deg]), plate.angular_velocity = (0, 0, 1[rad/s]) }
        outputs {
            rate[1]: rad/s = plate.local_angular_velocity.x,
            rate[2]: rad/s = plate.local_angular_velocity.y,
            rate[3]: rad/s = plate.local_angular_velocity.z,
        }
    }
}

fn body() -> BodyInertia<Plate> {
    BodyInertia::new(Plate::M, [Plate::I_XX, Plate::I_YY, Plate::I_ZZ]).products([
        Plate::I_XY,
        Plate::I_XZ,
        Plate::I_YZ,
    ])
}

/// A thicker plate of half the mass.
fn start() -> Plate {
    Plate { m: 0.6, i_xx: 0.007, i_yy: 0.007, i_zz: 0.008, i_xy: 0.0, i_xz: 0.0, i_yz: 0.0 }
}

fn record(noise: f64, seed: u64) -> Record {
    let mut random = SmallRng::seed_from_u64(seed);
    let run = Simulation::new(&Plate::default()).step(0.01).until(3.0).error_limit(None).run().unwrap();
    Output::<Plate>::all().fold(Record::new(run.times()).unwrap(), |record, output| {
        let noisy = run.output(output).into_iter().map(|value| {
            let fresh: f64 = StandardNormal.sample(&mut random);
            value + noise * fresh
        });
        record.with_channel(output.name(), Some("rad/s"), noisy.collect::<Vec<_>>()).unwrap()
    })
}

fn identification(start: &Plate, record: &Record) -> Identification<Plate> {
    let identification = Identification::new(&Simulation::new(start).step(0.01).error_limit(None));
    Output::<Plate>::all().fold(identification, |identification, output| identification.measured(output, record))
}

/// The least principal second moment in kg*m^2, which is positive in a possible body: that of the plate is 1e-5.
fn thickness(plate: &Plate) -> f64 {
    let Plate { i_xx, i_yy, i_zz, i_xy, i_xz, i_yz, .. } = *plate;
    let inertia = Matrix3::new(i_xx, i_xy, i_xz, i_xy, i_yy, i_yz, i_xz, i_yz, i_zz);
    (Matrix3::identity() * (0.5 * inertia.trace()) - inertia).symmetric_eigenvalues().min()
}

fn fitted(identification: Identification<Plate>) -> Fit<Plate> {
    identification.run().unwrap()
}

#[test]
fn all_numbers_of_a_body_are_found() {
    let fit = fitted(identification(&start(), &record(0.0, 0)).unknown_inertia(body()));
    let (found, truth) = (fit.model().parameters(), Plate::default().parameters());
    for (found, truth) in found.iter().zip(truth) {
        assert!((found - truth).abs() < 1e-7, "{fit}");
    }
    assert_eq!(fit.summary().parameters.len(), 7);
}

/// Noise takes a fit of single parameters beyond what a body can be in some records of twenty, and never one of the
/// body.
#[test]
fn a_body_stays_possible_whatever_the_noise_is() {
    let (mut impossible, mut errors) = (0, Vec::new());
    for seed in 1..=20 {
        let record = record(0.2, seed);
        let single = fitted(identification(&Plate::default(), &record).unknown(body().parameters()));
        impossible += usize::from(thickness(single.model()) <= 0.0);
        let fit = fitted(identification(&start(), &record).unknown_inertia(body()));
        assert!(thickness(fit.model()) > 0.0, "{fit}");
        let mass = fit.parameter(Plate::M).unwrap();
        errors.push((mass.found - 1.2) / mass.standard_deviation);
    }
    assert!(impossible > 0);
    let within = errors.iter().filter(|error| error.abs() < 3.0).count();
    assert!(within >= 19, "{errors:?}");
}

/// Without weight and with one rate alone, little is told: the drawing says the rest.
#[test]
fn a_drawing_keeps_what_data_do_not_tell() {
    let record = record(0.02, 3);
    let drawn = Plate { m: 1.3, ..Plate::default() };
    let alone = |identification: Identification<Plate>| fitted(identification.measured(Plate::RATE_3, &record));
    let simulation = || Identification::new(&Simulation::new(&drawn).step(0.01).error_limit(None));
    let near = alone(simulation().unknown_inertia_near(body(), 0.1));
    for one in &near.summary().parameters {
        assert!(one.standard_deviation.is_finite(), "{near}");
    }
    let mass = near.parameter(Plate::M).unwrap();
    assert!((mass.found / 1.3 - 1.0).abs() < 0.3 && mass.standard_deviation < 0.14, "{near}");
    let far = alone(simulation().unknown_inertia(body()).ignore_check());
    let deviation = far.parameter(Plate::M).unwrap().standard_deviation;
    assert!(deviation > mass.standard_deviation, "{far}");
}

#[test]
fn mistakes() {
    let record = record(0.0, 0);
    let refused = |identification: Identification<Plate>| identification.run().unwrap_err().to_string();
    let plain = || identification(&start(), &record);
    let flat = Plate { i_zz: 0.02, ..start() };
    let said = refused(identification(&flat, &record).unknown_inertia(body()));
    assert!(said.contains("with the mass `m`") && said.contains("does not begin as that of a body"), "{said}");
    let said = refused(plain().unknown_inertia_near(body(), 0.0));
    assert!(said.contains("prior deviation"), "{said}");
    let said = refused(plain().unknown_inertia(body()).unknown([Plate::M]));
    assert!(said.contains("`m`") && said.contains("twice"), "{said}");
    // a prior of one of them may stand beside
    let known = Prior::Normal { mean: 1.2, standard_deviation: 1e-4 };
    let fit = fitted(plain().unknown_inertia(body()).prior(Plate::M, known));
    assert!((fit.model().m - 1.2).abs() < 1e-3, "{fit}");
}
