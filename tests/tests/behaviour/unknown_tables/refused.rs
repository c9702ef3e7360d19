//! Refused settings of unknown tables.

use std::error::Error;

use costate::Identification;
use costate::identify::{
    Experiment, IdentificationError, SpecificationError, StartValuesError, UnknownTable, Weighting,
};
use costate::table::prior::Shape;
use costate_driven_models::Strut;

use super::{FINE, Tested, curve, identification, measured, simulation};

#[test]
fn what_cannot_be_said_of_a_table_is_refused() -> Tested {
    let record = measured(1, FINE)?;
    let damper = || UnknownTable::new(Strut::DAMPER, 5.0);
    let with = |unknown: UnknownTable<Strut>| -> Result<String, Box<dyn Error>> {
        Ok(match identification(&record)?.unknown_table(unknown).run() {
            Ok(fit) => format!("no error: {fit}"),
            Err(error) => match &error {
                IdentificationError::Specification(SpecificationError::TablePrior { source, .. }) => {
                    format!("{error}: {source}")
                }
                _ => error.to_string(),
            },
        })
    };
    let between = Shape::Between { least: -50.0, most: 50.0 };
    for (message, expected) in [
        (with(UnknownTable::new(Strut::DAMPER, 0.0))?, "the unknown table `damper` has typical = 0"),
        (with(damper().smoothness(-1.0))?, "smoothness = -1"),
        (with(damper().deviation(f64::INFINITY))?, "deviation = inf"),
        (
            with(
                damper()
                    .shape(Shape::Increasing)
                    .shape(Shape::Through { x: -0.5, value: 3.0 })
                    .shape(Shape::ThroughOrigin),
            )?,
            "the prior of the table `damper` is not possible: ",
        ),
        (with(damper().shape(Shape::Increasing).shape(between))?, "more conditions than it has values"),
        (
            with(UnknownTable::new(Strut::MAP, 1.0).shape(Shape::Odd))?,
            "shapes apply to tables of one argument only, and the table `map` has two",
        ),
        (
            with(UnknownTable::new(Strut::STOP, 1.0).smoothness(1.0))?,
            "no measured output depends on the table `stop` at the start values",
        ),
    ] {
        assert!(message.contains(expected), "{message}");
    }
    let by_squares =
        identification(&record)?.weighting(Weighting::Given).unknown_table(UnknownTable::new(Strut::STOP, 1.0)).run();
    assert!(matches!(
        by_squares,
        Err(IdentificationError::StartValues(StartValuesError::UntouchedTable { table: "stop" }))
    ));
    let twice = identification(&record)?.unknown_table(damper()).unknown_table(damper()).run();
    assert!(matches!(
        twice,
        Err(IdentificationError::Specification(SpecificationError::RepeatedTable { table: "damper" }))
    ));
    // tables are common to all experiments
    let common = simulation()?;
    let other = common.clone().table(Strut::DAMPER, curve(1.0, 21, |speed| 9.0 * speed)?);
    let experiment = |name, of: &_| Experiment::new(name).simulation(of).measured(Strut::POSITION, &record);
    let several = Identification::new(&common)
        .unknown_table(damper())
        .experiment(experiment("a", &common))
        .experiment(experiment("b", &other))
        .run();
    assert!(matches!(
        several,
        Err(IdentificationError::Specification(SpecificationError::TablesOfExperiment { experiment }))
            if experiment == "b"
    ));
    Ok(())
}
