//! `costate base-parameters`: the combinations of parameters that the forces of any motion tell.

use clap::Args;
use costate::campaign::InertiaEntry;
use costate::campaign::build::body;
use costate::experiment::{BaseParameterError, BaseParameters};
use costate::model::Parameter;
use costate::simulate::Simulation;
use serde_json::json;

use crate::answer::Answer;
use crate::error::{CommandError, command_errors};
use crate::loaded::{Loaded, load};
use crate::options::ParameterOptions;
use crate::selection::Selection;

command_errors!(Wrong: BaseParameterError);

/// The model, and what is unknown of it.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    parameters: ParameterOptions,
    /// The unknown parameters, of which the first ones are kept in combinations; without this and `--body`, all
    /// parameters of the model.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    unknown: Vec<String>,
    /// Mass and inertia of a spatial body as unknowns: the names of mass, i_xx, i_yy and i_zz, then of i_xy, i_xz and
    /// i_yz, then of x, y and z of the centre of mass, as far as they are parameters. With all ten, first moments and
    /// the inertia about the origin take their place, in which forces are linear.
    #[arg(long, value_name = "NAME,..")]
    body: Vec<String>,
}

/// Finds the combinations.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let loaded = load(&options.selection)?;
    let simulation = Simulation::of(loaded.system, options.parameters.values(&loaded)?);
    let bodies = options.body.iter().map(|names| body(&InertiaEntry::of_option("body", names)?, &loaded));
    let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
    let base = BaseParameters::find(&simulation, unknown(&loaded, options)?, bodies)?;
    let linear = base.linear();
    let names = |places: &[usize]| places.iter().map(|&place| linear[place].name.as_str()).collect::<Vec<_>>();
    let determined = base.determined().into_iter().map(|combination| {
        let others = combination.others.iter();
        json!({
            "kept": linear[combination.kept].name,
            "formula": base.formula(&combination),
            "value": combination.value,
            "unit": linear[combination.kept].unit,
            "others": others.map(|&(place, coefficient)| json!({ "name": linear[place].name, "coefficient":
            coefficient })).collect::<Vec<_>>(),
        })
    });
    let json = json!({
        "model": loaded.system.description().name,
        "rank": base.rank(),
        "determined": determined.collect::<Vec<_>>(),
        "fixed": names(&base.fixed()),
        "without_influence": names(base.without_influence()),
        "not_linear": names(base.curved()),
        "of_constraints": base.geometric(),
        "drives": base.drives(),
    });
    Ok(Answer::new(base.to_string(), json))
}

/// Finds the unknown parameters.
fn unknown(loaded: &Loaded, options: &Options) -> Result<Vec<Parameter>, CommandError> {
    if options.unknown.is_empty() && options.body.is_empty() {
        return Ok(Parameter::each_of(loaded.system.description()).collect());
    }
    let named = options.unknown.iter().map(|name| loaded.system.parameter(name.trim()));
    Ok(named.collect::<Result<_, _>>()?)
}
