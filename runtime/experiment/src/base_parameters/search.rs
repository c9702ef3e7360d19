//! The search for base parameters: states, derivatives, independent columns.

use nalgebra::DMatrix;

use costate_numerics::linalg::dense;
use costate_system::body_inertia::BodyInertia;
use costate_system::identifiers::Parameter;
use costate_system::model::SelectedParameters;
use costate_system::simulation::RunDescription;
use costate_system::system::{Equations, StateVectors};

use super::independent::Independent;
use super::linear::LinearForm;
use super::random_states::{RandomState, Sampler};
use super::regressor::{Regressor, of_geometry};
use super::{BaseParameterError, BaseParameters};

/// Part of a column that is left of it without what constraints take, below which it is rounding.
const MIN_FREE: f64 = 1e-9;

/// States, and what is known of the constraints there.
struct Drawn {
    states: Vec<RandomState>,
    drives: Vec<&'static str>,
    /// True for each parameter on which constraints depend.
    depends: Vec<bool>,
}

pub(super) fn found(
    run: &RunDescription,
    unknown: Vec<Parameter>,
    bodies: &[BodyInertia],
) -> Result<BaseParameters, BaseParameterError> {
    run.check_names()?;
    let (problem, values) = (run.problem_at_start()?, &run.model.parameters);
    let (model, system) = (problem.description(), problem.system());
    let of_bodies = bodies.iter().flat_map(BodyInertia::parameters);
    unknown.iter().copied().chain(of_bodies).try_for_each(|parameter| parameter.check_model(model))?;
    let all = LinearForm::new(unknown, bodies).parameters;
    SelectedParameters::of(model, &Parameter::indices(&all))?;
    let start = problem.initial_state(values)?;
    let start = StateVectors::of_stored(model.coordinates.len(), &start);
    let mut drawn = Err(BaseParameterError::NoState { model: model.name });
    system.with_equations(&problem, values, &mut |equations| drawn = draw(equations, &start, all.len()));
    let Drawn { states, drives, depends } = drawn?;
    let (geometric, all): (Vec<Parameter>, Vec<Parameter>) =
        all.into_iter().partition(|parameter| depends.get(parameter.index()) == Some(&true));
    if all.is_empty() {
        return Err(BaseParameterError::NoUnknowns { model: model.name });
    }
    let is_whole = |body: &&BodyInertia| body.parameters().iter().all(|parameter| all.contains(parameter));
    let bodies: Vec<BodyInertia> = bodies.iter().filter(is_whole).cloned().collect();
    let masses: Vec<usize> =
        bodies.iter().filter_map(|body| all.iter().position(|parameter| *parameter == body.mass())).collect();
    let form = LinearForm::new(all, &bodies);
    // forces that are not linear have other derivatives at other values
    let changed = changed(values, &form.parameters);
    let [here, there] = [values, &changed].map(|values| {
        let mut columns = Err(BaseParameterError::NoState { model: model.name });
        system
            .with_equations(&problem, values, &mut |equations| columns = columns_at(equations, &states, &form, values));
        columns
    });
    let (here, there) = (here?, there?);
    let curved = (0..here.matrix.ncols()).filter(|&k| here.differs(&there, k)).collect();
    let at = of(&form.parameters, values);
    Ok(BaseParameters {
        model: model.name,
        linear: form.named(&at),
        independent: Independent::of(&here.matrix, &here.order(&masses)),
        without_influence: here.without_influence,
        curved,
        geometric: geometric.into_iter().map(Parameter::name).collect(),
        drives,
        form,
        at,
    })
}

fn draw(
    equations: &dyn Equations<f64>,
    start: &StateVectors<f64>,
    unknowns: usize,
) -> Result<Drawn, BaseParameterError> {
    /// Fewest states at which forces are differentiated.
    const MIN_STATES: usize = 50;
    let mut sampler = Sampler::new(equations, start.clone());
    let count = MIN_STATES.max(2 * unknowns);
    let states = (0..count).map(|_| sampler.next()).collect::<Result<Vec<_>, _>>()?;
    let depends = of_geometry(equations, &states, sampler.kept());
    Ok(Drawn { states, drives: sampler.drives(), depends })
}

/// Returns the values of the unknown parameters.
fn of(parameters: &[Parameter], values: &[f64]) -> Vec<f64> {
    parameters.iter().map(|parameter| values[parameter.index()]).collect()
}

/// Returns values of which the unknown ones are others, each by a part of its own.
fn changed(values: &[f64], unknown: &[Parameter]) -> Vec<f64> {
    let mut changed = values.to_vec();
    for (number, parameter) in unknown.iter().enumerate() {
        let value = &mut changed[parameter.index()];
        *value = *value * (1.1 + 0.1 * (1.0 + number as f64).sin()) + if *value == 0.0 { 0.01 } else { 0.0 };
    }
    changed
}

/// The derivatives of forces by linear parameters.
struct Columns {
    matrix: DMatrix<f64>,
    without_influence: Vec<usize>,
    /// The rounding of each column.
    rounding: Vec<f64>,
}

impl Columns {
    /// Returns the columns that have influence, the masses of bodies last: first moments and inertias are kept before
    /// them.
    fn order(&self, masses: &[usize]) -> Vec<usize> {
        let has_influence = |column: &usize| !self.without_influence.contains(column);
        let mut order: Vec<usize> = (0..self.matrix.ncols()).filter(has_influence).collect();
        order.sort_by_key(|column| masses.contains(column));
        order
    }

    fn differs(&self, other: &Self, column: usize) -> bool {
        let difference = (self.matrix.column(column) - other.matrix.column(column)).norm();
        difference > self.rounding[column].max(other.rounding[column])
    }
}

fn columns_at(
    equations: &dyn Equations<f64>,
    states: &[RandomState],
    form: &LinearForm,
    values: &[f64],
) -> Result<Columns, BaseParameterError> {
    let regressor = Regressor::of(equations, states, &Parameter::indices(&form.parameters));
    let not_finite = |column: usize| {
        let parameter = form.parameters.get(column).map_or("", |parameter| parameter.name());
        BaseParameterError::NotFinite { model: equations.description().name, parameter }
    };
    if let Some(column) = regressor.norms.iter().position(|norm| !norm.is_finite()) {
        return Err(not_finite(column));
    }
    let at = of(&form.parameters, values);
    let inverse = dense::inverse(form.derivatives(&at));
    let inverse = inverse.ok_or_else(|| not_finite(form.massless(&at).unwrap_or(0)))?;
    let matrix = &regressor.free * &inverse;
    let norms = inverse.column_iter().map(|column| {
        let parts = column.iter().zip(&regressor.norms);
        parts.map(|(factor, norm)| factor.abs() * norm).sum::<f64>()
    });
    let rounding: Vec<f64> = norms.map(|norm| MIN_FREE * norm).collect();
    let without_influence = (0..matrix.ncols()).filter(|&k| matrix.column(k).norm() <= rounding[k]).collect();
    Ok(Columns { matrix, without_influence, rounding })
}
