//! Tables that are refined: from few knots to many, in finer steps than those of derivatives, with breaks that are
//! known or sought.

use std::error::Error;

use costate::identify::{
    Experiment, IdentificationError, Measurement, Refinement, SpecificationError, StartValuesError, StartingTable,
    UnknownParameter, UnknownTable,
};
use costate::table::prior::{Break, BreakKind, PriorError, Shape, knots_with_breaks};
use costate::table::{Curve, Extension};
use costate::{Identification, Record, Simulation};
use costate_driven_models::Strut;

use super::{
    END, FINE, STEP, Tested, curve, damping, drive, grid, identification, identification_of, measured, nothing,
    simulated, simulation,
};

/// Steps of what was measured, in place of one of the identification.
const PARTS: usize = 40;

/// Derivatives are those of the record's steps, residuals those of finer ones: what is found is the fit with these
/// finer steps, and that of the record's steps lies elsewhere.
#[test]
fn derivatives_in_coarse_steps_lead_to_the_fit_in_fine_ones() -> Tested {
    let record = simulated([curve(1.2, 97, damping)?, curve(50.0, 11, |_| 0.0)?], PARTS, 5, FINE)?;
    let unknown = |simulation: &Simulation<Strut>| {
        identification_of(simulation, &record).unknown([UnknownParameter::from(Strut::C)])
    };
    let line = Curve::new(vec![-1.5, 1.5], vec![-12.0, 12.0], Extension::Linear)?;
    let damper = StartingTable::curve(Strut::DAMPER, line).shape(Shape::ThroughOrigin).knots(12);
    let refined = Refinement::new(unknown(&simulation()?)).table(damper).run()?;
    let settings = &refined.fit.summary().settings;
    let Some(finer) = settings.finer_steps else { return Err("no finer steps".into()) };
    assert!(finer.settled && finer.parts > 1, "{finer:?}");
    assert!(refined.share_of_steps.is_some_and(|share| share <= 0.1), "{:?}", refined.share_of_steps);
    let step = settings.runs[0].step / finer.parts as f64;
    assert!((refined.stages.last().ok_or("no stage")?.step / step - 1.0).abs() < 1e-12);
    let again = |step: f64| -> Result<_, Box<dyn Error>> {
        let damper = UnknownTable::new(Strut::DAMPER, 12.0).shape(Shape::ThroughOrigin).smooth();
        let start = simulation()?.table(Strut::DAMPER, refined.fit.tables().curve(Strut::DAMPER)).step(step);
        Ok(unknown(&start).unknown_table(damper).run()?)
    };
    // in deviations, where the data tell the values
    let found = &refined.fit.summary().tables[0];
    let distance = |step: f64| -> Result<f64, Box<dyn Error>> {
        let other = again(step)?;
        let pairs = found.values.iter().zip(&other.summary().tables[0].values).enumerate();
        let told = pairs.filter(|(k, _)| found.told_by_data[*k] > 0.9);
        Ok(told.map(|(k, (one, other))| (one - other).abs() / found.standard_deviations[k]).fold(0.0, f64::max))
    };
    let (fine, coarse) = (distance(step)?, distance(STEP)?);
    assert!(fine < 0.1 && coarse > 10.0 * fine, "{fine} {coarse}\n{refined}");
    // the run that is left is the one in finer steps
    let text = refined.fit.to_string();
    assert!(!text.contains("has not settled"), "{text}");
    let (stop, map) = nothing()?;
    let run = Simulation::new(refined.fit.model())
        .input(Strut::DRIVE, drive)
        .table(Strut::DAMPER, refined.fit.tables().curve(Strut::DAMPER))
        .table(Strut::SPRING, curve(50.0, 11, |_| 0.0)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map)
        .step(step)
        .until(END)
        .error_limit(None)
        .run()?;
    let fine: Vec<f64> = run.output(Strut::ACCELERATION).into_iter().step_by(finer.parts).collect();
    let left = refined.fit.experiments()[0].output(Strut::ACCELERATION);
    let off = fine.iter().zip(&left).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(fine.len() == left.len() && off < 1e-9, "{} {} {off}", fine.len(), left.len());
    Ok(())
}

/// An experiment that validates runs in the steps that residuals of the others are of.
#[test]
fn experiments_that_validate_run_in_finer_steps() -> Tested {
    let record = simulated([curve(1.2, 97, damping)?, curve(50.0, 11, |_| 0.0)?], PARTS, 5, FINE)?;
    let (stop, map) = nothing()?;
    let common = Simulation::new(&Strut { c: 380.0, ..Strut::default() })
        .table(Strut::SPRING, curve(50.0, 11, |_| 0.0)?)
        .table(Strut::STOP, stop)
        .table(Strut::MAP, map);
    let driven = common.clone().input(Strut::DRIVE, drive).step(STEP).until(END);
    let experiment = |name: &str| {
        Experiment::new(name)
            .simulation(&driven)
            .measured(Strut::POSITION, Measurement::new(&record).standard_deviation(FINE[0]))
            .measured(Strut::ACCELERATION, Measurement::new(&record).standard_deviation(FINE[1]))
    };
    let identification = Identification::new(&common)
        .experiment(experiment("fitted"))
        .experiment(experiment("beside").validation())
        .unknown([Strut::C]);
    let line = Curve::new(vec![-1.5, 1.5], vec![-12.0, 12.0], Extension::Linear)?;
    let damper = StartingTable::curve(Strut::DAMPER, line).shape(Shape::ThroughOrigin).knots(12);
    let fit = Refinement::new(identification).table(damper).run()?.fit;
    let parts = fit.summary().settings.finer_steps.ok_or("no finer steps")?.parts;
    let of = |name: &str| fit.experiment(name).map(|one| one.output(Strut::ACCELERATION)).ok_or("no run");
    let (fitted, beside) = (of("fitted")?, of("beside")?);
    let off = fitted.iter().zip(beside.iter().step_by(parts)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(parts > 1 && (fitted.len() - 1) * parts + 1 == beside.len(), "{} {}", fitted.len(), beside.len());
    assert!(off < 1e-9, "{off}");
    Ok(())
}

/// A guess that drives the motion beyond all bounds is left for the straight line that was given with it, which is
/// said.
#[test]
fn a_straight_line_is_refined_where_the_guess_cannot_be_simulated() -> Tested {
    let record = measured(2, FINE)?;
    let run = |damper: StartingTable<Strut>| -> Result<_, IdentificationError> {
        let identification = identification(&record).map_err(|_| StartValuesError::StartNotFinite)?;
        Refinement::new(identification.unknown([Strut::C])).table(damper.knots(12)).run()
    };
    let guess = |slope: f64| Curve::new(vec![-1.5, 1.5], vec![-1.5 * slope, 1.5 * slope], Extension::Linear);
    let hopeless = || guess(-1e80).map(|guess| StartingTable::curve(Strut::DAMPER, guess));
    let from_line = run(StartingTable::curve(Strut::DAMPER, guess(8.0)?))?;
    let refined = run(hopeless()?.or_straight(&[8.0]))?;
    assert!(refined.from_straight && !from_line.from_straight);
    assert!(refined.to_string().starts_with("the model cannot be simulated with the first guess"), "{refined}");
    assert_eq!(refined.fit.summary().tables[0].values, from_line.fit.summary().tables[0].values);
    assert_eq!(refined.outputs, from_line.outputs);
    assert!(matches!(run(hopeless()?), Err(IdentificationError::StartValues(StartValuesError::Start { .. }))));
    for slopes in [&[f64::NAN][..], &[], &[8.0, 1.0]] {
        let refused = run(hopeless()?.or_straight(slopes));
        let Err(IdentificationError::Specification(SpecificationError::UnknownTable {
            table: "damper", field, ..
        })) = refused
        else {
            return Err(format!("{slopes:?} are not refused").into());
        };
        assert!(field.contains("straight slope"), "{field}");
    }
    Ok(())
}

/// A first guess knows nothing of breaks: their knots are placed before anything is fitted, and stay.
#[test]
fn a_guess_without_knots_for_a_break_is_refined() -> Tested {
    let record = measured(2, FINE)?;
    let line = Curve::new(vec![-1.5, 1.5], vec![-12.0, 12.0], Extension::Linear)?;
    let damper = StartingTable::curve(Strut::DAMPER, line).knots(12).break_at(Break::Kink(0.25));
    let refined = Refinement::new(identification(&record)?.unknown([Strut::C])).table(damper).run()?;
    let knots = &refined.fit.summary().tables[0].knots[0];
    assert!(knots.contains(&0.25), "{knots:?}");
    let beside = StartingTable::curve(Strut::DAMPER, curve(1.0, 3, |speed| 8.0 * speed)?);
    let outside = Refinement::new(identification(&record)?).table(beside.break_at(Break::Kink(3.0))).run();
    assert!(matches!(
        outside,
        Err(IdentificationError::Specification(SpecificationError::TablePrior { table: "damper", .. }))
    ));
    Ok(())
}

/// The record of a damper that breaks at `place`, as sharply as knots do that lie close to each other.
fn of_broken_damper(kind: BreakKind, place: f64, force: impl Fn(f64) -> f64) -> Result<Record, Box<dyn Error>> {
    let knots = knots_with_breaks(&grid(1.4, 141), &[kind.at(place)])?;
    let values = knots.iter().map(|speed| force(*speed) - force(0.0)).collect();
    let damper = Curve::new(knots, values, Extension::Linear)?;
    simulated([damper, curve(50.0, 11, |_| 0.0)?], PARTS, 3, FINE)
}

/// A kink and a jump are found where they are, by much less than the distance of knots, and as surely as is said; of a
/// curve without one it is said that there is none.
#[test]
fn breaks_are_searched_for() -> Tested {
    let line = || Curve::new(vec![-1.4, 1.4], vec![-12.0, 12.0], Extension::Linear);
    let searched = |record: &Record, kind, [from, to]: [f64; 2]| -> Result<_, Box<dyn Error>> {
        let damper = StartingTable::curve(Strut::DAMPER, line()?).shape(Shape::ThroughOrigin).knots(16);
        let identification = identification(record)?.unknown([UnknownParameter::from(Strut::C)]);
        Ok(Refinement::new(identification).table(damper.break_within(kind, from, to)).run()?)
    };
    let bent = |v: f64| 6.0 * v + 12.0 * (v - 0.23).max(0.0) + (1.5 * v).tanh();
    let stepped = |v: f64| 8.0 * v + 3.0 * f64::from(v > -0.31);
    type Case<'a> = (BreakKind, f64, [f64; 2], &'a dyn Fn(f64) -> f64);
    let cases: [Case<'_>; 2] =
        [(BreakKind::Kink, 0.23, [0.0, 0.8], &bent), (BreakKind::Jump, -0.31, [-0.7, 0.3], &stepped)];
    for (kind, place, range, force) in cases {
        let record = of_broken_damper(kind, place, force)?;
        let refined = searched(&record, kind, range)?;
        let [found] = &refined.breaks[..] else { return Err("one break".into()) };
        let off = (found.place - place).abs();
        assert!(off < 0.02 && off < 3.0 * found.standard_deviation, "{found}");
        assert!(found.standard_deviation < 0.03 && found.log10_odds > 10.0 && !found.at_end, "{found}");
        assert!(refined.to_string().contains(&format!("damper: {kind} at ")), "{refined}");
        // the fit has knots for it
        assert!(refined.fit.summary().tables[0].knots[0].contains(&found.place));
    }
    let smooth = of_broken_damper(BreakKind::Kink, 0.23, |v| 8.0 * v + 3.0 * (1.5 * v).tanh())?;
    let refined = searched(&smooth, BreakKind::Kink, [0.0, 0.8])?;
    assert!(refined.breaks[0].log10_odds < 0.0, "{}", refined.breaks[0]);
    assert!(refined.to_string().contains("leave it out"), "{refined}");
    Ok(())
}

#[test]
fn places_where_no_break_can_be_are_refused() -> Tested {
    let record = measured(2, FINE)?;
    let line = || Curve::new(vec![-1.4, 1.4], vec![-12.0, 12.0], Extension::Linear);
    for [from, to] in [[0.5, 0.2], [f64::NAN, 0.2], [0.0, f64::INFINITY], [40.0, 50.0]] {
        let damper = StartingTable::curve(Strut::DAMPER, line()?).knots(8);
        let damper = damper.break_within(BreakKind::Kink, from, to);
        let refined = Refinement::new(identification(&record)?).table(damper).run();
        let Err(IdentificationError::Specification(SpecificationError::TablePrior { table: "damper", source })) =
            refined
        else {
            return Err(format!("{from} to {to} is not refused").into());
        };
        let text = source.to_string();
        assert!(
            matches!(source, PriorError::Sought { .. }) && text.contains("two finite, increasing numbers"),
            "{text}"
        );
    }
    let (_, map) = nothing()?;
    let map = StartingTable::surface(Strut::MAP, map).break_within(BreakKind::Jump, 0.0, 0.01);
    let refined = Refinement::new(identification(&record)?).table(map.typical(1.0)).run();
    assert!(matches!(
        refined,
        Err(IdentificationError::Specification(SpecificationError::SurfaceShape { table: "map" }))
    ));
    Ok(())
}
